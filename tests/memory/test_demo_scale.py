"""Years of daily logs in bulk: linked as filing links them, and as the real rounds would leave them."""

import datetime as dt

import pytest
from django.core.management import CommandError
from django.db import connection
from django.db.models import Q

from memory.management.commands.demo import further_days
from memory.models import JournalLine, JournalWords, JournalWriter
from memory.services.demo.scale import add_scale, history_days
from memory.services.demo.story import story_now
from tests.makers import a_household, a_person
from twin.models import CourseDay, CourseMove, CourseStatement, LedgerEntry, Record, RoundRun, Statement
from twin.services.rounds.run import due_days, run_round

TODAY = dt.date(2026, 4, 13)


@pytest.mark.parametrize(
    ("years", "subjects", "everyone", "days"),
    [
        (None, None, False, []),
        (None, 3, False, []),
        (None, 5, False, [365, 365]),
        (2.0, None, False, [730]),
        (10.0, 12, False, [3652, *[365] * 8]),
        (10.0, 5, True, [3652, 3652]),
        (0.5, 5, False, [183, 183]),
        (1.0, 3, False, [365]),
    ],
)
def test_years_and_subjects_say_how_many_days_each_further_subject_logged(years, subjects, everyone, days):
    found = further_days(years, subjects, is_for_everyone=everyone)
    assert [abs(one - other) <= 1 for one, other in zip(found, days, strict=True)] == [True] * len(days)


@pytest.mark.parametrize(("years", "subjects"), [(0.0, None), (-1.0, 4), (101.0, 4), (1.0, 2)])
def test_no_years_and_fewer_subjects_than_the_story_has_are_refused(years, subjects):
    with pytest.raises(CommandError):
        further_days(years, subjects, is_for_everyone=False)
    assert history_days(3, 0) == []


def a_history(*days, seed=3):
    a_household()
    people = [(a_person("Ana"), "parent"), (a_person("Can"), "parent"), (a_person("Ayla"), "family")]
    return add_scale(
        people=people, days=list(days), today=TODAY, seed=seed, language="en", zone="Europe/Istanbul"
    )


def derived(subject):
    """What the nights made of a subject, without the numbers of rows."""
    courses = Record.objects.courses().filter(subject=subject).order_by("opened_on", "category")
    shown = courses.values_list(
        "id",
        "category",
        "lifecycle",
        "started_on",
        "ended_on",
        "severity",
        "signs",
        "polarity",
        "turns",
        "opened_on",
    )
    days = CourseDay.objects.filter(subject=subject).order_by("course", "day")
    moves = CourseMove.objects.filter(subject=subject).order_by("course", "day", "became")
    said = CourseStatement.objects.filter(subject=subject).order_by("course", "entry")
    joined = Record.objects.filter(subject=subject, lifecycle="day").order_by("id")
    return {
        "courses": list(shown),
        "days": list(days.values_list("course", "day", "trajectory", "severity", "polarity", "record")),
        "moves": list(moves.values_list("course", "day", "was", "became", "reason")),
        "said": list(said.values_list("course", "entry", "day", "said_at", "words", "signs")),
        "joined": list(joined.values_list("id", "course")),
    }


@pytest.mark.django_db
def test_the_real_rounds_find_nothing_to_change_in_a_bulk_history():
    (subject,) = a_history(70)
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    before = derived(subject)
    assert {row[2] for row in before["courses"]} >= {"closed"} and before["days"] and before["said"]
    first = RoundRun.objects.filter(subject=subject).order_by("day").first()
    RoundRun.objects.filter(subject=subject).update(is_dirty=True)
    run_round(subject_id=subject.pk, day=first.day, now=story_now(TODAY))
    after = derived(subject)
    for name, rows in before.items():
        assert rows == after[name], name


@pytest.mark.django_db
def test_a_day_of_bulk_history_is_eleven_records_of_thirty_three_entries_all_linked():
    animal, child = a_history(10, 10)
    records = Record.objects.filter(subject=animal, lifecycle="day")
    entries = LedgerEntry.objects.filter(subject=animal)
    assert (records.count(), entries.count()) == (110, 330)
    assert not entries.filter(Q(record=None) | ~Q(state="filed")).exists()
    assert RoundRun.objects.filter(subject=animal).count() == 10
    assert due_days(animal, now=story_now(TODAY)) == []
    assert RoundRun.objects.filter(subject=child).count() == 10
    one = entries.select_related("record").order_by("id").first()
    assert one.record.day == one.local_day and one.turn in one.record.turns
    seqs = sorted(JournalLine.objects.values_list("seq", flat=True))
    assert seqs == list(range(2 * 2 * 30)) and JournalWriter.objects.get(device="home").next_seq == len(seqs)
    assert JournalWords.objects.count() == Statement.objects.count() == 60
