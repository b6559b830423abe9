"""Clearing the journal by age: older lines expire in place, and one line says so."""

from household.rules.days import DAY_MS, day_bounds_ms, household_day
from memory.rules.journal.lines import Event, Line


def cutoff_ms(now_ms: int, *, retention_days: int | None, utc_offset_minutes: int | None) -> int | None:
    """The instant before which lines expire: the start of the oldest whole day kept; None keeps all."""
    if retention_days is None or retention_days < 1:
        return None
    start, _ = day_bounds_ms(household_day(now_ms, utc_offset_minutes), utc_offset_minutes)
    return start - retention_days * DAY_MS


def expires(line: Line, cutoff: int | None) -> bool:
    """Whether a line is older than is kept and has not expired yet."""
    return cutoff is not None and line.is_live and line.at_ms < cutoff


def expired(line: Line) -> Line:
    """The line with nothing left but its time; its place and writer are its row's."""
    return Line({"event": Event.EXPIRED.value, "at_ms": line.at_ms, "turn": ""})


def cleared(*, lines: int, older_than_ms: int, at_ms: int) -> Line | None:
    """The one line that announces a clearing, None where nothing was cleared."""
    if not lines:
        return None
    return Line(
        {
            "event": Event.CLEARED.value,
            "at_ms": at_ms,
            "turn": "",
            "lines": lines,
            "older_than_ms": older_than_ms,
        }
    )
