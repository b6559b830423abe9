"""The worker's sign of life."""

from __future__ import annotations

import logging
import os
import socket

from django.utils import timezone
from huey import crontab

from household.queue import queue
from household.services.backups.nightly import KIND, ask_nightly, back_up
from household.services.health import beat
from household.services.jobs import claim, due_jobs, working
from household.services.notices.outbox import clear_sent, collect, send_due

log = logging.getLogger("hearthbook.tasks")


def sign_of_life() -> None:
    """Note that this worker is alive."""
    beat(worker=f"{socket.gethostname()[:40]}:{os.getpid()}", now=timezone.now())


@queue.periodic_task(crontab(minute="*"))
def keep_alive() -> None:
    """Give a sign of life every minute."""
    try:
        sign_of_life()
    except Exception as error:  # a failing task must leave no words in the queue's tables
        log.error("no sign of life: %s", type(error).__name__)


@queue.periodic_task(crontab(minute="*/10"))
def ask_nightly_backup() -> None:
    """Make the night's backup once it is due, and whatever backup is still owed."""
    try:
        ask_nightly(now=timezone.now())
        make_due_backups()
    except Exception as error:
        log.error("no backup: %s", type(error).__name__)


@queue.task()
def wake_jobs() -> None:
    """Make the backups somebody asked for."""
    try:
        make_due_backups()
    except Exception as error:
        log.error("no backup: %s", type(error).__name__)


def make_due_backups() -> None:
    """Claim and do every backup that is due."""
    for number in due_jobs(KIND, now=timezone.now()):
        job = claim(number, now=timezone.now())
        if job is not None:
            with working(job, clock=timezone.now):
                back_up(now=timezone.now())


@queue.periodic_task(crontab(minute="*"))
def tell_people() -> None:
    """Note what people asked to be told of, and send what waits."""
    try:
        collect(now=timezone.now())
        send_due(clock=timezone.now)
        clear_sent(now=timezone.now())
    except Exception as error:
        log.error("nobody was told: %s", type(error).__name__)
