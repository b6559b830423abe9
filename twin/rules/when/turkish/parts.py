"""The pieces Turkish time words are made of: stems and suffixes, numbers, amounts, clocks, day parts."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from twin.rules.when.calendar import RANK, Quantity
from twin.rules.when.tokens import Line, edits
from twin.rules.when.turkish import words as w


@dataclass(frozen=True)
class Amount:
    """A spoken amount, where it ends, the case of its last unit and that unit's stem."""

    quantity: Quantity
    end: int
    case: str
    unit: str


def spell(word: str, raw: str) -> str:
    """The closed-vocabulary word meant by a slip of the thumb, its suffix kept; else the word itself."""
    if word in w.SPELLINGS:
        return w.SPELLINGS[word]
    if not 6 <= len(word) <= 18:
        return word
    for base in w.FUZZY_STEMS:
        if word[0] != base[0] or word.startswith(base):
            continue
        for length in (len(base), len(base) - 1, len(base) + 1):
            if word[length:] in w.SUFFIXES and edits(word[:length], base) == 1:
                return base + word[length:]
    return word


def stem(word: str, table: Container[str]) -> tuple[str, str] | None:
    """The word of `table` that `word` is a form of, with its case."""
    for length in range(len(word), 1, -1):
        if word[:length] in table and word[length:] in w.SUFFIXES:
            return word[:length], w.SUFFIXES[word[length:]]
    return None


def figure_case(line: Line, end: int) -> tuple[str, int]:
    """The case a number takes from the suffix glued to it ("2023'ten"), and where it ends."""
    if line.glued(end) and line.at(end) in w.SUFFIXES:
        return w.SUFFIXES[line.at(end)], end + 1
    return "nom", end


def whole_number(line: Line, i: int) -> tuple[int, int] | None:
    """A whole number in digits or plain words from `i`, with the position after it."""
    word = line.at(i)
    if word.isascii() and word.isdigit() and len(word) <= 4:
        return int(word), i + 1
    value = w.NUMBERS.get(word)
    if value is None:
        return None
    if value >= 10 and 1 <= w.NUMBERS.get(line.at(i + 1), 0) <= 9 and line.at(i + 1) != "bi":
        return value + w.NUMBERS[line.at(i + 1)], i + 2
    return value, i + 1


def inflected_number(line: Line, i: int) -> tuple[int, str, int] | None:
    """A number that carries a suffix ("22'sinde", "yirmi ikisinde", "beşte"): value, case, end."""
    word = line.at(i)
    if word.isascii() and word.isdigit() and len(word) <= 2:
        case, end = figure_case(line, i + 1)
        return int(word), case, end
    tens = w.NUMBERS.get(word, 0)
    if tens >= 10:
        small = stem(line.at(i + 1), w.NUMBERS)
        if small and 1 <= w.NUMBERS[small[0]] <= 9:
            return tens + w.NUMBERS[small[0]], small[1], i + 2
    one = stem(word, w.NUMBERS) or (stem(word, {"dord"}) and ("dort", w.SUFFIXES[word[4:]]))
    return (w.NUMBERS[one[0]], one[1], i + 1) if one else None


def _value(line: Line, i: int) -> tuple[float | None, int] | None:
    vague = next((len(words) for words in w.VAGUE_NUMBERS if line.follows(i, *words)), 0)
    if vague:
        return None, i + vague
    if line.at(i) in ("yarim", "yarm"):
        return 0.5, i + 1
    found = whole_number(line, i)
    if found is None:
        return None
    value, end = found
    if line.at(end) == "bucuk":
        return value + 0.5, end + 1
    if line.at(end) in (",", ".") and line.glued(end) and line.glued(end + 1) and line.at(end + 1).isdigit():
        return float(f"{value}.{line.at(end + 1)[:3]}"), end + 2
    step = end + (line.at(end) in ("-", "~", "/", "ila", "veya", "ya"))
    step += line.at(step) == "da"
    other = whole_number(line, step)
    if other and not line.at(i - 1).isdigit() and (step > end or (value < 10 and other[0] < 10)):
        return None, other[1]
    return value, end


def _unit(line: Line, i: int) -> tuple[str, str] | None:
    found = stem(line.at(i), w.UNITS)
    if found and found[0] == "ay" and line.at(i) in ("ayi", "aya") and not line.at(i - 1).isdigit():
        return found
    return found


def amount(value: float, unit: str) -> Quantity:
    """`value` of a unit; halves fall to the next smaller unit."""
    precision, months, days, minutes = w.UNITS[unit]
    if value == int(value):
        whole = int(value)
        return Quantity(precision, whole * months, whole * days, whole * minutes)
    if months:
        spare = round((value * months - int(value * months)) * 30)
        return Quantity("month" if not spare else "week", int(value * months), spare, 0)
    if days:
        return Quantity("day", 0, int(value * days), int(value * days * 1440) % 1440)
    return Quantity("day", 0, 0, int(value * minutes))


def quantity(line: Line, i: int) -> Amount | None:
    """An amount of time from `i` ("iki hafta 3 gün", "bir buçuk aydır"), hedges skipped."""
    start = i
    while line.at(i) in w.HEDGES and i - start < 3:
        i += 1
    total = _one(line, i)
    for _ in range(5):
        if total is None or total.case not in ("nom", "loc") or total.quantity.vague:
            break
        step = total.end + (line.at(total.end) in ("ve", ","))
        more = _one(line, step)
        if more is None or more.quantity.vague or RANK[more.quantity.unit] > RANK[total.quantity.unit]:
            break
        one, other = total.quantity, more.quantity
        finer = min((one, other), key=lambda q: RANK[q.unit])
        summed = Quantity(
            finer.unit, one.months + other.months, one.days + other.days, one.minutes + other.minutes
        )
        total = Amount(summed, more.end, more.case, more.unit)
    return total


def _one(line: Line, i: int) -> Amount | None:
    read = _value(line, i)
    if read is None:
        return None
    value, end = read
    unit = _unit(line, end)
    if unit is None:
        return None
    end += 1
    if line.at(end) == "bucuk" or (unit[0] in ("gece", "sabah", "aksam") and unit[1] == "nom" and value == 1):
        return None
    size = Quantity(*w.UNITS[unit[0]], vague=True) if value is None else amount(value, unit[0])
    return Amount(size, end, unit[1], unit[0])


def clock(line: Line, i: int, *, led: bool) -> tuple[int | None, int] | None:
    """A clock time from `i` ("saat 16:30", "5te", "beş buçukta"): its minute where told, and the end."""
    at = i + (line.at(i) in ("saat", "saati"))
    led = led or at > i
    figures = _figures(line, at, led=led)
    if figures:
        return figures
    read = inflected_number(line, at)
    if read is None or not 0 <= read[0] <= 24:
        return None
    value, case, end = read
    half = stem(line.at(end), {"bucuk", "bucug"})
    if half and (led or half[1] in ("loc", "abl")):
        return value * 60 + 30, _about(line, end + 1)
    if not led:
        bare = line.at(at).isdigit() and line.at(end - 1) in ("de", "da", "te", "ta") and end == at + 2
        return (value * 60, end) if bare and not _is_share(line, end, value) else None
    if case in ("loc", "dat", "abl", "poss") or at > i or line.at(end) in ABOUT:
        return value * 60, _about(line, end)
    return None


def _figures(line: Line, at: int, *, led: bool) -> tuple[int | None, int] | None:
    """Hours and minutes in figures; with a dot only where a lead word or a case says it is a clock."""
    hour, sign, minute = line.at(at), line.at(at + 1), line.at(at + 2)
    if not (hour.isascii() and hour.isdigit() and len(hour) <= 2 and int(hour) <= 24 and sign in (":", ".")):
        return None
    if not (minute.isascii() and minute.isdigit() and len(minute) == 2 and int(minute) < 60):
        return None
    if not (line.glued(at + 1) and line.glued(at + 2)):
        return None
    case, end = figure_case(line, at + 3)
    if sign == "." and not led and case not in ("loc", "dat"):
        return None
    sure = int(hour) > 12 or led or case == "loc"
    return (int(hour) * 60 + int(minute) if sure else None), _about(line, end)


def _is_share(line: Line, i: int, whole: int) -> bool:
    """Whether "5'te" goes on as a share ("5'te biri")."""
    part_of = int(line.at(i)[:4]) if line.at(i).isdigit() else whole
    return line.at(i).startswith(("bir", "iki", "uc")) or part_of < whole


ABOUT = frozenset({"gibi", "sularinda", "civari", "civarinda", "dogru", "sulari"})


def _about(line: Line, end: int) -> int:
    return end + (line.at(end) in ABOUT)


def part(line: Line, i: int) -> tuple[str, str, int] | None:
    """A part of the day from `i`: its name, case and end ("öğleden sonra", "gecesinden", "sabaha karşı")."""
    if line.at(i) in ("ogleden", "oglenden") and line.at(i + 1) in ("sonra", "sonradan", "sonrasi", "once"):
        case = "abl" if line.at(i + 1) == "sonradan" else "nom"
        return ("aksamustu" if line.at(i + 1) != "once" else "sabah"), case, i + 2
    if line.at(i) == "sabaha" and line.at(i + 1) in ("karsi", "dogru"):
        return "dawn", "nom", i + 2
    if line.at(i) == "gece" and line.at(i + 1).startswith("yaris"):
        found = stem(line.at(i + 1), {"yaris", "yari"})
        return "midnight", (found[1] if found else "nom"), i + 2
    if line.at(i) == "aksam" and line.at(i + 1) in ("ustu", "uzeri"):
        return "aksamustu", "nom", i + 2
    found = stem(line.at(i), w.PARTS)
    if found is None or found[1] in ("plural", "lik", "dir", "inst"):
        return None
    return found[0], found[1], i + 1


def day_tail(line: Line, i: int, case: str) -> tuple[int | None, str, int]:
    """A part of the day or clock that follows a day: its minute, the case at the end, and the end."""
    end, minute = i, None
    if line.at(end) in (",", "-", ")", "(") and (part(line, end + 1) or line.at(end + 1) == "saat"):
        end += 1
    noun = stem(line.at(end), {"gun", "tarih"})
    if (
        noun
        and noun[1] in ("poss", "loc", "abl", "dat", "nom", "gen")
        and line.at(end) not in ("gun", "gunde")
    ):
        case, end = noun[1], end + 1
    named = part(line, end)
    if named:
        minute, case, end = w.PARTS.get(named[0], 4) * 60, named[1], named[2]
    told = clock(line, end, led=named is not None or line.at(end) == "saat")
    if told:
        if told[0] is not None:
            minute = (
                told[0] + 720 if named and named[0] in ("aksam", "aksamustu") and told[0] < 720 else told[0]
            )
        case, end = "loc", told[1]
    return minute, case, end
