"""What the worker does by the clock: unread words, partitions."""

from __future__ import annotations

import logging

from django.utils import timezone
from huey import crontab

from household.queue import queue
from memory.services.journal import make_partitions_ahead
from memory.services.turns import read_unread

log = logging.getLogger("hearthbook.tasks")


@queue.periodic_task(crontab(minute="*"))
def keep_house() -> None:
    """Read what was kept unread, and make the journal's next partitions."""
    now = timezone.now()
    try:
        read_unread(now=now)
        make_partitions_ahead(now=now)
    except Exception as error:
        log.error("housekeeping stopped: %s", type(error).__name__)
