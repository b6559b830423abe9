"""What of a child's words is worth remembering: facts, by patterns of English and Turkish. Pure.

Questions, distress, sadness and what hurts are never facts: the parents are told of them in other ways.
"""

from __future__ import annotations

from dataclasses import replace

from memory.rules.companion import learning_english, learning_turkish
from memory.rules.companion.distress import distress_in
from memory.rules.companion.facts import MOST_FACTS, Fact, sentences_of, tidy
from memory.rules.companion.icons import icon_for
from memory.rules.companion.moments import Moment, moment_of
from memory.rules.companion.sameness import content
from twin.rules.language import guess_language

LONGEST = 2_000  # characters of one turn
NOT_LEARNED = frozenset({Moment.HEALTH, Moment.SAD})
KEEPS_SAD = frozenset({"fear"})  # "I am scared of spiders" is told, not suffered


def facts_in(text: str, *, language: str) -> list[Fact]:
    """The facts of one turn, at most six, each once."""
    if distress_in(text) is not None:
        return []
    found: list[Fact] = []
    for sentence in sentences_of(text[:LONGEST]):
        tongue = guess_language(sentence, default="tr" if language == "tr" else "en")
        for fact in _of_sentence(sentence, tongue):
            if not any(one.text == fact.text for one in found):
                found.append(fact)
    return found[:MOST_FACTS]


def _of_sentence(sentence: str, language: str) -> list[Fact]:
    if sentence.rstrip().endswith("?"):
        return []
    rules = learning_turkish if language == "tr" else learning_english
    return [
        replace(fact, text=tidy(fact.text), icon=icon_for(fact.text))
        for clause in rules.clauses(sentence)
        if (fact := rules.fact_of(clause)) is not None
        and content(fact.text)
        and (fact.kind in KEEPS_SAD or moment_of(clause, language) not in NOT_LEARNED)
    ]


def slot_of(text: str) -> str:
    """What a memory's words settle, where there can be one value only; empty where there is none."""
    found = facts_in(text, language=guess_language(text, default="en"))
    return found[0].slot if len(found) == 1 else ""


__all__ = ["facts_in", "slot_of"]
