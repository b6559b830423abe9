"""Turkish amounts in words: money, measures with their units and endings, how often, fractions, percents."""

from __future__ import annotations

import re

from voice.rules.speakable.pieces import Rule
from voice.rules.speakable.turkish_numbers import (
    cardinal,
    fraction,
    in_harmony,
    joined,
    locative,
    number_words,
    split_decimal,
)
from voice.rules.speakable.turkish_units import CURRENCIES, PER, UNITS

NUMBER = r"(?:\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d+(?:,\d+)?(?:\.\d+)?)"
SIGN = r"(?:(?<![\w)\]])[-−+]\s?(?=\d))?"
ENDING = r"(?:['’]([a-zçğıöşüâîû]+))?"
_SCALE = r"(?:\s?(bin|milyon|milyar|trilyon)\b)?"
_UNIT = "|".join(sorted((re.escape(unit) for unit in UNITS), key=len, reverse=True))
_CURRENCY = "|".join(sorted((re.escape(sign) for sign in CURRENCIES), key=len, reverse=True))
_WORD = r"[a-zçğıöşüâîû]"
_FREE = r"(?<![\w.,/])"
_PERS = "|".join(sorted(PER, key=len, reverse=True))
VULGAR = {"½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅕": (1, 5), "⅛": (1, 8)}


def signed(text: str) -> str:
    """A number with its sign in words."""
    sign = {"-": "eksi ", "−": "eksi ", "+": "artı "}.get(text[0], "")
    return sign + number_words(text.lstrip("-−+ "))


def with_ending(said: str, ending: str | None) -> str:
    """The words with the ending that was written after an apostrophe, if any."""
    return joined(said, in_harmony(said, ending)) if ending else said


def _scaled(number: str, scale: str | None) -> str:
    return signed(number) + (f" {scale}" if scale else "")


def _measure(match: re.Match[str]) -> str:
    unit = match[3]
    said = f"{_scaled(match[1], match[2])} {UNITS[unit]}"
    if match[4]:
        said = f"{PER[match[4]]} {said}"
    stop = "." if unit.endswith(".") and _ends_sentence(match.string[match.end() :]) else ""
    return with_ending(said, match[5]) + stop


def _ends_sentence(after: str) -> bool:
    return not after.strip() or re.match(r"\s+[A-ZÇĞİÖŞÜ]", after) is not None


def _measure_range(match: re.Match[str]) -> str:
    return with_ending(f"{signed(match[1])} ile {signed(match[2])} {UNITS[match[3]]}", match[4])


def _money(sign: str, number: str, scale: str | None) -> str:
    large, small = CURRENCIES[sign]
    whole, cents = split_decimal(number.lstrip("-−+ "))
    if scale or len(cents) != 2:
        return f"{_scaled(number, scale)} {large}"
    said = f"{cardinal(int(whole))} {large}"
    return f"{said} {cardinal(int(cents))} {small}" if int(cents) else said


def _money_before(match: re.Match[str]) -> str:
    return with_ending(_money(match[1], match[2], match[3]), match[4])


def _money_after(match: re.Match[str]) -> str:
    return with_ending(_money(match[3], match[1], match[2]), match[4])


def _how_often(match: re.Match[str]) -> str:
    per = PER[match[2]] + " " if match[2] else ""
    numbers = [number_words(part) for part in re.split("[-–]", match[1])]
    return f"{per}{' '.join(numbers)} kez"


def _percent_before(match: re.Match[str]) -> str:
    last = f" ile {number_words(match[2])}" if match[2] else ""
    return with_ending(f"yüzde {number_words(match[1])}{last}", match[3])


def _percent_after(match: re.Match[str]) -> str:
    return with_ending(f"yüzde {signed(match[1])}", match[2])


def _fraction(match: re.Match[str]) -> str | None:
    whole, above, below = match[1], int(match[2]), int(match[3])
    if below == 0 or (whole is None and above >= below and below not in {2, 4}):
        return None
    if whole and (above, below) == (1, 2):
        said = f"{cardinal(int(whole))} buçuk"
    else:
        said = f"{cardinal(int(whole))} tam {fraction(above, below)}" if whole else fraction(above, below)
    return with_ending(said, match[4])


def _vulgar(match: re.Match[str]) -> str:
    above, below = VULGAR[match[2]]
    if not match[1]:
        return fraction(above, below)
    number = number_words(match[1])
    return f"{number} buçuk" if (above, below) == (1, 2) else f"{number} tam {fraction(above, below)}"


def _score(match: re.Match[str]) -> str:
    return f"{match[1]}{locative(cardinal(int(match[3])))} {cardinal(int(match[2]))}"


RULES: tuple[Rule, ...] = (
    (re.compile(rf"{_FREE}({_CURRENCY})\s?({NUMBER}){_SCALE}{ENDING}(?!\w)"), _money_before),
    (re.compile(rf"{_FREE}({SIGN}{NUMBER}){_SCALE}\s?({_CURRENCY}){ENDING}(?!\w)"), _money_after),
    (re.compile(rf"(?<![\w.])(\d+(?:[-–]\d+)?)\s?[x×]\s?/\s?({_PERS})(?!\w)"), _how_often),
    (re.compile(r"(?<![\w.])(\d+(?:[-–]\d+)?)\s?[x×](?!\s?[\w/])()"), _how_often),
    (re.compile(rf"%\s?({NUMBER})(?:\s?[-–]\s?%?({NUMBER}))?{ENDING}(?!\w)"), _percent_before),
    (re.compile(rf"{_FREE}({SIGN}{NUMBER})\s?%{ENDING}(?!\w)"), _percent_after),
    (
        re.compile(rf"{_FREE}({SIGN}{NUMBER})\s?(?:[-–]|ile)\s?({NUMBER})\s?({_UNIT}){ENDING}(?!\w)"),
        _measure_range,
    ),
    (
        re.compile(rf"{_FREE}({SIGN}{NUMBER}){_SCALE}\s?({_UNIT})(?:\s?/\s?({_PERS})\b)?{ENDING}(?!\w)"),
        _measure,
    ),
    (re.compile(r"(?<![\w.,/])(\d+)?\s?([½⅓⅔¼¾⅕⅛])"), _vulgar),
    (
        re.compile(r"\b((?:ağrı|puan|şiddet|not)[a-zçğıöşü]*:? )(\d+)/(5|10|100)(?![\w/])", re.IGNORECASE),
        _score,
    ),
    (re.compile(rf"(?<![\w.,/])(?:(\d+)\s+)?(\d+)\s?[/⁄]\s?(\d+){ENDING}(?![\w/])"), _fraction),
)
