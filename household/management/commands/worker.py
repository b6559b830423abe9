"""`manage.py worker`: the job consumer, started by `up`."""

from __future__ import annotations

import logging
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.module_loading import autodiscover_modules

from household.queue import POLL_S, queue
from household.tasks import sign_of_life


class Command(BaseCommand):
    """Run jobs until stopped."""

    help = "Run the household's jobs: rounds, sweeps, housekeeping."

    def handle(self, *args: Any, **options: Any) -> None:
        """Give a first sign of life, then consume until SIGTERM or SIGINT."""
        autodiscover_modules("tasks")
        logging.getLogger("huey").setLevel(logging.WARNING)
        sign_of_life()
        consumer = queue.create_consumer(
            workers=1, worker_type="thread", scheduler_interval=POLL_S, check_worker_health=False
        )
        consumer.run()
