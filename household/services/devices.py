"""Devices: paired by a code, known by a token, revoked at once."""

from __future__ import annotations

import datetime as dt
import hashlib
import secrets
import uuid
from dataclasses import dataclass

from django.core.cache import cache
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils.crypto import salted_hmac

from household.access import Denied, Sight, require_parent, seen_through, sight_of
from household.models import Device, PairingCode, Person
from household.prepared import prepared
from household.rules.pairing import DIGITS, LASTS, MOST_TRIES, cleaned, is_open
from household.rules.permissions import Role

SEEN_EVERY = dt.timedelta(minutes=1)
TRIES_A_MINUTE = 10  # from one address


class Unauthorized(ValueError):
    """No device has this token."""


class Revoked(ValueError):
    """The device was revoked; `why` says by what."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class WrongCode(ValueError):
    """No open code has these digits: mistyped, too old, tried too often or used. Which is not said."""


class TooManyTries(ValueError):
    """Too many codes were tried from one address; more may be tried in a minute."""


@dataclass(frozen=True)
class Paired:
    """A device as it was just paired, with the token that is shown this once and its child's identity."""

    device: Device
    token: str
    child: str


def hash_token(token: str) -> str:
    """A token as it is kept; it is long and random, so a fast hash is enough."""
    return hashlib.sha256(token.encode()).hexdigest()


def hash_code(code: str) -> str:
    """Six digits as they are kept: useless without the house's own key."""
    return salted_hmac("hearthbook.pairing", code, algorithm="sha256").hexdigest()


@transaction.atomic
def make_code(*, person: Person, child_id: int | None, now: dt.datetime) -> str:
    """Six digits that pair one device: a child's companion, or without a child a device of the household.

    Call it inside `seen_by`. A parent's new code voids their open ones. Raises Denied.
    """
    require_parent(person, child_id)
    PairingCode.objects.filter(made_by=person, used_at=None).delete()
    PairingCode.objects.filter(expires_at__lt=now, used_at=None).delete()
    open_ones = set(PairingCode.objects.values_list("code_hash", flat=True))
    while hash_code(code := f"{secrets.randbelow(10**DIGITS):0{DIGITS}}") in open_ones:
        pass
    PairingCode.objects.create(
        code_hash=hash_code(code), child_id=child_id, made_by=person, expires_at=now + LASTS
    )
    return code


def pair(*, code: str, device: uuid.UUID, name: str, app: str, address: str, now: dt.datetime) -> Paired:
    """Pair a device by a code. A wrong one counts against every open code. Raises WrongCode, TooManyTries."""
    _slow_down(address)
    token = secrets.token_urlsafe(32)
    with transaction.atomic():
        found = _spend(cleaned(code), now=now)
        paired = found and _admit(found, device, name=name, app=app, token=token, now=now)
    if not paired:  # outside the transaction, so that the wrong try stays counted
        raise WrongCode
    with seen_through(paired, now=now) as sight:
        return Paired(paired, token, child_gid(paired, sight))


def child_gid(device: Device, sight: Sight) -> str:
    """The identity of a companion's child, empty for a device of the household."""
    return "" if device.child_id is None else str(sight.subjects[device.child_id].subject.gid)


def _slow_down(address: str) -> None:
    key = f"pair:{hashlib.sha256(address.encode()).hexdigest()}"
    cache.add(key, 0, timeout=60)
    if cache.incr(key) > TRIES_A_MINUTE:
        raise TooManyTries


def _spend(code: str, *, now: dt.datetime) -> PairingCode | None:
    """The code with these digits, its row locked; None counts a wrong try against the open ones."""
    rows = PairingCode.objects.select_for_update().filter(used_at=None, expires_at__gt=now).order_by("id")
    for row in rows:
        is_tried = is_open(
            expires_at=row.expires_at, wrong_tries=row.wrong_tries, is_used=row.used_at is not None, now=now
        )
        if code and is_tried and secrets.compare_digest(row.code_hash, hash_code(code)):
            return row
    rows.filter(wrong_tries__lt=MOST_TRIES).update(wrong_tries=F("wrong_tries") + 1)
    return None


def _admit(
    code: PairingCode, gid: uuid.UUID, *, name: str, app: str, token: str, now: dt.datetime
) -> Device | None:
    """The device with a new token. One that is known is paired anew only by whoever paired it, and stays its
    child's; one of the household may become a child's."""
    held = Device.objects.select_for_update().filter(gid=gid).first()
    if held is not None and (
        held.paired_by_id != code.made_by_id or held.child_id not in {None, code.child_id}
    ):
        return None
    values = {
        "name": name,
        "app": app,
        "token_hash": hash_token(token),
        "child_id": code.child_id,
        "paired_by": code.made_by,
        "seen_at": now,
        "revoked_at": None,
        "revoked_why": "",
    }
    device, _is_new = Device.objects.update_or_create(gid=gid, defaults=values)
    code.used_at, code.device = now, device
    code.save(update_fields=["used_at", "device"])
    return device


@prepared()
def _holding(*, token_hash: str) -> QuerySet[Device]:
    return Device.objects.select_related("paired_by").filter(token_hash=token_hash)


def device_of(token: str, *, now: dt.datetime) -> Device:
    """The device with this token. Raises Unauthorized, and Revoked for one that was."""
    found = next(iter(_holding.rows(token_hash=hash_token(token)) if token else ()), None)
    if found is None:
        raise Unauthorized
    if found.revoked_at is not None:
        raise Revoked(found.revoked_why)
    if found.seen_at is None or now - found.seen_at > SEEN_EVERY:
        Device.objects.filter(pk=found.pk).update(seen_at=now)
    return found


def devices_of(person: Person) -> list[Device]:
    """The devices of this parent's children and household, newest first. Call it inside `seen_by`."""
    return list(_reached(person).select_related("child", "paired_by").order_by("-created_at"))


def rename(*, person: Person, device: uuid.UUID, name: str) -> None:
    """Give a device another name. Call it inside `seen_by`. Raises Denied."""
    if not _reached(person).filter(pk=device).update(name=name):
        raise Denied


@transaction.atomic
def revoke(*, person: Person, device: uuid.UUID, now: dt.datetime) -> None:
    """End a device at once. Call it inside `seen_by`. Raises Denied."""
    held = _reached(person).select_for_update(of=("self",)).filter(pk=device).first()
    if held is None:
        raise Denied
    end(held, why="parent", now=now)


def end(device: Device, *, why: str, now: dt.datetime) -> None:
    """Take a device's token away, and say why to whoever still shows it."""
    Device.objects.filter(pk=device.pk, revoked_at=None).update(revoked_at=now, revoked_why=why)


def _reached(person: Person) -> QuerySet[Device]:
    sight = sight_of(person)
    parents_of = [pk for pk, one in sight.subjects.items() if Role.PARENT in one.roles]
    return Device.objects.filter(Q(child_id__in=parents_of) | Q(child=None, paired_by=person))
