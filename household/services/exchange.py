"""Settings from a device: each register stands or is refused by itself, and only what changes is written."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.hashers import check_password
from django.core.cache import cache
from django.db import connection

from household.access import Sight, seen_through
from household.models import Device
from household.models import Register as Row
from household.rules import registers as rules
from household.rules.registers import Address, Register, Registers, Writer
from household.services.devices import child_gid
from household.services.registers import HOLD, read_registers, to_ms

WRONG_PINS = 10
WRONG_FOR_S = 300


class WrongPin(ValueError):
    """The PIN is not the household's, or too many wrong ones came from this device."""


@dataclass(frozen=True)
class RegisterAnswer:
    """The merged settings a device may know, and what of its push was refused, by reason."""

    registers: tuple[Register, ...]
    forbidden: tuple[Address, ...] = ()
    skewed: tuple[Address, ...] = ()
    invalid: tuple[Address, ...] = ()


def exchange_registers(
    *, device: Device, pushed: Iterable[Register], pin: str | None, now: dt.datetime
) -> RegisterAnswer:
    """Merge a device's settings with the house's. Raises WrongPin, DeviceEnded."""
    items = list(pushed)
    with seen_through(device, now=now) as sight:
        with connection.cursor() as cursor:
            for key in sorted({one.key for one in items}):
                cursor.execute(HOLD, [f"register:{key}"])
        held = read_registers()
        own_child = child_gid(device, sight)
        plan = rules.accept(
            held, items, writer=writer_of(device, pin, held), now_ms=to_ms(now), own_child=own_child
        )
        children = {str(one.subject.gid): pk for pk, one in sight.subjects.items()}
        lost = [one.address for one in plan.to_store if one.child and one.child not in children]
        stored = [one for one in plan.to_store if one.address not in lost]
        _write(stored, children)
        merged = rules.merge_all(held, rules.by_address(stored))
    known = tuple(one for one in _known(merged, sight) if may_know(device, one))
    return RegisterAnswer(known, (*plan.forbidden, *lost), plan.skewed, plan.invalid)


def may_know(device: Device, register: Register) -> bool:
    """Whether a setting may leave the house for this device: a child's tablet never gets the PIN's hash."""
    return register.key != "pin" or device.child_id is None


def _known(merged: Registers, sight: Sight) -> list[Register]:
    """The household's own and those of the children the device reaches."""
    children = {"", *(str(one.subject.gid) for one in sight.subjects.values())}
    return [one for _at, one in sorted(merged.items()) if one.child in children]


def _write(stored: list[Register], children: dict[str, int]) -> None:
    for one in stored:
        Row.objects.update_or_create(
            key=one.key,
            child_id=children.get(one.child),
            defaults={"value": one.value, "at_ms": one.at_ms},
        )


def writer_of(device: Device, pin: str | None, held: Registers) -> Writer:
    """As whom a device writes: a household's is a parent's; a PIN lifts a companion. Raises WrongPin."""
    if device.child_id is None:
        return Writer.PARENT
    if pin is None:
        return Writer.COMPANION
    check_pin(device, pin, held)
    return Writer.PIN


def check_pin(device: Device, pin: str, held: Registers) -> None:
    """Pass for the household's PIN. Raises WrongPin, also for ten wrong ones in five minutes."""
    key = f"pin:{device.pk}"
    cache.add(key, 0, timeout=WRONG_FOR_S)
    kept: Any = rules.read(held, "pin")
    if cache.get(key, 0) >= WRONG_PINS:
        raise WrongPin
    if not kept or not check_password(pin, kept):
        cache.incr(key)
        raise WrongPin


def proves_pin(*, device: Device, pin: str | None, now: dt.datetime) -> bool:
    """Whether a grown-up stands behind a request: a household's device, or the PIN. Raises WrongPin."""
    with seen_through(device, now=now):
        return writer_of(device, pin, read_registers()) in {Writer.PARENT, Writer.PIN}
