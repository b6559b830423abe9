"""What was forgotten on a device reaches the book too: the one service forgets the turns its tombstone names.

The house empties the conversation as the tombstone comes. What was read from the same turns into the book
is looked for afterwards, by the turns themselves: what was cut off in between is found the next time.
"""

from __future__ import annotations

import datetime as dt
import logging
import uuid
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

from django.db import connection

from household.access import grant_of
from household.models import Device, Membership, Person
from household.rules.permissions import Role
from memory.rules.forgetting import NotYours, Target, Unknown
from memory.services.forgetting.forget import TRIES, forget

log = logging.getLogger("hearthbook.forgetting")
AT_ONCE, HURRIED = 200, 5  # turns of one run, and of one while a device waits
HURRIED_TRIES = 3
FIRST_PAUSE, LONGEST_PAUSE = dt.timedelta(minutes=1), dt.timedelta(days=1)
# Each turn once, whoever forgot it; those that never failed first, of them the oldest.
LEFT = """
    SELECT n.turn, t.subject_id, array_agg(DISTINCT t.device), min(n.tries)
    FROM memory_tombstone t JOIN memory_tombstoneturn n ON n.tombstone_id = t.id
    WHERE t.at_ms > 0 AND t.device <> 'home' AND t.subject_id IS NOT NULL
        AND (n.due_at IS NULL OR n.due_at <= %s) AND (
        EXISTS (SELECT 1 FROM twin_statement r WHERE r.turn = n.turn AND r.subject_id = t.subject_id)
        OR EXISTS (SELECT 1 FROM twin_formfill r WHERE r.turn = n.turn AND r.subject_id = t.subject_id)
        OR EXISTS (SELECT 1 FROM twin_event r WHERE r.turn = n.turn AND r.subject_id = t.subject_id))
    GROUP BY n.turn, t.subject_id ORDER BY min(n.tries), min(n.id) LIMIT %s
"""
PUT_OFF = """
    UPDATE memory_tombstoneturn n SET tries = least(n.tries + 1, 1000), due_at = %s
    FROM memory_tombstone t WHERE t.id = n.tombstone_id AND n.turn = %s AND t.subject_id = %s
"""


@dataclass(frozen=True)
class Left:
    """A turn that the book still knows, whose it is, the devices that forgot it, how often it was tried."""

    turn: str
    subject_id: int
    devices: tuple[str, ...]
    tries: int


def forget_in_the_book(*, now: dt.datetime, is_hurried: bool = False) -> int:
    """Forget what the book holds of turns that a device forgot, as the owner; how many turns.

    The parent who paired the device answers for it. A turn that also takes rows of a subject whose parent
    they are not stays: only its own parents can forget it. Each turn is a transaction of its own; one that
    fails is tried again after a pause that doubles, and keeps no other waiting.
    """
    done: set[str] = set()
    for one in _left(now, HURRIED if is_hurried else AT_ONCE):
        if one.turn in done:
            continue
        if _forget(one, now=now, tries=HURRIED_TRIES if is_hurried else TRIES):
            done.add(one.turn)
        else:
            _put_off(one, now=now)
    return len(done)


def _forget(one: Left, *, now: dt.datetime, tries: int) -> bool:
    person = _parent(one, now=now)
    if person is None:
        log.warning("a turn that a device forgot stays in the book: its subject has no parent")
        return False
    try:
        forget(Target("turn", one.turn), person=person, client_id=str(uuid.uuid4()), now=now, tries=tries)
    except (NotYours, Unknown):
        log.warning("a turn that a device forgot stays in the book: it is not its parents' alone")
        return False
    except Exception as error:  # it is tried again; no word may reach a log
        log.warning("what a device forgot is taken from the book later: %s", type(error).__name__)
        return False
    return True


def _put_off(one: Left, *, now: dt.datetime) -> None:
    pause = min(FIRST_PAUSE * 2 ** min(one.tries, 20), LONGEST_PAUSE)
    with connection.cursor() as cursor:
        cursor.execute(PUT_OFF, [now + pause, one.turn, one.subject_id])


def _left(now: dt.datetime, most: int) -> list[Left]:
    with connection.cursor() as cursor:
        cursor.execute(LEFT, [now, most])
        return [Left(turn, subject, tuple(devices), tries) for turn, subject, devices, tries in cursor]


def _parent(one: Left, *, now: dt.datetime) -> Person | None:
    """A parent of the subject, the one who paired such a device first."""
    rows = Membership.objects.live(now).filter(subject=one.subject_id).select_related("person").order_by("pk")
    parents = [row.person for row in rows if grant_of(row, now).role == Role.PARENT]
    paired = set(Device.objects.filter(pk__in=_ids(one.devices)).values_list("paired_by", flat=True))
    return next((parent for parent in parents if parent.pk in paired), parents[0] if parents else None)


def _ids(devices: Iterable[str]) -> list[uuid.UUID]:
    """Those of these writers that were ever paired here."""
    found = []
    for one in devices:
        with suppress(ValueError):
            found.append(uuid.UUID(one))
    return found
