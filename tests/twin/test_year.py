"""A year of a cat and a child, lived through tells, taps, silence and nights, beside its written truth."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

import pytest

from tests.makers import a_cat, a_child, a_person
from tests.slices import IS_LONG, is_turn
from tests.twin.year import script, truth
from tests.twin.year.acts import BERLIN, Act, date_of
from tests.twin.year.comparing import (
    Window,
    compare_agendas,
    compare_courses,
    compare_drift,
    compare_frames,
    compare_night,
    compare_recurrences,
    days_of,
    states_of,
)
from tests.twin.year.noise import with_noise
from tests.twin.year.play import Life
from tests.twin.year.truth import Course
from twin.models import LedgerEntry, Question, Record, RoundRun, Subject

pytestmark = pytest.mark.django_db
NEW_YEAR = dt.datetime(2026, 1, 1, 8, tzinfo=dt.UTC)
SUMMER = Window(date_of("07-01"), date_of("09-28"))
SPRING_NIGHT = Window(date_of("03-25"), date_of("04-06"))
AUTUMN_NIGHT = Window(date_of("10-19"), date_of("11-05"))
YEAR = Window(date_of("01-01"), date_of("12-31"))
in_long_runs = pytest.mark.skipif(
    not IS_LONG, reason="HEARTHBOOK_LONG is not set: the seasons stand for the year"
)


def the_cat() -> Subject:
    return a_cat(
        now=NEW_YEAR, time_zone=BERLIN, sex="male", born_on=dt.date(2021, 4, 1), born_precision="day"
    )


def the_child() -> Subject:
    return a_child(now=NEW_YEAR, time_zone=BERLIN, born_on=dt.date(2019, 2, 1), born_precision="day")


def live(
    subject: Subject, acts: Sequence[Act], courses: Sequence[Course], window: Window, *, seed: int
) -> tuple[Life, list[str]]:
    """Live the window and compare each night as it ends."""
    lived = with_noise(acts, seed=seed, first=window.first, last=window.last)
    life, lines = Life(subject, a_person(), lived), []

    def look(day: dt.date) -> None:
        lines.extend(compare_night(subject, courses, day))

    life.live(window.first, window.last, after_night=look)
    return life, lines


def live_the_cat(window: Window, *, seed: int) -> list[str]:
    cat, courses = the_cat(), window.of(truth.CAT)
    _life, lines = live(cat, script.CAT, courses, window, seed=seed)
    return [
        *lines,
        *compare_courses(cat, courses, window),
        *compare_frames(cat, courses, window, truth.CAT_FLAGS),
        *compare_agendas(cat, truth.CAT_AGENDA, courses, window),
        *compare_drift(cat, truth.CAT_DRIFT, window),
    ]


def live_the_child(window: Window, *, seed: int) -> list[str]:
    child, courses = the_child(), window.of(truth.CHILD)
    _life, lines = live(child, script.CHILD, courses, window, seed=seed)
    return [
        *lines,
        *compare_courses(child, courses, window),
        *compare_frames(child, courses, window, {}),
        *compare_agendas(child, truth.CHILD_AGENDA, courses, window),
        *compare_drift(child, truth.CHILD_DRIFT, window),
    ]


def report(lines: list[str]) -> str:
    return f"\n{len(lines)} differences from the written truth\n" + "\n".join(lines)


SEASONS = {"summer": SUMMER, "the night forward": SPRING_NIGHT, "the night back": AUTUMN_NIGHT}


def seasons_of(number: int) -> list[str]:
    """What the cat (0) or the child (1) lives through: in a short run the summer by turns."""
    return [one for one in SEASONS if one != "summer" or is_turn(number, one_in=2)]


@pytest.mark.parametrize("season", seasons_of(0))
def test_a_season_of_the_cat_is_in_the_book_as_it_was(season: str) -> None:
    lines = live_the_cat(SEASONS[season], seed=len(season))
    assert not lines, report(lines)


@pytest.mark.parametrize("season", seasons_of(1))
def test_a_season_of_the_child_is_in_the_book_as_it_was(season: str) -> None:
    lines = live_the_child(SEASONS[season], seed=len(season))
    assert not lines, report(lines)


@in_long_runs
@pytest.mark.long
def test_the_year_of_the_cat_is_in_the_book_as_it_was() -> None:
    lines = live_the_cat(YEAR, seed=365)
    cat = Subject.objects.get(species="cat")
    lines += compare_recurrences(cat, truth.CAT)
    assert not lines, report(lines)
    assert nights_of(cat) == list(YEAR.days)
    joined = {
        f"{row.day:%m-%d}": row.signs for row in Record.objects.filter(category="eyes", day__lt="2026-11-01")
    }
    assert joined == truth.CAT_JOINED
    undated = Record.objects.filter(subject=cat, kind="history")
    assert [(row.time_phrase, row.started_on, row.sort_on) for row in undated] == [
        (phrase, None, None) for phrase in truth.CAT_UNDATED
    ]
    assert list(Question.objects.order_by("id").values_list("state", flat=True)) == [
        "expired",
        "expired",
        "answered",
    ]


@in_long_runs
@pytest.mark.long
def test_the_year_of_the_child_is_in_the_book_as_it_was() -> None:
    lines = live_the_child(YEAR, seed=365)
    child = Subject.objects.get(species="person")
    lines += compare_recurrences(child, truth.CHILD)
    assert not lines, report(lines)
    assert nights_of(child) == list(YEAR.days)
    assert list(LedgerEntry.objects.filter(state="undone").values_list("category", flat=True)) == ["ears"]
    assert [row.day for row in Record.objects.filter(category="ears")] == [date_of("06-11")]


def nights_of(subject: Subject) -> list[dt.date]:
    return list(RoundRun.objects.filter(subject=subject).order_by("day").values_list("day", flat=True))


@pytest.mark.parametrize("courses", [truth.CAT, truth.CHILD])
def test_the_written_truth_keeps_the_floors_itself(courses: Sequence[Course]) -> None:
    """A truth that broke the design would prove nothing: no end without its seven days and five seen well."""
    for course in courses:
        bad = [day for day, trajectory, _severity in days_of(course) if trajectory != "normal"]
        for since, state in states_of(course):
            last_bad = max(day for day in bad if day <= since)
            well = [
                day
                for day, trajectory, _ in days_of(course)
                if last_bad < day <= since and trajectory == "normal"
            ]
            if state == "passive":
                assert len(well) >= 3, course
            if state == "closed" and course.key != "oral_dental":  # a person closed that one
                assert (since - last_bad).days >= 7, course
                assert len(well) >= 5, course
                assert not course.chronic
