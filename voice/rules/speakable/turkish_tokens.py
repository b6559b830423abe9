"""Turkish: addresses and telephone numbers, dates and times, ordinals, numbers, signs, abbreviations."""

from __future__ import annotations

import re

from voice.rules.speakable.pieces import Rule
from voice.rules.speakable.turkish_measures import ENDING, NUMBER, SIGN, signed, with_ending
from voice.rules.speakable.turkish_numbers import cardinal, digits, number_words, ordinal, roman, whole_words
from voice.rules.speakable.turkish_units import ENDING as ENDING_WORDS
from voice.rules.speakable.turkish_units import INSIDE, MONTHS, SHORT_MONTHS, TITLES

_MON = "|".join([*MONTHS, *(month.lower().replace("i̇", "i") for month in MONTHS), *SHORT_MONTHS])
_FREE = r"(?<![\w.,:/-])"
_UPPER = "A-ZÇĞİÖŞÜ"
_LOWER = "a-zçğıöşüâîû"
# A number with a dot before one of these names a place in a row, capital or not.
_ROWS = "Gün|Hafta|Ay|Yıl|Doz|Kayıt|Bölüm|Kısım|Madde|Adım|Sınıf|Seviye|Evre|Derece|Kat|Cadde|Sokak|Hastane"
_SIGNS = {"=": "eşittir", "+": "artı", "×": "çarpı", "÷": "bölü", "<": "küçüktür", ">": "büyüktür",
          "≤": "en çok", "≥": "en az", "±": "artı eksi", "~": "yaklaşık", "≈": "yaklaşık",
          "&": "ve"}  # fmt: skip


def _web(match: re.Match[str]) -> str:
    return match[1].removeprefix("www.").replace(".", " nokta ").replace("-", " tire ")


def _mail(match: re.Match[str]) -> str:
    spoken = match[0].replace("@", " et ").replace(".", " nokta ").replace("_", " alt çizgi ")
    return re.sub(r"\d+", lambda run: digits(run[0]), spoken)


def _ip(match: re.Match[str]) -> str:
    return " nokta ".join(whole_words(part) for part in match[0].split("."))


def _telephone(match: re.Match[str]) -> str:
    groups = re.findall(r"\d+", match[0])
    said = ", ".join(whole_words(group) for group in groups)
    return f"artı {said}" if match[0].startswith("+") else said


def _month(text: str) -> str:
    if text in SHORT_MONTHS:
        return SHORT_MONTHS[text]
    return text


def _is_day(day: int, month: int = 1) -> bool:
    return 1 <= day <= 31 and 1 <= month <= 12


def _numeric_date(match: re.Match[str]) -> str | None:
    day, month, year = int(match[1]), int(match[3]), int(match[4])
    if not _is_day(day, month):
        return None
    return with_ending(f"{cardinal(day)} {MONTHS[month - 1]} {cardinal(year)}", match[5])


def _iso_date(match: re.Match[str]) -> str | None:
    year, month, day = int(match[1]), int(match[3]), int(match[4])
    if not _is_day(day, month):
        return None
    return with_ending(f"{cardinal(day)} {MONTHS[month - 1]} {cardinal(year)}", match[5])


def _day_month(match: re.Match[str]) -> str | None:
    if not _is_day(int(match[1])):
        return None
    last = f" ile {cardinal(int(match[2]))}" if match[2] else ""
    year = f" {cardinal(int(match[4]))}" if match[4] else ""
    said = f"{cardinal(int(match[1]))}{last} {_month(match[3])}{year}"
    return with_ending(said, match[5]) if match[4] else said


def _month_year(match: re.Match[str]) -> str:
    return with_ending(f"{_month(match[1])} {cardinal(int(match[2]))}", match[3])


def clock(hour: int, minute: int) -> str | None:
    """A clock time as it is read aloud, as in "on dört otuz", "dokuz sıfır beş"; None for no time of day."""
    if hour > 24 or minute > 59:
        return None
    if minute == 0:
        return cardinal(hour)
    return f"{cardinal(hour)} {'sıfır ' if minute < 10 else ''}{cardinal(minute)}"


def _clock(match: re.Match[str]) -> str | None:
    said = clock(int(match[1]), int(match[2]))
    return None if said is None else with_ending(said, match[3])


def _clock_range(match: re.Match[str]) -> str | None:
    first, last = clock(int(match[1]), int(match[2])), clock(int(match[3]), int(match[4]))
    return with_ending(f"{first} ile {last}", match[5]) if first and last else None


def _long_clock(match: re.Match[str]) -> str | None:
    hour, minute, second = int(match[1]), int(match[2]), int(match[3])
    if hour > 24 or minute > 59 or second > 59:
        return None
    said = f"{cardinal(hour)} saat {cardinal(minute)} dakika {cardinal(second)} saniye"
    return with_ending(said, match[4])


def _ordinal(match: re.Match[str]) -> str:
    return ordinal(int(match[1]))


def _ordinal_ending(match: re.Match[str]) -> str:
    return with_ending(ordinal(int(match[1])), match[2])


def _roman(match: re.Match[str]) -> str | None:
    value = roman(match[1])
    return None if value is None else ordinal(value)


def _range(match: re.Match[str]) -> str:
    first, last = int(match[1]), int(match[2])
    # Neighbours are said side by side, as in "üç dört gün"; a span with its ends named.
    between = " " if last - first == 1 and last <= 10 else " ile "
    return with_ending(f"{cardinal(first)}{between}{cardinal(last)}", match[3])


def _number(match: re.Match[str]) -> str:
    return with_ending(signed(match[1]), match[2])


def _serial(match: re.Match[str]) -> str:
    def run(found: re.Match[str]) -> str:
        left = " " if match[0][: found.start()][-1:].isalpha() else ""
        right = " " if match[0][found.end() :][:1].isalpha() else ""
        text = found[0]
        return left + (digits(text) if len(text) > 4 else whole_words(text)) + right

    return re.sub(r"\d+", run, match[0])


def _score(match: re.Match[str]) -> str:
    return f"{number_words(match[1])} {number_words(match[2])}"


def _sign(match: re.Match[str]) -> str:
    left = " " if match.string[: match.start()][-1:].isalnum() else ""
    return f"{left}{_SIGNS[match[1]]} "


def _after(match: re.Match[str]) -> str:
    return match.string[match.end() :]


def _ending(match: re.Match[str]) -> str:
    is_last = not _after(match).strip() or re.match(rf"\s+(?!No[:.])[{_UPPER}]", _after(match))
    return ENDING_WORDS[match[0]] + ("." if is_last else "")


def _any(table: dict[str, str]) -> str:
    return "|".join(sorted((re.escape(key) for key in table), key=len, reverse=True))


ADDRESSES: tuple[Rule, ...] = (
    (re.compile(r"\bhttps?://([\w.-]+\w)(?:[/?#]\S*[^\s.,;:!?)\]])?/?"), _web),
    (re.compile(r"(?<![\w@])(www\.[\w.-]+\w)(?:/\S*[^\s.,;:!?)\]])?"), _web),
    (re.compile(r"(?<!\w)[\w.+-]+@[\w-]+(?:\.[\w-]+)+"), _mail),
    (re.compile(r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w]|\.\d)"), _ip),
    (re.compile(r"(?<![\w.])(?:\+90[ -]?|0 ?)\(?\d{3}\)?[ -]?\d{3}[ -]?\d{2}[ -]?\d{2}(?!\w)"), _telephone),
    (re.compile(r"(?<![\w.])\d{3}[ -]\d{2}[ -]\d{2}(?![\w-]| \d)"), _telephone),
    (re.compile(r"(?<![\w/])(?:7/24|24/7)(?![\w/])"), lambda _match: "yedi yirmi dört"),
)
DATES: tuple[Rule, ...] = (
    (re.compile(rf"{_FREE}(\d{{4}})([-/.])(\d{{1,2}})\2(\d{{1,2}}){ENDING}(?![\w/-]|\.\d)"), _iso_date),
    (
        re.compile(rf"{_FREE}(\d{{1,2}})([-/.])(\d{{1,2}})\2(\d{{4}}|\d{{2}}){ENDING}(?![\w/-]|\.\d)"),
        _numeric_date,
    ),
    (
        re.compile(
            rf"{_FREE}(\d{{1,2}})(?:\s?[-–]\s?(\d{{1,2}}))?\s+({_MON})\b\.?(?:\s+(\d{{4}})\b{ENDING})?"
        ),
        _day_month,
    ),
    (re.compile(rf"\b({_MON})\b\.?\s+(\d{{4}})\b{ENDING}"), _month_year),
    (re.compile(rf"{_FREE}(\d{{1,2}}):(\d\d):(\d\d){ENDING}(?![\w:])"), _long_clock),
    (
        re.compile(rf"{_FREE}(\d{{1,2}})[:.](\d\d)\s?[-–]\s?(\d{{1,2}})[:.](\d\d){ENDING}(?![\w:]|\.\d)"),
        _clock_range,
    ),
    (re.compile(rf"{_FREE}(\d{{1,2}}):(\d\d){ENDING}(?![\w:])"), _clock),
    (re.compile(rf"(?<=[Ss]aat )(\d{{1,2}})\.(\d\d){ENDING}(?![\w:]|\.\d)"), _clock),
)
RULES: tuple[Rule, ...] = (
    (
        re.compile(rf"(?<![\w.,])(\d+)['’]([ıiuü]?nc[ıiuü])([{_LOWER}]*)\b"),
        lambda m: ordinal(int(m[1])) + m[3],
    ),
    (re.compile(rf"(?<![\w.,])(\d{{1,4}})\.['’]([{_LOWER}]+)"), _ordinal_ending),
    (
        re.compile(rf"(?<![\w.,])(\d{{1,4}})\.(?=\s?(?:ve|veya|ya da|ile|-|–|,)\s?\d+\.\s[{_LOWER}])"),
        _ordinal,
    ),
    (re.compile(rf"(?<![\w.,])(\d{{1,4}})\.(?=\s+(?:[{_LOWER}]|(?:{_ROWS})\b))"), _ordinal),
    (re.compile(rf"(?<![\w.])([IVX]+)\.(?=\s+[{_LOWER}{_UPPER}])"), _roman),
    (re.compile(r"(?<!\w)(?:No\.|No:|Nr\.|№|#)\s?(?=\d)"), lambda _match: "numara "),
    (re.compile(r"(?<![\w.:])(\d+):(\d+)(?![\w:])"), _score),
    (re.compile(rf"(?<![\w.,-])(\d{{1,4}})\s?[-–]\s?(\d{{1,4}}){ENDING}(?![\w-]|[.,]\d)"), _range),
    (
        re.compile(
            rf"(?<!\w)(?=[\w/-]{0, 60}[{_UPPER}{_LOWER}])(?=[\w/-]{0, 60}\d)[\w]+(?:[-/][\w]+)*(?!\w)"
        ),
        _serial,
    ),
    (re.compile(rf"(?<![\w.,/])({SIGN}{NUMBER}){ENDING}(?!\d)"), _number),
    (re.compile(rf"(\d+){ENDING}"), lambda match: with_ending(whole_words(match[1]), match[2])),
    (re.compile(r"(?<=\d)\s?([=+×÷<>≤≥±≈])\s?(?=\d)"), _sign),
    (re.compile(r"(?<![\w>])([=+≤≥±~≈<>])\s?(?=\d)"), _sign),
    (re.compile(r"(?<=\w)\s+([=+×÷≤≥≈&])\s+(?=\w)"), _sign),
    (re.compile(rf"(?<![\w.])(?:{_any(TITLES)})(?=\s+[{_UPPER}])"), lambda match: TITLES[match[0]]),
    (re.compile(rf"(?<![\w.])(?:{_any(ENDING_WORDS)})(?!\w)"), _ending),
    (re.compile(rf"(?<![\w.])(?:{_any(INSIDE)})(?!\w)"), lambda match: INSIDE[match[0]]),
)
