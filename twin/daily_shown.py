"""What pages show of events, medicines and trackables: values made from rows, so that templates only loop."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from django.utils import formats
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from twin.cards import seconds_to_undo
from twin.models import Dose, Event, Medicine, Subject, TrackableEntry
from twin.rules.events import IMPACTS, KINDS
from twin.rules.medicines import parse_schedule
from twin.rules.tallies import Tally
from twin.rules.trackables import TrackedField, TrackedValue
from twin.services.doses import Standing

OUTCOME_LABELS: Mapping[str, Any] = {
    "given": gettext_lazy("given"),
    "skipped": gettext_lazy("skipped"),
    "refused": gettext_lazy("refused"),
}
OUTCOME_TAPS: Mapping[str, tuple[Any, str]] = {
    "given": (gettext_lazy("Given"), "check"),
    "skipped": (gettext_lazy("Skipped"), "minus"),
    "refused": (gettext_lazy("Refused"), "close"),
}
KIND_LABELS: Mapping[str, Any] = {
    "count": gettext_lazy("How many"),
    "number": gettext_lazy("A number with a unit"),
    "scale": gettext_lazy("A scale from 1 to 5"),
    "choice": gettext_lazy("One of a few"),
    "yes_no": gettext_lazy("Yes or no"),
    "duration": gettext_lazy("How long"),
}
# Icons a family may choose from for what they count.
TRACKABLE_ICONS: Mapping[str, Any] = {
    "check": gettext_lazy("Tick"),
    "star": gettext_lazy("Star"),
    "food": gettext_lazy("Food"),
    "water": gettext_lazy("Drop"),
    "sleep": gettext_lazy("Sleep"),
    "energy": gettext_lazy("Energy"),
    "emotion": gettext_lazy("Feelings"),
    "clock": gettext_lazy("Clock"),
    "environment": gettext_lazy("Outdoors"),
    "speaker": gettext_lazy("Sound"),
    "stool": gettext_lazy("Toilet"),
    "thumb-up": gettext_lazy("Thumb up"),
}


@dataclass(frozen=True)
class MedicineCard:
    """A medicine as a row: what, when next, what was last."""

    medicine: Medicine
    subject: Subject
    amount: str
    plan: str
    is_overdue: bool
    due_text: str
    last_text: str
    undo_pk: int | None
    undo_left: int
    sort_at: dt.datetime | None
    client_id: str


@dataclass(frozen=True)
class DoseRow:
    """One dose in a list."""

    row: Dose
    when: str
    outcome: str
    tone: str
    may_change: bool


@dataclass(frozen=True)
class EventCard:
    """One event as the list shows it."""

    row: Event
    title: str
    icon: str
    clock: str
    impact: str
    tone: str
    lines: Sequence[tuple[str, str]]


def clock_words(at: dt.datetime, *, zone: str, now: dt.datetime) -> str:
    """A moment on the subject's clock: "08:10", "yesterday, 20:00", "3 March, 08:00"."""
    local, today = at.astimezone(ZoneInfo(zone)), now.astimezone(ZoneInfo(zone)).date()
    clock = formats.date_format(local, "H:i")
    match (local.date() - today).days:
        case 0:
            return clock
        case -1:
            return _("yesterday, %(clock)s") % {"clock": clock}
        case 1:
            return _("tomorrow, %(clock)s") % {"clock": clock}
        case _:
            return formats.date_format(local, "j F, H:i")


def number_words(value: float | Decimal) -> str:
    """A number as the reader's language writes it, without a tail of zeros."""
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return str(number_format(text or "0", use_l10n=True))


def amount_of(medicine: Medicine) -> str:
    """How much of it is given at once, empty where nobody said."""
    parts = ["" if medicine.dose is None else number_words(medicine.dose), medicine.unit]
    return " ".join(part for part in parts if part)


def plan_of(medicine: Medicine) -> str:
    """When it is given, in words."""
    schedule = parse_schedule(medicine.schedule)
    if schedule.times:
        return _("every day at %(times)s") % {"times": ", ".join(f"{at:%H:%M}" for at in schedule.times)}
    if schedule.every:
        hours = number_words(schedule.every.total_seconds() / 3600)
        return _("every %(hours)s hours") % {"hours": hours}
    return _("when needed")


def medicine_card(one: Standing, *, person_id: int, now: dt.datetime) -> MedicineCard:
    """A medicine as it stands at `now`, with the undo of this person's own last dose while it lasts."""
    zone, last = one.subject.time_zone, one.recent[0] if one.recent else None
    mine = last if last and last.author_id == person_id else None
    left = seconds_to_undo(mine.at, now=now) if mine else 0
    return MedicineCard(
        medicine=one.medicine,
        subject=one.subject,
        amount=amount_of(one.medicine),
        plan=plan_of(one.medicine),
        is_overdue=one.due.overdue_at is not None,
        due_text=_due_words(one, zone=zone, now=now),
        last_text=_last_words(last, zone=zone, now=now) if last else "",
        undo_pk=mine.pk if mine and left else None,
        undo_left=left,
        sort_at=one.due.overdue_at or one.due.next_at,
        client_id=str(uuid.uuid4()),
    )


def urgency(card: MedicineCard) -> tuple[bool, dt.datetime]:
    """What to show first: what is overdue or due next; as needed last."""
    far = dt.datetime.max.replace(tzinfo=dt.UTC)
    return not card.is_overdue, card.sort_at or far


def _due_words(one: Standing, *, zone: str, now: dt.datetime) -> str:
    if one.due.overdue_at:
        clock = clock_words(one.due.overdue_at, zone=zone, now=now)
        return _("overdue since %(clock)s") % {"clock": clock}
    if one.due.next_at:
        return _("next: %(clock)s") % {"clock": clock_words(one.due.next_at, zone=zone, now=now)}
    return ""


def _last_words(last: Any, *, zone: str, now: dt.datetime) -> str:
    words = {
        "outcome": OUTCOME_LABELS[last.outcome],
        "clock": clock_words(last.at, zone=zone, now=now),
        "name": last.author,
    }
    if last.author:
        return _("last: %(outcome)s %(clock)s by %(name)s") % words
    return _("last: %(outcome)s %(clock)s") % words


def dose_row(row: Dose, *, zone: str, now: dt.datetime, person_id: int, is_parent: bool) -> DoseRow:
    """One dose with who gave it loaded."""
    return DoseRow(
        row=row,
        when=clock_words(row.at, zone=zone, now=now),
        outcome=str(OUTCOME_TAPS[row.outcome][0]),
        tone="is-normal" if row.outcome == "given" else "is-abnormal",
        may_change=is_parent or row.author_id == person_id,
    )


def event_card(row: Event, *, zone: str) -> EventCard:
    """One event with its author loaded."""
    kind = KINDS.get(row.kind, KINDS["other"])
    told = [
        (_("Before"), row.antecedent),
        (_("What it looked like"), row.behaviour),
        (_("What was tried"), row.tried),
        (_("How it ended"), row.outcome),
    ]
    return EventCard(
        row=row,
        title=_(kind.label),
        icon=kind.icon,
        clock=formats.date_format(row.at.astimezone(ZoneInfo(zone)), "H:i"),
        impact=impact_words(row.impact),
        tone="is-abnormal" if row.impact < 0 else "is-normal" if row.impact > 0 else "is-muted",
        lines=[(label, text) for label, text in told if text],
    )


def impact_words(impact: int) -> str:
    """An impact with its sign and its word: "−2 Hard"."""
    return f"{signed(impact)} {_(IMPACTS[impact])}"


def signed(number: int) -> str:
    """A whole number with its sign, as print has it."""
    return f"{'−' if number < 0 else '+' if number > 0 else ''}{abs(number)}"


def value_words(field: TrackedField, value: TrackedValue) -> str:
    """One logged value in words."""
    match field.kind:
        case "yes_no":
            return _("yes") if value else _("no")
        case "choice":
            return str(value)
        case "duration":
            return ngettext("%(count)d minute", "%(count)d minutes", int(value)) % {"count": int(value)}
        case "scale":
            return _("%(value)s of 5") % {"value": int(value)}
        case _:
            return " ".join(part for part in (number_words(float(value)), field.unit) if part)


def entry_words(fields: Sequence[TrackedField], row: TrackableEntry) -> str:
    """A whole entry in one line; a lone field needs no name."""
    known = [field for field in fields if field.key in row.values]
    if len(known) == 1:
        return value_words(known[0], row.values[known[0].key])
    return ", ".join(f"{field.name}: {value_words(field, row.values[field.key])}" for field in known)


def tally_words(tally: Tally) -> list[tuple[str, str]]:
    """The three counts beside what they cover."""
    return [
        (number_words(tally.today), _("today")),
        (number_words(tally.week), _("in 7 days")),
        (number_words(tally.month), _("in 30 days")),
    ]
