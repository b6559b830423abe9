"""When something is told again, and to whom a kind of notice may go at all. Pure."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Literal

Whom = Literal["viewers", "parents"]
MOST_ATTEMPTS = 8
LONGEST_PAUSE = dt.timedelta(hours=6)
STALE_AFTER = dt.timedelta(days=1)  # what could not be told for a day is told no more
# viewers: who may view the subject's observations; parents: its parents, or of the box any parent.
WHO_IS_TOLD: Mapping[str, Whom] = {
    "agenda": "viewers",
    "medicine": "viewers",
    "red_flag": "viewers",
    "round": "parents",
    "backup": "parents",
    "crisis": "parents",
}
IN_FEED = ("agenda", "medicine")


def pause_after(attempts: int) -> dt.timedelta:
    """How long to wait after so many attempts that failed: a minute, doubled each time."""
    return min(dt.timedelta(minutes=2 ** min(max(attempts - 1, 0), 12)), LONGEST_PAUSE)


def is_given_up(attempts: int, waited: dt.timedelta) -> bool:
    """Whether a notice is not tried again."""
    return attempts >= MOST_ATTEMPTS or waited > STALE_AFTER
