"""Makers of courses with their days, words and moves, as rounds leave them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from household.models import Person
from tests.makers import a_record, a_statement
from twin.models import CourseDay, CourseMove, CourseStatement, Record, Subject

MARCH = dt.date(2025, 3, 1)


def queries_of(browser: Client, address: str) -> int:
    """How many queries a page asks once the household is known to stand."""
    browser.get(address)
    with CaptureQueriesContext(connection) as captured:
        assert browser.get(address).status_code == 200
    frames = ("SAVEPOINT", "RELEASE", "BEGIN", "COMMIT")
    return len([query for query in captured if not query["sql"].startswith(frames)])


def a_course(
    subject: Subject,
    category: str = "ears",
    *,
    first: dt.date = MARCH,
    severities: Sequence[int | None] = (1,),
    author: Person | None = None,
    **fields: Any,
) -> Record:
    """A course that opened on `first`, with one severity a day, 0 for fine and None where nobody looked."""
    values = {"lifecycle": "active", "started_on": first, "precision": "day", "opened_on": first, **fields}
    course = a_record(subject, category, day=None, **values)
    CourseMove.objects.create(
        course=course, subject=subject, day=values["opened_on"], was="day", became="active", reason="severe"
    )
    for n, severity in enumerate(severities):
        if severity is not None:
            a_course_day(course, first + dt.timedelta(days=n), severity, author=author)
    return course


def a_course_day(course: Record, day: dt.date, severity: int, *, author: Person | None = None) -> CourseDay:
    """One observed day of a course with its record and what was said."""
    asserted = "abnormal" if severity else "normal"
    signs = {"odour": bool(severity)} if course.category == "ears" else {}
    row = a_record(
        course.subject,
        course.category,
        site=course.site,
        day=day,
        course=course,
        asserted=asserted,
        severity=severity,
        signs=signs,
    )
    said_at = dt.datetime.combine(day, dt.time(9), dt.UTC)
    said = a_statement(course.subject, author, f"words of {day}", record=row, said_at=said_at)
    CourseStatement.objects.create(
        course=course,
        subject=course.subject,
        entry=said.entries.get(),
        day=day,
        said_at=said_at,
        words=said.text,
        signs=signs,
    )
    return CourseDay.objects.create(
        course=course,
        subject=course.subject,
        day=day,
        trajectory="unchanged" if severity else "normal",
        severity=severity,
        polarity=asserted,
        record=row,
    )
