"""Reading and writing the household's settings, each a last-writer-wins register."""

from __future__ import annotations

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib.auth.hashers import make_password
from django.db import connection, transaction

from household.models import Household, Register
from household.rules import registers as rules
from household.rules.clock import stamp
from household.rules.days import OFFSET_STEP_MINUTES
from household.rules.settings import InvalidSetting, check, is_pin
from household.services.people import UnknownZone
from household.zones import zones

HOLD = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))"


class BadPin(ValueError):
    """A PIN is 4 to 8 digits."""


def to_ms(at: dt.datetime) -> int:
    """An aware moment as milliseconds."""
    return int(at.timestamp() * 1000)


def read_registers() -> dict[rules.Address, rules.Register]:
    """Every setting somebody wrote, by child and key."""
    rows = Register.objects.select_related("child").order_by("id")
    return rules.by_address(_value(row) for row in rows)


def read_setting(key: str) -> Any:
    """One setting of the household as it counts, None where nobody wrote it."""
    return rules.read(read_registers(), key)


@transaction.atomic
def write_register(key: str, value: Any, at_ms: int) -> rules.Register:
    """The household's register after a write: what was there and what comes, merged by the rule.

    Two writers of one key wait for each other, so one row is left and no later stamp is lost. Raises
    InvalidSetting.
    """
    check(key, value)
    with connection.cursor() as cursor:
        cursor.execute(HOLD, [f"register:{key}"])
    row = Register.objects.filter(key=key, child=None).first()
    coming = rules.Register(key, value, at_ms)
    winner = rules.merge(_value(row), coming) if row else coming
    if row is None:
        Register.objects.create(key=key, value=value, at_ms=at_ms)
    elif winner is coming:
        row.value, row.at_ms = value, at_ms
        row.save(update_fields=["value", "at_ms"])
    return winner


@transaction.atomic
def change_settings(values: dict[str, Any], *, now: dt.datetime) -> list[str]:
    """Write those settings that differ from what counts, later than what they replace; gives their keys."""
    held = read_registers()
    changed = [key for key, value in sorted(values.items()) if rules.read(held, key) != value]
    for key in changed:
        found = rules.row(held, key)
        write_register(key, values[key], stamp(to_ms(now), found.at_ms if found else 0))
    return changed


def hash_pin(digits: str) -> str:
    """A PIN as it may be kept: salted and slow. Raises BadPin."""
    if not is_pin(digits):
        raise BadPin
    return make_password(digits)


@transaction.atomic
def change_household(*, name: str, time_zone: str, language: str, now: dt.datetime) -> Household:
    """Change the home itself; its offset from UTC follows its zone. Raises UnknownZone."""
    if time_zone not in zones():
        raise UnknownZone(time_zone)
    house = Household.objects.select_for_update().get()
    house.name, house.time_zone, house.language = name, time_zone, language
    house.save(update_fields=["name", "time_zone", "language"])
    keep_offset(now=now)
    return house


def keep_offset(*, now: dt.datetime) -> None:
    """Keep `utc_offset_minutes` in step with the household's zone, which may change with the season."""
    zone = Household.objects.values_list("time_zone", flat=True).first()
    offset = now.astimezone(ZoneInfo(zone or "UTC")).utcoffset() or dt.timedelta()
    minutes = round(offset.total_seconds() / 60 / OFFSET_STEP_MINUTES) * OFFSET_STEP_MINUTES
    change_settings({"utc_offset_minutes": minutes}, now=now)


def _value(row: Register) -> rules.Register:
    child = str(row.child.gid) if row.child else ""
    return rules.Register(row.key, row.value, row.at_ms, child)


__all__ = [
    "BadPin",
    "InvalidSetting",
    "change_household",
    "change_settings",
    "hash_pin",
    "keep_offset",
    "read_registers",
    "read_setting",
    "write_register",
]
