"""What the worker does for the twin by the clock."""

from __future__ import annotations

import logging

from django.utils import timezone
from huey import crontab

from household.queue import queue
from twin.services.rounds.run import run_due

log = logging.getLogger("hearthbook.tasks")


@queue.periodic_task(crontab(minute="*/10"))
def close_days() -> None:
    """Run every round that is due."""
    try:
        done = run_due(now=timezone.now())
    except Exception as error:  # a failing task must leave no words in the queue's tables
        log.error("rounds stopped: %s", type(error).__name__)
        return
    if done:
        log.info("closed %s days", done)
