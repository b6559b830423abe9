"""Which of a child's memories fits what it says now, and how it is said back. Pure.

Only what is handed in can be recalled: the caller hands in live memories, neither put away nor forgotten.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter

from memory.rules.companion.distress import distress_in
from memory.rules.companion.icons import DEFAULT, icon_for
from memory.rules.companion.moments import Moment, moment_of
from memory.rules.companion.sameness import content, shares_a_word
from memory.rules.companion.sayings import Saying, sayings
from twin.rules.language import guess_language

MOST_MEMORIES = 300  # the latest learned: what one reply may recall from
LONGEST = 90  # characters of a memory that is said back
SETTLED_MS = 30 * 60_000  # what was told just now is not recalled yet
UNKIND = frozenset({Moment.HEALTH, Moment.SAD})
ABOUT = re.compile(
    r"^(?:i|we) (?:really )?(?:saw|have|got|made|built|drew|found|like|love|visited|met|painted|baked)"
    r" ((?:a|an|the|my|our|two|three|some) (?:[a-z]+ ){0,2}[a-z]+)"
    r"(?: (?:today|yesterday|at|in|on|with|to|from|for)\b.*)?$"
)
FLIPPED = {"my": "your", "our": "your"}


@dataclass(frozen=True)
class Remembered:
    """One live memory as the composer may know it."""

    gid: str
    text: str
    icon: str | None = None
    learned_at_ms: int = 0


@dataclass(frozen=True)
class Recall:
    """A memory said back."""

    gid: str
    saying: Saying


def newest(memories: Iterable[Remembered]) -> list[Remembered]:
    """The latest learned that one reply may recall from, newest first; of equal stamps the greater gid."""
    ordered = sorted(memories, key=lambda one: (one.learned_at_ms, one.gid), reverse=True)
    return ordered[:MOST_MEMORIES]


def recall(
    text: str,
    memories: Sequence[Remembered],
    *,
    language: str,
    now_ms: int,
    already: frozenset[str],
    number: int,
) -> Recall | None:
    """The memory that fits some words best, none that is named in `already` or says the same as one there."""
    known = newest(memories)
    told = {_plain(one.text) for one in known if one.gid in already}
    fitting = [
        (score, one)
        for one in known
        if one.gid not in already
        and _plain(one.text) not in told
        and _may_be_said(one, language, now_ms)
        and (score := _fit(text, one)) > 0
    ]
    if not fitting:
        return None
    _score, best = max(fitting, key=itemgetter(0))  # of equals the newest
    return Recall(best.gid, _said(best, language, number))


def _may_be_said(one: Remembered, language: str, now_ms: int) -> bool:
    """Short, of this language, older than this very talk, and nothing that hurts or says more than words."""
    return (
        0 < len(one.text.strip()) <= LONGEST
        and one.learned_at_ms <= now_ms - SETTLED_MS
        and "://" not in one.text
        and "\n" not in one.text
        and guess_language(one.text, default="tr" if language == "tr" else "en") == language
        and distress_in(one.text) is None
        and moment_of(one.text, language) not in UNKIND
    )


def _fit(text: str, one: Remembered) -> int:
    """How well a memory fits: a shared word of content counts most, the same icon a little."""
    shared = shares_a_word(content(text), content(one.text))
    icon = icon_for(text)
    return 2 * shared + (1 if icon != DEFAULT and icon == (one.icon or icon_for(one.text)) else 0)


def _said(one: Remembered, language: str, number: int) -> Saying:
    known = sayings(language)
    what = _what(one.text) if language == "en" else None
    frames = known.about if what else known.quote
    at = number % len(frames)
    kind = "about" if what else "quote"
    said = frames[at].format(what=what, text=one.text.strip().rstrip(".!"))
    return Saying(f"{language}.recall.{kind}.{at}", said)


def _what(text: str) -> str | None:
    """The thing a memory is about, as somebody else says it: "my dog" is "your dog"."""
    found = ABOUT.match(text.strip().rstrip(".!").lower())
    if found is None:
        return None
    first, rest = found.group(1).split(" ", 1)
    first = {"a": "the", "an": "the", "some": "the"}.get(first, FLIPPED.get(first, first))
    return f"{first} {rest}"


def _plain(text: str) -> str:
    return " ".join(sorted(content(text)))


def named(memories: Iterable[Remembered], text: str) -> frozenset[str]:
    """The memories whose every word of content stands in a text: those that somebody else's words recall."""
    said = content(text)
    return frozenset(one.gid for one in memories if (mine := content(one.text)) and mine <= said)


__all__ = ["MOST_MEMORIES", "Recall", "Remembered", "named", "newest", "recall"]
