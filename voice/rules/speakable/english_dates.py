"""English dates and clock times in words."""

from __future__ import annotations

import re

from voice.rules.speakable.english_numbers import cardinal, decade, ordinal, plural, year
from voice.rules.speakable.english_units import MONTH_OF, MONTHS
from voice.rules.speakable.pieces import Rule

_MON = "|".join(sorted(MONTH_OF, key=len, reverse=True))
_FREE = r"(?<![\w.,:/-])"
_END = r"(?![\w/]|[.:]\d|-\d)"


def _is_date(month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= 31


def _year(text: str | None) -> str:
    return f" {year(int(text))}" if text else ""


def month_first(month: int, day: int, year_text: str | None) -> str | None:
    """A date as in "July fourth twenty twelve"; None where there is no such day."""
    return f"{MONTHS[month - 1]} {ordinal(day)}{_year(year_text)}" if _is_date(month, day) else None


def day_first(day: int, month: int, year_text: str | None) -> str | None:
    """A date as in "the fourth of July twenty twelve"; None where there is no such day."""
    if not _is_date(month, day):
        return None
    return f"the {ordinal(day)} of {MONTHS[month - 1]}{_year(year_text)}"


def _iso(match: re.Match[str]) -> str | None:
    said = month_first(int(match[3]), int(match[4]), match[1])
    return f"{said}, " if said and match[0].endswith("T") else said


def _numeric(match: re.Match[str]) -> str | None:
    """Slashes and hyphens are month first where they can be, dots never (as in most of the world)."""
    first, second = int(match[1]), int(match[3])
    if match[2] == "." or first > 12:
        return day_first(first, second, match[4])
    return month_first(first, second, match[4])


def _month_day(match: re.Match[str]) -> str | None:
    month = MONTH_OF[match[1].lower()]
    if match[1] == "may" and not (match[4] or match[5]):
        return None
    if match[3]:
        if not _is_date(month, int(match[3])):
            return None
        return f"{MONTHS[month - 1]} {ordinal(int(match[2]))} to {ordinal(int(match[3]))}{_year(match[5])}"
    return month_first(month, int(match[2]), match[5])


def _month_year(match: re.Match[str]) -> str | None:
    return f"{MONTHS[MONTH_OF[match[1].lower()] - 1]}{_year(match[2])}"


def _day_month(match: re.Match[str]) -> str | None:
    if match[5] in {"may", "march", "mar"} and not (match[3] or match[6]):
        return None
    month = MONTH_OF[match[5].lower()]
    said = day_first(int(match[2]), month, match[6])
    if said and match[4]:
        return f"the {ordinal(int(match[2]))} to {day_first(int(match[4]), month, match[6])}"
    return said


def _short_month(match: re.Match[str]) -> str:
    return MONTHS[MONTH_OF[match[1].lower()] - 1]


def _quarter(match: re.Match[str]) -> str:
    number, when = (match[1], match[2]) if match[1] else (match[3], match[4])
    return f"the {ordinal(int(number))} quarter{f' of {year(int(when))}' if when else ''}"


def _decade(match: re.Match[str]) -> str | None:
    if match[1]:
        return decade(int(match[1]))
    return plural(cardinal(int(match[2]))) if 20 <= int(match[2]) <= 90 else None


def _zone(text: str | None) -> str:
    return f" {text.replace('.', '').upper()}" if text else ""


def clock(hour: int, minute: int, half: str | None = None) -> str | None:
    """A clock time as in "one o'clock", "nine oh five", "one fifty nine PM"; None for no time of day."""
    if hour > 24 or minute > 59 or (half and not 1 <= hour <= 12):
        return None
    if half:
        end = f" {half.upper()}M"
        return cardinal(hour) + (f" {_minutes(minute)}" if minute else "") + end
    if hour in {0, 24} and minute == 0:
        return "midnight"
    return f"{cardinal(hour)} o'clock" if minute == 0 else f"{cardinal(hour)} {_minutes(minute)}"


def _minutes(minute: int) -> str:
    return f"oh {cardinal(minute)}" if minute < 10 else cardinal(minute)


def _counted(number: int, name: str) -> str:
    return f"{cardinal(number)} {name}{'' if number == 1 else 's'}"


def _long_clock(match: re.Match[str]) -> str | None:
    hour, minute, second = int(match[1]), int(match[2]), int(match[3])
    if hour > 24 or minute > 59 or second > 59:
        return None
    half = f" {match[4].upper()}M" if match[4] else ""
    parts = f"{_counted(hour, 'hour')} {_counted(minute, 'minute')} and {_counted(second, 'second')}"
    return parts + half + _zone(match[5])


def _half_clock(match: re.Match[str]) -> str | None:
    said = clock(int(match[1]), int(match[2] or 0), match[3])
    if said is None:
        return None
    ends = re.match(r"\s+[A-Z]", match.string[match.end() :]) and match[0].endswith(".")
    return said + _zone(match[4]) + ("." if ends else "")


def _half_range(match: re.Match[str]) -> str | None:
    first, last = clock(int(match[1]), int(match[2] or 0)), clock(int(match[3]), int(match[4] or 0), match[5])
    if first is None or last is None:
        return None
    return f"{first.removesuffix(chr(32) + 'o' + chr(39) + 'clock')} to {last}"


def _plain_clock(match: re.Match[str]) -> str | None:
    said = clock(int(match[1]), int(match[2]))
    return None if said is None else said + _zone(match[3])


_HALF = r"\s*([apAP])\.?\s?[mM]\b\.?"
_ZONE = r"(?:\s*\b((?:[ecmpECMP]\.?[sdSD]\.?[tT]|[gG]\.?[mM]\.?[tT]|[uU]\.?[tT]\.?[cC]|CET|CEST|BST)\b\.?))?"
_I = re.IGNORECASE
RULES: tuple[Rule, ...] = (
    (re.compile(rf"{_FREE}(\d{{4}})([-/.])(\d{{1,2}})\2(\d{{1,2}})(?:T(?=\d\d:)|(?![\d/-]|\.\d))"), _iso),
    (re.compile(rf"{_FREE}(\d{{1,2}})([-/.])(\d{{1,2}})\2(\d{{4}}|\d{{2}})(?![\w/-]|\.\d)"), _numeric),
    (
        re.compile(
            rf"\b({_MON})\b\.?[\s-]+(\d{{1,2}})(?:\s?[-–]\s?(\d{{1,2}}))?(st|nd|rd|th)?\b(?:,?\s+(\d{{4}}))?{_END}",
            _I,
        ),
        _month_day,
    ),
    (re.compile(rf"\b({_MON})\b\.?,?[\s-]+(\d{{4}}){_END}", _I), _month_year),
    (
        re.compile(
            rf"{_FREE}(the\s+)?(\d{{1,2}})(st|nd|rd|th)?(?:\s?[-–]\s?(\d{{1,2}})(?:st|nd|rd|th)?)?"
            rf"(?:\s+of)?[\s-]+({_MON})\b\.?(?:,?[\s-]+(\d{{4}})\b)?",
            _I,
        ),
        _day_month,
    ),
    (re.compile(r"\b(Jan|Feb|Aug|Sept|Oct|Nov|Dec)\.(?=\s|$)"), _short_month),
    (re.compile(r"(?<!\w)(?:([1-4])Q(\d{4}|\d{2})?|Q([1-4])(?:\s+(\d{4}))?)(?!\w)"), _quarter),
    (re.compile(r"(?<![\w.,$€£])(?:(1\d\d0|20\d0)|['’]?(\d0))['’]?s\b"), _decade),
    (
        re.compile(rf"(?:{_FREE}|(?<=\dT))(\d{{1,2}}):(\d\d):(\d\d)(?:{_HALF})?{_ZONE}(?![\w:])"),
        _long_clock,
    ),
    (
        re.compile(rf"{_FREE}(\d{{1,2}})(?:[:.](\d\d))?\s?[-–]\s?(\d{{1,2}})(?:[:.](\d\d))?{_HALF}"),
        _half_range,
    ),
    (re.compile(rf"(?<![\w.,:/])(\d{{1,2}})(?:[:.](\d\d))?{_HALF}{_ZONE}"), _half_clock),
    (
        re.compile(
            rf"(?:(?<![\w.,:/])|(?<=\dT))(\d{{1,2}}):(\d\d)(?![\w:])(?:\s?(?:o['’]clock|hrs?\b|h\b))?{_ZONE}"
        ),
        _plain_clock,
    ),
    # Between two times or two years a dash means "to".
    (re.compile(r"(?<=\d)\s?[-–]\s?(?=\d{1,2}:\d\d(?!\d))"), lambda _match: " to "),
    (re.compile(r"(?<=[mM.])\s?[-–]\s?(?=\d{1,2}(?:[:.]\d\d)?\s*[aApP]\.?\s?[mM]\b)"), lambda _match: " to "),
)
