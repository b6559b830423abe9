"""Turkish number words: cardinals, ordinals, digits, fractions, and the endings that join them."""

from __future__ import annotations

ONES = ["sıfır", "bir", "iki", "üç", "dört", "beş", "altı", "yedi", "sekiz", "dokuz"]
TENS = ["_", "on", "yirmi", "otuz", "kırk", "elli", "altmış", "yetmiş", "seksen", "doksan"]
SCALES = [
    "",
    "bin",
    "milyon",
    "milyar",
    "trilyon",
    "katrilyon",
    "kentilyon",
    "sekstilyon",
    "septilyon",
    "oktilyon",
]
MOST_DIGITS = 30
VOWELS = "aeıioöuü"
# The ordinal's ending follows the last vowel, after a vowel without its own.
ORDINAL_ENDS = {
    "a": "ıncı",
    "ı": "ıncı",
    "e": "inci",
    "i": "inci",
    "o": "uncu",
    "u": "uncu",
    "ö": "üncü",
    "ü": "üncü",
}
LOCATIVES = {"a": "da", "ı": "da", "o": "da", "u": "da", "e": "de", "i": "de", "ö": "de", "ü": "de"}
HARD = "fstkçşhp"


def _below_thousand(number: int) -> list[str]:
    hundreds, rest = divmod(number, 100)
    words = [] if not hundreds else ["yüz"] if hundreds == 1 else [ONES[hundreds], "yüz"]
    words += [TENS[rest // 10]] if rest >= 10 else []
    return words + ([ONES[rest % 10]] if rest % 10 else [])


def cardinal(number: int) -> str:
    """A whole number in words, as in "bin iki yüz elli"."""
    if number < 0:
        return f"eksi {cardinal(-number)}"
    if number >= 10**MOST_DIGITS:
        return digits(str(number))
    words: list[str] = []
    for scale, name in enumerate(SCALES):
        group = number // 1000**scale % 1000
        if group:
            said = [] if scale == 1 and group == 1 else _below_thousand(group)
            words = said + ([name] if name else []) + words
    return " ".join(words) or ONES[0]


def last_vowel(word: str) -> str:
    """The vowel that the next ending follows."""
    return next((letter for letter in reversed(word) if letter in VOWELS), "e")


def ordinal(number: int) -> str:
    """The ordinal in words, as in "birinci", "dördüncü"."""
    said = cardinal(number)
    ending = ORDINAL_ENDS[last_vowel(said)]
    if said[-1] in VOWELS:
        return said + ending[1:]
    return soften(said) + ending


def soften(said: str) -> str:
    """The stem before an ending that begins with a vowel: only "dört" changes."""
    return said[:-1] + "d" if said.endswith("dört") else said


def joined(said: str, ending: str) -> str:
    """A number word with the ending written after its apostrophe, as in "beşte", "dördü"."""
    ending = ending.lower().replace("i̇", "i")
    return (soften(said) if ending[:1] in VOWELS else said) + ending


def in_harmony(said: str, ending: str) -> str:
    """An ending with its vowels following the word it joins: "TL'ye" is said "liraya"."""
    tuned = ""
    for letter in ending:
        vowel = last_vowel(said + tuned)
        if letter in "ae":
            tuned += LOCATIVES[vowel][-1]
        elif letter in "ıiuü":
            tuned += ORDINAL_ENDS[vowel][0]
        else:
            tuned += letter
    return tuned


def locative(said: str) -> str:
    """The word with "in it", as in "dörtte", "onda"."""
    ending = LOCATIVES[last_vowel(said)]
    return said + ("t" + ending[1:] if said[-1] in HARD else ending)


def digits(text: str) -> str:
    """Each digit by its name."""
    return " ".join(ONES[int(letter)] for letter in text if letter.isdigit())


def whole_words(text: str) -> str:
    """A run of digits as a cardinal; leading zeros are said."""
    bare = text.lstrip("0")
    zeros = [ONES[0]] * (len(text) - len(bare))
    return " ".join([*zeros, cardinal(int(bare))] if bare else zeros)


def number_words(text: str) -> str:
    """Written digits with dots between thousands and a decimal comma (or point), in words."""
    whole, fraction = split_decimal(text)
    said = whole_words(whole or "0")
    return f"{said} virgül {whole_words(fraction)}" if fraction else said


def split_decimal(text: str) -> tuple[str, str]:
    """The whole and the decimal digits of a written number."""
    if "," in text:
        whole, _, fraction = text.partition(",")
        return whole.replace(".", ""), fraction
    head, dot, tail = text.rpartition(".")
    if dot and (len(tail) != 3 or not head or head.startswith("0")):
        return head.replace(".", ""), tail
    return text.replace(".", ""), ""


def fraction(above: int, below: int) -> str:
    """A fraction in words, as in "dörtte üç"; a half and a quarter by their names."""
    named = {(1, 2): "yarım", (1, 4): "çeyrek"}.get((above, below))
    return named or f"{locative(cardinal(below))} {cardinal(above)}"


_ROMAN = {"I": 1, "II": 2, "III": 3, "IV": 4, "V": 5, "VI": 6, "VII": 7, "VIII": 8, "IX": 9, "X": 10,
          "XI": 11, "XII": 12, "XIII": 13, "XIV": 14, "XV": 15, "XVI": 16, "XVII": 17, "XVIII": 18,
          "XIX": 19, "XX": 20, "XXI": 21}  # fmt: skip


def roman(text: str) -> int | None:
    """The value of a roman numeral up to 21, None for any other text."""
    return _ROMAN.get(text)
