"""The journal by day: which days there are, newest first, and the lines of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import Min, Q, QuerySet

from household.access import sight_of, visible
from household.models import Person
from household.rules.days import DAY_MS, MINUTE_MS
from household.rules.permissions import Resource
from household.services.registers import read_setting
from memory.models import JournalLine
from memory.rules.journal import Day, Event, Line, day_of, of_day, span, unsure

DAYS_A_PAGE = 14
LINES_A_PAGE = 400
FAR_MS = 2**62

# Each row looks up the newest line before a bound, takes its day, and goes on with the day's start.
DAYS = """
WITH RECURSIVE day (number, start_ms) AS (
    SELECT 0, %(before)s::bigint
    UNION ALL
    SELECT number + 1, (
        SELECT (l.at_ms + %(offset)s) / %(day)s * %(day)s - %(offset)s FROM memory_journalline l
        WHERE l.at_ms < day.start_ms AND ({mine}) ORDER BY l.at_ms DESC LIMIT 1)
    FROM day WHERE number < %(days)s AND start_ms IS NOT NULL
)
SELECT day.start_ms, counted.lines, counted.gone FROM day, LATERAL (
    SELECT count(*) AS lines, count(*) FILTER (WHERE NOT l.live) AS gone FROM memory_journalline l
    WHERE l.at_ms >= day.start_ms AND l.at_ms < day.start_ms + %(day)s AND ({mine})
) counted
WHERE number > 0 AND day.start_ms IS NOT NULL ORDER BY number
"""
MINE = (
    "l.subject_id = ANY (%(subjects)s::bigint[])"
    " OR (l.author_id = %(me)s AND (l.subject_id IS NULL OR l.subject_id = ANY (%(member)s::bigint[])))"
    " OR (l.subject_id IS NULL AND l.envelope ->> 'event' = 'Cleared')"
)


@dataclass(frozen=True)
class CountedDay:
    """One day with lines, how many it has and how many of them were cleared by age."""

    day: Day
    lines: int
    gone: int


@dataclass(frozen=True)
class HeardLine(Line):
    """A line with its row: who wrote it, on what device, about whom."""

    row: JournalLine | None = None


def household_offset() -> int | None:
    """The household's own offset from UTC in minutes, by which its days are counted."""
    found: int | None = read_setting("utc_offset_minutes")
    return found


def seen_lines(person: Person) -> QuerySet[JournalLine]:
    """The lines a person may read; a clearing by age is announced to every parent."""
    rows = JournalLine.objects.all()
    of_subjects = visible(person, Resource.CONVERSATION, rows)
    nobodys = Q(author=person.pk) | Q(envelope__event=Event.CLEARED.value)
    return of_subjects | rows.filter(nobodys, subject=None)


def newest_days(
    person: Person, *, before_ms: int | None = None, offset: int | None
) -> tuple[list[CountedDay], int | None]:
    """A page of the days with lines before a moment, newest first, and where the next page begins.

    It costs one index look-up and one count a day, however long the journal is.
    """
    sight = sight_of(person)
    values: dict[str, Any] = {
        "before": FAR_MS if before_ms is None else min(before_ms, FAR_MS),
        "offset": (offset or 0) * MINUTE_MS,
        "day": DAY_MS,
        "days": DAYS_A_PAGE + 1,
        "subjects": sight.viewable(Resource.CONVERSATION),
        "member": list(sight.subjects),
        "me": person.pk,
    }
    with connection.cursor() as cursor:
        cursor.execute(DAYS.format(mine=MINE), values)
        rows = cursor.fetchall()
    days = [CountedDay(day_of(start, offset), lines, gone) for start, lines, gone in rows]
    more = days[DAYS_A_PAGE - 1].day.start_ms if len(days) > DAYS_A_PAGE else None
    return days[:DAYS_A_PAGE], more


def lines_of(
    person: Person, day: Day, *, after: tuple[int, int] = (0, 0)
) -> tuple[list[HeardLine], tuple[int, int] | None]:
    """The lines of a day as they happened, a page at a time: each turn whole under the day it began.

    `after` is (time, position) of the last line seen; the second value is where the next page begins.
    """
    start, end = span(day)
    at_ms, position = after
    rows = (
        seen_lines(person)
        .filter(at_ms__gte=start, at_ms__lt=end)
        .filter(Q(at_ms__gt=at_ms) | Q(at_ms=at_ms, position__gt=position))
        .select_related("words", "author", "subject")
        .order_by("at_ms", "position")[: LINES_A_PAGE + 1]
    )
    found = [HeardLine(row.envelope, _words(row), row) for row in rows]
    page = found[:LINES_A_PAGE]
    last = page[-1].row if page else None
    more = (int(last.at_ms), last.position) if last is not None and len(found) > LINES_A_PAGE else None
    began = _began(person, unsure(page, day))
    return [line for line in of_day(page, day, began=began) if isinstance(line, HeardLine)], more


def _began(person: Person, turns: frozenset[str]) -> dict[str, int]:
    """When these turns began."""
    if not turns:
        return {}
    rows = seen_lines(person).filter(turn__in=turns).order_by().values_list("turn").annotate(Min("at_ms"))
    return {str(turn): int(at) for turn, at in rows}


def _words(row: JournalLine) -> dict[str, object] | None:
    words = getattr(row, "words", None)
    return None if words is None else words.body


def neighbours(person: Person, day: Day) -> tuple[Day | None, Day | None]:
    """The days with lines before and after one."""
    rows = seen_lines(person).order_by()
    older = rows.filter(at_ms__lt=day.start_ms).order_by("-at_ms").values_list("at_ms", flat=True).first()
    newer = rows.filter(at_ms__gte=day.end_ms).order_by("at_ms").values_list("at_ms", flat=True).first()
    offset = household_offset()
    found: Sequence[int | None] = (older, newer)
    before, after = (None if at is None else day_of(at, offset) for at in found)
    return before, after
