"""The journal between the house and its devices: lines pushed by their writer, lines pulled by position."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import connection

from household.access import seen_through
from household.models import Device
from household.services.registers import to_ms
from memory.models import JournalLine
from memory.models.journal import HOME_DEVICE
from memory.rules.journal import WORDED, Event, Line, Push, accept, join, pictures_of
from memory.services.offline_turns import take_in_heard
from memory.services.store.pushing import child_of

MOST_LINES = 1_000
# Takes them in, words and all, but words of what is forgotten already; gives the turns that are.
COME = "SELECT memory_lines_come(%s, %s, %s, %s, %s::jsonb, %s::jsonb)"
BEGIN = "INSERT INTO memory_journalwriter (device, next_seq) VALUES (%s, 0) ON CONFLICT (device) DO NOTHING"
# With the month's partition made meanwhile, where it is not there yet.
TAKE_TURN = """
    SELECT next_seq, memory_words_partition(%s::date) FROM memory_journalwriter WHERE device = %s FOR UPDATE
"""
CLOSE = 8  # positions to a line
PAGE = f"""
    SELECT position, device, seq, arrived_on, envelope ->> 'event', envelope::text FROM memory_journalline
    WHERE device <> '{HOME_DEVICE}' AND device <> %s AND subject_id = ANY (%s) AND position > %s
    ORDER BY position LIMIT %s
"""  # noqa: S608 - a name of ours
# A question of its own, of the months in which these lines came: a join would look into every month for each
# line. Lines that stand close together are asked for from the first to the last, which is planned faster.
WORDS = """
    SELECT position, body::text FROM memory_journalwords WHERE arrived_on BETWEEN %s AND %s AND {asked}
"""
WORDS_NEAR = WORDS.format(asked="position BETWEEN %s AND %s")
WORDS_FAR = WORDS.format(asked="position = ANY (%s)")
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
    """A page of lines in the order the house received them, each spelled in JSON.

    `next` is where to go on.
    """

    next: int
    more: bool
    lines: list[str] = field(default_factory=list)


def push_lines(*, device: Device, from_seq: int, lines: Sequence[Line], now: dt.datetime) -> Pushed:
    """Append a device's own lines, all or none of them. Raises NoChild, DeviceEnded.

    Words of what is forgotten already are dropped by the database as they come.
    """
    writer = str(device.pk)
    with seen_through(device, now=now) as sight:
        subject = child_of(device, sight)
        next_seq = _take_turn(writer, now.date())
        held = _held(writer, from_seq, min(next_seq, from_seq + len(lines))) if from_seq < next_seq else {}
        plan = accept(next_seq, held, lines, from_seq=from_seq, now_ms=to_ms(now))
        if plan.to_store:
            forgotten = _write(writer, subject, plan, now.date())
            if device.child_id is not None:
                new = [line for _seq, line in plan.to_store]
                take_in_heard(writer, subject, new, forgotten=forgotten)
        shown = [seq for seq, line in enumerate(lines, from_seq) if pictures_of(line)]
        needed = _missing(writer, shown) if shown and plan.refusal is None else ()
    return Pushed(plan, needed)


def _take_turn(writer: str, day: dt.date) -> int:
    """The writer's next number; its row stays locked to the end of the transaction."""
    with connection.cursor() as cursor:
        cursor.execute(TAKE_TURN, [day, writer])
        held = cursor.fetchone()
        if held is None:
            cursor.execute(BEGIN, [writer])
            cursor.execute(TAKE_TURN, [day, writer])
            held = cursor.fetchone()
    return int(held[0])


def _held(writer: str, first: int, end: int) -> dict[int, Line]:
    rows = JournalLine.objects.filter(device=writer, seq__gte=first, seq__lt=end)
    values = rows.values_list("seq", "envelope", "words__body")
    return {seq: Line(envelope, body) for seq, envelope, body in values}


def _write(writer: str, subject: int, plan: Push, day: dt.date) -> list[str]:
    """Store the lines of a plan. Gives those of their turns that are forgotten."""
    first = plan.to_store[0][0]
    spine = _json([line.envelope for _seq, line in plan.to_store])
    spoken = _json([line.words or None for _seq, line in plan.to_store])
    with connection.cursor() as cursor:
        cursor.execute(COME, [writer, subject, first, day, spine, spoken])
        return cursor.fetchone()[0] or []


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
    with seen_through(device, now=now) as sight, connection.cursor() as cursor:
        cursor.execute(PAGE, [str(device.pk), list(sight.subjects), after, limit + 1])
        found = cursor.fetchall()
        page = found[:limit]
        words = _words_of(cursor, [row[0] for row in page], [row[3] for row in page])
        if after != device.position_seen:
            Device.objects.filter(pk=device.pk).update(position_seen=after)
    named = {writer: _json(writer) for writer in {row[1] for row in page}}
    lines = [
        f'{{"position":{position},"device":{named[writer]},"seq":{seq},'
        f'"line":{_spelled(event, envelope, words.get(position))}}}'
        for position, writer, seq, _day, event, envelope in page
    ]
    return Pulled(page[-1][0] if page else after, len(found) > limit, lines)


def _words_of(cursor: Any, positions: list[int], days: list[dt.date]) -> dict[int, str]:
    """Bodies by position, in JSON as the database spells it, of lines that came on these days."""
    if not positions:
        return {}
    first, last = positions[0], positions[-1]
    if last - first < CLOSE * len(positions):
        cursor.execute(WORDS_NEAR, [min(days), max(days), first, last])
    else:
        cursor.execute(WORDS_FAR, [min(days), max(days), positions])
    return dict(cursor.fetchall())


def _spelled(event: str, envelope: str, words: str | None) -> str:
    """What `join` makes of a line, put together from two spelled objects wherever no member is in both."""
    if event not in WORDED:
        return envelope
    if words is None:
        return f'{envelope[:-1]}, "emptied": true}}'
    if event == Event.RECALLED:
        return _json(join(Line(json.loads(envelope), json.loads(words))))
    return f"{envelope[:-1]}, {words[1:]}"
