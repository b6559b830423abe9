"""What was forgotten on a device reaches the book too: the one service forgets the turns its tombstone names.

The house empties the conversation as the tombstone comes. What was read from the same turns into the book
is looked for afterwards, by the turns themselves: what was cut off in between is found the next time.
"""

from __future__ import annotations

import datetime as dt
import logging
import uuid

from django.db import connection

from household.access import grant_of
from household.models import Device, Membership, Person
from household.rules.permissions import Role
from memory.rules.forgetting import NotYours, Target, Unknown
from memory.services.forgetting.forget import Busy, forget

log = logging.getLogger("hearthbook.forgetting")
AT_ONCE = 200
LEFT = """
    SELECT DISTINCT n.turn, t.subject_id, t.device
    FROM memory_tombstone t JOIN memory_tombstoneturn n ON n.tombstone_id = t.id
    WHERE t.at_ms > 0 AND t.device <> 'home' AND t.subject_id IS NOT NULL AND (
        EXISTS (SELECT 1 FROM twin_statement r WHERE r.turn = n.turn AND r.subject_id = t.subject_id)
        OR EXISTS (SELECT 1 FROM twin_formfill r WHERE r.turn = n.turn AND r.subject_id = t.subject_id)
        OR EXISTS (SELECT 1 FROM twin_event r WHERE r.turn = n.turn AND r.subject_id = t.subject_id))
    ORDER BY 1 LIMIT %s
"""


def forget_in_the_book(*, now: dt.datetime) -> int:
    """Forget what the book holds of turns that a device forgot, as the owner; how many turns.

    The parent who paired the device answers for it. A turn that also takes rows of a subject whose parent
    they are not stays: only its own parents can forget it.
    """
    done = 0
    for turn, subject_id, device in _left():
        person = _parent(subject_id, device, now=now)
        try:
            if person is None or not _forget(turn, person, now=now):
                log.warning("a turn that a device forgot stays in the book: it is not its parents' alone")
                continue
        except Busy:
            log.warning("what a device forgot is taken from the book later: others kept writing")
            break
        done += 1
    return done


def _forget(turn: str, person: Person, *, now: dt.datetime) -> bool:
    try:
        forget(Target("turn", turn), person=person, client_id=str(uuid.uuid4()), now=now)
    except (NotYours, Unknown):
        return False
    return True


def _left() -> list[tuple[str, int, str]]:
    with connection.cursor() as cursor:
        cursor.execute(LEFT, [AT_ONCE])
        return list(cursor.fetchall())


def _parent(subject_id: int, device: str, *, now: dt.datetime) -> Person | None:
    """A parent of the subject, the one who paired the device first."""
    rows = Membership.objects.live(now).filter(subject=subject_id).select_related("person").order_by("pk")
    parents = [row.person for row in rows if grant_of(row, now).role == Role.PARENT]
    paired = Device.objects.filter(pk__in=_ids(device)).values_list("paired_by", flat=True).first()
    return next((one for one in parents if one.pk == paired), parents[0] if parents else None)


def _ids(device: str) -> list[uuid.UUID]:
    try:
        return [uuid.UUID(device)]
    except ValueError:  # a holder that was never paired here
        return []
