"""English numbers and amounts of time, and the spelling slips of the closed vocabulary."""

from __future__ import annotations

from dataclasses import replace

from twin.rules.when.calendar import RANK, Quantity
from twin.rules.when.english import words as w
from twin.rules.when.tokens import APOSTROPHES, Line, near

HALF_SIGN = "1\u20442"  # a half sign, folded


def spell(word: str, raw: str) -> str:
    """The closed-vocabulary word meant by a slip of the thumb or a possessive, else the word itself."""
    if len(raw) > 3 and raw[-2] in APOSTROPHES and word[:-1] in w.POSSESSIVES:
        return word[:-1]
    if word in w.SPELLINGS:
        return w.SPELLINGS[word]
    if word in w.NEVER_FUZZY or word in w.WEEKDAYS or word in w.MONTHS:
        return word
    return near(word, w.FUZZY) or word


def whole_number(line: Line, i: int) -> tuple[int, int] | None:
    """A whole number in digits or words from `i`, with the position after it."""
    word = line.at(i)
    if word.isascii() and word.isdigit() and len(word) <= 4:
        return int(word), i + 1
    found = _below_hundred(line, i)
    if found is None or line.at(found[1]) != "hundred" or found[0] > 9:
        return found
    rest = _below_hundred(line, found[1] + 1 + (line.at(found[1] + 1) == "and"))
    if rest and line.at(rest[1] - 1) not in ("a", "an"):
        return found[0] * 100 + rest[0], rest[1]
    return found[0] * 100, found[1] + 1


def _below_hundred(line: Line, i: int) -> tuple[int, int] | None:
    value = w.NUMBERS.get(line.at(i))
    if value is None:
        return None
    step = i + 1 + (line.at(i + 1) == "-")
    small = w.NUMBERS.get(line.at(step), 0) if line.at(step) not in ("a", "an") else 0
    return (value + small, step + 1) if value >= 20 and 1 <= small <= 9 else (value, i + 1)


def unit_at(line: Line, i: int) -> str:
    """The unit of time named at `i` (singular), or nothing; a slip of one letter is forgiven."""
    word = line.at(i)
    if word in w.UNITS:
        return word
    if word.endswith("s") and word[:-1] in w.UNITS:
        return word[:-1]
    if line.glued(i) and word in w.GLUED_UNITS and line.at(i - 1).isdigit():
        return w.GLUED_UNITS[word]
    return _SLIPS.get(word, "")


_SLIPS: dict[str, str] = {
    "dys": "day", "dayz": "day", "daus": "day", "dasy": "day", "weks": "week", "wek": "week", "weaks": "week",
    "weeek": "week", "weeeks": "week", "weeka": "week", "weekes": "week", "mnths": "month", "moths": "month",
    "montsh": "month", "mounths": "month", "monts": "month", "monhts": "month", "horus": "hour",
    "huors": "hour",
    "hous": "hour", "yeras": "year", "yeasr": "year", "yars": "year", "minuts": "minute", "mintues": "minute",
    "minuets": "minute", "wks": "week", "mos": "month", "dayss": "day", "ngihts": "night",
}  # fmt: skip


def amount(value: float, unit: str) -> Quantity:
    """`value` of a unit; halves fall to the next smaller unit."""
    precision, months, days, minutes = w.UNITS[unit]
    whole, half = int(value), value - int(value)
    if not half:
        return Quantity(precision, whole * months, whole * days, whole * minutes)
    if months:
        total = value * months
        spare = round((total - int(total)) * 30)
        return Quantity("month" if not spare else "week", int(total), spare, 0)
    if days:
        return Quantity("day", 0, int(value * days), int(value * days * 1440) % 1440)
    return Quantity("day", 0, 0, int(value * minutes))


VAGUE_STARTS = frozenset(words[0] for words in w.VAGUE_NUMBERS)


def vague_length(line: Line, i: int) -> int:
    """How many tokens from `i` say an amount that fixes no number ("a few")."""
    if line.at(i) not in VAGUE_STARTS:
        return 0
    return next((len(words) for words in w.VAGUE_NUMBERS if line.follows(i, *words)), 0)


def _value(line: Line, i: int) -> tuple[float | None, int] | None:
    """A number before a unit: None as value is a vague one; ranges ("2-3", "two or three") are vague."""
    vague = vague_length(line, i)
    if vague:
        return None, i + vague
    if line.at(i) == "half":
        return 0.5, i + 1 + (line.at(i + 1) in ("a", "an", "of"))
    couple = i + 1 if line.at(i) in ("a", "the") else i
    if line.at(couple) in ("couple", "pair"):
        return 2, couple + 1 + (line.at(couple + 1) == "of")
    if line.at(couple) == "dozen":
        return 12, couple + 1
    if line.at(i) == HALF_SIGN:
        return 0.5, i + 1
    found = whole_number(line, i)
    if found is None:
        return None
    value, after = found
    if line.at(i) in ("a", "an") and line.at(after) == "half":
        return 0.5, after + 1 + (line.at(after + 1) in ("a", "an"))
    if (
        line.at(after) in (".", ",")
        and line.glued(after)
        and line.glued(after + 1)
        and line.at(after + 1).isdigit()
    ):
        return float(f"{value}.{line.at(after + 1)[:3]}"), after + 2
    if line.follows(after, "1", "/", "2"):
        return value + 0.5, after + 3
    if value == 1 and line.follows(after, "/", "2") and line.glued(after):
        return 0.5, after + 2
    if line.at(after) == HALF_SIGN:
        return value + 0.5, after + 1
    half = after + (line.at(after) == "and")
    if half > after and line.follows(half, "a", "half"):
        return value + 0.5, half + 2
    if half > after and line.at(half) == "half":
        return value + 0.5, half + 1
    if line.at(after) in ("-", "or", "to", "/", "~"):
        other = whole_number(line, after + 1)
        if other and line.at(i) not in ("a", "an"):
            return None, other[1]
    return value, after


def quantity(line: Line, i: int) -> tuple[Quantity, int] | None:
    """An amount of time from `i` ("two weeks and 3 days", "a year and a half"), hedges skipped."""
    start = i
    while line.at(i) in w.HEDGES and i - start < 3:
        i += 1
    first = _one(line, i)
    if first is None:
        return None
    total, after = first
    if line.at(after) == "or" and line.at(after + 1) in ("two", "three", "2", "3", "so"):
        vague = line.at(after + 1) != "so"
        return (replace(total, vague=vague), after + 2) if not unit_at(line, after + 2) else first
    for _ in range(5):
        step = after + 1 if line.at(after) in ("and", ",") else after
        if line.at(after) == "and" and (line.follows(step, "a", "half") or line.at(step) == "half"):
            more = amount(0.5, unit_at(line, after - 1) or "day")
            total, after = _sum(total, more), step + (2 if line.at(step) == "a" else 1)
            continue
        nxt = _one(line, step)
        if nxt is None or nxt[0].vague or total.vague or line.at(step) == "half":
            break
        if line.at(after) == "," and RANK[nxt[0].unit] >= RANK[total.unit] and not total.is_short:
            break
        total, after = _sum(total, nxt[0]), nxt[1]
    return total, after


def _one(line: Line, i: int) -> tuple[Quantity, int] | None:
    read = _value(line, i)
    if read is None:
        return None
    value, after = read
    if line.at(after) == "-" and line.glued(after):
        after += 1
    for extra in ("full", "whole", "long", "more", "odd", "good", "solid", "or", "so"):
        after += line.at(after) == extra
    unit = unit_at(line, after)
    if not unit or (unit == "second" and line.at(after) == "second"):
        return None
    if value is None:
        plural = line.at(after).endswith("s") or line.at(i) in w.NUMBERS or line.at(i).isdigit()
        return (Quantity(*w.UNITS[unit], vague=True), after + 1) if plural else None
    return amount(value, unit), after + 1


def _sum(one: Quantity, other: Quantity) -> Quantity:
    finer = min((one, other), key=lambda q: RANK[q.unit])
    return Quantity(finer.unit, one.months + other.months, one.days + other.days, one.minutes + other.minutes)
