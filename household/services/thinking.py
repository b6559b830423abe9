"""The allowance of model tokens: reserved before a call, settled after it, given back on failure."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from django.db import connection, transaction

from household.models import Endpoint, ThinkingSpend
from household.rules import limits
from household.services.registers import read_setting, to_ms
from household.services.secrets import lock_up, unlock

SPEND_LOCK = 4_871_004
WINDOW_HOURS = 24  # where the household named a limit but no window


@dataclass
class Reservation:
    """Tokens set aside for one call; the caller says what it really cost."""

    id: int
    tokens: int
    used: int | None = field(default=None)

    def settle(self, tokens: int) -> None:
        """Note the real cost."""
        self.used = tokens


def endpoint_for(purpose: str) -> Endpoint | None:
    """The endpoint a parent chose for this purpose, None where the house thinks by itself."""
    return Endpoint.objects.filter(purpose=purpose, is_on=True).first()


@transaction.atomic
def choose_endpoint(
    *, purpose: str, base_url: str, model: str, key: str | None, timeout_s: int, is_on: bool
) -> Endpoint:
    """Remember an endpoint; a key of None keeps the one there is."""
    row = Endpoint.objects.filter(purpose=purpose).first() or Endpoint(purpose=purpose)
    row.base_url, row.model, row.timeout_s, row.is_on = base_url, model, timeout_s, is_on
    if key is not None:
        row.key_encrypted = lock_up(key)
    row.save()
    return row


@transaction.atomic
def drop_endpoint(purpose: str) -> None:
    """Forget an endpoint and its key: the house thinks by itself again."""
    Endpoint.objects.filter(purpose=purpose).delete()


def key_of(endpoint: Endpoint) -> str:
    """The endpoint's key in the clear, empty where it has none or the box's own key changed."""
    return unlock(bytes(endpoint.key_encrypted))


@contextmanager
def reserved(*, endpoint: Endpoint, tokens: int, now: dt.datetime) -> Iterator[Reservation]:
    """Tokens for one call: settled as the block says, given back when it fails. Raises limits.OverLimit."""
    reservation = reserve(endpoint=endpoint, tokens=tokens, now=now)
    try:
        yield reservation
    except BaseException:
        _close(reservation, None)
        raise
    _close(reservation, reservation.used)


@transaction.atomic
def reserve(*, endpoint: Endpoint, tokens: int, now: dt.datetime) -> Reservation:
    """Set an estimate aside. Two callers never both read before either wrote. Raises limits.OverLimit."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [SPEND_LOCK])
    hours = int(read_setting("token_window_hours") or WINDOW_HOURS)
    limit = read_setting("tokens_per_window")
    rows = ThinkingSpend.objects.filter(at__gt=now - dt.timedelta(hours=hours)).exclude(state="refunded")
    spends = [limits.Spend(to_ms(row.at), row.tokens, limits.SpendState(row.state)) for row in rows]
    limits.reserve(spends, tokens, now_ms=to_ms(now), limit=limit, window_hours=hours)
    row = ThinkingSpend.objects.create(at=now, purpose=endpoint.purpose, model=endpoint.model, tokens=tokens)
    return Reservation(row.pk, tokens)


def settle(reservation: Reservation, tokens: int) -> None:
    """Note what a call that was reserved for by itself really cost."""
    _close(reservation, tokens)


def give_back(reservation: Reservation) -> None:
    """Give back what was reserved for a call that failed."""
    _close(reservation, None)


@transaction.atomic
def _close(reservation: Reservation, used: int | None) -> None:
    row = ThinkingSpend.objects.select_for_update(no_key=True).get(pk=reservation.id)
    spend = limits.Spend(to_ms(row.at), row.tokens, limits.SpendState(row.state))
    closed = limits.refund(spend) if used is None else limits.settle(spend, used)
    row.tokens, row.state = closed.tokens, closed.state.value
    row.save(update_fields=["tokens", "state"])
