"""After the transaction: rounds run again without what was forgotten, and the bytes go."""

from __future__ import annotations

import datetime as dt
import logging

import psycopg
from django.db import DatabaseError

from household.connections import as_owner
from household.services.erasing import Outcome, sweep
from household.services.health import is_worker_alive
from memory.services.forgetting.devices import forget_in_the_book
from twin.services.rounds.run import run_due

log = logging.getLogger("hearthbook.forgetting")


def follow_up(*, now: dt.datetime) -> None:
    """Have the worker do it, or do it here where no worker gives a sign of life.

    What fails or waits stays owed: the worker's clock and the next start come back to it.
    """
    from memory.tasks import finish_forgetting

    try:
        if is_worker_alive(now=now):
            finish_forgetting()
            return
        with as_owner():
            finish(now=now)
    except (DatabaseError, psycopg.Error, OSError) as error:
        log.error("a forgetting is not finished yet: %s", type(error).__name__)


def hurry(*, now: dt.datetime) -> None:
    """Have a living worker finish what a device forgot. Without one the book forgets a few turns here.

    The files, and what is left, wait for the worker's clock or its start.
    """
    from memory.tasks import finish_forgetting

    try:
        if is_worker_alive(now=now):
            finish_forgetting()
            return
        with as_owner():
            forget_in_the_book(now=now, is_hurried=True)
    except (DatabaseError, psycopg.Error, OSError) as error:
        log.error("a forgetting is not finished yet: %s", type(error).__name__)


def finish(*, now: dt.datetime) -> Outcome:
    """Take what devices forgot from the book, run the rounds made late, rewrite what all of it owes."""
    forget_in_the_book(now=now)
    run_due(now=now)
    return sweep(now=now)
