"""What the worker does for the twin by the clock."""

from __future__ import annotations

import logging

from django.utils import timezone
from huey import crontab

from household.queue import queue
from household.services.jobs import claim, due_jobs, working
from twin.services.importing.applying import apply_import
from twin.services.importing.staging import KIND, sweep_imports
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


def bring_in_due() -> None:
    """Claim and do every import that is due."""
    for number in due_jobs(KIND, now=timezone.now()):
        job = claim(number, now=timezone.now())
        if job is not None:
            with working(job, clock=timezone.now):
                apply_import(int(job.target), now=timezone.now())


@queue.task()
def bring_in_soon() -> None:
    """Bring in what somebody just asked for."""
    try:
        bring_in_due()
    except Exception as error:
        log.error("an import failed: %s", type(error).__name__)


@queue.periodic_task(crontab(minute="*/10"))
def keep_imports() -> None:
    """Bring in what a lost worker left, and erase files that nobody asked for."""
    try:
        bring_in_due()
        sweep_imports(now=timezone.now())
    except Exception as error:
        log.error("imports stopped: %s", type(error).__name__)
