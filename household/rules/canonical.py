"""One spelling of a JSON value, so that every holder compares and stores the same bytes."""

import json
from typing import Any

from household.rules.text import sanitise


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return sanitise(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {sanitise(str(key)): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


def canonical(value: Any) -> str:
    """Canonical JSON: keys sorted by code point, no spaces, no escapes beyond need, 2.0 written as 2.

    Raises ValueError for what JSON cannot hold, infinities and NaN included.
    """
    try:
        return json.dumps(
            _plain(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
        )
    except TypeError as error:
        raise ValueError(str(error)) from None


def canonical_bytes(value: Any) -> bytes:
    """The canonical JSON of a value in UTF-8, whose byte order is the order of code points."""
    return canonical(value).encode()
