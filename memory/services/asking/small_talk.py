"""Answers that need nothing looked up: a greeting, thanks, a sum."""

from __future__ import annotations

import re
from decimal import Decimal, DivisionByZero, InvalidOperation

from memory.rules.asking.concepts import folded
from memory.rules.composing.phrases import say
from memory.rules.composing.plan import Line, Plan, Section

_SUM = re.compile(
    r"(-?\d+(?:[.,]\d+)?)\s*(x|\*|×|\+|-|/|÷|plus|minus|times|arti|eksi|carpi|bolu)\s*(-?\d+(?:[.,]\d+)?)"
)
THANKS = frozenset("thanks thank thx ty tesekkur tesekkurler sagol sagolun eyvallah".split())
_SIGNS = {"plus": "+", "arti": "+", "minus": "-", "eksi": "-", "times": "*", "x": "*", "×": "*", "carpi": "*"}


def small_talk(text: str, language: str) -> Plan:
    """A kind word back, or the sum."""
    total = _sum(text)
    if total is not None:
        line = say(language, "sum", sum=total)
    elif THANKS & set(folded(text)):
        line = say(language, "thanks")
    else:
        line = say(language, "hello")
    return Plan((Section("", (Line(line, is_item=False),)),))


def _sum(text: str) -> str | None:
    found = _SUM.search(text.lower().replace("ı", "i").replace("ç", "c").replace("ö", "o").replace("ü", "u"))
    if found is None:
        return None
    left, sign, right = found.groups()
    try:
        a, b = Decimal(left.replace(",", ".")), Decimal(right.replace(",", "."))
        match _SIGNS.get(sign, sign):
            case "+":
                total = a + b
            case "-":
                total = a - b
            case "*":
                total = a * b
            case _:
                total = a / b
    except (InvalidOperation, DivisionByZero):
        return None
    return f"{left} {sign} {right} = {total.normalize():f}"
