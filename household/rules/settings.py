"""What each setting of the household may hold."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from household.rules.days import is_offset

VOICE_PREFIX = "character_voice:"
_NAME = re.compile(r"[\w.-]{1,64}")
_CLOCK = re.compile(r"([01]\d|2[0-3]):[0-5]\d")
_PIN = re.compile(r"[0-9]{4,8}")
# Django's encoded forms of the slow hashers: algorithm, cost, salt, digest.
_SLOW_HASH = re.compile(
    r"pbkdf2_sha(1|256)\$\d{5,}\$[^$]{8,}\$[^$]{20,}"
    r"|argon2\$argon2(id|i|d)\$v=\d+\$m=\d+,t=\d+,p=\d+\$[^$]{8,}\$[^$]{20,}"
    r"|scrypt\$\d+\$[^$]{8,}\$\d+\$\d+\$[^$]{20,}"
    r"|bcrypt(_sha256)?\$\$2[aby]\$\d\d\$.{53}"
)


class InvalidSetting(ValueError):
    """A setting's key is unknown or its value is none that the key may hold."""

    def __init__(self, key: str) -> None:
        super().__init__(f"registers.{key}")
        self.key = key


def _is_whole(value: Any, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _whole(low: int, high: int) -> Callable[[Any], bool]:
    return lambda value: _is_whole(value, low, high)


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and _NAME.fullmatch(value) is not None


def _is_hours(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and value.keys() == {"from", "to"}
        and all(isinstance(time, str) and _CLOCK.fullmatch(time) for time in value.values())
    )


def _is_slow_hash(value: Any) -> bool:
    return isinstance(value, str) and _SLOW_HASH.fullmatch(value) is not None


CHECKS: Mapping[str, Callable[[Any], bool]] = {
    "daily_minutes": _whole(0, 24 * 60),
    "quiet": _is_hours,
    "tokens_per_window": _whole(0, 10**9),
    "token_window_hours": _whole(1, 31 * 24),
    "keep_mic_open": lambda value: isinstance(value, bool),
    "voice_daily_chars": _whole(0, 10**9),
    "pin": _is_slow_hash,
    "child": _is_name,
    "cat_theme": _is_name,
    "character": _is_name,
    "utc_offset_minutes": is_offset,
    "log_retention_days": _whole(1, 10**6),
}

# An older device may write what is no offset; it is kept, and reads as none.
READ_AS_NONE = frozenset({"utc_offset_minutes"})


def is_setting(key: str) -> bool:
    """Whether a setting of this key exists; each character has its own voice setting."""
    return key in CHECKS or (key.startswith(VOICE_PREFIX) and _is_name(key[len(VOICE_PREFIX) :]))


def is_valid(key: str, value: Any) -> bool:
    """Whether a setting may hold a value; null is a setting put back to none."""
    if not is_setting(key):
        return False
    return value is None or CHECKS.get(key, _is_name)(value)


def check(key: str, value: Any) -> None:
    """Refuse what a setting may not hold. Raises InvalidSetting, whose message never quotes the value."""
    if not is_setting(key) or not (key in READ_AS_NONE or is_valid(key, value)):
        raise InvalidSetting(key)


def reading(key: str, value: Any) -> Any:
    """The value as it counts: itself, or None where it is none the setting may hold."""
    return value if is_valid(key, value) else None


def is_pin(digits: str) -> bool:
    """Whether a text may be chosen as a PIN, before it is hashed: 4 to 8 digits."""
    return _PIN.fullmatch(digits) is not None
