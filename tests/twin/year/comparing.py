"""The book beside the written truth, day by day; every difference is a line that can be read."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from django.db.models import F

from tests.twin.year.acts import date_of
from tests.twin.year.play import days_between
from tests.twin.year.truth import Course
from twin.models import AgendaItem, CourseMove, FrameLog, ProfileVersion, Record, Subject
from twin.rules.courses import recurrence
from twin.rules.drift import drift

State = tuple[str, str]  # course key, lifecycle


@dataclass(frozen=True)
class Window:
    """The stretch that was lived: courses that opened before it are none of its business."""

    first: dt.date
    last: dt.date

    def of(self, courses: Sequence[Course]) -> list[Course]:
        """The truth's courses that open in it."""
        return [one for one in courses if self.first <= date_of(one.opened) <= self.last]

    @property
    def days(self) -> Iterable[dt.date]:
        """Its days."""
        return days_between(self.first, self.last)


def key_of(record: Record) -> str:
    """What the truth calls a course."""
    return ".".join(filter(None, (record.category, record.site)))


def states_of(course: Course) -> list[tuple[dt.date, str]]:
    """From which day each state holds."""
    return [(date_of(day), state) for day, state in (part.split() for part in course.states.split(", "))]


def days_of(course: Course) -> list[tuple[dt.date, str, int]]:
    """The observed days with trajectory and severity."""
    parts = (part.split() for part in course.days.split(", "))
    return [(date_of(day), trajectory, int(severity)) for day, trajectory, severity in parts]


def state_on(course: Course, day: dt.date) -> str | None:
    """What the course was at the end of a day; None before it was one."""
    return next((state for since, state in reversed(states_of(course)) if since <= day), None)


def open_on(courses: Sequence[Course], day: dt.date) -> list[Course]:
    """The courses that were open at the end of a day."""
    return [one for one in courses if state_on(one, day) not in (None, "closed")]


def compare_night(subject: Subject, courses: Sequence[Course], day: dt.date) -> list[str]:
    """What stands in the book when a night is over, against what could be known then."""
    known = [one for one in courses if date_of(one.known or one.opened) <= day]
    wanted = sorted((one.key, state_on(one, day) or "") for one in open_on(known, day))
    rows = Record.objects.open_courses().filter(subject=subject)
    return _differ(
        f"{subject} in the night of {day}", wanted, sorted((key_of(row), row.lifecycle) for row in rows)
    )


def compare_courses(subject: Subject, courses: Sequence[Course], window: Window) -> list[str]:
    """Every course with its opening, its days, its states and its end."""
    rows = Record.objects.courses().filter(subject=subject).exclude(closed_reason="withdrawn").order_by("id")
    found = {(key_of(row), row.opened_on): row for row in rows}
    wanted = {(one.key, date_of(one.opened)): one for one in courses}
    lines = _differ(f"{subject}'s courses", sorted(wanted), sorted(found))
    for name in wanted.keys() & found.keys():
        lines += _compare_course(f"{subject} {name[0]} of {name[1]}", wanted[name], found[name], window)
    return lines


def _compare_course(name: str, course: Course, row: Record, window: Window) -> list[str]:
    lived = [one for one in days_of(course) if one[0] <= window.last]
    states = [one for one in states_of(course) if one[0] <= window.last]
    ended = date_of(course.ended) if course.ended and states[-1][1] == "closed" else None
    days = row.days.order_by("day").values_list("day", "trajectory", "severity")
    moves = (
        CourseMove.objects.filter(course=row)
        .exclude(was=F("became"))
        .order_by("day", "id")
        .values_list("day", "became")
    )
    return [
        *_differ(f"{name}: began", date_of(course.started) if course.started else None, row.started_on),
        *_differ(f"{name}: ended", ended, row.ended_on),
        *_differ(f"{name}: days", lived, list(days)),
        *_differ(f"{name}: states", states, list(moves)),
        *_differ(f"{name}: is chronic", course.chronic, row.chronic),
    ]


def compare_recurrences(subject: Subject, courses: Sequence[Course]) -> list[str]:
    """The how-manieth of its kind each course is."""
    lines = []
    for course in courses:
        row = (
            Record.objects.filter(subject=subject, opened_on=date_of(course.opened))
            .filter(category=course.key.partition(".")[0], site=course.key.partition(".")[2])
            .first()
        )
        if row is None or row.started_on is None:
            continue
        earlier = Record.objects.courses().filter(subject=subject, category=row.category, site=row.site)
        starts = [start for start in earlier.values_list("started_on", flat=True) if start]
        found = recurrence(row.started_on, starts)
        lines += _differ(f"{subject} {course.key}: number", course.number, found.number if found else 1)
    return lines


def compare_frames(
    subject: Subject, courses: Sequence[Course], window: Window, flags: Mapping[str, Sequence[str]]
) -> list[str]:
    """The last frame of every day: what is open and how it goes, what is grave."""
    lines = []
    for day in window.days:
        log = FrameLog.objects.filter(subject=subject, day=day).order_by("-id").first()
        body: dict[str, Any] = log.body if log else {"open": [], "red_flags": []}
        wanted = sorted(_shown(one, day) for one in open_on(courses, day))
        lines += _differ(f"{subject}'s frame of {day}", wanted, sorted(map(_framed, body["open"])))
        raised = tuple(flag["key"] for flag in body["red_flags"])
        lines += _differ(f"{subject}'s flags of {day}", tuple(flags.get(f"{day:%m-%d}", ())), raised)
    return lines


def _shown(course: Course, day: dt.date) -> tuple[str, ...]:
    seen = [one for one in days_of(course) if one[0] <= day]
    last_bad = next(day for day, trajectory, _severity in reversed(seen) if trajectory != "normal")
    began = str(date_of(course.started)) if course.started else "-"
    return course.key, state_on(course, day) or "", seen[-1][1], str(seen[-1][2]), began, str(last_bad)


def _framed(line: Mapping[str, Any]) -> tuple[str, ...]:
    key = ".".join(filter(None, (line["category"], line["site"])))
    shown = line["lifecycle"], line["trajectory"], str(line["severity"]), line["since"] or "-"
    return (key, *shown, line["last_abnormal"])


def agenda_of(table: str) -> dict[dt.date, list[str]]:
    """What is asked on each day of the written table."""
    asked: dict[dt.date, list[str]] = {}
    for line in table.strip().splitlines():
        first, last, keys = line.split(maxsplit=2)
        for day in days_between(date_of(first), date_of(last)):
            asked[day] = keys.split(", ")
    return asked


def compare_agendas(subject: Subject, table: str, courses: Sequence[Course], window: Window) -> list[str]:
    """What was asked on every day after the first night, in order, and never more than three."""
    wanted, lines = agenda_of(table), []
    for day in days_between(window.first + dt.timedelta(days=1), window.last):
        ours = {one.key for one in open_on(courses, day - dt.timedelta(days=1))} | {"profile"}
        items = AgendaItem.objects.filter(subject=subject, day=day).order_by("rank").select_related("course")
        asked = [key_of(item.course) if item.course else item.key for item in items]
        lines += _differ(
            f"{subject}'s agenda of {day}", [key for key in wanted.get(day, []) if key in ours], asked
        )
    return lines


def compare_drift(subject: Subject, truth: Sequence[Mapping[str, str]], window: Window) -> list[str]:
    """What changed between each version of the profile and the next."""
    versions = list(ProfileVersion.objects.filter(subject=subject).order_by("version"))
    found = [
        {one.field: one.mark for one in drift(subject.species, old.values, new.values)}
        for old, new in pairwise(versions)
    ]
    return _differ(f"{subject}'s drift by {window.last}", list(truth[: max(len(versions) - 1, 0)]), found)


def _differ(what: str, wanted: object, found: object) -> list[str]:
    return [] if wanted == found else [f"{what}:\n    truth {wanted}\n    book  {found}"]
