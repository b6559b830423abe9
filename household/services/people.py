"""Making the household and its first parent; changing how a person reads the book."""

from __future__ import annotations

import datetime as dt

from django.db import connection, transaction

from household.models import Household, Person
from household.zones import zones

FIRST_RUN_LOCK = 4_871_003


class AlreadySetUp(ValueError):
    """The household exists: its first run is over."""


class UnknownZone(ValueError):
    """The time zone is in no list."""


def is_set_up() -> bool:
    """Whether the household exists."""
    return Household.objects.exists()


@transaction.atomic
def set_up_household(
    *, household_name: str, time_zone: str, language: str, parent_name: str, passphrase: str, now: dt.datetime
) -> Person:
    """Create the household and its first parent, once. Raises AlreadySetUp, UnknownZone."""
    from household.services.registers import keep_offset

    if time_zone not in zones():
        raise UnknownZone(time_zone)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [FIRST_RUN_LOCK])
    if is_set_up():
        raise AlreadySetUp
    Household.objects.create(name=household_name, time_zone=time_zone, language=language, created_at=now)
    keep_offset(now=now)
    return Person.objects.create_user(parent_name, passphrase, language=language)


@transaction.atomic
def change_preferences(*, person: Person, language: str, theme: str) -> Person:
    """Remember a person's language and appearance."""
    person.language, person.theme = language, theme
    person.save(update_fields=["language", "theme"])
    return person
