"""Which due time a dose answers: a late one is not taken for the next, nor an early one for the last. Pure.

A dose given while one is overdue answers the overdue time, unless the next time is near: within a quarter of
the pause between the two. Then the overdue one was missed. Else, once one is missed, each later dose would
answer the time before its own.
"""

from __future__ import annotations

from datetime import datetime

from twin.rules.medicines import Due, Outcome

NEAR = 0.25  # of the pause between the overdue time and the next


def answered(due: Due, at: datetime, outcome: Outcome) -> datetime | None:
    """The due time a dose at `at` answers, None where the nearest one will do.

    One that was not given answers what is overdue, else the next time.
    """
    if outcome != "given":
        return due.overdue_at or due.next_at
    if due.overdue_at is None:
        return None
    if due.next_at is not None and due.next_at - at <= (due.next_at - due.overdue_at) * NEAR:
        return due.next_at
    return due.overdue_at
