"""A private calendar (RFC 5545) of one person: when medicines are due, and today's questions."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from django.utils.translation import gettext as _
from icalendar import Calendar, Event

from household.access import visible
from household.models import Channel
from household.rules.permissions import Resource
from twin.models import AgendaItem, Medicine
from twin.rules.medicines import due_times
from twin.services.days import day_of
from twin.services.doses import course_of, standing, with_recent

AHEAD = dt.timedelta(days=14)
DOSE_LASTS = dt.timedelta(minutes=15)


def feed(channel: Channel, *, now: dt.datetime) -> bytes:
    """The feed as this person may see it now; call it inside `seen_by`."""
    calendar = Calendar()
    calendar.add("prodid", "-//Hearthbook//EN")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", "Hearthbook")
    calendar.add("refresh-interval;value=duration", "PT1H")
    if "medicine" in channel.notices:
        _add_doses(calendar, channel, now)
    if "agenda" in channel.notices:
        _add_agendas(calendar, channel, now)
    return bytes(calendar.to_ical())


def _add_doses(calendar: Calendar, channel: Channel, now: dt.datetime) -> None:
    rows = Medicine.objects.filter(ended_at=None).select_related("subject").order_by("pk")
    for row in with_recent(visible(channel.person, Resource.OBSERVATION, rows)):
        words = _("%(medicine)s for %(name)s") % {"medicine": row.name, "name": row.subject.name}
        for at in _times(row, now):
            uid = f"dose-{row.pk}-{at:%Y%m%dT%H%MZ}"
            _add(calendar, channel, uid=uid, words=words, start=at, end=at + DOSE_LASTS, now=now)


def _times(row: Medicine, now: dt.datetime) -> Iterable[dt.datetime]:
    course = course_of(row, row.subject)
    if course.schedule.kind == "times":
        return due_times(course, now - dt.timedelta(days=1), now + AHEAD)
    due = standing(row, row.subject, now=now).due
    return [at for at in (due.overdue_at, due.next_at) if at is not None]


def _add_agendas(calendar: Calendar, channel: Channel, now: dt.datetime) -> None:
    rows = AgendaItem.objects.filter(state="open", day__gte=(now - dt.timedelta(days=2)).date())
    seen = visible(channel.person, Resource.OBSERVATION, rows.select_related("subject").order_by("pk"))
    days = {(one.subject, one.day) for one in seen if one.day == day_of(one.subject, now)}
    for subject, day in sorted(days, key=lambda one: one[0].pk):
        words = _("Questions about %(name)s") % {"name": subject.name}
        after = day + dt.timedelta(days=1)
        uid = f"agenda-{subject.pk}-{day:%Y%m%d}"
        _add(calendar, channel, uid=uid, words=words, start=day, end=after, now=now)


def _add(
    calendar: Calendar,
    channel: Channel,
    *,
    uid: str,
    words: str,
    start: dt.date,
    end: dt.date,
    now: dt.datetime,
) -> None:
    event = Event()
    event.add("uid", f"{uid}@hearthbook")
    event.add("dtstamp", now)
    event.add("dtstart", start)
    event.add("dtend", end)
    event.add("summary", words if channel.has_detail else _("Something waits in Hearthbook."))
    calendar.add_component(event)


def waiting(channel: Channel, *, now: dt.datetime) -> dict[str, object]:
    """The same in numbers, for a sensor of a home automation: no names, whatever the feed may say."""
    overdue, nexts, questions = 0, [], 0
    if "medicine" in channel.notices:
        rows = Medicine.objects.filter(ended_at=None).select_related("subject")
        for row in with_recent(visible(channel.person, Resource.OBSERVATION, rows)):
            due = standing(row, row.subject, now=now).due
            overdue += due.overdue_at is not None
            nexts += [due.next_at] if due.next_at is not None else []
    if "agenda" in channel.notices:
        items = AgendaItem.objects.filter(state="open", day__gte=(now - dt.timedelta(days=2)).date())
        seen = visible(channel.person, Resource.OBSERVATION, items.select_related("subject"))
        questions = sum(one.day == day_of(one.subject, now) for one in seen)
    return {
        "waiting": overdue + questions,
        "medicines_overdue": overdue,
        "questions": questions,
        "next_dose_at": min(nexts).isoformat() if nexts else None,
    }
