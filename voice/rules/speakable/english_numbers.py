"""English number words: cardinals, ordinals, years, digits, fractions, roman numerals."""

from __future__ import annotations

import re

ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
TENS = ["_", "_", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
SCALES = [
    "",
    "thousand",
    "million",
    "billion",
    "trillion",
    "quadrillion",
    "quintillion",
    "sextillion",
    "septillion",
    "octillion",
    "nonillion",
    "decillion",
]
ORDINALS = {
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}
PARTS = {2: ("half", "halves"), 4: ("quarter", "quarters")}
MOST_DIGITS = 33
_ROMAN = re.compile(r"M{0,3}(CM|CD|D?C{0,3})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})")
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


def _below_hundred(number: int) -> list[str]:
    if number < 20:
        return [ONES[number]] if number else []
    return [TENS[number // 10]] + ([ONES[number % 10]] if number % 10 else [])


def _below_thousand(number: int) -> list[str]:
    hundreds = [ONES[number // 100], "hundred"] if number >= 100 else []
    return hundreds + _below_hundred(number % 100)


def cardinal(number: int) -> str:
    """A whole number in words, as in "one hundred twenty three"."""
    if number < 0:
        return f"minus {cardinal(-number)}"
    if number >= 10**MOST_DIGITS:
        return digits(str(number))
    words: list[str] = []
    for scale, name in enumerate(SCALES):
        group = number // 1000**scale % 1000
        if group:
            words = _below_thousand(group) + ([name] if name else []) + words
    return " ".join(words) or "zero"


def ordinal(number: int) -> str:
    """The ordinal in words, as in "twenty first"."""
    head, _, last = cardinal(number).rpartition(" ")
    ends = ORDINALS.get(last) or (f"{last[:-1]}ieth" if last.endswith("y") else f"{last}th")
    return f"{head} {ends}".strip()


def digits(text: str) -> str:
    """Each digit by its name."""
    return " ".join(ONES[int(letter)] for letter in text if letter.isdigit())


def year(number: int) -> str:
    """A year as people say it, as in "nineteen ninety four"; two digits as themselves."""
    century, rest = divmod(number, 100)
    if number < 1000 or number >= 10_000 or (century % 10 == 0 and rest < 10):
        return cardinal(number)
    if rest == 0:
        return f"{cardinal(century)} hundred"
    return f"{cardinal(century)} {'oh ' if rest < 10 else ''}{cardinal(rest)}"


def plural(word: str) -> str:
    """The plural of a number word, as in "eighties"."""
    if word.endswith("y"):
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith("x") else f"{word}s"


def decade(number: int) -> str:
    """A decade as people say it, as in "nineteen eighties"."""
    head, _, last = year(number).rpartition(" ")
    return f"{head} {plural(last)}".strip()


def number_words(text: str) -> str:
    """Written digits, with or without comma groups and a decimal point, in words."""
    plain = text.replace(",", "").replace(" ", "")
    whole, dot, fraction = plain.partition(".")
    said = whole_words(whole) if whole else ""
    return f"{said} point {digits(fraction)}".strip() if dot and fraction else said


def whole_words(text: str) -> str:
    """A run of digits as a cardinal; one that begins with a needless zero digit by digit."""
    return digits(text) if len(text) > 1 and text[0] == "0" else cardinal(int(text))


def fraction(above: int, below: int, whole: int | None = None) -> str:
    """A fraction in words, as in "two and a half", "five halves"."""
    if whole is not None and (above, below) == (1, 2):
        return f"{cardinal(whole)} and a half"
    if below == 1:
        said = f"{cardinal(above)} over one"
    else:
        one, many = PARTS.get(below) or (ordinal(below), plural(ordinal(below)))
        said = f"{cardinal(above)} {one if above == 1 else many}"
    return said if whole is None else f"{cardinal(whole)} and {said}"


def roman(text: str) -> int | None:
    """The value of a roman numeral in capitals, None where it is none."""
    if not text or not _ROMAN.fullmatch(text):
        return None
    values = [_ROMAN_VALUES[letter] for letter in text]
    return sum(-v if v < max(values[i + 1 :], default=0) else v for i, v in enumerate(values))
