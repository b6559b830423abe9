"""Pairing, the state of the house, settings and time: what a device asks of the household."""

from __future__ import annotations

import datetime as dt
import re
import uuid
from typing import Any, cast

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Router

from household.access import seen_through
from household.rules import registers as rules
from household.rules.limits import TimeRow
from household.rules.text import sanitise_all
from household.services.devices import child_gid, pair
from household.services.exchange import exchange_registers, proves_pin
from household.services.registers import read_registers, to_ms
from household.services.timespent import exchange_time
from household.wire import Asked, answer, count_of, invalid, list_of, only, read_json, text_of
from household.wire_docs import COUNT, IDENTITY, TEXT, described, listed, record

router = Router()
MOST_REGISTERS = 500
MOST_ROWS = 1_000
PIN = {"anyOf": [{"type": "string", "pattern": "^[0-9]{4,8}$"}, {"type": "null"}]}
REGISTER = record({"key": TEXT, "value": {}, "at_ms": COUNT, "child": TEXT}, ["key", "value", "at_ms"])
ADDRESS = record({"key": TEXT, "child": TEXT})
ROW = record(
    {
        "device": IDENTITY,
        "day": {"type": "string", "format": "date"},
        "used_ms": {"type": "integer", "minimum": 0, "maximum": 2 * 24 * 3600 * 1000},
        "extra_minutes": {"type": "integer", "minimum": 0, "maximum": 1440},
    },
    ["device", "day"],
)
PLACE = record({"device": TEXT, "day": TEXT})


@router.post(
    "pair",
    auth=None,
    url_name="device-pair",
    summary="Pair a device by the six digits a parent was shown",
    openapi_extra=described(
        body=record(
            {
                "code": {"type": "string", "maxLength": 20},
                "device": {"type": "string", "format": "uuid"},
                "name": {"type": "string", "minLength": 1, "maxLength": 80},
                "app": {"type": "string", "maxLength": 40},
            },
            ["code", "device", "name"],
        ),
        gives={"type": "object", "properties": {"token": TEXT, "device": TEXT, "child": TEXT}},
        status=201,
    ),
)
def device_pair(request: HttpRequest) -> HttpResponse:
    """Give a device its token, once."""
    sent = sanitise_all(read_json(request))
    only(sent, "code", "device", "name", "app")
    name = text_of(sent, "name", most=80).strip()
    if not name:
        raise invalid("name", "a name is expected")
    paired = pair(
        code=text_of(sent, "code", most=20),
        device=_uuid(text_of(sent, "device", most=36)),
        name=name,
        app=text_of(sent, "app", most=40, default=""),
        address=request.META.get("REMOTE_ADDR") or "",
        now=timezone.now(),
    )
    body = {"token": paired.token, "device": str(paired.device.pk), "child": paired.child}
    return answer(request, body, status=201)


def _uuid(text: str) -> uuid.UUID:
    try:
        found = uuid.UUID(text)
    except ValueError:
        raise invalid("device", "a UUID is expected") from None
    if str(found) != text.lower():
        raise invalid("device", "a UUID with its dashes is expected")
    return found


@router.post(
    "household",
    url_name="registers-exchange",
    summary="Merge the settings",
    openapi_extra=described(
        body=record({"registers": listed(REGISTER, MOST_REGISTERS), "pin": PIN}, ["registers"]),
        gives={
            "type": "object",
            "properties": {
                "registers": listed(REGISTER),
                "forbidden": listed(ADDRESS),
                "clock_skew": listed(ADDRESS),
                "invalid": listed(ADDRESS),
            },
        },
    ),
)
def registers_exchange(request: HttpRequest) -> HttpResponse:
    """The settings of the house after those of the device; each is taken or refused by itself."""
    sent = sanitise_all(read_json(request))
    only(sent, "registers", "pin")
    items = list_of(sent, "registers", most=MOST_REGISTERS)
    pushed = [_register(item, f"registers[{at}]") for at, item in enumerate(items)]
    found = exchange_registers(
        device=cast(Asked, request).auth, pushed=pushed, pin=_pin(sent), now=timezone.now()
    )
    body = {
        "registers": [
            {"key": one.key, "value": one.value, "at_ms": one.at_ms, "child": one.child}
            for one in found.registers
        ],
        "forbidden": _addresses(found.forbidden),
        "clock_skew": _addresses(found.skewed),
        "invalid": _addresses(found.invalid),
    }
    return answer(request, body)


def _register(item: Any, path: str) -> rules.Register:
    if not isinstance(item, dict):
        raise invalid(path, "an object is expected")
    only(item, "key", "value", "at_ms", "child", path=path)
    key, child, at_ms = item.get("key"), item.get("child", ""), item.get("at_ms")
    for name, text in (("key", key), ("child", child)):
        if not isinstance(text, str) or len(text) > 100:
            raise invalid(f"{path}.{name}", "a text of at most 100 characters is expected")
    if not isinstance(at_ms, int) or isinstance(at_ms, bool) or not 0 <= at_ms < 2**53:
        raise invalid(f"{path}.at_ms", "a whole number from 0 to 2^53 - 1 is expected")
    if "value" not in item:
        raise invalid(f"{path}.value", "a missing field")
    return rules.Register(str(key), item["value"], at_ms, str(child))


def _pin(sent: dict[str, Any]) -> str | None:
    pin = sent.get("pin")
    if pin is not None and not isinstance(pin, str):
        raise invalid("pin", "a text is expected")
    return None if pin is None else pin[:20]


def _addresses(found: tuple[rules.Address, ...]) -> list[dict[str, str]]:
    return [{"key": key, "child": child} for child, key in found]


@router.post(
    "time",
    url_name="time-exchange",
    summary="Merge how long devices were talked with",
    openapi_extra=described(
        body=record({"rows": listed(ROW, MOST_ROWS), "pin": PIN}, ["rows"]),
        gives={
            "type": "object",
            "properties": {"rows": listed(ROW), "forbidden": listed(PLACE), "clock_skew": listed(PLACE)},
        },
    ),
)
def time_exchange(request: HttpRequest) -> HttpResponse:
    """The latest day after the device's rows; minutes a grown-up added need the PIN."""
    sent = read_json(request)
    only(sent, "rows", "pin")
    items = list_of(sent, "rows", most=MOST_ROWS)
    rows = [_time_row(item, f"rows[{at}]") for at, item in enumerate(items)]
    device, now = cast(Asked, request).auth, timezone.now()
    may_grant = proves_pin(device=device, pin=_pin(sent), now=now)
    found = exchange_time(device=device, rows=rows, may_grant=may_grant, now=now)
    body = {
        "rows": [
            {
                "device": row.device,
                "day": row.day.isoformat(),
                "used_ms": row.used_ms,
                "extra_minutes": row.extra_minutes,
            }
            for row in found.rows
        ],
        "forbidden": [{"device": device, "day": day.isoformat()} for device, day in found.forbidden],
        "clock_skew": [{"device": device, "day": day.isoformat()} for device, day in found.skewed],
    }
    return answer(request, body)


def _time_row(item: Any, path: str) -> TimeRow:
    if not isinstance(item, dict):
        raise invalid(path, "an object is expected")
    only(item, "device", "day", "used_ms", "extra_minutes", path=path)
    device, day = item.get("device"), item.get("day")
    if not isinstance(device, str) or not re.fullmatch(r"[A-Za-z0-9._:-]{1,120}", device):
        raise invalid(f"{path}.device", "an identity without words is expected")
    if not isinstance(day, str) or not re.fullmatch(r"\d{4}-\d\d-\d\d", day, re.ASCII):
        raise invalid(f"{path}.day", "a date is expected")
    counts = {name: count_of({name: item.get(name, 0)}, name) for name in ("used_ms", "extra_minutes")}
    try:
        return TimeRow(device, dt.date.fromisoformat(day), **counts)
    except ValueError:
        raise invalid(path, "a real day and counts of one day are expected") from None


def house_state(request: HttpRequest) -> dict[str, Any]:
    """What the household says of itself to a device: its offset and the limits of its child."""
    device, now = cast(Asked, request).auth, timezone.now()
    with seen_through(device, now=now) as sight:
        held = read_registers()
        child = child_gid(device, sight)
        children = sorted(str(one.subject.gid) for one in sight.subjects.values())
    limits = {
        name: rules.read(held, name, child)
        for name in (
            "daily_minutes",
            "quiet",
            "tokens_per_window",
            "token_window_hours",
            "voice_daily_chars",
            "log_retention_days",
        )
    }
    return {
        "now_ms": to_ms(now),
        "utc_offset_minutes": rules.read(held, "utc_offset_minutes"),
        "device": str(device.pk),
        "child": child,
        "children": children,
        "limits": limits,
    }
