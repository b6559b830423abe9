"""Who runs a subject's round: one SQL statement takes the lease, and it expires by itself."""

from __future__ import annotations

import datetime as dt
import os
import secrets
import socket
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

from twin.models import Lease

LASTS = dt.timedelta(minutes=10)


class LeaseHeld(ValueError):
    """Another worker runs this subject's round just now."""


def new_owner() -> str:
    """A name for this worker that no other has."""
    return f"{socket.gethostname()[:40]}:{os.getpid()}:{secrets.token_hex(4)}"


def take_lease(subject_id: int, owner: str, *, now: dt.datetime) -> bool:
    """Take the lease, or renew it where it is ours. False where somebody else's still holds."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            INSERT INTO {Lease._meta.db_table} AS held (subject_id, owner, expires_at, heartbeat_at)
            VALUES (%s, %s, %s, %s)
            ON CONFLICT (subject_id) DO UPDATE
                SET (owner, expires_at, heartbeat_at) =
                    (excluded.owner, excluded.expires_at, excluded.heartbeat_at)
                WHERE held.owner = excluded.owner OR held.expires_at <= excluded.heartbeat_at
            RETURNING 1
            """,  # noqa: S608 - the table's name is ours
            [subject_id, owner, now + LASTS, now],
        )
        return cursor.fetchone() is not None


def drop_lease(subject_id: int, owner: str) -> None:
    """Give the lease back."""
    Lease.objects.filter(subject_id=subject_id, owner=owner).delete()


@contextmanager
def held_lease(subject_id: int, *, now: dt.datetime) -> Iterator[str]:
    """The lease of one subject for a block of work. Raises LeaseHeld."""
    owner = new_owner()
    if not take_lease(subject_id, owner, now=now):
        raise LeaseHeld
    try:
        yield owner
    finally:
        drop_lease(subject_id, owner)
