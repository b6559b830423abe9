"""Episodes: one for each telling, kept true to it, gone with it."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from memory.models import Episode
from memory.rules.ageing import LEAST, weight
from tests.makers import a_child, a_person, signed_in
from twin.models import Statement, Subject
from twin.rules.entries import Entry, Reading
from twin.rules.subjects import Known
from twin.services.events import add_event, correct_event, undo_event
from twin.services.filing import undo_turn
from twin.services.statements import file_reading, keep_statement

NOW = dt.datetime(2026, 3, 3, 17, tzinfo=dt.UTC)


def told(leo: Subject, ana: Any, text: str, *entries: Entry, turn: str = "t1") -> Statement:
    statement, _is_new = keep_statement(
        author_id=ana.pk, subject=leo, text=text, turn=turn, client_id=turn, at=NOW, language="en"
    )
    file_reading(
        statement,
        Reading(frozenset({"observation"}), entries),
        known=[Known(leo.pk, "Leo", "person")],
        now=NOW,
    )
    return statement


def meltdown(today: str = "yes", **signs: Any) -> Entry:
    return Entry("behaviour", asserted="abnormal", signs={"meltdown": True, **signs}, today=today)  # type: ignore[arg-type]


@pytest.mark.django_db
def test_an_event_is_an_episode_that_follows_its_correction_and_goes_when_it_is_taken_back() -> None:
    ana = a_person("Ana")
    leo = a_child(ana)
    said = {"place": "Supermarket", "tried": "headphones", "impact": -2}
    event = add_event(person=ana, subject_id=leo.pk, client_id="e1", kind="meltdown", at=NOW, now=NOW, **said)
    add_event(person=ana, subject_id=leo.pk, client_id="e1", kind="meltdown", at=NOW, now=NOW, **said)
    episode = Episode.objects.get()
    assert (episode.event_id, episode.place, episode.impact, episode.turn) == (
        event.pk,
        "Supermarket",
        -2,
        event.turn,
    )
    assert episode.ref == f"epi_{episode.pk:06d}"
    correct_event(event_id=event.pk, kind="outing", at=NOW, place="Market", impact=1)
    again = Episode.objects.get()
    assert (again.pk, again.kind, again.place, again.impact) == (episode.pk, "outing", "Market", 1)
    undo_event(event_id=event.pk, now=NOW)
    assert not Episode.objects.exists()


@pytest.mark.django_db
def test_a_told_behaviour_is_an_episode_with_its_record_and_undo_takes_it() -> None:
    ana = a_person("Ana")
    leo = a_child(ana)
    statement = told(
        leo, ana, "he melted down because of the hand dryer", meltdown(trigger="hand dryer", minutes=20)
    )
    episode = Episode.objects.get()
    assert (episode.statement_id, episode.kind, episode.antecedent, episode.minutes) == (
        statement.pk,
        "meltdown",
        "hand dryer",
        20,
    )
    assert episode.behaviour == statement.text
    assert [link.record.turns for link in episode.records.select_related("record")] == [["t1"]]
    undo_turn(turn="t1", person_id=ana.pk, now=NOW)
    assert not Episode.objects.exists()


@pytest.mark.django_db
def test_two_tellings_of_one_evening_stay_two() -> None:
    ana = a_person("Ana")
    leo = a_child(ana)
    told(leo, ana, "he melted down", meltdown())
    told(leo, ana, "another meltdown before bed", meltdown(), turn="t2")
    assert Episode.objects.count() == 2


@pytest.mark.django_db
@pytest.mark.parametrize(
    "entry",
    [
        Entry("behaviour", asserted="normal", signs={"meltdown": False}, today="yes"),
        Entry("sleep", asserted="abnormal", signs={"poor_sleep": True}, today="yes"),
        meltdown(today="unknown"),
    ],
    ids=["none happened", "no behaviour", "nobody knows when"],
)
def test_what_is_no_dated_behaviour_makes_no_episode(entry: Entry) -> None:
    ana = a_person("Ana")
    leo = a_child(ana)
    told(leo, ana, "as it was said", entry)
    assert not Episode.objects.exists()


@pytest.mark.django_db
def test_a_family_members_event_is_an_episode_too() -> None:
    from tests.makers import a_membership

    ana, kim = a_person("Ana"), a_person("Kim")
    leo = a_child(ana)
    a_membership(kim, leo, "family")
    page = signed_in(kim).post(
        f"/book/{leo.pk}/events/add",
        {"client_id": "k1", "kind": "outing", "when": "now", "impact": "1", "behaviour": "ran happily"},
    )
    assert page.status_code == 302, page.content[:400]
    assert Episode.objects.get().author_id == kim.pk


def test_the_older_weighs_less_and_the_harder_ages_slower() -> None:
    for impact in range(-3, 4):
        weights = [weight(age, impact) for age in range(0, 4000, 20)]
        assert weights == sorted(weights, reverse=True)
        assert weights[0] == 1.0 and weights[-1] == LEAST
        assert weight(100, impact) == weight(100, -impact)
    assert weight(90, 3) > weight(90, 1) > weight(90, 0)
