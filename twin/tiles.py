"""The quick-log buttons of trackables, on Today and on the list of what is counted."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from twin.cards import seconds_to_undo
from twin.daily_shown import number_words
from twin.models import Subject, Trackable, TrackableEntry
from twin.rules.trackables import counted, one_tap_values, parse_fields


@dataclass(frozen=True)
class TrackableTile:
    """A quick-log button: its count today, and whether one tap is enough."""

    pk: int
    name: str
    icon: str
    subject: Subject
    hue: int
    is_one_tap: bool
    today: str
    client_id: str
    undo_pk: int | None = None
    undo_left: int = 0


def tile_of(
    row: Trackable,
    subject: Subject,
    *,
    hue: int,
    entries: Sequence[TrackableEntry],
    person_id: int,
    now: dt.datetime,
) -> TrackableTile:
    """The button of a trackable with what stands of today, and the undo of this person's own last tap."""
    fields = parse_fields(row.fields)
    total = sum(counted(fields, one.values) for one in entries)
    mine = max((one for one in entries if one.author_id == person_id), key=lambda one: one.at, default=None)
    left = seconds_to_undo(mine.at, now=now) if mine else 0
    return TrackableTile(
        pk=row.pk,
        name=row.name,
        icon=row.icon,
        subject=subject,
        hue=hue,
        is_one_tap=one_tap_values(fields) is not None,
        today=number_words(total) if total else "",
        client_id=str(uuid.uuid4()),
        undo_pk=mine.pk if mine and left else None,
        undo_left=left,
    )
