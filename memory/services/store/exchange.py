"""One exchange of the memory document with a device: what it pushes is merged, what it lacks is given.

Pushing is one transaction and writes only the difference. Pulling is another, after its commit, so the
cursor it gives covers what was just written.
"""

from __future__ import annotations

import datetime as dt

from household.access import seen_through
from household.models import Device
from memory.rules.cursors import read_cursor
from memory.services.store.documents import Push
from memory.services.store.pulling import Answer, epoch, newest, pull
from memory.services.store.pushing import merge_push


def exchange(*, device: Device, push: Push, now: dt.datetime) -> Answer:
    """Merge what a device pushes and give it what it lacks. Raises Resync, NoChild, DeviceEnded."""
    read_cursor(push.since, epoch=epoch(), newest=newest())  # before anything is written
    rejected = [] if push.is_empty else merge_push(device, push, now=now)
    with seen_through(device, now=now) as sight:
        answer = pull(device, push, sight)
    answer.rejected = rejected
    return answer
