"""How long the companion may talk today, and how many tokens thinking may still cost."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

from household.rules.days import DAY_MS, HOUR_MS, MINUTE_MS

# A device's day can be an hour longer than 24 h, and its zone can change within it.
MOST_USED_MS = 2 * DAY_MS
MOST_EXTRA_MINUTES = 24 * 60

DeviceDay = tuple[str, date]


@dataclass(frozen=True)
class TimeRow:
    """What one device used on one household day, and the minutes a grown-up added on it. Both only rise."""

    device: str
    day: date
    used_ms: int = 0
    extra_minutes: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.used_ms <= MOST_USED_MS or not 0 <= self.extra_minutes <= MOST_EXTRA_MINUTES:
            raise ValueError("a time row's counts are out of range")

    @property
    def is_zero(self) -> bool:
        """Whether the row says nothing; such a row is never kept."""
        return not self.used_ms and not self.extra_minutes


TimeRows = Mapping[DeviceDay, TimeRow]


def merge_time(a: TimeRow, b: TimeRow) -> TimeRow:
    """One device's day from two holders: the maximum of each count."""
    if (a.device, a.day) != (b.device, b.day):
        raise ValueError("two rows of different devices or days do not merge")
    return replace(a, used_ms=max(a.used_ms, b.used_ms), extra_minutes=max(a.extra_minutes, b.extra_minutes))


def merge_time_rows(a: TimeRows, b: TimeRows) -> dict[DeviceDay, TimeRow]:
    """Both holders' rows, none that says nothing."""
    both = {**a, **b}
    merged = {at: merge_time(a.get(at, row), b.get(at, row)) for at, row in both.items()}
    return {at: row for at, row in sorted(merged.items()) if not row.is_zero}


def time_rows(rows: Iterable[TimeRow]) -> dict[DeviceDay, TimeRow]:
    """Rows by device and day, the same one given twice merged."""
    held: dict[DeviceDay, TimeRow] = {}
    for row in rows:
        held = merge_time_rows(held, {(row.device, row.day): row})
    return held


def foreign_rows(rows: Iterable[TimeRow], device: str) -> tuple[TimeRow, ...]:
    """The pushed rows that are not the pushing device's own, so not its to write."""
    return tuple(row for row in rows if row.device != device)


def latest_day(rows: TimeRows) -> dict[DeviceDay, TimeRow]:
    """The document that travels: the rows of the latest day."""
    last = max((day for _, day in rows), default=None)
    return {at: row for at, row in rows.items() if at[1] == last}


def used_ms(rows: TimeRows, day: date) -> int:
    """A day's use, the sum over its devices."""
    return sum(row.used_ms for row in rows.values() if row.day == day)


def extra_minutes(rows: TimeRows, day: date) -> int:
    """The minutes added on a day, the sum over its devices."""
    return sum(row.extra_minutes for row in rows.values() if row.day == day)


def remaining_ms(rows: TimeRows, day: date, *, daily_minutes: int | None) -> int | None:
    """What is left of a day, at least 0; None where no limit is set."""
    if daily_minutes is None:
        return None
    return max(0, (daily_minutes + extra_minutes(rows, day)) * MINUTE_MS - used_ms(rows, day))


def says_goodnight(rows: TimeRows, day: date, *, daily_minutes: int | None) -> bool:
    """Whether the companion ends the day's talk: nothing is left of it."""
    return remaining_ms(rows, day, daily_minutes=daily_minutes) == 0


def _minutes(clock: str) -> int:
    hours, minutes = clock.split(":")
    return int(hours) * 60 + int(minutes)


def is_quiet(quiet: Mapping[str, str] | None, minute: int) -> bool:
    """Whether a minute of the household's day lies in the quiet hours, which may pass midnight."""
    if not quiet:
        return False
    start, end = _minutes(quiet["from"]), _minutes(quiet["to"])
    if start <= end:
        return start <= minute < end
    return minute >= start or minute < end


class SpendState(StrEnum):
    """How far one model call's cost is known."""

    RESERVED = "reserved"
    SETTLED = "settled"
    REFUNDED = "refunded"


@dataclass(frozen=True)
class Spend:
    """What one model call costs: estimated while reserved, real once settled, nothing once refunded."""

    at_ms: int
    tokens: int
    state: SpendState = SpendState.RESERVED


class OverLimit(ValueError):
    """A model call does not fit in the window; `free_at_ms` is when it would, None for never."""

    def __init__(self, free_at_ms: int | None) -> None:
        super().__init__("the thinking allowance is used up")
        self.free_at_ms = free_at_ms


class NotReserved(ValueError):
    """A spend was settled or refunded that is no longer reserved."""


def in_window(spends: Iterable[Spend], *, now_ms: int, window_hours: int) -> list[Spend]:
    """The spends that still count: within the last `window_hours`, and not refunded."""
    since = now_ms - window_hours * HOUR_MS
    return [s for s in spends if s.at_ms > since and s.state != SpendState.REFUNDED]


def spent(spends: Iterable[Spend], *, now_ms: int, window_hours: int) -> int:
    """Tokens that count now; a reservation whose call never came back counts until it leaves the window."""
    return sum(s.tokens for s in in_window(spends, now_ms=now_ms, window_hours=window_hours))


def free_at_ms(
    spends: Sequence[Spend], tokens: int, *, now_ms: int, limit: int, window_hours: int
) -> int | None:
    """The first instant from now on at which `tokens` fit, None where they never do."""
    if tokens > limit:
        return None
    counting = sorted(in_window(spends, now_ms=now_ms, window_hours=window_hours), key=lambda s: s.at_ms)
    total, at = sum(s.tokens for s in counting), now_ms
    for spend in counting:
        if total + tokens <= limit:
            break
        total, at = total - spend.tokens, spend.at_ms + window_hours * HOUR_MS
    return at


def reserve(
    spends: Sequence[Spend], tokens: int, *, now_ms: int, limit: int | None, window_hours: int
) -> Spend:
    """Set an estimate aside before a call; no limit admits every call. Raises OverLimit.

    Two callers must not both read before either wrote: the service holds a lock from reading to writing.
    """
    if tokens < 0:
        raise ValueError("an estimate is not negative")
    if limit is not None and spent(spends, now_ms=now_ms, window_hours=window_hours) + tokens > limit:
        raise OverLimit(free_at_ms(spends, tokens, now_ms=now_ms, limit=limit, window_hours=window_hours))
    return Spend(now_ms, tokens)


def settle(spend: Spend, tokens: int) -> Spend:
    """A reservation with what the call really cost, which may be over the estimate. Raises NotReserved."""
    if spend.state != SpendState.RESERVED:
        raise NotReserved(spend.state)
    return Spend(spend.at_ms, tokens, SpendState.SETTLED)


def refund(spend: Spend) -> Spend:
    """A reservation whose call failed, given back. Raises NotReserved."""
    if spend.state != SpendState.RESERVED:
        raise NotReserved(spend.state)
    return replace(spend, state=SpendState.REFUNDED)
