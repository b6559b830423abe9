"""What kind of moment a child's words are: a greeting, something sad, a question. Pure."""

from __future__ import annotations

from enum import StrEnum

from memory.rules.companion.distress import lexicon
from memory.rules.companion.phrases import has_any, normalised
from memory.rules.companion.sayings import sayings

SHORT = 6  # words up to which a greeting is nothing but one


class Moment(StrEnum):
    """How the companion takes what was said."""

    DISTRESS = "distress"
    OVER = "over"
    GOODNIGHT = "goodnight"
    HEALTH = "health"
    SAD = "sad"
    THANKS = "thanks"
    GREETING = "greeting"
    QUESTION = "question"
    PICTURE = "picture"
    PLAIN = "plain"


# What is looked for, in this order; a greeting and thanks only where little else is said.
ORDER = (Moment.GOODNIGHT, Moment.HEALTH, Moment.SAD, Moment.THANKS, Moment.GREETING, Moment.QUESTION)
ALONE = frozenset({Moment.THANKS, Moment.GREETING, Moment.GOODNIGHT})


def moment_of(text: str, language: str, *, has_picture: bool = False) -> Moment:
    """The moment of some words that hold no distress and come while there is time to talk."""
    line = normalised(text, forms=lexicon(language).forms)
    is_short = len(line.replace("|", " ").split()) <= SHORT
    known = sayings(language).moments
    for moment in ORDER:
        if (is_short or moment not in ALONE) and has_any(known[moment.value], line):
            return moment
    return Moment.PICTURE if has_picture else Moment.PLAIN


__all__ = ["Moment", "moment_of"]
