"""Stamps that only move forward, and the guard against a clock that runs ahead."""

from collections.abc import Iterable
from dataclasses import dataclass

MAX_AHEAD_MS = 5 * 60 * 1000


@dataclass(frozen=True)
class Offset:
    """How far the house's clock is ahead of a device's, in ms; the device adds it to what its clock says."""

    ms: int = 0


def stamp(now_ms: int, last_seen_ms: int) -> int:
    """The next stamp of a holder: later than any stamp it has seen, never earlier than its clock."""
    return max(now_ms, last_seen_ms + 1)


def is_skewed(stamp_ms: int, now_ms: int) -> bool:
    """Whether a stamp lies more than five minutes ahead of the house's clock, so it is refused."""
    return stamp_ms - now_ms > MAX_AHEAD_MS


def offset_to(server_ms: int, *, sent_ms: int, received_ms: int) -> Offset:
    """The offset measured by one exchange; the server is taken to have answered half-way through it."""
    return Offset(server_ms - (sent_ms + received_ms) // 2)


def corrected(clock_ms: int, offset: Offset) -> int:
    """The house's time when a device's clock shows `clock_ms`."""
    return clock_ms + offset.ms


def restamped(stamps: Iterable[int], offset: Offset, *, now_ms: int) -> dict[int, int]:
    """For each stamp never acknowledged, the one to push instead; none is past `now_ms`, the house's time.

    A stamp goes where the offset puts it. Later stamps stay later, so what was written last still wins.
    """
    moved: dict[int, int] = {}
    latest = now_ms
    for old in sorted(set(stamps), reverse=True):
        moved[old] = min(old + offset.ms, latest)
        latest = moved[old] - 1
    return moved
