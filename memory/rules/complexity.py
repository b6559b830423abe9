"""How much thought a question asks for, and whether it needs anything looked up at all. Pure.

Routine goes to the small model, analytical to the large one. Effort is minimal where nothing was looked up,
else it follows the weight of the question's indicators (`complexity_words`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from memory.rules import complexity_words as data
from memory.rules.complexity_words import Language
from twin.rules.language import guess_language
from twin.rules.when.tokens import fold

Tier = Literal["routine", "analytical"]
Effort = Literal["minimal", "low", "medium", "high"]
LONGEST = 1_000  # a question is judged by its beginning
HIGH_WEIGHT = 4
_WORD = re.compile(r"[^\W_]+(?:['’ʼ`´][^\W_]+)*|[^\w\s]")
_SIGN = re.compile(r"[+\-*/x×÷=%^.,()?!:]")


@dataclass(frozen=True)
class Complexity:
    """The tier and effort of a question, and the indicators that decided."""

    tier: Tier
    effort: Effort
    indicators: tuple[str, ...] = ()


def complexity(
    question: str, *, language: Language | None = None, names: Sequence[str] = (), has_context: bool = True
) -> Complexity:
    """The tier and effort of a question; `names` are the household's subjects, two of them count."""
    words = _words(question)
    tongue = language or guess_language(question, default="en")
    found = indicators(words, tongue, names)
    weight = sum(data.WEIGHTS[name] for name in found)
    tier: Tier = "analytical" if weight >= data.THRESHOLD else "routine"
    if not has_context or not needs_retrieval(question):
        return Complexity("routine" if not needs_retrieval(question) else tier, "minimal", found)
    return Complexity(tier, _effort(weight), found)


def _effort(weight: int) -> Effort:
    return "high" if weight >= HIGH_WEIGHT else "medium" if weight >= data.THRESHOLD else "low"


def indicators(words: Sequence[str], language: Language, names: Sequence[str] = ()) -> tuple[str, ...]:
    """The indicators that folded words show, in the order of the data."""
    line = " ".join(words)
    found = [name for name, pattern in _patterns(language) if pattern.search(line)]
    if "subjects" not in found and sum(_names(line, name) for name in names) >= 2:
        found.append("subjects")
    spoken = [word for word in words if word[0].isalnum()]
    if len(spoken) >= data.LONG_WORDS[language]:
        found.append("length")
    marks = sum(word in ",;" for word in words)
    if 1 + marks + sum(word in data.CLAUSE_WORDS[language] for word in words) >= data.MANY_CLAUSES:
        found.append("clauses")
    return tuple(name for name in data.WEIGHTS if name in found)


def needs_retrieval(question: str) -> bool:
    """Whether anything must be looked up: not for a greeting, thanks, or pure arithmetic."""
    words = _words(question)
    spoken = [word for word in words if word[0].isalnum()]
    if not spoken:
        return False
    return not (_greets(spoken) or _is_sum(words, spoken))


def _greets(spoken: Sequence[str]) -> bool:
    """Only small words of politeness, or such words and one name."""
    strange = [word for word in spoken if word not in data.GREETINGS]
    return (
        len(strange) <= (1 if len(spoken) <= 4 and not data.NOT_GREETING & set(strange) else 0)
        and bool(data.GREETS & set(spoken))
        and not (strange and len(spoken) - len(strange) == 1 and strange[0] in spoken[:1])
    )


def _is_sum(words: Sequence[str], spoken: Sequence[str]) -> bool:
    numbers = [word for word in spoken if _is_number(word)]
    rest = [word for word in spoken if not _is_number(word) and word not in data.SUM_WORDS]
    return len(numbers) >= 2 and not rest and all(word[0].isalnum() or _SIGN.match(word) for word in words)


def _is_number(word: str) -> bool:
    return bool(re.fullmatch(r"\d+(?:x\d+)*", word)) or word in data.NUMBER_WORDS


def _words(question: str) -> list[str]:
    return [word for word in (fold(each) for each in _WORD.findall(question[:LONGEST])) if word]


def _names(line: str, name: str) -> bool:
    folded = " ".join(fold(part) for part in _WORD.findall(name))
    return bool(folded) and re.search(rf"\b{re.escape(folded)}", line) is not None


@cache
def _patterns(language: Language) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple(
        (name, re.compile(rf"\b(?:{'|'.join(parts)})\b")) for name, parts in data.INDICATORS[language].items()
    )
