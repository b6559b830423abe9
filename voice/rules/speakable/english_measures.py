"""English amounts in words: money, measures with their units, how often, fractions."""

from __future__ import annotations

import re

from voice.rules.speakable.english_numbers import cardinal, fraction, number_words
from voice.rules.speakable.english_units import CURRENCIES, EXACT, PER, UNITS
from voice.rules.speakable.pieces import Rule

NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d*\.\d+|\d+)"
SIGN = r"(?:(?<![\w)\]])[-−]\s?(?=\.?\d))?"
_SCALE = r"(?:\s?(hundred|thousand|million|billion|trillion|bn|mn|k|K|M|B)\b)?"
_SCALES = {"bn": "billion", "mn": "million", "k": "thousand", "K": "thousand", "M": "million", "B": "billion"}
_UNIT = "|".join(sorted((re.escape(unit) for unit in UNITS), key=len, reverse=True))
_EXACT = "|".join(EXACT)
_PER = rf"(?:/(?:{_UNIT}|{'|'.join(sorted(PER, key=len, reverse=True))}|{_EXACT})\b)*"
UNIT = rf"((?:(?i:{_UNIT})|(?:{_EXACT})){_PER})(?![\w&])"
_SIGNS = "|".join(sorted((re.escape(sign) for sign in CURRENCIES), key=len, reverse=True))
_FREE = r"(?<![\w.,/])"
VULGAR = {
    "½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅕": (1, 5), "⅛": (1, 8), "⅜": (3, 8),
}  # fmt: skip
_PORTIONS = (
    "cup|tablet|teaspoon|tablespoon|pill|dose|can|tin|hour|day|year|glass|bowl|portion|spoon|spoonful|sachet"
)
_TIMES_PER = {"d": "day", "day": "day", "daily": "day", "w": "week", "wk": "week", "week": "week"}


def signed(text: str) -> str:
    """A number with its sign in words."""
    bare = text.lstrip("-−+ ")
    sign = {"-": "minus ", "−": "minus ", "+": "plus "}.get(text[0], "")
    return sign + number_words(bare)


def unit_words(written: str, *, is_one: bool) -> str:
    """A unit in words, with what it is counted per, as in "milligrams per kilogram"."""
    if written.lower() in UNITS:
        return UNITS[written.lower()][0 if is_one else 1]
    first, *rest = written.split("/")
    names = EXACT.get(first) or UNITS[first.lower()]
    pers = [f" per {PER.get(part.lower()) or (EXACT.get(part) or UNITS[part.lower()])[0]}" for part in rest]
    return names[0 if is_one else 1] + "".join(pers)


def _measure(match: re.Match[str]) -> str | None:
    number, scale, unit = match[1], match[2], match[3]
    if unit == "A" and match.string[match.end() :].strip(" .,;!?"):
        return None  # "5 A grades"
    is_one = number.lstrip("-−") in {"1", "-1"} and not scale
    said = signed(number) + (f" {_SCALES.get(scale, scale)}" if scale else "")
    return f"{said} {unit_words(unit, is_one=is_one)}"


def _measure_range(match: re.Match[str]) -> str:
    return f"{signed(match[1])} to {signed(match[2])} {unit_words(match[3], is_one=False)}"


def _mixed_measure(match: re.Match[str]) -> str:
    whole, above, below, unit = match[1], int(match[2]), int(match[3]), match[4]
    if whole is None and (above, below) == (1, 2):
        return f"half a {unit_words(unit, is_one=True)}"
    said = fraction(above, below, int(whole) if whole else None)
    return f"{said} {'of a ' if whole is None else ''}{unit_words(unit, is_one=whole is None)}"


def _money(sign: str, number: str, scale: str | None) -> str:
    one, many, small_one, small_many = CURRENCIES[sign]
    if scale:
        return f"{number_words(number)} {_SCALES.get(scale, scale)} {many}"
    whole, _, cents = number.replace(",", "").partition(".")
    if cents and len(cents) != 2:
        return f"{number_words(number)} {many}"
    large = f"{number_words(whole)} {one if whole == '1' else many}" if whole and int(whole) else ""
    small = (
        f"{cardinal(int(cents))} {small_one if int(cents) == 1 else small_many}"
        if cents and int(cents)
        else ""
    )
    return f"{large} {small}".strip() or f"zero {many}"


def _money_before(match: re.Match[str]) -> str:
    minus = "minus " if match[1] else ""
    return minus + _money(match[2], match[3], match[4])


def _money_range(match: re.Match[str]) -> str:
    return f"{_money(match[1], match[2], match[3])} to {_money(match[4] or match[1], match[5], match[6])}"


def _money_after(match: re.Match[str]) -> str:
    return _money(match[3], match[1], match[2])


def _how_often(match: re.Match[str]) -> str:
    count = match[1]
    times = (
        "one time"
        if count == "1"
        else f"{' to '.join(number_words(n) for n in re.split('[-–]', count))} times"
    )
    per = match[2] and (_TIMES_PER.get(match[2].lower()) or match[2].lower())
    return f"{times} a {per}" if per else times


def _mixed(match: re.Match[str]) -> str | None:
    if int(match[3]) == 0:
        return None
    if match[1] is None and re.match(rf"\s+(?:{_PORTIONS})\b", match.string[match.end() :]):
        return _part(int(match[2]), int(match[3]), match.string[match.end() :])
    return fraction(int(match[2]), int(match[3]), int(match[1]) if match[1] else None)


def _vulgar(match: re.Match[str]) -> str:
    above, below = VULGAR[match[2]]
    if match[1]:
        return fraction(above, below, int(match[1]))
    return _part(above, below, match.string[match.end() :])


def _part(above: int, below: int, after: str) -> str:
    """A part of what is named next, as in "half a tablet", "three quarters of a cup"."""
    is_half = (above, below) == (1, 2)
    said = "half" if is_half else fraction(above, below)
    if not re.match(rf"\s+(?:{_PORTIONS})\b", after):
        return said
    return f"{said} a" if is_half else f"{said} of a"


def _feet(match: re.Match[str]) -> str:
    return f"{cardinal(int(match[1]))} foot {cardinal(int(match[2]))}"


def _score(match: re.Match[str]) -> str:
    return f"{match[1]}{number_words(match[2])} out of {number_words(match[3])}"


RULES: tuple[Rule, ...] = (
    (
        re.compile(rf"({_SIGNS})\s?({NUMBER}){_SCALE}\s?[-–]\s?({_SIGNS})?\s?({NUMBER}){_SCALE}(?!\w)"),
        _money_range,
    ),
    (re.compile(rf"((?<![\w)])[-−])?({_SIGNS})\s?({NUMBER}){_SCALE}(?!\d)"), _money_before),
    (re.compile(rf"{_FREE}({NUMBER}){_SCALE}\s?({_SIGNS})(?!\w)"), _money_after),
    (
        re.compile(
            r"(?<![\w.])(\d+(?:[-–]\d+)?)\s?[x×](?:\s?/\s?|\s+(?:a|per|each|every)\s+|\s+(?=daily))"
            r"(day|d|daily|week|wk|w|month|hour|night|year)\b",
            re.IGNORECASE,
        ),
        _how_often,
    ),
    (re.compile(r"(?<![\w.])(\d+(?:[-–]\d+)?)\s?[x×](?!\s?[\w/])()"), _how_often),
    (re.compile(rf"{_FREE}({SIGN}{NUMBER})\s?(?:[-–]|to)\s?({NUMBER})\s?{UNIT}"), _measure_range),
    (re.compile(rf"{_FREE}(?:(\d+)\s+)?(\d+)\s?[/⁄]\s?(\d+)\s?{UNIT}"), _mixed_measure),
    (re.compile(rf"{_FREE}({SIGN}{NUMBER}){_SCALE}\s?{UNIT}"), _measure),
    (
        re.compile(r"(?<![\w.,/])(\d)\s?(?:['’]|ft\b|feet\b)\s?(\d{1,2})\s?(?:[\"”]|''|in\b\.?|inches\b)"),
        _feet,
    ),
    (
        re.compile(
            r"\b((?:pain|score[ds]?|rated|severity|mood|level)(?: of| at| is| was)?:? )(\d+)/(5|10|100)\b"
        ),
        _score,
    ),
    (re.compile(r"(?<![\w.,/])(\d+)?\s?([½⅓⅔¼¾⅕⅛⅜])"), _vulgar),
    (
        re.compile(
            r"(?<![\w.,/])(?:(\d+)\s+)?(\d+)\s?[/⁄]\s?(\d+)(?:st|nd|rd|th|RD|TH|ST|ND)?s?(?![\w/]|\.\d)"
        ),
        _mixed,
    ),
)
