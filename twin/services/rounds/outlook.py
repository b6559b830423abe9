"""The round's last steps: the frame of what stands, tomorrow's agenda, and what has grown old."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from twin.models import AgendaItem, CourseDay, Frame, FrameLog, ProfileVersion, Record, RoundRun
from twin.rules.agenda import OpenCourse, agenda
from twin.rules.assessment import canonical_json
from twin.rules.frame import NEGATIVES_DAYS, Cited, Finding, FrameCourse, frame
from twin.rules.polarity import PolarityContext, derived_polarity
from twin.services.above import above
from twin.services.flags import flags_of_day
from twin.services.rounds.night import Night

PROFILE_NOT_BEFORE_DAYS = 7  # a new page is left in peace for a week


def make_frame(night: Night) -> Mapping[str, int]:
    """Lay out what stands tonight: the current frame, and a line of the log where it changed."""
    recent = list(
        Record.objects.standing()
        .filter(
            subject=night.subject,
            kind="symptom",
            lifecycle="day",
            day__gt=night.day - dt.timedelta(days=NEGATIVES_DAYS),
            day__lte=night.day,
        )
        .select_related("subject")
        .order_by("id")
    )
    body = frame(
        night.day,
        courses=[_frame_course(one) for one in open_courses(night)],
        findings=[Finding(row.rec_id, row.day, row.category or "", row.signs) for row in recent if row.day],
        red_flags=flags_of_day(row for row in recent if row.day == night.day),
        chronic=_chronic(night),
        ruled_out=above.ruled_out(night.subject.pk, night.day),
    )
    return {"frames": keep_frame(night, body)}


def keep_frame(night: Night, body: dict[str, object]) -> int:
    """Store the frame where it differs from what stands. Gives how many lines the log grew by."""
    key = hashlib.sha256(canonical_json(body).encode()).hexdigest()
    standing = Frame.objects.filter(subject=night.subject).first()
    if standing is None or standing.day <= night.day:
        Frame.objects.update_or_create(
            subject=night.subject,
            defaults={"day": night.day, "body": body, "made_at": night.ended_at},
        )
    last = FrameLog.objects.filter(subject=night.subject, day=night.day).order_by("-id").first()
    if last is not None and last.body_hash == key:
        return 0
    FrameLog.objects.create(
        subject=night.subject, day=night.day, body=body, body_hash=key, made_at=night.ended_at
    )
    return 1


@dataclass(frozen=True)
class Standing:
    """An open course with its last observed day and its last abnormal one, up to tonight."""

    course: Record
    last: CourseDay | None
    last_abnormal: CourseDay | None


def open_courses(night: Night) -> list[Standing]:
    """Every open course as it stands, oldest first; as quick for one of ten years as for one of ten days."""
    courses = list(Record.objects.open_courses().filter(subject=night.subject).order_by("id"))
    days = (
        CourseDay.objects.filter(course__in=courses, day__lte=night.day)
        .select_related("record__subject")
        .order_by("course", "-day")
        .distinct("course")
    )
    last = {one.course_id: one for one in days}
    bad = {one.course_id: one for one in days.filter(polarity="abnormal")}
    return [Standing(course, last.get(course.pk), bad.get(course.pk)) for course in courses]


def _frame_course(standing: Standing) -> FrameCourse:
    course, last, bad = standing.course, standing.last, standing.last_abnormal
    return FrameCourse(
        record=course.rec_id,
        category=course.category or "",
        site=course.site,
        lifecycle=course.lifecycle,  # type: ignore[arg-type]
        started_on=course.started_on,
        severity=last.severity if last else 0,
        trajectory=last.trajectory if last else None,  # type: ignore[arg-type]
        last_abnormal=bad.day if bad else None,
        abnormal_signs=abnormal_signs(bad.record) if bad else (),
        chronic=course.chronic,
    )


def _chronic(night: Night) -> list[Cited]:
    rows = Record.objects.standing().filter(subject=night.subject, kind="background")
    return [Cited(row.rec_id, row.text) for row in rows.order_by("id")]


def make_agenda(night: Night) -> Mapping[str, int]:
    """Write tomorrow's questions: at most three; what was answered stays answered.

    A night that runs again after its morrow is over asks nothing: what was asked that day was asked.
    """
    tomorrow = night.day + dt.timedelta(days=1)
    if RoundRun.objects.filter(subject=night.subject, day__gte=tomorrow).exists():
        return {"asked": 0}
    profiles = ProfileVersion.objects.filter(subject=night.subject, measured_on__lte=night.day)
    measured = profiles.order_by("-version").values_list("measured_on").first()
    wanted = agenda(
        tomorrow,
        courses=[_agenda_course(one, night) for one in open_courses(night)],
        questions=above.waiting(night.subject.pk, night.day, night.ended_at),
        settled=above.settled(night.subject.pk, tomorrow),
        profile_measured_on=measured[0] if measured else None,
        has_profile_due=(night.day - night.subject.created_at.date()).days >= PROFILE_NOT_BEFORE_DAYS,
    )
    held = {item.key: item for item in AgendaItem.objects.filter(subject=night.subject, day=tomorrow)}
    if any(item.state != "open" for item in held.values()):
        return {"asked": 0}
    stays = {one.key: one for one in wanted if one.key in held and held[one.key].rank == one.rank}
    AgendaItem.objects.filter(pk__in=[item.pk for key, item in held.items() if key not in stays]).delete()
    for key, one in stays.items():  # a page may be showing it: it keeps its id
        AgendaItem.objects.filter(pk=held[key].pk).update(asks={"signs": list(one.signs)})
    AgendaItem.objects.bulk_create(
        AgendaItem(
            subject=night.subject,
            day=tomorrow,
            rank=one.rank,
            key=one.key,
            course_id=one.course,
            category=one.category,
            asks={"signs": list(one.signs)},
            created_at=night.ended_at,
        )
        for one in wanted
        if one.key not in stays
    )
    return {"asked": len(wanted)}


def _agenda_course(standing: Standing, night: Night) -> OpenCourse:
    course, last = standing.course, standing.last_abnormal
    return OpenCourse(
        id=course.pk,
        category=course.category or "",
        lifecycle=course.lifecycle,  # type: ignore[arg-type]
        severity=last.severity if last else 0,
        last_abnormal=last.day if last else course.opened_on or night.day,
        abnormal_signs=abnormal_signs(last.record) if last else (),
        unanswered=_asked_in_vain(course, night),
    )


def _asked_in_vain(course: Record, night: Night) -> int:
    """How often in a row the course was asked about without an answer."""
    states = AgendaItem.objects.filter(course=course, day__lte=night.day).order_by("-day")
    count = 0
    for state in states.values_list("state", flat=True)[:10]:
        if state == "answered":
            break
        count += 1
    return count


def age_questions(night: Night) -> Mapping[str, int]:
    """Let an unanswered agenda rest: it stays in the book, and is asked again only by rule."""
    old = AgendaItem.objects.filter(subject=night.subject, day__lte=night.day, state="open")
    return {"aged": old.update(state="skipped")}


def abnormal_signs(row: Record) -> tuple[str, ...]:
    """The signs of a day's row that speak for abnormal, each judged by itself."""
    context = PolarityContext(**{"species": row.subject.species, **row.context})
    category = row.category or ""
    return tuple(
        name
        for name, value in sorted(row.signs.items())
        if derived_polarity(category, {name: value}, context) == "abnormal"
    )
