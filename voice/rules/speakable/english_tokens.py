"""English: addresses and telephone numbers, plain numbers, ordinals, serials, signs and abbreviations."""

from __future__ import annotations

import re

from voice.rules.speakable.english_measures import NUMBER, SIGN, signed
from voice.rules.speakable.english_numbers import (
    cardinal,
    digits,
    number_words,
    ordinal,
    roman,
    whole_words,
    year,
)
from voice.rules.speakable.english_units import ENDING, INSIDE, KINGS, NUMBERED, TITLES
from voice.rules.speakable.pieces import Rule

_FREE = r"(?<![\w.,/])"
_NOT_PLURALS = frozenset(["was", "is", "has", "as", "its", "this", "does", "thus", "plus", "across", "yes"])
_RIGHT_ENDS = {1: "st", 2: "nd", 3: "rd"}
_SIGNS = {"=": "equals", "+": "plus", "×": "times", "÷": "divided by", "<": "less than", ">": "more than",
          "≤": "at most", "≥": "at least", "±": "plus or minus", "~": "about", "≈": "about"}  # fmt: skip


def _web(match: re.Match[str]) -> str:
    host = match[1].removeprefix("www.")
    return host.replace(".", " dot ").replace("-", " dash ")


def _mail(match: re.Match[str]) -> str:
    spoken = match[0].replace("@", " at ").replace(".", " dot ").replace("_", " underscore ")
    return re.sub(r"\d+", lambda run: digits(run[0]), spoken)


def _telephone(match: re.Match[str]) -> str:
    groups = re.findall(r"[A-Za-z]+|\d+", match[0])
    said = []
    for index, group in enumerate(groups):
        is_code = group == "800" and index < 2
        last_letters = group.isalpha() and index + 1 < len(groups) and groups[index + 1].isalpha()
        words = group if group.isalpha() else "eight hundred" if is_code else digits(group)
        joined_number = group.isalpha() and index + 1 < len(groups) and groups[index + 1].isdigit()
        said.append(words + (" " if last_letters or joined_number else ", "))
    return ("plus " if match[0].startswith("+") else "") + "".join(said).strip(", ")


def _ip(match: re.Match[str]) -> str:
    return " dot ".join(digits(part) for part in match[0].split("."))


def _acronym_number(match: re.Match[str]) -> str:
    return match[0].upper()


def _after(match: re.Match[str]) -> str:
    return match.string[match.end() :]


def _counts(after: str) -> bool:
    """Whether what follows a number is what it counts, as in "1500 steps"."""
    word = re.match(r"\s+(?:more |other |little |small )?([a-z]+s|people|children|times|percent)\b", after)
    return word is not None and word[1] not in _NOT_PLURALS


def plain(text: str, after: str) -> str:
    """A bare run of digits: as a year where it may be one, digit by digit where it is long or coded."""
    if len(text) > 1 and text[0] == "0":
        return digits(text)
    if _counts(after) or len(text) < 4:
        return cardinal(int(text))
    if len(text) > 4 and not re.match(r"\s+[a-z]", after):
        return digits(text)
    is_year = len(text) == 4 and 1100 <= int(text) <= 2099
    return year(int(text)) if is_year else cardinal(int(text))


def _number(match: re.Match[str]) -> str:
    if match[0].isdigit():
        return plain(match[0], _after(match))
    return signed(match[0])


def _ratio(match: re.Match[str]) -> str:
    return f"{number_words(match[1])} to {number_words(match[2])}"


def _year_range(match: re.Match[str]) -> str | None:
    if not all(1100 <= int(match[i]) <= 2099 for i in (1, 2)):
        return None
    return f"{year(int(match[1]))} to {year(int(match[2]))}"


def _range(match: re.Match[str]) -> str:
    first, last = (
        plain(part, _after(match)) if part.isdigit() else number_words(part) for part in (match[1], match[2])
    )
    counts = re.match(r"\s+[a-z]{2,}", _after(match))
    return f"{first} to {last}" if counts else f"{first} - {last}"


def _ordinal(match: re.Match[str]) -> str:
    number = int(match[1].replace(",", ""))
    end = match[2].lower()
    right = "th" if 10 < number % 100 < 14 else _RIGHT_ENDS.get(number % 10, "th")
    return ordinal(number) if end == right else f"{cardinal(number)} {end}"


def _serial(match: re.Match[str]) -> str | None:
    if re.search(r"-\d{3}0s$", match[0]):
        return None  # "mid-1990s" holds a decade

    def run(found: re.Match[str]) -> str:
        text = found[0]
        said = digits(text) if len(text) > 3 or (text[0] == "0" and len(text) > 1) else cardinal(int(text))
        left = " " if match[0][: found.start()][-1:].isalpha() else ""
        right = " " if match[0][found.end() :][:1].isalpha() else ""
        return left + said + right

    return re.sub(r"\d+", run, match[0])


def _numbered(match: re.Match[str]) -> str | None:
    value = roman(match[2])
    return None if value is None else f"{match[1]} {cardinal(value)}"


def _king(match: re.Match[str]) -> str | None:
    value = roman(match[2])
    return None if value is None else f"{match[1]} the {ordinal(value)}"


def _sign(match: re.Match[str]) -> str:
    left = " " if match.string[: match.start()][-1:].isalnum() else ""
    return f"{left}{_SIGNS[match[1]]} "


def _title(match: re.Match[str]) -> str:
    return TITLES[match[0]]


def _inside(match: re.Match[str]) -> str:
    spoken = INSIDE[match[0].lower()]
    return spoken + " " if match[0].endswith("w/") and not _after(match).startswith(" ") else spoken


def _ending(match: re.Match[str]) -> str:
    is_last = not _after(match).strip() or re.match(r"\s+[A-Z]", _after(match))
    return ENDING[match[0]] + ("." if is_last else "")


def _street(match: re.Match[str]) -> str:
    return "Street" + ("." if match[0].endswith(".") and re.match(r"\s+[A-Z]|$", _after(match)) else "")


def _any(table: dict[str, str]) -> str:
    return "|".join(sorted((re.escape(key) for key in table), key=len, reverse=True))


ADDRESSES: tuple[Rule, ...] = (
    (re.compile(r"\bhttps?://([\w.-]+\w)(?:[/?#]\S*[^\s.,;:!?)\]])?/?"), _web),
    (re.compile(r"(?<![\w@])(www\.[\w.-]+\w)(?:/\S*[^\s.,;:!?)\]])?"), _web),
    (re.compile(r"(?<!\w)[\w.+-]+@[\w-]+(?:\.[\w-]+)+"), _mail),
    (re.compile(r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w]|\.\d)"), _ip),
    (
        re.compile(
            r"(?<![\w.-])(?:\+\d{1,3}[ -]?)?(?:\(\d{3}\)[ -]?\d{3}|\d{3}-\d{3}|\d{3}\.\d{3})"
            r"[-.]\d{4}(?:-\d+)*(?!\w)"
        ),
        _telephone,
    ),
    (re.compile(r"(?<![\w.-])\d{3}-(?:\d{2}-)?\d{4}(?![\w-])"), _telephone),
    (re.compile(r"(?<![\w.])1-[89]\d\d(?:-(?:[A-Z]+|\d+))+(?!\w)"), _telephone),
    (re.compile(r"(?<![\w.])\+\d{1,3}(?:[ -]?\(?\d{2,4}\)?){2,4}(?!\w)"), _telephone),
    (re.compile(r"\bssn\b"), _acronym_number),
    (re.compile(r"(?<![\w/])24/7(?![\w/])"), lambda _match: "twenty four seven"),
)
RULES: tuple[Rule, ...] = (
    (re.compile(r"(?<![\w.:])(\d+):(\d+)(?![\w:])"), _ratio),
    (re.compile(r"(?<![\w.])(\d{4})\s?[-–]\s?(\d{4})(?![\w-])"), _year_range),
    (re.compile(r"(?<![\w.])(\d{1,3}(?:,\d{3})+|\d+)(st|nd|rd|th)\b", re.IGNORECASE), _ordinal),
    (re.compile(rf"\b((?i:{'|'.join(NUMBERED.split())})\.?) ([IVXLC]+)\b"), _numbered),
    (re.compile(rf"\b((?i:{'|'.join(KINGS.split())})) ([IVX]+)\b"), _king),
    (re.compile(r"(?<![\w.])(?:No\.|Nr\.|№|#)\s?(?=\d)"), lambda _match: "number "),
    (
        re.compile(
            r"(?<!\w)(?=[\w/-]{0,60}[A-Za-z])(?=[\w/-]{0,60}\d)[A-Za-z0-9]+(?:[-/][A-Za-z0-9]+)*(?!\w)"
        ),
        _serial,
    ),
    (re.compile(rf"(?<![\w.-])({NUMBER})\s?[-–]\s?({NUMBER})(?![\w-]|\.\d)"), _range),
    (re.compile(rf"{_FREE}{SIGN}{NUMBER}(?!\d)"), _number),
    (
        re.compile(rf"(?<=[/.,]){NUMBER}|\d+"),
        lambda match: whole_words(match[0]) if match[0].isdigit() else signed(match[0]),
    ),
    (re.compile(r"(?<=\d)\s?([=+×÷<>≤≥±≈])\s?(?=\d)"), _sign),
    (re.compile(r"(?<![\w>])([=+≤≥±~≈<>])\s?(?=\d)"), _sign),
    (re.compile(r"(?<=\w)\s+([=+×÷≤≥≈])\s+(?=\w)"), _sign),
    (re.compile(r"(?<=\w)\s?&\s?(?=\w)"), lambda _match: " and "),
    (re.compile(rf"(?<![\w.])(?:{_any(TITLES)})(?=\s+[A-Z])"), _title),
    (re.compile(r"(?<=[a-z] )St(?:\.|\b)(?!\s+[A-Z][a-z]+ (?:Street|St))"), _street),
    (re.compile(r"\bSt\.?(?=\s+[A-Z])"), lambda _match: "Saint"),
    (re.compile(rf"(?<![\w.])(?:{_any(ENDING)})(?!\w)"), _ending),
    (re.compile(rf"(?<![\w./])(?:{_any(INSIDE)})(?![\w])", re.IGNORECASE), _inside),
)
