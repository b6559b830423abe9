"""What the worker does by the clock: rounds, unread words, partitions."""

from __future__ import annotations

import logging

from django.utils import timezone
from huey import crontab

from household.queue import queue
from memory.services.journal import make_partitions_ahead
from memory.services.nights import run_due
from memory.services.turns import read_unread

log = logging.getLogger("hearthbook.tasks")


@queue.periodic_task(crontab(minute="*/10"))
def close_days() -> None:
    """Run every round that is due."""
    try:
        done = sum(1 for _ in run_due(now=timezone.now()))
    except Exception as error:  # a failing task must leave no words in the queue's tables
        log.error("rounds stopped: %s", type(error).__name__)
        return
    if done:
        log.info("closed %s days", done)


@queue.periodic_task(crontab(minute="*"))
def keep_house() -> None:
    """Read what was kept unread, and make the journal's next partitions."""
    now = timezone.now()
    try:
        read_unread(now=now)
        make_partitions_ahead(now=now)
    except Exception as error:
        log.error("housekeeping stopped: %s", type(error).__name__)
