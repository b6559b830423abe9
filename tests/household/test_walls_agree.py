"""The two walls agree for everybody and every decision of parents: what is shown, and what is let in."""

from __future__ import annotations

import pytest
from django.utils import timezone

from household.access import filing, seen_by, visible
from household.models import Person
from household.rules import policies as rules
from household.rules.resources import TABLES, resource_of
from memory.models import JournalLine, JournalWords
from memory.services.turns import tell
from tests import second_wall
from tests.household.test_second_wall import DAY, _a_fill, _can, as_seen_by, pks
from tests.makers import a_person, a_record, a_statement
from tests.security.canaries import planted_models
from tests.security.world import VIEWERS, World, decisions, is_member, may
from twin.models import FormFill, Record, Subject

pytestmark = pytest.mark.django_db


def test_nobody_who_asks_sees_nothing(world: World) -> None:
    with second_wall.as_web():
        shown = {model._meta.label: pks(model) for model in planted_models()}
    assert {label: found for label, found in shown.items() if found} == {}
    assert all(pks(model) for model in planted_models())


def test_the_owner_sees_all_without_asking(world: World) -> None:
    for model in planted_models():
        assert {world.flock.row(model._meta.label, one.pk).pk for one in world.subjects.values()} <= pks(
            model
        )


def expected(viewer: str, subject: str, label: str, overrides: dict[str, bool]) -> bool:
    """Whether the planted row, which is a parent's, is there for this viewer."""
    if label == "twin.Subject":
        return is_member(viewer, subject)
    return may(viewer, subject, "view", TABLES[label].value, overrides)


@pytest.mark.parametrize("viewer", [name for name in VIEWERS if name != "guest"])
def test_a_forgotten_filter_shows_what_the_matrix_shows(world: World, viewer: str) -> None:
    wrong = []
    for overrides in decisions(viewer):
        world.decide(viewer, overrides)
        with as_seen_by(world.people[viewer]):
            shown = {model._meta.label: pks(model) for model in planted_models()}
        for label, found in shown.items():
            for name, subject in world.subjects.items():
                is_there = world.flock.row(label, subject.pk).pk in found
                if is_there != expected(viewer, name, label, overrides):
                    wrong.append((label, name, overrides, is_there))
    assert wrong == []


@pytest.mark.parametrize("viewer", [name for name in VIEWERS if name != "guest"])
def test_the_two_walls_agree_on_rows_of_others_and_own_ones(world: World, viewer: str) -> None:
    person = world.people[viewer]
    for name in ("Leo", "Mavi"):
        for_author = a_person(f"author of {name}") if viewer in {"parent", "other_parent"} else person
        _plant_more(world.subjects[name], for_author)
    for overrides in decisions(viewer):
        world.decide(viewer, overrides)
        for model in planted_models():
            if (
                "subject" not in {one.name for one in model._meta.fields}
                or model._meta.label in rules.SPECIAL
            ):
                continue
            rows = model._base_manager.order_by("pk").values_list("pk", flat=True)
            with seen_by(person, now=timezone.now()):
                first = list(visible(person, resource_of(model._meta.label), rows).distinct())
            with as_seen_by(person):
                second = list(rows)
            assert first == second, (model._meta.label, overrides)


def _plant_more(subject: Subject, author: Person) -> None:
    """Rows of another author, beside the planted ones, in tables that take more than one."""
    for at in (1, 2):
        record = a_record(subject, "eyes", day=DAY.replace(day=at), author=author)
        a_statement(subject, author, record=record)
    FormFill.objects.create(
        subject=subject,
        author=author,
        client_id=f"own-{subject.pk}",
        turn="own",
        at=timezone.now(),
        local_day=DAY,
    )


ADDERS = ["parent", "family", "child", "therapist", "teacher", "vet"]


@pytest.mark.parametrize("viewer", [name for name in VIEWERS if name != "guest"])
def test_rows_are_added_only_where_the_matrix_lets_one_add(world: World, viewer: str) -> None:
    for overrides in decisions(viewer):
        world.decide(viewer, overrides)
        for name, subject in world.subjects.items():
            can = may(viewer, name, "add", "observation", overrides)
            with as_seen_by(world.people[viewer]):
                assert _can(_a_fill, subject, world.people[viewer]) == can, (name, overrides)


@pytest.mark.parametrize("viewer", ADDERS)
def test_whoever_may_add_can_tell_and_it_folds_into_the_day(world: World, viewer: str) -> None:
    mavi, person, now = world.subjects["Mavi"], world.people[viewer], timezone.now()
    first = tell(
        person=world.people["parent"], text="she is limping", client_id="a", subject_id=mavi.pk, now=now
    )
    assert first.is_filed
    with second_wall.as_web():
        turn = tell(person=person, text="she is limping a lot", client_id="b", subject_id=mavi.pk, now=now)
    assert turn.is_filed
    folded = Record.objects.get(subject=mavi, category="musculoskeletal")
    assert {first.turn, turn.turn} == set(folded.turns)
    assert JournalLine.objects.filter(turn=turn.turn).count() == 2
    assert JournalWords.objects.filter(line__turn=turn.turn).exists()


def test_filing_opens_no_book_in_which_one_may_not_write(world: World) -> None:
    for viewer in ("ended", "nobody", "other_parent"):
        with as_seen_by(world.people[viewer]), filing([world.subjects["Leo"].pk]):
            assert not Record.objects.filter(subject=world.subjects["Leo"]).exists()
    world.decide("teacher", {"observation:add": False})
    with as_seen_by(world.people["teacher"]), filing([world.subjects["Leo"].pk]):
        assert not Record.objects.exists()
