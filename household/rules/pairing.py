"""How a device is paired: six digits, five minutes, five tries."""

from __future__ import annotations

import datetime as dt
import re

LASTS = dt.timedelta(minutes=5)
MOST_TRIES = 5
DIGITS = 6
CODE = re.compile(rf"[0-9]{{{DIGITS}}}")


def is_open(*, expires_at: dt.datetime, wrong_tries: int, is_used: bool, now: dt.datetime) -> bool:
    """Whether a code may still be tried."""
    return not is_used and wrong_tries < MOST_TRIES and now < expires_at


def cleaned(typed: str) -> str:
    """The digits of a code as somebody typed it, with spaces or a dash between them; empty for no code."""
    digits = re.sub(r"[\s-]", "", typed)
    return digits if CODE.fullmatch(digits) else ""
