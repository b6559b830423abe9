"""Numbers with units: degrees, weights, amounts eaten and drunk, hours, counts, condition scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from twin.reading.tokens import Token

POUND_KG, OUNCE_G, FLUID_OUNCE_ML = 0.45359237, 28.349523125, 29.5735295625
KG = {
    **dict.fromkeys(
        "kg kgs kilo kilos kilogram kilograms kilogramme kiloya kiloda kiloydu kiloymus".split(), 1.0
    ),
    **dict.fromkeys("kgdi kgye kgydi kgmis kilodan kiloyu".split(), 1.0),
    **dict.fromkeys("lb lbs pound pounds libre".split(), POUND_KG),
    **dict.fromkeys("stone stones st".split(), 14 * POUND_KG),
}
GRAMS = {
    **dict.fromkeys("g gr gm gms gram grams gramme grs gramlik".split(), 1.0),
    **dict.fromkeys("oz ounce ounces".split(), OUNCE_G),
}
ML = {
    **dict.fromkeys("ml mls cc millilitre millilitres milliliter milliliters mililitre".split(), 1.0),
    **dict.fromkeys("l lt litre litres liter liters ltr".split(), 1000.0),
    **dict.fromkeys("oz ounce ounces".split(), FLUID_OUNCE_ML),
    "cl": 10.0,
    "dl": 100.0,
    "pint": 568.26125,
    "pints": 568.26125,
    "cup": 240.0,
    "cups": 240.0,
}
MINUTES = {
    **dict.fromkeys("min mins minute minutes dk dakika dakikalik dakka m dakikada dakikadan".split(), 1.0),
    **dict.fromkeys("hour hours hr hrs h saat saatlik sa".split(), 60.0),
}
HOURS = frozenset("hour hours hr hrs h saat saatlik sa saatten saatcik".split())
DEGREES = frozenset("c celsius deg degrees degree derece dereceydi derecede dereceye".split())
FAHRENHEIT = frozenset("f fahrenheit".split())


@dataclass(frozen=True)
class Quantity:
    """A number and what it counts: `unit` is c, kg, g, ml, oz, minutes, hours, times, score or bare."""

    value: float
    unit: str
    first: int
    last: int
    word: str = ""


def number_of(token: Token, words: dict[str, float]) -> float | None:
    """The number a token writes, in figures or in words."""
    if token.is_number:
        if ":" in token.raw:
            return None
        try:
            return float(token.raw.replace(",", "."))
        except ValueError:
            return None
    return words.get(token.plain)


def find(tokens: Sequence[Token], words: dict[str, float]) -> list[Quantity]:
    """Every number of the statement with its unit, left to right."""
    found: list[Quantity] = []
    i = 0
    while i < len(tokens):
        quantity = _at(tokens, i, words)
        if quantity:
            quantity = _and_a_half(tokens, quantity)
            found.append(quantity)
        i = max(i + 1, quantity.last if quantity else i + 1)
    return found


def _and_a_half(tokens: Sequence[Token], quantity: Quantity) -> Quantity:
    """ "A litre and a half": the half that stands behind its unit."""
    at = quantity.last
    if _word(tokens, at) != "and":
        return quantity
    at += 2 if _word(tokens, at + 1) == "a" else 1
    if _word(tokens, at) != "half" or not quantity.value:
        return quantity
    whole = (
        number_of(tokens[quantity.first], {"a": 1.0, "an": 1.0, "one": 1.0, "two": 2.0, "three": 3.0}) or 1.0
    )
    return Quantity(
        quantity.value * (whole + 0.5) / whole, quantity.unit, quantity.first, at + 1, quantity.word
    )


def _word(tokens: Sequence[Token], i: int) -> str:
    return tokens[i].plain if 0 <= i < len(tokens) else ""


def _at(tokens: Sequence[Token], i: int, words: dict[str, float]) -> Quantity | None:
    value = number_of(tokens[i], words)
    word = tokens[i].plain
    after = i + 1
    if (
        value is None
        and word in ("a", "an", "bir", "yarim", "half")
        and _word(tokens, i + 1) in ("hour", "saat", "minute", "dakika", "litre", "liter", "kilo")
    ):
        value = 0.5 if word in ("yarim", "half") else 1.0
    if value is None:
        return None
    if word in ("half", "yarim"):
        while _word(tokens, after) in ("a", "an"):
            after += 1
        value = 0.5
    if word in ("twice", "once", "thrice"):
        return Quantity(value, "times", i, after, word)
    score = _score(tokens, i, value)
    if score:
        return score
    if _word(tokens, after) == "and" and _word(tokens, after + 1) in ("a", "half"):
        at = after + 2 if _word(tokens, after + 1) == "a" else after + 1
        if _word(tokens, at) == "half":
            value, after = value + 0.5, at + 1
    if _word(tokens, after) == "bucuk":
        value, after = value + 0.5, after + 1
    while _word(tokens, after) in ("°", "º"):
        after += 1
        if _word(tokens, after) not in DEGREES | FAHRENHEIT:
            return Quantity(value, "f" if value > 60 else "c", i, after, "°")
    unit = _word(tokens, after)
    quantity = _united(tokens, i, after, value, unit)
    if quantity is None and i and tokens[i - 1].plain == "x" and tokens[i - 1].end == tokens[i].start:
        return Quantity(value, "times", i, after, "x")
    return quantity or Quantity(value, "bare", i, after, unit)


def _united(tokens: Sequence[Token], i: int, after: int, value: float, unit: str) -> Quantity | None:
    if unit in DEGREES:
        last = after + 1
        if _word(tokens, last) in FAHRENHEIT:
            return Quantity(value, "f", i, last + 1, unit)
        return Quantity(value, "f" if value > 60 else "c", i, last + (_word(tokens, last) == "c"), unit)
    if unit in FAHRENHEIT and value > 60:
        return Quantity(value, "f", i, after + 1, unit)
    if unit in ("fl", "fluid") and _word(tokens, after + 1) in ("oz", "ounces", "ounce"):
        return Quantity(value * 29.5735295625, "ml", i, after + 2, "fl oz")
    if unit in KG:
        return _pounds_and_ounces(tokens, i, after, value, unit)
    if unit in ("oz", "ounce", "ounces"):
        return Quantity(value, "oz", i, after + 1, unit)
    if unit in GRAMS:
        return Quantity(value * GRAMS[unit], "g", i, after + 1, unit)
    if unit in ML:
        return Quantity(value * ML[unit], "ml", i, after + 1, unit)
    if unit in MINUTES and unit not in ("m",):
        kind = "hours" if unit in HOURS else "minutes"
        return Quantity(value, kind, i, after + 1, unit)
    if unit in ("times", "time", "x", "kez", "kere", "defa", "sefer", "kerre") and not (
        unit == "time" and value > 1
    ):
        return Quantity(value, "times", i, after + 1, unit)
    return None


def _pounds_and_ounces(tokens: Sequence[Token], i: int, after: int, value: float, unit: str) -> Quantity:
    kilos, last = value * KG[unit], after + 1
    at = last + (_word(tokens, last) in (",", "and"))
    if unit in ("lb", "lbs", "pound", "pounds") and at + 1 < len(tokens) and tokens[at].is_number:
        more = number_of(tokens[at], {})
        if more is not None and _word(tokens, at + 1) in ("oz", "ounces", "ounce"):
            return Quantity(kilos + more * 0.028349523125, "kg", i, at + 2, unit)
    if unit in ("st", "stone", "stones") and at + 1 < len(tokens) and tokens[at].is_number:
        pounds = number_of(tokens[at], {})
        if pounds is not None and _word(tokens, at + 1) in ("lb", "lbs", "pound", "pounds"):
            return Quantity(kilos + pounds * KG["lb"], "kg", i, at + 2, unit)
    grams = number_of(tokens[last], {}) if last < len(tokens) and tokens[last].is_number else None
    if (
        grams is not None
        and _word(tokens, last + 1) in GRAMS
        and unit not in ("lb", "lbs", "pound", "pounds")
    ):
        return Quantity(kilos + grams / 1000, "kg", i, last + 2, unit)
    return Quantity(kilos, "kg", i, last, unit)


def _score(tokens: Sequence[Token], i: int, value: float) -> Quantity | None:
    """ "7 out of 9", "7/9", "9 üzerinden 7": a body-condition score."""
    if (
        _word(tokens, i + 1) == "out"
        and _word(tokens, i + 2) == "of"
        and _word(tokens, i + 3) in ("9", "nine")
    ):
        return Quantity(value, "score", i, i + 4)
    if _word(tokens, i + 1) == "/" and _word(tokens, i + 2) == "9":
        return Quantity(value, "score", i, i + 3)
    if (
        _word(tokens, i + 1).startswith("uzerinde")
        and i + 2 < len(tokens)
        and value == 9
        and tokens[i + 2].is_number
    ):
        scored = number_of(tokens[i + 2], {})
        return Quantity(scored, "score", i, i + 3) if scored is not None else None
    return None


def celsius(quantity: Quantity) -> float:
    """Degrees Celsius, to a tenth."""
    return round((quantity.value - 32) * 5 / 9 if quantity.unit == "f" else quantity.value, 1)
