"""What every holder does to words before storing or comparing them."""

from __future__ import annotations

import re
from typing import Any

REPLACEMENT = "\ufffd"
_REFUSED = re.compile("[\x00\ud800-\udfff]")


def sanitise(text: str) -> str:
    """The text with NUL and lone surrogates, which jsonb refuses, as U+FFFD."""
    if text.isascii() and "\0" not in text:
        return text  # nearly every text, found out without a look at each letter
    return _REFUSED.sub(REPLACEMENT, text)


def sanitise_all(value: Any) -> Any:
    """A JSON value with every string in it sanitised, keys included."""
    if isinstance(value, str):
        return sanitise(value)
    if isinstance(value, dict):
        return {sanitise(str(key)): sanitise_all(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [sanitise_all(part) for part in value]
    return value
