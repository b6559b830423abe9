"""The journal between the house and its devices: lines pushed by their writer, lines pulled by position."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import connection
from django.db.models import Q

from household.access import seen_through
from household.models import Device
from household.services.registers import to_ms
from memory.models import JournalLine, JournalWords, JournalWriter
from memory.models.journal import HOME_DEVICE
from memory.rules.journal import Line, Push, accept, join, pictures_of
from memory.services.journal import make_partition
from memory.services.offline_turns import take_in_heard
from memory.services.store.pushing import child_of

MOST_LINES = 1_000
WRITE_LINES = """
    INSERT INTO memory_journalline (device, seq, subject_id, author_id, envelope)
    SELECT %s, n.seq, %s, NULL, n.envelope
    FROM jsonb_to_recordset(%s::jsonb) AS n(seq bigint, envelope jsonb) ORDER BY n.seq
"""
WRITE_WORDS = """
    INSERT INTO memory_journalwords (position, arrived_on, body)
    SELECT l.position, %s, n.body FROM jsonb_to_recordset(%s::jsonb) AS n(seq bigint, body jsonb)
    JOIN memory_journalline l ON l.device = %s AND l.seq = n.seq
"""
CLOSE = 8  # positions to a line
BEGIN = "INSERT INTO memory_journalwriter (device, next_seq) VALUES (%s, 0) ON CONFLICT (device) DO NOTHING"
TAKE_TURN = "SELECT next_seq FROM memory_journalwriter WHERE device = %s FOR UPDATE"
MISSING = """
    SELECT DISTINCT p.picture FROM memory_linepicture p JOIN memory_journalline l ON l.position = p.line_id
    WHERE l.device = %s AND l.seq = ANY(%s::bigint[])
      AND NOT EXISTS (SELECT 1 FROM memory_picture b WHERE b.name = p.picture) ORDER BY 1
"""


@dataclass(frozen=True)
class Pushed:
    """What became of a push: the plan it followed and the pictures the house still needs."""

    plan: Push
    need_pictures: tuple[str, ...] = ()


@dataclass
class Pulled:
    """A page of lines in the order the house received them; `next` is where to go on."""

    next: int
    more: bool
    lines: list[dict[str, Any]] = field(default_factory=list)


def push_lines(*, device: Device, from_seq: int, lines: Sequence[Line], now: dt.datetime) -> Pushed:
    """Append a device's own lines, all or none of them. Raises NoChild, DeviceEnded.

    Words of what is forgotten already are dropped by the tables' own triggers as they come.
    """
    writer = str(device.pk)
    with seen_through(device, now=now) as sight:
        subject = child_of(device, sight)
        with connection.cursor() as cursor:
            cursor.execute(BEGIN, [writer])
            cursor.execute(TAKE_TURN, [writer])
            (next_seq,) = cursor.fetchone()
        held = _held(writer, from_seq, min(next_seq, from_seq + len(lines))) if from_seq < next_seq else {}
        plan = accept(next_seq, held, lines, from_seq=from_seq, now_ms=to_ms(now))
        if plan.to_store:
            _write(writer, subject, plan, now.date())
            if device.child_id is not None:
                take_in_heard(writer, subject, [line for _seq, line in plan.to_store])
        shown = [seq for seq, line in enumerate(lines, from_seq) if pictures_of(line)]
        needed = _missing(writer, shown) if shown and plan.refusal is None else ()
    return Pushed(plan, needed)


def _held(writer: str, first: int, end: int) -> dict[int, Line]:
    rows = JournalLine.objects.filter(device=writer, seq__gte=first, seq__lt=end)
    values = rows.values_list("seq", "envelope", "words__body")
    return {seq: Line(envelope, body) for seq, envelope, body in values}


def _write(writer: str, subject: int, plan: Push, day: dt.date) -> None:
    make_partition(day)
    lines = [{"seq": seq, "envelope": line.envelope} for seq, line in plan.to_store]
    words = [{"seq": seq, "body": line.words} for seq, line in plan.to_store if line.words is not None]
    with connection.cursor() as cursor:
        cursor.execute(WRITE_LINES, [writer, subject, _json(lines)])
        if words:
            cursor.execute(WRITE_WORDS, [day, _json(words), writer])
    JournalWriter.objects.filter(device=writer).update(next_seq=plan.next_seq)


def _missing(writer: str, seqs: list[int]) -> tuple[str, ...]:
    with connection.cursor() as cursor:
        cursor.execute(MISSING, [writer, seqs])
        return tuple(name for (name,) in cursor.fetchall())


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def pull_lines(*, device: Device, after: int, limit: int, now: dt.datetime) -> Pulled:
    """Lines of the device's children from other devices after a position. Raises DeviceEnded.

    Lines of the house itself never leave it. A companion's positions are committed in their order, so none is
    skipped by asking for those after the last one had.
    """
    with seen_through(device, now=now) as sight:
        rows = JournalLine.objects.filter(~Q(device=HOME_DEVICE), subject_id__in=list(sight.subjects))
        page = list(
            rows.filter(position__gt=after)
            .exclude(device=str(device.pk))
            .order_by("position")
            .values_list("position", "device", "seq", "envelope")[: limit + 1]
        )
        words = _words_of([position for position, *_rest in page[:limit]])
        if after != device.position_seen:
            Device.objects.filter(pk=device.pk).update(position_seen=after)
    lines = [
        {
            "position": position,
            "device": writer,
            "seq": seq,
            "line": join(Line(envelope, words.get(position))),
        }
        for position, writer, seq, envelope in page[:limit]
    ]
    last = page[:limit][-1][0] if page else after
    return Pulled(last, len(page) > limit, lines)


def _words_of(positions: list[int]) -> dict[int, Any]:
    """Bodies by position, in a question of its own: a join would look into each month for every line.

    Lines that stand close together are asked for from the first to the last, which is planned faster.
    """
    if not positions:
        return {}
    first, last = positions[0], positions[-1]
    is_close = last - first < CLOSE * len(positions)
    asked = Q(line__gte=first, line__lte=last) if is_close else Q(line__in=positions)
    return dict(JournalWords.objects.filter(asked).values_list("line_id", "body"))
