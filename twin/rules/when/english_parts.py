"""The pieces English time words are made of: numbers, amounts, clocks, parts of the day, tails."""

from __future__ import annotations

from dataclasses import dataclass

from twin.rules.when import english_words as w
from twin.rules.when.calendar import RANK, Quantity
from twin.rules.when.tokens import APOSTROPHES, Line, near

HALF_SIGN = "1\u20442"  # a half sign, folded
MERIDIEMS = frozenset({"am", "pm"})
CONNECTORS = frozenset({"at", "around", "about", "by", ",", "-", "(", ")", "on", "in", "the", "from", "after",
                        "before", "during", "since", "late", "early", "for"})  # fmt: skip


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
    value = w.NUMBERS.get(word)
    if value is None:
        return None
    after = i + 1
    if value >= 20:
        step = after + 1 if line.at(after) == "-" else after
        small = w.NUMBERS.get(line.at(step), 0) if line.at(step) not in ("a", "an") else 0
        return (value + small, step + 1) if 1 <= small <= 9 else (value, after)
    return value, after


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
    "montsh": "month", "mounths": "month", "monts": "month", "monhts": "month", "horus": "hour", "huors": "hour",
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


def vague_length(line: Line, i: int) -> int:
    """How many tokens from `i` say an amount that fixes no number ("a few")."""
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
        return (Quantity(w.UNITS[unit][0], vague=True), after + 1) if plural else None
    return amount(value, unit), after + 1


def _sum(one: Quantity, other: Quantity) -> Quantity:
    finer = min((one, other), key=lambda q: RANK[q.unit])
    return Quantity(finer.unit, one.months + other.months, one.days + other.days, one.minutes + other.minutes)


@dataclass(frozen=True)
class Clock:
    """A clock time: the minute of the day (its morning reading where `sure` is false) and where it ends."""

    minute: int
    end: int
    sure: bool = True


def clock(line: Line, i: int, *, bare: bool = False) -> Clock | None:
    """A clock time from `i` ("5am", "half past three", "noon"); `bare` allows a lone number."""
    if line.at(i) in ("noon", "midday", "lunchtime"):
        return Clock(720, i + 1)
    if line.at(i) == "midnight":
        return Clock(1440, i + 1)
    spoken = _spoken_clock(line, i)
    if spoken:
        return spoken
    word = line.at(i)
    if word.isascii() and word.isdigit() and len(word) <= 2 and int(word) <= 24:
        hour, minute, after, full = int(word), 0, i + 1, False
        if line.at(after) in (":", ".", "h") and line.glued(after) and _is_minute(line, after + 1):
            minute, after, full = int(line.at(after + 1)), after + 2, True
            if line.at(after) == ":" and line.glued(after + 1) and line.at(after + 1).isdigit():
                after += 2
        return _meridiem(line, hour, minute, after, full=full, bare=bare)
    hour_word = w.NUMBERS.get(word, 0)
    if 1 <= hour_word <= 12 and word not in ("a", "an"):
        return _meridiem(line, hour_word, 0, i + 1, full=False, bare=bare)
    return None


def _spoken_clock(line: Line, i: int) -> Clock | None:
    """ "half past three", "quarter to 5", "20 past eight in the evening"."""
    at = i + (line.at(i) == "a")
    number = whole_number(line, at)
    if line.at(at) in ("half", "quarter"):
        past, after = {"half": 30, "quarter": 15}[line.at(at)], at + 1
    elif number and number[0] < 60 and line.at(at) not in ("a", "an"):
        past, after = number
        after += line.at(after) in ("min", "mins", "minutes", "minute")
    else:
        return None
    side = line.at(after)
    hour = whole_number(line, after + 1)
    if side not in ("past", "to", "til", "after") or hour is None or not 1 <= hour[0] <= 12:
        return None
    if unit_at(line, hour[1]) or (side in ("to", "after") and number and line.at(hour[1]) not in ("am", "pm", "in")):
        return None
    minutes = hour[0] * 60 + (past if side in ("past", "after") else -past)
    return _meridiem(line, minutes // 60, minutes % 60, hour[1], full=True, bare=True)


def _is_minute(line: Line, i: int) -> bool:
    word = line.at(i)
    return line.glued(i) and word.isascii() and word.isdigit() and len(word) == 2 and int(word) < 60


def _meridiem(line: Line, hour: int, minute: int, after: int, *, full: bool, bare: bool) -> Clock | None:
    """The clock time with its am, pm, o'clock or part of the day; None where nothing says it is a time."""
    mark, end = line.at(after), after + 1
    if mark in ("a", "p") and (line.follows(after + 1, ".", "m") or line.follows(after + 1, "m")):
        mark, end = mark + "m", after + (3 if line.at(after + 1) == "." else 2)
        end += line.at(end) == "."
    if mark in MERIDIEMS and hour <= 12:
        return Clock(hour % 12 * 60 + minute + (720 if mark == "pm" else 0), end)
    told = mark == "oclock" or line.follows(after, "o", "clock")
    if told:
        after += 1 if mark == "oclock" else 2
    half = _half_of_day(line, hour, minute, after)
    if half:
        return half
    if not (told or full or bare):
        return None
    return Clock(hour * 60 + minute, after, sure=hour > 12 or hour == 0)


def _half_of_day(line: Line, hour: int, minute: int, after: int) -> Clock | None:
    """The clock time read with "in the morning", "at night" and the like after it."""
    if hour > 12:
        return None
    early = hour % 12
    if line.follows(after, "in", "the") and line.at(after + 2) in ("morning", "afternoon", "evening"):
        return Clock(early * 60 + minute + (0 if line.at(after + 2) == "morning" else 720), after + 3)
    if line.follows(after, "at", "night"):
        return Clock((early if early < 5 else early + 12) * 60 + minute, after + 2)
    return None


def tail(line: Line, i: int) -> tuple[int | None, int]:
    """A part of the day or clock time that may follow a day ("night", "at 11:30"): its minute, and the end."""
    step, hops = i, 0
    while line.at(step) in CONNECTORS and hops < 3:
        step, hops = step + 1, hops + 1
    word = line.at(step)
    if word in w.PARTS and word not in MERIDIEMS:
        if word in w.MEALS and not hops:
            return None, i
        more, end = tail(line, step + 1) if hops == 0 else (None, step + 1)
        return (more if more is not None else w.PARTS[word] * 60), end
    if word in MERIDIEMS and not hops:
        return w.PARTS[word] * 60, step + 1
    if word == "midnight" and hops:
        return None, step + 1
    read = clock(line, step, bare=line.at(step - 1) in ("at", "around", "by", "for"))
    if read is None or (not hops and not read.sure):
        return None, i
    if unit_at(line, read.end) or line.at(read.end) in ("times", "%", "years"):
        return None, i
    return read.minute, read.end
