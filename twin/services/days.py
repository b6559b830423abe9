"""A subject's own days: which one a moment belongs to, and how far its rounds have run."""

from __future__ import annotations

import datetime as dt

from django.db.models import Max, Q

from twin.models import RoundRun, Subject
from twin.rules.day import local_day
from twin.rules.routing import RouteContext


class UnknownSubject(ValueError):
    """No single subject is called that."""


def subjects_named(text: str | None) -> list[Subject]:
    """The subject a name or number means, everybody without one. Raises UnknownSubject."""
    everyone = list(Subject.objects.order_by("id"))
    if text is None:
        return everyone
    found = [one for one in everyone if one.name.casefold() == text.casefold() or str(one.pk) == text]
    if len(found) != 1:
        names = ", ".join(one.name for one in everyone) or "nobody yet"
        raise UnknownSubject(f"No single subject is called {text!r}. The book holds: {names}.")
    return found


def day_of(subject: Subject, at: dt.datetime) -> dt.date:
    """The subject's local day of an aware moment."""
    return local_day(at, zone=subject.time_zone, day_starts_at=subject.day_starts_at)


def first_day(subject: Subject) -> dt.date:
    """The subject's first day in the book."""
    return day_of(subject, subject.created_at)


def last_closed_day(subject: Subject) -> dt.date | None:
    """The last day whose round has run."""
    last: dt.date | None = RoundRun.objects.filter(subject=subject).aggregate(last=Max("day"))["last"]
    return last


def route_context(subject: Subject, *, day: dt.date, has_been_asked: bool = False) -> RouteContext:
    """What routing may know about a statement made on `day`."""
    return RouteContext(
        today=day,
        last_closed_day=last_closed_day(subject),
        first_day=first_day(subject),
        has_been_asked=has_been_asked,
    )


def mark_dirty(subject: Subject, day: dt.date) -> None:
    """Let the rounds from `day` on run again, because late words came for it."""
    RoundRun.objects.filter(Q(day__gte=day), subject=subject).update(is_dirty=True)
