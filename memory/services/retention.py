"""Clearing the journal by age: old lines keep their place and time and lose everything else."""

from __future__ import annotations

import datetime as dt

from django.db import connection, transaction

from household.services.registers import read_setting
from memory.models import JournalLine
from memory.rules.journal import Event, cutoff_ms
from memory.services.journal import to_ms, write_line
from memory.services.owing import owe_reached
from twin.models import RoundRun
from twin.models.triggers import MARK_FORGETTING

LINES_A_TIME = 50_000
# Pictures that only such lines showed go with the words, by trigger, and their files are owed.
TAKE_WORDS = "DELETE FROM memory_journalwords WHERE position = ANY (%s)"
EXPIRE = """
    UPDATE memory_journalline SET envelope = jsonb_build_object(
        'event', %s::text, 'at_ms', (envelope ->> 'at_ms')::bigint, 'turn', ''::text)
    WHERE position = ANY (%s)
"""

# A night was closed so long ago, by a clock that has gone on since as clocks do.
SETTLED_FOR = dt.timedelta(days=1)
SETTLED_WITHIN = dt.timedelta(days=4)


def is_clock_settled(*, now: dt.datetime) -> bool:
    """Whether the box has worked by this very clock since yesterday.

    A clock that jumps a year ahead makes everything old at once, and what is cleared does not come back
    when the clock does.
    """
    nights = RoundRun.objects.filter(ran_at__gt=now - SETTLED_WITHIN, ran_at__lte=now - SETTLED_FOR)
    return nights.exists()


def clear_when_settled(*, now: dt.datetime) -> int:
    """Clear old lines as `clear_old` does, once the clock has been believable for a day. Gives how many."""
    return clear_old(now=now) if is_clock_settled(now=now) else 0


@transaction.atomic
def clear_old(*, now: dt.datetime) -> int:
    """Let lines older than the household keeps expire in place, and announce it in one line. Gives how many.

    Where nothing is that old, or all is kept, nothing is written.
    """
    cutoff = cutoff_ms(
        to_ms(now),
        retention_days=read_setting("log_retention_days"),
        utc_offset_minutes=read_setting("utc_offset_minutes"),
    )
    if cutoff is None:
        return 0
    old = JournalLine.objects.filter(live=True, at_ms__lt=cutoff).order_by("at_ms")
    positions = list(old.values_list("position", flat=True)[:LINES_A_TIME])
    if not positions:
        return 0
    with connection.cursor() as cursor:
        cursor.execute(MARK_FORGETTING)
        cursor.execute(TAKE_WORDS, [positions])
        cursor.execute(EXPIRE, [Event.EXPIRED.value, positions])
        cursor.execute(MARK_FORGETTING.replace("'on'", "''"))
    owe_reached()
    write_line(event="Cleared", at=now, turn="", fields={"lines": len(positions), "older_than_ms": cutoff})
    return len(positions)
