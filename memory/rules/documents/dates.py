"""Printed dates: which a paper carries, and which one is its own. Pure.

A date after the day of receipt or before the subject's birth is not taken; one glued to a number
("1234526.06.2025") is none, while a number parted by a sign ("80101911/26.06.2025") leaves it whole. Where
day and month could change places and no other date of the paper settles it, the date is left out: dates are
never invented.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from twin.rules.when.tokens import fold

Precision = Literal["day", "month", "year"]

MONTHS = {
    "january": 1, "jan": 1, "ocak": 1,
    "february": 2, "feb": 2, "subat": 2,
    "march": 3, "mar": 3, "mart": 3,
    "april": 4, "apr": 4, "nisan": 4,
    "may": 5, "mayis": 5,
    "june": 6, "jun": 6, "haziran": 6,
    "july": 7, "jul": 7, "temmuz": 7,
    "august": 8, "aug": 8, "agustos": 8,
    "september": 9, "sep": 9, "sept": 9, "eylul": 9,
    "october": 10, "oct": 10, "ekim": 10,
    "november": 11, "nov": 11, "kasim": 11,
    "december": 12, "dec": 12, "aralik": 12,
}  # fmt: skip
_NAME = "|".join(sorted(MONTHS, key=len, reverse=True))
_NUMERIC = re.compile(r"(?<!\d)(?=(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?![\d])(?!\2\d))")
_ISO = re.compile(r"(?<![\d.])(\d{4})-(\d{2})-(\d{2})(?!\d)")
# Dots with a gap after them, as some write them and as letter reading sees them.
_SPACED = re.compile(
    r"(?<![\d.])(\d{1,2})[^\S\n]{0,2}\.[^\S\n]{0,2}(\d{1,2})[^\S\n]{0,2}\.\s{0,2}(\d{4})(?!\d)(?!\.\d)"
)
_DAY_FIRST = re.compile(
    rf"(?<!\d)(\d{{1,2}})(?:st|nd|rd|th)?\.?\s+(?:of\s+)?({_NAME})\.?,?\s+(\d{{4}})(?!\d)"
)
_MONTH_FIRST = re.compile(rf"\b({_NAME})\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?,?\s+(\d{{4}})(?!\d)")
_MONTH = re.compile(rf"\b({_NAME})\.?,?\s+(\d{{4}})(?!\d)")
_YEAR = re.compile(r"(?<![\d./:,-])((?:19|20)\d{2})(?![\d:/]|[.,-]\d)")

# Folded words just before a date that say whose it is; the nearest counts.
OWN = (
    "date of report", "report date", "date of evaluation", "evaluation date", "date of assessment",
    "assessment date", "date of examination", "examination date", "date of visit", "visit date",
    "date issued",
    "issued on", "issued", "issue date", "date of issue", "prescribed on", "reported", "date", "dated",
    "rapor tarihi", "duzenleme tarihi", "duzenlenme tarihi", "degerlendirme tarihi", "muayene tarihi",
    "recete tarihi", "belge tarihi", "onay tarihi", "tarih/sayi", "sayi/tarih", "protokol/tarih", "tarihi",
    "tarih",
)  # fmt: skip
NOT_OWN = (
    "date of birth", "birth date", "dob", "born", "d.o.b", "dogum tarihi", "dogum", "d.t",
    "next appointment", "next visit", "next review", "review date", "follow-up", "follow up", "valid until",
    "expires", "expiry", "next", "due", "kontrol tarihi", "kontrol", "sonraki", "gecerlilik", "son kullanma",
    "randevu", "vaccinated on", "asi tarihi", "admission", "since", "yatis",
    "printed", "basim tarihi", "yazdirma",
)  # fmt: skip
NEAR = 40  # characters before a date that can name it


@dataclass(frozen=True)
class Printed:
    """One date as it is printed: where, which, and how exactly."""

    start: int
    end: int
    on: date
    precision: Precision = "day"


def printed_dates(text: str) -> list[Printed]:
    """Every whole date of a text, in order, as long as it is one certain day."""
    low = flat(text)
    found: dict[int, Printed] = {}
    for match in _ISO.finditer(low):
        _keep(found, match.span(), int(match[1]), int(match[2]), int(match[3]))
    is_day_first = _order(low)
    for match in _NUMERIC.finditer(low):
        end = match.end(4)
        first, second, sign = int(match[1]), int(match[3]), match[2]
        if _is_open(first, second, sign, is_day_first):
            continue
        is_month_first = second > 12 or (sign == "/" and is_day_first is False and first <= 12)
        day, month = (second, first) if is_month_first else (first, second)
        _keep(found, (match.start(), end), int(match[4]), month, day)
    for match in _SPACED.finditer(low):
        _keep(found, match.span(), int(match[3]), int(match[2]), int(match[1]))
    for match in _DAY_FIRST.finditer(low):
        _keep(found, match.span(), int(match[3]), MONTHS[match[2]], int(match[1]))
    for match in _MONTH_FIRST.finditer(low):
        _keep(found, match.span(), int(match[3]), MONTHS[match[1]], int(match[2]))
    return _apart(sorted(found.values(), key=lambda one: one.start))


def own_date(text: str, *, received_on: date, born_on: date | None = None) -> date | None:
    """The date a paper carries, None where it carries none that can be its own."""
    low = flat(text)
    possible = [
        one for one in printed_dates(text) if one.on <= received_on and (born_on is None or one.on >= born_on)
    ]
    labels = [(_label(low, one.start), one.on) for one in possible]
    named = [on for label, on in labels if label == "own"]
    if named:
        return named[0]
    rest = [on for label, on in labels if label == ""]
    return max(rest, default=None)


def time_said(text: str, *, until: date, born_on: date | None = None) -> Printed | None:
    """The first absolute time of a sentence: a day, a month or a year, within the subject's life."""
    low = flat(text)
    found = printed_dates(text)
    for match in _MONTH.finditer(low):
        found.append(Printed(match.start(), match.end(), date(int(match[2]), MONTHS[match[1]], 1), "month"))
    for match in _YEAR.finditer(low):
        found.append(Printed(match.start(), match.end(), date(int(match[1]), 1, 1), "year"))
    ranked = _apart(sorted(found, key=lambda one: (one.start, _RANK[one.precision])))
    return next((one for one in ranked if one.on <= until and _lived(one, born_on)), None)


_RANK: dict[str, int] = {"day": 0, "month": 1, "year": 2}


def _lived(one: Printed, born_on: date | None) -> bool:
    if born_on is None:
        return True
    if one.precision == "year":
        return one.on.year >= born_on.year
    if one.precision == "month":
        return (one.on.year, one.on.month) >= (born_on.year, born_on.month)
    return one.on >= born_on


def flat(text: str) -> str:
    """The text in lower-case ASCII of the very same length, so that places in it stay."""
    return "".join((fold(ch) or " ")[0] if not ch.isascii() else ch.lower() for ch in text)


def _order(low: str) -> bool | None:
    """Whether the paper writes the day first: what its unmistakable dates show, None without any."""
    seen = {
        int(match[1]) > 12
        for match in _NUMERIC.finditer(low)
        if match[2] == "/" and (int(match[1]) > 12) != (int(match[3]) > 12)
    }
    return seen.pop() if len(seen) == 1 else None


def _is_open(first: int, second: int, sign: str, is_day_first: bool | None) -> bool:
    """Whether day and month could change places."""
    return first <= 12 and second <= 12 and first != second and sign == "/" and is_day_first is None


def _keep(found: dict[int, Printed], span: tuple[int, int], year: int, month: int, day: int) -> None:
    try:
        on = date(year, month, day)
    except ValueError:
        return
    if 1900 <= year <= 2200:
        found.setdefault(span[0], Printed(*span, on))


def _apart(found: Sequence[Printed]) -> list[Printed]:
    kept: list[Printed] = []
    for one in found:
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return kept


def _label(low: str, start: int) -> str:
    """What the words before a date make of it: its paper's own, another's, or nothing said."""
    before = low[max(0, start - NEAR) : start]
    line = before.rsplit("\n", 1)
    # In a table the label may stand at the end of the line above, with nothing before the date here.
    near = line[-1] if line[-1].strip(" :|\t") or len(line) == 1 else before
    best, what = -1, ""
    for phrases, name in ((NOT_OWN, "other"), (OWN, "own")):
        for phrase in phrases:
            match = list(re.finditer(rf"(?<![a-z]){re.escape(phrase)}(?![a-z])", near))
            if match and (match[-1].end(), len(phrase)) > (best, 0) and match[-1].end() > best:
                best, what = match[-1].end(), name
    return what
