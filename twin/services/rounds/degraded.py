"""Rounds without a worker: when none gives a sign of life, opening Today runs what is overdue."""

from __future__ import annotations

import datetime as dt

from household.connections import as_owner
from household.services.health import is_worker_alive
from twin.services.rounds.run import run_due

LOOKS_EVERY = dt.timedelta(minutes=1)
MOST_DAYS = 7  # a page does not make its reader wait for a month of nights; the next look goes on


class Watch:
    """When this process last looked for a worker, so that not every page asks."""

    looked_at = dt.datetime.min.replace(tzinfo=dt.UTC)


def run_without_worker(*, now: dt.datetime) -> int:
    """Run what is overdue where no worker lives, at most once a minute. Gives how many days were closed."""
    if now - Watch.looked_at < LOOKS_EVERY:
        return 0
    Watch.looked_at = now
    with as_owner():
        return 0 if is_worker_alive(now=now) else run_due(now=now, most=MOST_DAYS)
