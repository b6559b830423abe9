"""Tomorrow's follow-up questions: at most three, the same ones however often they are asked for. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from twin.rules.lifecycle import Lifecycle

AT_MOST = 3
QUESTIONS_AT_MOST = 2
COURSES_BESIDE_QUESTIONS = 2  # a waiting question always finds room
PROFILE_AGES_AFTER_DAYS = 90
TIRED_AFTER = 3  # a course asked about so often in a row without an answer steps back

# Which courses are asked about first.
_LIFECYCLE_ORDER = {"active": 0, "passive": 1, "dormant": 2}


@dataclass(frozen=True)
class OpenCourse:
    """A course to follow up: what was last abnormal in it, and how often it was asked about in vain."""

    id: int
    category: str
    lifecycle: Lifecycle
    severity: int
    last_abnormal: date
    abnormal_signs: tuple[str, ...] = ()
    unanswered: int = 0


@dataclass(frozen=True)
class WaitingQuestion:
    """A question of the family's memory that nobody answered yet; `of` is what its id counts."""

    id: int
    asked_on: date
    category: str = ""
    sign: str = ""
    profile_field: str = ""
    of: str = "question"  # or "use": how something that was tried went


@dataclass(frozen=True)
class AgendaEntry:
    """One question for the day: its key, and for a course what to look at."""

    rank: int
    key: str
    kind: Literal["course", "question", "profile"]
    course: int | None = None
    category: str = ""
    signs: tuple[str, ...] = ()


def agenda(
    day: date,
    *,
    courses: Sequence[OpenCourse],
    questions: Sequence[WaitingQuestion] = (),
    profile_measured_on: date | None = None,
    has_profile_due: bool = True,
    settled: Collection[tuple[str, str]] = (),
) -> tuple[AgendaEntry, ...]:
    """The questions for `day`, in order: courses by weight, then what waits longest, then an aged profile.

    Signs that are `settled`, as (category, sign), are asked about no more, nor a course of nothing else.
    """
    questions = [each for each in questions if (each.category, each.sign) not in settled]
    room = COURSES_BESIDE_QUESTIONS if questions else AT_MOST
    unsettled = [_unsettled(each, settled) for each in courses]
    waiting = [each for each in unsettled if each is not None and each.lifecycle in _LIFECYCLE_ORDER]
    chosen = [_course_entry(each) for each in sorted(waiting, key=_weight)[:room]]
    chosen += [
        _question_entry(each)
        for each in sorted(questions, key=lambda each: (each.asked_on, each.id))[:QUESTIONS_AT_MOST]
    ]
    if has_profile_due and is_profile_aged(profile_measured_on, day):
        chosen.append(AgendaEntry(0, "profile", "profile"))
    return tuple(_ranked(entry, rank) for rank, entry in enumerate(chosen[:AT_MOST], start=1))


def _unsettled(course: OpenCourse, settled: Collection[tuple[str, str]]) -> OpenCourse | None:
    left = tuple(sign for sign in course.abnormal_signs if (course.category, sign) not in settled)
    if left == course.abnormal_signs:
        return course
    return replace(course, abnormal_signs=left) if left else None


def _question_entry(question: WaitingQuestion) -> AgendaEntry:
    asked = question.sign or question.profile_field
    key, signs = f"{question.of}:{question.id}", (asked,) if asked else ()
    return AgendaEntry(0, key, "question", category=question.category, signs=signs)


def is_profile_aged(measured_on: date | None, day: date) -> bool:
    """Whether the steady-state profile is missing or older than three months."""
    return measured_on is None or (day - measured_on).days > PROFILE_AGES_AFTER_DAYS


def _weight(course: OpenCourse) -> tuple[bool, int, int, int, int]:
    is_tired = course.unanswered >= TIRED_AFTER
    order = _LIFECYCLE_ORDER[course.lifecycle]
    return is_tired, order, -course.severity, -course.last_abnormal.toordinal(), course.id


def _course_entry(course: OpenCourse) -> AgendaEntry:
    return AgendaEntry(
        0, f"course:{course.id}", "course", course.id, course.category, tuple(sorted(course.abnormal_signs))
    )


def _ranked(entry: AgendaEntry, rank: int) -> AgendaEntry:
    return AgendaEntry(rank, entry.key, entry.kind, entry.course, entry.category, entry.signs)
