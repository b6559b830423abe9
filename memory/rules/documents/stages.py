"""The stages of reading a document, and what a failure leads to. Pure.

    text -> ocr -> summary -> passages -> vectors

A stage is done once its rows are stored, so a stage that was cut off is simply run again. What lies in the
file itself is final at once; what may lie in the moment is tried three times, later each time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

ORDER = ("text", "ocr", "summary", "passages", "vectors")
MOST_ATTEMPTS = 3
PAUSES = (timedelta(minutes=1), timedelta(minutes=10))

# Codes that another try cannot change.
FINAL = frozenset(
    {
        "not_readable",
        "too_many_pages",
        "too_many_pixels",
        "too_much_text",
        "unpacks_too_large",
        "declares_entities",
        "bytes_missing",
        "nothing_readable",
    }
)
# Codes that wait for somebody: the state the document shows meanwhile.
WAITING: Mapping[str, str] = {
    "needs_password": "needs_password",
    "wrong_password": "needs_password",
    "no_ocr": "needs_ocr",
    "no_ocr_language": "needs_ocr",
}


@dataclass(frozen=True)
class Outcome:
    """What becomes of a stage that failed: its state, the document's, and when it is tried again."""

    stage: str
    document: str
    pause: timedelta | None = None


def after_failure(code: str, attempts: int) -> Outcome:
    """Where a failure leads after so many attempts, this one included."""
    if code in WAITING:
        return Outcome("held", WAITING[code])
    if code in FINAL or attempts >= MOST_ATTEMPTS:
        return Outcome("failed", "failed")
    return Outcome("waiting", "reading", PAUSES[min(attempts, len(PAUSES)) - 1])


def is_readable(text: str) -> bool:
    """Whether anything was read: an empty box of a form alone says nothing."""
    lines = (line for line in text.splitlines() if not line.lstrip().startswith("☐"))
    return any(ch.isalnum() for line in lines for ch in line)
