"""The household's own day, which allowances and the journal count by."""

from datetime import UTC, date, datetime, timedelta

MINUTE_MS = 60_000
HOUR_MS = 60 * MINUTE_MS
DAY_MS = 24 * HOUR_MS
OFFSET_STEP_MINUTES = 15
OFFSET_LIMIT_MINUTES = 14 * 60
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def is_offset(value: object) -> bool:
    """Whether a value is an offset some place on earth could have: a multiple of 15 within +-14 h."""
    if not isinstance(value, int) or isinstance(value, bool):
        return False
    return abs(value) <= OFFSET_LIMIT_MINUTES and value % OFFSET_STEP_MINUTES == 0


def household_day(at_ms: int, utc_offset_minutes: int | None) -> date:
    """The household's day of an instant; UTC where the offset is none or no offset at all."""
    offset = utc_offset_minutes if utc_offset_minutes is not None and is_offset(utc_offset_minutes) else 0
    return (_EPOCH + timedelta(milliseconds=at_ms, minutes=offset)).date()


def day_bounds_ms(day: date, utc_offset_minutes: int | None) -> tuple[int, int]:
    """The first ms of a household day and the first ms after it."""
    offset = utc_offset_minutes if utc_offset_minutes is not None and is_offset(utc_offset_minutes) else 0
    start = (day - _EPOCH.date()).days * DAY_MS - offset * MINUTE_MS
    return start, start + DAY_MS


def minute_of_day(at_ms: int, utc_offset_minutes: int | None) -> int:
    """Minutes since the household's midnight, 0 to 1439."""
    start, _ = day_bounds_ms(household_day(at_ms, utc_offset_minutes), utc_offset_minutes)
    return (at_ms - start) // MINUTE_MS
