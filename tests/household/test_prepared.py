"""A query that is made once gives what Django gives, and shows a person what `visible` shows them."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db.models import QuerySet
from django.utils import timezone

from household.access import seen, seen_by, visible
from household.models import Person
from household.prepared import prepared
from household.rules.permissions import Resource
from memory.models.asking import Question
from tests import second_wall
from tests.makers import a_cat, a_child, a_membership, a_person, a_record
from twin.models import Record

pytestmark = pytest.mark.django_db(transaction=True)
DAY = dt.date(2026, 3, 1)
MOST = 3


@prepared(most=MOST)
def on_or_after(turn: str, *, day: dt.date, subjects: list[int]) -> QuerySet[Record]:
    rows = Record.objects.filter(day__gte=day, subject__among=subjects)
    return rows.select_related("author").order_by(turn)


def test_it_is_made_once_and_gives_what_django_gives():
    leo, mavi = a_child(), a_cat()
    for number in range(MOST + 2):
        a_record(leo, day=DAY + dt.timedelta(days=number))
        a_record(mavi, day=DAY + dt.timedelta(days=number), text="all is well")
    built: list[str] = []
    query = prepared(most=MOST)(lambda *shape, **v: built.append("once") or on_or_after.build(*shape, **v))  # type: ignore[arg-type,return-value,func-returns-value]
    for turn in ("day", "-day", "day"):
        for subjects in ([], [leo.pk], [mavi.pk, leo.pk]):
            for number in range(MOST):
                values = {"day": DAY + dt.timedelta(days=number), "subjects": subjects}
                rows = Record.objects.filter(day__gte=values["day"], subject__in=subjects).order_by(turn)
                found = query.rows(turn, **values)
                assert [row.day for row in found] == [row.day for row in rows[:MOST]]
                assert {row.subject_id for row in query.rows_of([mavi.pk], turn, **values)} <= {mavi.pk}
                assert all(row.text == Record.objects.get(pk=row.pk).text for row in found)
    assert len(built) == 4  # two orders, each whole and of some subjects


@pytest.mark.parametrize("name", ["Ana", "Ben", "Dr. Ito", "Kaya", "Eve"])
def test_everybody_sees_of_it_what_is_visible_to_them(name: str):
    ana = a_person("Ana")
    leo, mavi = a_child(ana), a_cat(ana)
    people = {"Ana": ana, **{other: a_person(other) for other in ("Ben", "Dr. Ito", "Kaya", "Eve")}}
    a_membership(people["Ben"], leo, "family")
    a_membership(people["Dr. Ito"], leo, "therapist", data_from=DAY + dt.timedelta(days=2))
    a_membership(people["Dr. Ito"], mavi, "therapist")
    a_membership(people["Kaya"], leo, "teacher", overrides={"observation:view": False})
    for number, author in enumerate([*people.values()] * 2):
        for subject in (leo, mavi):
            a_record(subject, day=DAY + dt.timedelta(days=number), author=author)
    assert _shown(people[name]) == [row.pk for row in _visible(people[name])[:MOST]]


def _shown(person: Person) -> list[int]:
    values = {"day": DAY, "subjects": _everybody()}
    with second_wall.as_web(), seen_by(person, now=timezone.now()):
        return [row.pk for row in seen(person, Resource.OBSERVATION, on_or_after, "pk", **values)]


def _visible(person: Person) -> list[Record]:
    with seen_by(person, now=timezone.now()):
        rows = Record.objects.filter(day__gte=DAY).order_by("pk")
        return list(visible(person, Resource.OBSERVATION, rows))


def _everybody() -> list[int]:
    return list(Record.objects.values_list("subject_id", flat=True).distinct())


@prepared(most=MOST)
def fine_and_not(*, day: dt.date) -> tuple[QuerySet[Record], ...]:
    rows = Record.objects.filter(day__gte=day)
    return rows.filter(polarity="normal").order_by("pk"), rows.filter(polarity="abnormal").order_by("-pk")


@pytest.mark.parametrize("since", [None, DAY + dt.timedelta(days=2)])
def test_of_several_parts_each_is_narrowed_and_cut(since: dt.date | None):
    ana, ito = a_person("Ana"), a_person("Dr. Ito")
    leo = a_child(ana)
    a_record(a_cat(), day=DAY, author=ito)
    a_membership(ito, leo, "therapist", data_from=since)
    for number in range(2 * (MOST + 3)):
        is_fine = number % 2 == 0
        day = DAY + dt.timedelta(days=number)
        a_record(leo, day=day, author=ana, asserted="normal" if is_fine else "abnormal")
    with seen_by(ito, now=timezone.now()):
        rows = visible(ito, Resource.OBSERVATION, Record.objects.all())
        fine, ill = rows.filter(polarity="normal"), rows.filter(polarity="abnormal")
        expected = {row.pk for row in [*fine.order_by("pk")[:MOST], *ill.order_by("-pk")[:MOST]]}
        found = [row.pk for row in seen(ito, Resource.OBSERVATION, fine_and_not, day=DAY)]
    assert len(found) == len(set(found)) == 2 * MOST
    assert set(found) == expected


def test_rows_that_may_be_their_authors_alone_are_not_asked_for_by_subject_only():
    query = prepared()(Question.objects.all)
    with pytest.raises(TypeError, match="author's alone"):
        query.rows_of([1])
