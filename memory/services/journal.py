"""Writing the journal: the spine, and the words beside it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import connection

from memory.models import JournalLine, JournalWords, JournalWriter
from memory.models.journal import HOME_DEVICE
from memory.rules.journal import split

DEFAULTS: Mapping[str, Mapping[str, Any]] = {"Heard": {"pictures": []}}


def to_ms(at: dt.datetime) -> int:
    """Milliseconds since 1970 of an aware moment."""
    return int(at.timestamp() * 1000)


def write_line(
    *,
    event: str,
    at: dt.datetime,
    turn: str,
    fields: Mapping[str, Any] | None = None,
    subject_id: int | None = None,
    author_id: int | None = None,
    device: str = HOME_DEVICE,
    arrived_at: dt.datetime | None = None,
) -> JournalLine:
    """Append one line of a writer, gapless; call it inside a transaction. Raises Invalid.

    `at` is when it happened, `arrived_at` when the house heard of it (the same unless words come late);
    `fields` are those of the event in the journal's vocabulary; its words go beside the wordless spine.
    """
    value = {"event": event, "at_ms": to_ms(at), "turn": turn, **DEFAULTS.get(event, {}), **(fields or {})}
    envelope, words = split(value)
    arrived_on = (arrived_at or at).date()
    line = JournalLine.objects.create(
        device=device,
        seq=_next_seq(device),
        subject_id=subject_id,
        author_id=author_id,
        arrived_on=arrived_on,
        envelope=envelope,
    )
    if words is not None:
        make_partition(arrived_on)
        JournalWords.objects.create(line=line, arrived_on=arrived_on, body=words)
    return line


def write_naming(event: str, named: Sequence[tuple[str, int | None]], *, at: dt.datetime) -> None:
    """Append wordless lines of the house that name one identity each, with the subject it is about."""
    first = _next_seq(HOME_DEVICE, len(named))
    JournalLine.objects.bulk_create(
        JournalLine(
            device=HOME_DEVICE,
            seq=seq,
            subject_id=subject_id,
            arrived_on=at.date(),
            envelope=split({"event": event, "at_ms": to_ms(at), "turn": "", "gid": gid})[0],
        )
        for seq, (gid, subject_id) in enumerate(named, first)
    )


def _next_seq(device: str, count: int = 1) -> int:
    """Take the writer's next numbers; gives the first. Its row stays locked to the end of the transaction."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {JournalWriter._meta.db_table} AS w (device, next_seq) VALUES (%s, %s)"  # noqa: S608
            " ON CONFLICT (device) DO UPDATE SET next_seq = w.next_seq + excluded.next_seq"
            " RETURNING next_seq - %s",
            [device, count, count],
        )
        return int(cursor.fetchone()[0])


def make_partition(day: dt.date) -> None:
    """Make the partition that holds a day, where it is not there yet."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT memory_words_partition(%s::date)", [day])


def make_partitions_ahead(*, now: dt.datetime, months: int = 3) -> int:
    """Make this month's partition and the next ones. Gives how many are new."""
    made = 0
    with connection.cursor() as cursor:
        for ahead in range(months + 1):
            cursor.execute(
                "SELECT memory_words_partition((%s::date + make_interval(months => %s))::date)",
                [now.date(), ahead],
            )
            made += bool(cursor.fetchone()[0])
    return made
