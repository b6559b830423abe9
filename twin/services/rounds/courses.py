"""The round's second and fourth steps: a day's rows become courses, and courses move on."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence

from django.db.models import Q, QuerySet

from twin.models import CourseDay, CourseMove, CourseStatement, LedgerEntry, Record
from twin.rules.courses import WINDOW_DAYS, ToldOnset, course_onset, courses_spoken_of, should_open
from twin.rules.lifecycle import CourseState, Horizons, ObservedDay, next_lifecycle
from twin.rules.provenance import Provenance, inferred_by
from twin.rules.severity import day_severity, quiet_days, trajectory
from twin.services.folding import sources_of
from twin.services.rounds.night import Night


def merge_day(night: Night) -> Mapping[str, int]:
    """Put each row of the day into the course it speaks of, or open one where the rules say so."""
    opened = joined = 0
    open_courses = _open_courses(night)
    for row in sorted(_rows_of(night, first=night.day), key=_merge_order):
        courses = open_courses.setdefault(row.category or "", {})
        spoken = courses_spoken_of(row.site, row.polarity or "abnormal", list(courses))
        for site in spoken:
            _join(row, courses[site])
            joined += 1
        if not spoken and row.polarity == "abnormal":
            course = _open(row, night)
            if course is not None:
                courses[course.site] = course
                opened += 1
    return {"opened": opened, "joined": joined}


def _merge_order(row: Record) -> tuple[str, bool, bool, str]:
    """Named parts before the pair, the pair before what names none: no row waits for one it may join."""
    return row.category or "", row.site == "", row.site == "both", row.site


def _open_courses(night: Night) -> dict[str, dict[str, Record]]:
    courses: dict[str, dict[str, Record]] = {}
    for course in Record.objects.open_courses().filter(subject=night.subject).order_by("id"):
        courses.setdefault(course.category or "", {})[course.site] = course
    return courses


def _rows_of(night: Night, *, first: dt.date) -> list[Record]:
    return list(_rows_of_days(night.subject.pk, first, night.day).order_by("day", "id"))


def _rows_of_days(subject_id: int, first: dt.date, last: dt.date) -> QuerySet[Record]:
    return Record.objects.standing().filter(
        subject=subject_id,
        kind="symptom",
        lifecycle="day",
        day__gte=first,
        day__lte=last,
        is_observed=True,
    )


def _open(row: Record, night: Night) -> Record | None:
    """A course from tonight's row and the abnormal rows before it, or None where it stays a day."""
    first = night.day - dt.timedelta(days=WINDOW_DAYS - 1)
    alike = [
        one
        for one in _rows_of(night, first=first)
        if (one.category, one.site, one.polarity) == (row.category, row.site, "abnormal")
        and one.course_id is None  # a day of a course that is over opens no other
    ]
    reason = should_open(
        night.day,
        {one.day for one in alike if one.day},
        severity=row.severity,
        started_on=row.started_on,
        precision=row.precision,  # type: ignore[arg-type]
        has_age_onset=row.age_low_months is not None,
    )
    if reason is None:
        return None
    course = _course_row(row, night, alike)
    _log_move(course, night, was="day", became="active", reason=reason)
    for one in alike:
        _join(one, course)
    return course


def _course_row(row: Record, night: Night, alike: Sequence[Record]) -> Record:
    known = night.pooled(row.category or "", row.site)
    course = Record.objects.get(pk=known) if known else Record(subject=night.subject)
    is_new = course.sort_on is None  # not there yet, or emptied by a forgetting
    first_seen = min(one.day for one in alike if one.day)
    course.kind, course.category, course.site = "symptom", row.category, row.site
    course.lifecycle, course.opened_on, course.ended_on, course.closed_reason = "active", night.day, None, ""
    course.started_on = min(row.started_on or first_seen, first_seen)
    course.precision = row.precision if course.started_on == row.started_on else "day"
    course.time_phrase = row.time_phrase
    if row.age_low_months is not None:
        course.started_on = course.precision = None
        course.age_low_months, course.age_high_months = row.age_low_months, row.age_high_months
    course.sort_on = first_seen
    known_from = [Provenance(one.provenance, one.manner) for one in alike]
    concluded = inferred_by("round", known_from)
    course.provenance, course.manner = concluded.said_by, concluded.manner
    course.created_at = night.ended_at if is_new else course.created_at
    course.changed_at = night.ended_at
    course.save()
    return course


def _join(row: Record, course: Record) -> None:
    """Make the row a day of the course; of two rows of one day the graver one gives the day."""
    assert row.day is not None
    graded = day_severity(row.severity, row.polarity or "abnormal")
    before = CourseDay.objects.filter(course=course, day__lt=row.day).order_by("-day").first()
    held = CourseDay.objects.filter(course=course, day=row.day).first()
    is_graver = held is None or (graded, row.polarity == "abnormal") > (
        held.severity,
        held.polarity == "abnormal",
    )
    if is_graver or (held is not None and held.record_id == row.pk):
        CourseDay.objects.update_or_create(
            course=course,
            day=row.day,
            defaults={
                "subject_id": row.subject_id,
                "trajectory": trajectory(before.severity if before else None, graded),
                "severity": graded,
                "polarity": row.polarity,
                "record": row,
            },
        )
    if row.course_id is None:
        row.course = course
        row.save(update_fields=["course"])
    if row.started_on and row.polarity == "abnormal" and row.day > (course.opened_on or row.day):
        retell_onset(course)
    for entry in sources_of(row):
        add_course_statement(course.pk, entry, day=row.day)
    course.turns = list(dict.fromkeys([*course.turns, *row.turns]))
    latest = CourseDay.objects.filter(course=course).select_related("record").latest("day")
    show_latest(course, latest.record)


def retell_onset(course: Record) -> None:
    """Set an open course's start from what its days say: a later one may know of an earlier beginning."""
    mine = Q(course=course) | Q(pk__in=CourseDay.objects.filter(course=course).values("record"))
    rows = Record.objects.standing().filter(mine, lifecycle="day", polarity="abnormal").order_by("day", "id")
    if course.age_low_months is not None or course.opened_on is None:
        return
    told = [
        ToldOnset(row.day, row.started_on, row.precision or "day", row.site == course.site)  # type: ignore[arg-type]
        for row in rows
        if row.day
    ]
    began = course_onset(told, opened_on=course.opened_on)
    if began is not None and began != (course.started_on, course.precision):
        course.started_on, course.precision = began
        course.save(update_fields=["started_on", "precision"])


def add_course_statement(course_id: int, row: LedgerEntry, *, day: dt.date) -> None:
    """Note a statement about a course, once, with its own words and signs."""
    CourseStatement.objects.bulk_create(
        [
            CourseStatement(
                course_id=course_id,
                subject_id=row.subject_id,
                entry=row,
                day=day,
                said_at=row.said_at,
                words=row.words,
                signs=row.signs,
            )
        ],
        ignore_conflicts=True,
    )


def regrade(row: Record) -> None:
    """Let the courses a day's row belongs to see what became of it, and which way they went after it."""
    assert row.day is not None
    courses = Record.objects.filter(Q(days__record=row) | Q(pk=row.course_id)).distinct().order_by("id")
    for course in list(courses):
        CourseDay.objects.filter(course=course, day=row.day).delete()
        said = CourseStatement.objects.filter(course=course, day=row.day).values("entry")
        rows = _rows_of_days(course.subject_id, row.day, row.day).filter(
            Q(course=course) | Q(sources__in=said)
        )
        for one in sorted(rows.distinct(), key=_merge_order):
            _join(one, course)
        _retrace(course)
        course.turns = turns_of(course)
        course.save(update_fields=["turns"])


def _retrace(course: Record) -> None:
    previous: int | None = None
    for one in course.days.order_by("day"):
        went = trajectory(previous, one.severity)
        if went != one.trajectory:
            one.trajectory = went
            one.save(update_fields=["trajectory"])
        previous = one.severity


def turns_of(course: Record) -> list[str]:
    """The turns behind a course's days, in the order in which the nights took them up."""
    mine = Q(course=course) | Q(pk__in=CourseDay.objects.filter(course=course).values("record"))
    rows = sorted(Record.objects.filter(mine), key=lambda row: (row.day or dt.date.min, _merge_order(row)))
    return list(dict.fromkeys(turn for row in rows for turn in row.turns))


def show_latest(course: Record, row: Record) -> None:
    """A course shows its last observed day: its signs and its judgements."""
    course.signs, course.severity, course.context = row.signs, row.severity, row.context
    course.asserted, course.derived, course.model_read = row.asserted, row.derived, row.model_read
    course.save(update_fields=["signs", "severity", "context", "asserted", "derived", "model_read", "turns"])


def _log_move(course: Record, night: Night, *, was: str, became: str, reason: str) -> None:
    CourseMove.objects.create(
        course=course, subject=night.subject, day=night.day, was=was, became=became, reason=reason
    )


def move_courses(night: Night) -> Mapping[str, int]:
    """Ask of every open course what it is at the end of the day."""
    moved: dict[str, int] = {}
    courses = list(Record.objects.open_courses().filter(subject=night.subject).order_by("id"))
    days: dict[int, list[ObservedDay]] = {course.pk: [] for course in courses}
    seen = CourseDay.objects.filter(course__in=courses, day__lte=night.day).order_by("day")
    for course_id, day, polarity in seen.values_list("course_id", "day", "polarity"):
        days[course_id].append(ObservedDay(day, polarity))  # type: ignore[arg-type]
    for course in courses:
        became = _move(course, days[course.pk], night)
        if became:
            moved[became] = moved.get(became, 0) + 1
    return moved


def _move(course: Record, days: Sequence[ObservedDay], night: Night) -> str | None:
    state = CourseState(
        course.lifecycle,  # type: ignore[arg-type]
        days[0].day if days else course.opened_on or night.day,
        course.chronic,
    )
    change = next_lifecycle(state, days, horizons_of(course), night.day)
    if not change.is_move:
        return None
    course.lifecycle, course.changed_at = change.became, night.ended_at
    if change.became == "closed":
        course.ended_on = max(change.ended_on or night.day, course.started_on or dt.date.min)
    course.save(update_fields=["lifecycle", "ended_on", "changed_at"])
    _log_move(course, night, was=change.was, became=change.became, reason=change.reason)
    return change.became


def horizons_of(course: Record) -> Horizons:
    """The course's quiet days: proposed ones where there are, else its category's. Floors come later."""
    default = quiet_days(course.category or "")
    proposed = course.horizons if isinstance(course.horizons, dict) else {}
    return Horizons(
        _days(proposed.get("to_passive"), default.to_passive),
        _days(proposed.get("to_close"), default.to_close),
    )


def _days(proposed: object, default: int) -> int:
    """A proposed number of days; what is none must not stop a night."""
    return proposed if isinstance(proposed, int) and not isinstance(proposed, bool) else default
