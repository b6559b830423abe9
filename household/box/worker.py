"""The job worker: Huey's consumer without its ten wake-ups a second."""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from collections.abc import Mapping
from typing import Any

THREADS = 2
# The queue's LISTEN wakes a worker at once; these are only for what nobody announced.
IDLE_S = 60
FINISH_S = 5.0
STOPPING = (signal.SIGTERM, signal.SIGINT)


def run(*, door: Mapping[str, Any] | None = None, threads: int = THREADS) -> int:
    """Work until told to stop, then give running tasks five seconds; the sweep repeats what was cut off.

    Meanwhile the box's name is announced on the home network, for the door the web server listens on.
    """
    import django

    django.setup()
    from django.db import connections
    from django.utils.module_loading import autodiscover_modules
    from huey.consumer import Consumer

    from household.box.network import Announcement, Door
    from household.queue import queue
    from household.tasks import sign_of_life

    autodiscover_modules("tasks")
    sign_of_life()
    # This thread asks the database for nothing more.
    connections.close_all()
    queue.immediate = False
    told_r, told_w = os.pipe()
    consumer = Consumer(queue, workers=threads, scheduler_interval=IDLE_S, check_worker_health=False)
    consumer.start()
    for number in STOPPING:
        signal.signal(number, lambda _number, _frame: _tell(told_w))
    announcement = Announcement(Door(**door)) if door else None
    while True:
        if announcement:
            announcement.refresh()
        if select.select([told_r], [], [], IDLE_S)[0]:
            break
        consumer.check_worker_health()
    consumer.stop_flag.set()
    if announcement:
        announcement.close()
    _finish(queue)
    return 0


def _tell(pipe: int) -> None:
    os.write(pipe, b"x")


def _finish(queue: Any) -> None:
    end = time.monotonic() + FINISH_S
    while queue._tasks_in_flight and time.monotonic() < end:
        time.sleep(0.05)
    queue.notify_interrupted_tasks()


if __name__ == "__main__":
    code = run()
    sys.stdout.flush()
    sys.stderr.flush()
    # Threads that wait for the queue are in no hurry; nothing is left for them to do.
    os._exit(code)
