"""What kinds of event there are, how its effect is weighed, and when a tap says it was. Pure.

Labels are English messages that the page translates.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from twin.rules.day import from_local
from twin.rules.messages import gettext_noop


@dataclass(frozen=True)
class EventKind:
    """One chip of "what happened": its word, its icon, and for whom it is offered first."""

    label: str
    icon: str
    subject_kinds: tuple[str, ...] = ("person", "animal")


KINDS: Mapping[str, EventKind] = {
    "meltdown": EventKind(gettext_noop("Meltdown"), "regulation", ("person",)),
    "outing": EventKind(gettext_noop("Outing"), "environment"),
    "new_food": EventKind(gettext_noop("New food"), "food"),
    "vet_visit": EventKind(gettext_noop("Vet visit"), "procedure", ("animal",)),
    "appointment": EventKind(gettext_noop("Appointment"), "calendar"),
    "visit": EventKind(gettext_noop("Visitors"), "people"),
    "school": EventKind(gettext_noop("School"), "document", ("person",)),
    "other": EventKind(gettext_noop("Something else"), "event"),
}

# From very hard to very good; the words say what colour and place on the row say too.
IMPACTS: Mapping[int, str] = {
    -3: gettext_noop("Very hard"),
    -2: gettext_noop("Hard"),
    -1: gettext_noop("A little hard"),
    0: gettext_noop("Neither"),
    1: gettext_noop("A little good"),
    2: gettext_noop("Good"),
    3: gettext_noop("Very good"),
}

# How long ago a tap says it was, in minutes; a stated time has its own date and clock.
PICKS: Mapping[str, int | None] = {"now": 0, "half": 30, "hour": 60, "hours": 120, "at": None}
PICK_LABELS: Mapping[str, str] = {
    "now": gettext_noop("Just now"),
    "half": gettext_noop("½ hour ago"),
    "hour": gettext_noop("1 hour ago"),
    "hours": gettext_noop("2 hours ago"),
    "at": gettext_noop("At another time"),
}
CLOCKS_DIFFER_BY = timedelta(minutes=5)  # a phone a little ahead of the house is not the future


class NotYet(ValueError):
    """The stated moment lies in the future."""


def kinds_for(subject_kind: str) -> dict[str, EventKind]:
    """The kinds offered for a person or an animal, in the order of the page."""
    return {key: kind for key, kind in KINDS.items() if subject_kind in kind.subject_kinds}


def ago(pick: str, *, now: datetime) -> datetime:
    """The moment of a tap that counts back from now. Raises KeyError for a stated time."""
    minutes = PICKS[pick]
    if minutes is None:
        raise KeyError(pick)
    return now - timedelta(minutes=minutes)


def stated(on: date, at: time, *, zone: str, now: datetime) -> datetime:
    """The moment of a stated date and clock time of this zone, skipped or doubled ones too. Raises NotYet."""
    moment = from_local(datetime.combine(on, at), zone=zone)
    if moment > now + CLOCKS_DIFFER_BY:
        raise NotYet
    return min(moment, now)
