"""Restoring a backup, and keeping the promises made since it was written: what was forgotten stays so."""

from __future__ import annotations

import datetime as dt
import uuid
from contextlib import suppress
from dataclasses import dataclass

from django.apps import apps
from django.contrib.sessions.models import Session
from django.db import connection, transaction

from household.models import Device, Household, Person
from household.services.backups.reading import Source
from household.services.backups.restoring import put_in_place
from memory.models import Tombstone, TombstonePicture, TombstoneTurn
from memory.rules.forgetting import NotYours, Target, Unknown
from memory.services.forgetting import forget

# Numbers given since the backup was made are never given again (rec_, pat_, ...): counting jumps past them.
JUMP = 1_000_000
NUMBERED = """
    SELECT c.oid::regclass::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_depend d ON d.objid = c.oid AND d.deptype IN ('a', 'i')
    JOIN pg_class t ON t.oid = d.refobjid
    WHERE c.relkind = 'S' AND n.nspname = 'public' AND t.relname ~ '^(twin|memory)_' ORDER BY 1"""


@dataclass(frozen=True)
class Buried:
    """One tombstone as it is carried over a restore: identities only."""

    gid: str
    kind: str
    at_ms: int
    device: str
    turns: tuple[str, ...]
    pictures: tuple[str, ...]


@dataclass(frozen=True)
class Restored:
    """What a restore came to."""

    made_at: dt.datetime
    forgotten_again: int


def restore(source: Source, *, now: dt.datetime) -> Restored:
    """Put a backup in place of what is here, begin a new epoch, and forget again what was forgotten since.

    Raises Trouble, and then nothing has changed. Everybody signs in anew; revoked devices stay revoked.
    """
    buried, revoked = buried_here(), revoked_here()
    contents = put_in_place(source)
    with transaction.atomic():
        begin_epoch()
        Session.objects.all().delete()
        for gid, at, why in revoked:
            Device.objects.filter(gid=gid).update(token_hash=None, revoked_at=at, revoked_why=why)
    return Restored(contents.made_at, sum(forget_again(one, now=now) for one in buried))


def buried_here() -> list[Buried]:
    """Every tombstone of this box."""
    rows = Tombstone.objects.prefetch_related("turns", "pictures").order_by("pk")
    return [
        Buried(
            row.gid,
            row.kind,
            row.at_ms,
            row.device,
            tuple(one.turn for one in row.turns.all()),
            tuple(one.picture for one in row.pictures.all()),
        )
        for row in rows
    ]


def revoked_here() -> list[tuple[uuid.UUID, dt.datetime, str]]:
    """Every revoked device of this box."""
    rows = Device.objects.exclude(revoked_at=None)
    return [(row.gid, row.revoked_at, row.revoked_why) for row in rows if row.revoked_at is not None]


def begin_epoch() -> None:
    """Let devices send their whole copy, and never give a number twice."""
    Household.objects.update(epoch=uuid.uuid4())
    with connection.cursor() as cursor:
        cursor.execute(NUMBERED)
        for (name,) in cursor.fetchall():
            cursor.execute("SELECT setval(%s::regclass, nextval(%s::regclass) + %s)", [name, name, JUMP])


def forget_again(one: Buried, *, now: dt.datetime) -> bool:
    """Forget what a tombstone names, with all that was made of it; whether the backup still had it."""
    if Tombstone.objects.filter(gid=one.gid, at_ms__gt=0).exists():
        return False
    target = target_of(one)
    parents = Person.objects.filter(memberships__role="parent", memberships__ends_at=None).distinct()
    for parent in parents.order_by("pk") if one.at_ms else ():
        if target is None:
            break
        with suppress(Unknown, NotYours):
            forget(target, person=parent, client_id=f"restored:{one.gid}"[:64], now=now)
            break
    bury_again(one)  # under its own time and writer, and where the backup knows nothing of it
    return True


def target_of(one: Buried) -> Target | None:
    """What a tombstone names, as it is called in this database; None where the backup does not have it."""
    match one.kind:
        case "statement" | "event" | "subject":
            model = apps.get_model("twin", one.kind)
            number = model._base_manager.filter(gid=one.gid).values_list("pk", flat=True).first()
            return None if number is None else Target(one.kind, str(number))
        case "record" | "document":
            return Target(one.kind, str(int(one.gid.rpartition("_")[2])))
        case "turn" | "day":
            return Target(one.kind, one.gid.split(":")[1])
        case _:
            return Target("memory", one.gid)


def bury_again(one: Buried) -> bool:
    """Write a tombstone the backup does not know; whether it was unknown."""
    with transaction.atomic():
        row, is_new = Tombstone.objects.get_or_create(
            gid=one.gid, defaults={"kind": one.kind, "at_ms": one.at_ms, "device": one.device}
        )
        if is_new:
            TombstoneTurn.objects.bulk_create(TombstoneTurn(tombstone=row, turn=turn) for turn in one.turns)
            TombstonePicture.objects.bulk_create(
                TombstonePicture(tombstone=row, picture=name) for name in one.pictures
            )
    return is_new
