"""The worker's sign of life."""

from __future__ import annotations

import logging
import os
import socket

from django.utils import timezone
from huey import crontab

from household.queue import queue
from household.services.health import beat

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
