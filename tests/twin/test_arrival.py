"""Words that come late: what a book ends as depends on what was said and when, never on when it arrived."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import transaction
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from tests.makers import a_cat, a_person
from tests.slices import IS_LONG
from tests.snapshots import content_snapshot, differences
from tests.twin.stories import MONDAY, at, day_number, ear, run_until, since, tell, unsure
from twin.models import AgendaItem, CourseMove, Frame, LedgerEntry, Record, RoundRun, Subject
from twin.rules.entries import Entry
from twin.services.closing import close_course
from twin.services.days import mark_dirty
from twin.services.filing import undo_turn
from twin.services.rounds.run import catch_up, run_round

pytestmark = pytest.mark.django_db
EXAMPLES = 100 if IS_LONG else 2
# A book lives for a while in each example: shrinking one takes minutes, so only the long form does.
PHASES = list(Phase) if IS_LONG else [Phase.explicit, Phase.reuse, Phase.generate]
DAYS = 5
LAST = day_number(DAYS + 8)


@dataclass(frozen=True)
class Said:
    """An entry told on a day of the story, arriving some days late."""

    day: int
    entry: Entry
    late: int = 0


def arrive(cat: Subject, words: Sequence[Said]) -> None:
    """Let the words arrive day by day, with every round in its night, and then some quiet days."""
    moments = {n: at(day_number(one.day), 6, n) for n, one in enumerate(words)}
    for today in range(DAYS + 5):
        for n, one in enumerate(words):
            if one.day + one.late == today:
                tell(cat, moments[n], one.entry, text=f"w{n}", arrived_at=at(day_number(today), 20, n))
        run_until(cat, day_number(today))
    run_until(cat, LAST)


def book(cat: Subject) -> dict[str, Any]:
    """What a family sees of it: days, history, courses with their days and moves, and what stands open."""
    frame = Frame.objects.get(subject=cat).body
    return {
        "days": [
            (one.day, one.site, one.signs, one.polarity, one.severity, one.started_on, one.turns)
            for one in Record.objects.filter(subject=cat, kind="symptom", lifecycle="day").order_by(
                "day", "site"
            )
        ],
        "history": sorted(Record.objects.filter(subject=cat, kind="history").values_list("turns", flat=True)),
        "courses": sorted(map(course_of, real_courses(cat)), key=repr),
        "frame": [{key: value for key, value in one.items() if key != "record"} for one in frame["open"]],
    }


def real_courses(cat: Subject) -> list[Record]:
    return list(
        Record.objects.courses().filter(subject=cat).exclude(closed_reason="withdrawn").order_by("id")
    )


def course_of(course: Record) -> dict[str, Any]:
    days = course.days.order_by("day").select_related("record")
    return {
        "opened": (course.site, course.opened_on, course.started_on, course.precision),
        "stands": (course.lifecycle, course.ended_on, course.signs, course.severity, course.polarity),
        "turns": course.turns,
        "days": [(one.day, one.trajectory, one.severity, one.polarity, one.record.site) for one in days],
        "moves": list(course.moves.order_by("day", "id").values_list("day", "was", "became", "reason")),
    }


def told(words: Sequence[Said]) -> dict[str, Any]:
    """The book these words end in, made and taken back."""
    with transaction.atomic():
        cat = a_cat(now=at(MONDAY, 5))
        arrive(cat, words)
        found = book(cat)
        transaction.set_rollback(True)
    return found


SIDES = st.sampled_from(["left", "left", "left", "right", "both", None])
SIGNS = st.sampled_from([{}, {}, {"odour": True}, {"pain": True}, {"odour": False}])
LOOKS = st.builds(ear, bad=st.booleans(), side=SIDES, signs=SIGNS)
ONSETS = st.builds(lambda back: ear(since=since(day_number(-back))), st.integers(0, 5))
IN_DAYS = st.builds(Said, st.integers(0, DAYS), st.one_of(LOOKS, LOOKS, ONSETS), st.integers(0, 4))
UNDATED = st.builds(lambda day, side: Said(day, unsure(signs=side)), st.integers(0, DAYS), SIGNS.filter(bool))
WORDS = st.lists(st.one_of(IN_DAYS, IN_DAYS, IN_DAYS, UNDATED), min_size=2, max_size=7)
BAD_THEN_GOOD = [Said(n, ear(bad=n < 2)) for n in range(6)]
UNDATED_FIRST = [
    Said(0, unsure()),
    Said(0, ear(bad=False)),
    Said(0, unsure(signs={"pain": True})),
    Said(0, ear(since=since(day_number(-5))), late=1),
    Said(1, ear(since=since(day_number(-3)))),
]


@settings(max_examples=EXAMPLES, deadline=None, phases=PHASES)
@given(WORDS)
@example([Said(n, one.entry, late=(5 * n) % 4) for n, one in enumerate(BAD_THEN_GOOD)])
@example([Said(0, ear(side=None), 0), Said(1, ear(), 4), Said(1, ear(side=None)), Said(0, ear(), 5)])
@example([Said(3, unsure()), Said(3, ear(), late=2), Said(2, ear(), late=4)])
@example([Said(2, ear(), 3), Said(2, ear(bad=False, signs={"odour": True})), Said(3, ear(), 1)])
def test_the_order_of_arrival_does_not_change_the_book(words: list[Said]) -> None:
    in_time = [Said(one.day, one.entry) for one in words]
    assert told(words) == told(in_time)


@settings(max_examples=EXAMPLES, deadline=None, phases=PHASES)
@given(WORDS, st.integers(0, DAYS + 8))
@example([*BAD_THEN_GOOD, Said(4, unsure())], 2)
@example(UNDATED_FIRST, 7)
def test_running_any_days_again_changes_nothing_but_the_counts_of_what_was_done(
    words: list[Said], day: int
) -> None:
    unlike = frozenset({"twin_roundrun.ran_at", "twin_roundrun.counts"})
    with transaction.atomic():
        cat = a_cat(now=at(MONDAY, 5))
        arrive(cat, words)
        before = content_snapshot(columns=unlike)
        run_round(subject_id=cat.pk, day=day_number(day), now=at(LAST + dt.timedelta(days=2)))
        assert differences(before, content_snapshot(columns=unlike)) == []
        mark_dirty(cat, day_number(day))
        run_until(cat, LAST)
        assert differences(before, content_snapshot(columns=unlike)) == []
        transaction.set_rollback(True)


def a_cat_whose_left_ear_was_bad_on(*days: int, until: int) -> Subject:
    cat = a_cat(now=at(MONDAY, 5))
    for n in days:
        tell(cat, at(day_number(n)), ear())
    run_until(cat, day_number(until))
    return cat


def late(cat: Subject, day: int, *entries: Entry, arrives: int, hour: int = 20) -> None:
    tell(cat, at(day_number(day), hour), *entries, arrived_at=at(day_number(arrives), 12))
    run_until(cat, day_number(arrives - 1))


def test_a_sign_told_at_eight_that_arrives_after_the_one_of_noon_does_not_replace_it() -> None:
    cat = a_cat(now=at(MONDAY, 5))
    tell(cat, at(MONDAY, 12), ear(bad=False))
    tell(cat, at(MONDAY, 8), ear(bad=True), arrived_at=at(MONDAY, 21))
    row = Record.objects.get()
    assert row.signs["redness"] is False
    assert row.turns == [entry.turn for entry in LedgerEntry.objects.order_by("said_at")]


def test_an_onset_that_was_taken_back_is_no_onset() -> None:
    ana = a_person()
    cat = a_cat(ana, now=at(MONDAY, 5))
    tell(cat, at(MONDAY, 8), ear(), author_id=ana.pk)
    said = tell(cat, at(MONDAY, 9), ear(since=since(day_number(-9)), phrase="ages"), author_id=ana.pk)
    assert Record.objects.get().started_on == day_number(-9)
    undo_turn(turn=said.statements[0].turn, person_id=ana.pk, now=at(MONDAY, 9))
    row = Record.objects.get()
    assert (row.started_on, row.precision, row.time_phrase) == (None, None, None)


def test_a_course_that_late_words_withdrew_does_not_come_back_with_the_next_late_words() -> None:
    cat = a_cat(now=at(MONDAY, 5))
    quick = {"asserted": None}
    for n in (2, 3):
        tell(cat, at(day_number(n)), Entry("ears", signs={"redness": True}, today="yes", **quick))
    run_until(cat, day_number(4))
    assert Record.objects.open_courses().count() == 1
    late(cat, 3, Entry("ears", signs={"redness": False}, today="yes"), arrives=5)
    assert not Record.objects.open_courses().exists()
    late(cat, 4, ear(bad=False), arrives=6)
    assert not Record.objects.open_courses().exists()
    assert real_courses(cat) == []


def test_a_course_found_again_keeps_its_id_and_has_none_of_its_old_days() -> None:
    cat = a_cat_whose_left_ear_was_bad_on(1, 2, until=5)
    (course,) = real_courses(cat)
    late(cat, 2, ear(signs={"pain": True}), arrives=6)
    (again,) = real_courses(cat)
    assert again.pk == course.pk
    assert list(again.days.order_by("day").values_list("day", "severity")) == [
        (day_number(1), 1),
        (day_number(2), 2),
    ]


def test_late_words_within_a_course_that_a_person_closed_leave_it_closed() -> None:
    cat = a_cat_whose_left_ear_was_bad_on(0, 1, 2, until=3)
    ana = a_person()
    (course,) = real_courses(cat)
    close_course(person=ana, course_id=course.pk, reason="the vet saw it", now=at(day_number(4)))
    run_until(cat, day_number(6))
    late(cat, 1, ear(signs={"pain": True}), arrives=7)
    (again,) = real_courses(cat)
    assert (again.pk, again.lifecycle, again.closed_reason, again.closed_by) == (
        course.pk,
        "closed",
        "the vet saw it",
        ana,
    )
    assert again.ended_on == day_number(2)
    assert list(again.days.order_by("day").values_list("severity", flat=True)) == [1, 2, 1]
    assert list(again.moves.order_by("day").values_list("day", "became", "by")) == [
        (day_number(1), "active", None),
        (day_number(4), "closed", ana.pk),
    ]


def test_a_finding_after_a_closing_by_hand_needs_days_of_its_own_to_be_a_course() -> None:
    cat = a_cat_whose_left_ear_was_bad_on(0, 1, until=1)
    close_course(
        person=a_person(), course_id=real_courses(cat)[0].pk, reason="gone", now=at(day_number(2), 8)
    )
    tell(cat, at(day_number(2)), ear())
    run_until(cat, day_number(2))
    assert [one.lifecycle for one in real_courses(cat)] == ["closed"]
    tell(cat, at(day_number(3)), ear())
    run_until(cat, day_number(3))
    assert [(one.lifecycle, one.started_on) for one in real_courses(cat)] == [
        ("closed", MONDAY),
        ("active", day_number(2)),
    ]


def test_an_undated_word_joins_what_late_words_say_was_there() -> None:
    cat = a_cat(now=at(MONDAY, 5))
    tell(cat, at(day_number(3)), unsure())
    run_until(cat, day_number(4))
    assert Record.objects.get().kind == "history"
    late(cat, 2, ear(), arrives=5)
    row = Record.objects.get()
    assert (row.kind, row.day, row.signs) == (
        "symptom",
        day_number(2),
        {"redness": True, "odour": True, "side": "left"},
    )


def test_a_grave_undated_word_makes_the_day_it_joins_as_grave_in_its_course() -> None:
    cat = a_cat_whose_left_ear_was_bad_on(0, 1, until=1)
    tell(cat, at(day_number(2)), unsure(signs={"pain": True}))
    run_until(cat, day_number(2))
    (course,) = real_courses(cat)
    assert list(course.days.order_by("day").values_list("severity", "trajectory")) == [
        (1, "onset"),
        (2, "worsening"),
    ]
    assert course.signs["pain"] is True


def test_an_agenda_made_again_keeps_the_questions_a_page_is_showing() -> None:
    cat = a_cat_whose_left_ear_was_bad_on(0, 1, until=1)
    shown = AgendaItem.objects.get(day=day_number(2), course__isnull=False)
    late(cat, 1, ear(signs={"pain": True}), arrives=2)
    again = AgendaItem.objects.get(day=day_number(2), course__isnull=False)
    assert (again.pk, again.asks) == (shown.pk, {"signs": ["pain", "redness"]})


def test_a_day_run_by_hand_closes_the_days_before_it_first() -> None:
    cat = a_cat(now=at(MONDAY, 5))
    for n in (0, 1):
        tell(cat, at(day_number(n)), ear())
    run = run_round(subject_id=cat.pk, day=day_number(3), now=at(day_number(4), 4))
    assert run.day == day_number(3)
    assert [one.day for one in RoundRun.objects.order_by("day")] == [day_number(n) for n in range(4)]
    assert CourseMove.objects.get().day == day_number(1)
    assert list(catch_up(cat, now=at(day_number(4), 4))) == []


def test_a_day_told_of_by_two_rows_is_as_grave_as_the_graver_one_once_an_undated_word_left_it() -> None:
    cat = a_cat_whose_left_ear_was_bad_on(0, 1, until=1)
    tell(cat, at(day_number(2), 8), ear(side="both", signs={"pain": True}))
    tell(cat, at(day_number(2), 9), ear())
    tell(cat, at(day_number(2), 10), unsure(signs={"hearing_loss": True, "side": "left"}))
    run_until(cat, day_number(3))
    (course,) = real_courses(cat)
    shown = course_of(course)
    for day in (2, 3):  # the undated word's own night, and the one after it
        mark_dirty(cat, day_number(day))
        run_until(cat, day_number(3))
        course.refresh_from_db()
        assert course_of(course) == shown
    assert [(one.severity, one.record.site) for one in course.days.order_by("day")] == [
        (1, "left"),
        (1, "left"),
        (2, "left"),
    ]
