"""What was found, as the page shows it: names, dates and words ready to be written."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _

from household.dates import day_in_words
from memory.services.finding.looking import Found

KIND_NAMES = {
    "record": _("Record"),
    "statement": _("Told"),
    "fill": _("Form"),
    "event": _("Event"),
    "passage": _("Document"),
    "memory": _("Memory"),
    "strategy": _("Strategy"),
    "pattern": _("Pattern"),
}
ICONS = {"record": "journal", "statement": "note", "fill": "check-circle", "passage": "document",
         "memory": "star", "strategy": "bulb", "pattern": "pattern", "event": "event"}  # fmt: skip


@dataclass(frozen=True)
class Card:
    """One row of the list: what it is, whose, when, where it opens, and its words with the hits marked."""

    kind: str
    icon: str
    name: str
    on: str  # ISO 8601, empty without a day
    day: str
    title: SafeString
    words: SafeString
    url: str


def card_of(found: Found) -> Card:
    """One row that was found, in the language of now."""
    return Card(
        kind=str(KIND_NAMES[found.kind]),
        icon=ICONS[found.kind],
        name=found.name,
        on=found.day.isoformat() if found.day else "",
        day=day_in_words(found.day, "j F Y") if found.day else "",
        title=marks(found.title),
        words=marks(found.words),
        url=found.url,
    )


def marks(parts: Sequence[tuple[str, bool]]) -> SafeString:
    """The parts of a text as HTML, those that were asked for marked."""
    written = (f"<mark>{html.escape(part)}</mark>" if is_hit else html.escape(part) for part, is_hit in parts)
    return mark_safe("".join(written))  # noqa: S308 - every part is escaped
