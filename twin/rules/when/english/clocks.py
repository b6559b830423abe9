"""English clock times, and the part of the day or clock time that may follow a day."""

from __future__ import annotations

from dataclasses import dataclass

from twin.rules.when.english import words as w
from twin.rules.when.english.parts import unit_at, whole_number
from twin.rules.when.tokens import Line

MERIDIEMS = frozenset({"am", "pm"})


CONNECTORS = frozenset({"at", "around", "about", "by", ",", "-", "(", ")", "on", "in", "the", "from", "after",
                        "before", "during", "since", "late", "early", "for"})  # fmt: skip


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
    if unit_at(line, hour[1]) or (
        side in ("to", "after") and number and line.at(hour[1]) not in ("am", "pm", "in")
    ):
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
    """A part of the day or clock time that may follow a day ("night", "at 11:30"): its minute, its end."""
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
