"""What a fact is that the companion learns: its kind, its words, who, where, when and its icon. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from twin.rules.language import guess_language

KINDS = (
    "favourite", "like", "dislike", "thing", "name", "about", "event", "plan", "fear", "wish",
)  # fmt: skip
MOST_FACTS = 6  # of one turn
LONGEST = 200
ENDS = re.compile(r"(?<=[.!?;\n])\s+|\n")


@dataclass(frozen=True)
class Fact:
    """One thing a child told. `slot` is what may have one value only, empty where there is no such thing."""

    kind: str
    text: str
    who: str = ""
    place: str = ""
    said_when: str = ""
    icon: str = "star"
    slot: str = ""


def tidy(text: str) -> str:
    """A clause as a memory shows it: one line, a capital first, no mark at its end."""
    line = " ".join(text.split()).strip(" ,;:.!-–")[:LONGEST].strip()
    if line[:1] == "i":
        return ("İ" if guess_language(line, default="en") == "tr" else "I") + line[1:]
    return line[:1].upper() + line[1:]


def sentences_of(text: str) -> list[str]:
    """The sentences of a text, each with its mark."""
    return [one.strip() for one in ENDS.split(text) if one.strip()]


__all__ = ["KINDS", "LONGEST", "MOST_FACTS", "Fact", "sentences_of", "tidy"]
