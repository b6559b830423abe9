"""The journal's rules: its vocabulary, pushes, emptying, days and clearing by age."""

from memory.rules.journal.days import EXCHANGE_SLACK_MS, Day, day_of, of_day, span, unsure
from memory.rules.journal.emptying import (
    EMPTIED_WITH_TURN,
    Reach,
    as_kept,
    emptied,
    gids_of,
    loses_words,
    pictures_of,
    reach_of,
)
from memory.rules.journal.lines import EVENTS, WORDED, Event, Line, Part, join, read_line, split
from memory.rules.journal.pushes import Push, Refusal, accept, is_done
from memory.rules.journal.retention import cleared, cutoff_ms, expired, expires

__all__ = [
    "EMPTIED_WITH_TURN",
    "EVENTS",
    "EXCHANGE_SLACK_MS",
    "WORDED",
    "Day",
    "Event",
    "Line",
    "Part",
    "Push",
    "Reach",
    "Refusal",
    "accept",
    "as_kept",
    "cleared",
    "cutoff_ms",
    "day_of",
    "emptied",
    "expired",
    "expires",
    "gids_of",
    "is_done",
    "join",
    "loses_words",
    "of_day",
    "pictures_of",
    "reach_of",
    "read_line",
    "span",
    "split",
    "unsure",
]
