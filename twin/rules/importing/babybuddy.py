"""The rows of a Baby Buddy export as what the book keeps of them, bad rows with their line and reason. Pure.

Numbers become the book's units; what was written as text stays text, a leading "=" or "+" included. Nothing
here knows a subject: a row names its child by the child's number in the file.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import partial
from typing import Literal
from zoneinfo import ZoneInfo

from twin.rules.importing import units as measures
from twin.rules.importing.digests import child_digest, content_key, row_digest
from twin.rules.importing.tables import MEASURED, TableName
from twin.rules.importing.times import NotATime, instant, interval, is_twice, parse_date, parse_time
from twin.rules.importing.units import NotANumber, Units, parse_number

Reason = Literal[
    "no_child",
    "unknown_child",
    "not_a_time",
    "not_a_number",
    "not_yes_or_no",
    "ends_before_start",
    "too_long",
    "nothing_said",
    "unknown_choice",
    "unlikely",
    "moved_time",
    "unknown_tag",
    "cut",
]
KEPT: frozenset[Reason] = frozenset({"unknown_choice", "unlikely", "moved_time", "unknown_tag", "cut"})

LONGEST = timedelta(days=1)
LONGEST_NOTE = 20_000
CHOICES: Mapping[str, tuple[str, ...]] = {
    "type": ("breast milk", "formula", "fortified breast milk", "solid food"),
    "method": ("bottle", "left breast", "right breast", "both breasts", "parent fed", "self fed"),
    "color": ("black", "brown", "green", "yellow"),
}
YES, NO = frozenset({"1", "true", "yes"}), frozenset({"0", "false", "no", ""})


@dataclass(frozen=True)
class Row:
    """One row of a file: its line (the header is line 1), its columns."""

    line: int
    values: Mapping[str, str]

    def get(self, name: str) -> str:
        """A column without blanks around it, empty where it is not there."""
        return self.values.get(name, "").strip()


@dataclass(frozen=True)
class Problem:
    """A row and what is wrong with it; a kept row came over, without what the reason names."""

    file: str
    line: int
    reason: Reason
    column: str = ""

    @property
    def is_kept(self) -> bool:
        """Whether the row came over all the same."""
        return self.reason in KEPT


@dataclass(frozen=True)
class Child:
    """A child of the files: its number there, its name and birthday where they say them.

    One number under two names is two children: files of two houses may lie in one folder.
    """

    number: str
    name: str = ""
    born_on: date | None = None

    @property
    def source(self) -> str:
        """The digest it is remembered by."""
        return child_digest(number=self.number, name=self.name)


@dataclass(frozen=True)
class Found:
    """What one row says. `at` is an instant, `on` a day; values are of the table's fields."""

    table: TableName
    child: Child
    line: int
    digest: str
    at: datetime | None = None
    on: date | None = None
    values: Mapping[str, bool | int | float | str] = field(default_factory=dict)
    number: Decimal | None = None  # as written
    measured: Decimal | None = None  # in the unit of the book
    note: str = ""
    tags: tuple[str, ...] = ()
    name: str = ""  # of a medicine
    unit: str = ""
    hours: float | None = None  # between two doses


@dataclass(frozen=True)
class Settings:
    """What the person said before anything is read: the zone, the units, the tags' names."""

    zone: str
    units: Units
    tags: Mapping[str, str] = field(default_factory=dict)
    children: Mapping[tuple[str, str], Child] = field(default_factory=dict)  # number and name -> child


Doubt = Callable[[Reason, str], None]


class _Bad(ValueError):
    def __init__(self, reason: Reason, column: str = "") -> None:
        super().__init__(reason)
        self.reason: Reason = reason
        self.column = column


def _doubt(doubts: list[Problem], file: str, line: int, reason: Reason, column: str) -> None:
    doubts.append(Problem(file, line, reason, column))


def row_name(row: Row) -> str:
    """The child's name as a row says it."""
    return " ".join(f"{row.get('child_first_name')} {row.get('child_last_name')}".split())


def read_table(
    table: TableName, rows: Sequence[Row], *, file: str, settings: Settings
) -> tuple[tuple[Found, ...], tuple[Problem, ...]]:
    """What the rows of one table say, in the file's order, and what is wrong with some of them."""
    found: list[Found] = []
    problems: list[Problem] = []
    folds, ordinals = second_passes(rows, settings.zone), Counter[str]()
    for row in rows:
        doubts: list[Problem] = []
        doubt = partial(_doubt, doubts, file, row.line)
        try:
            one = _read(table, row, settings, folds.get(row.line, 0), doubt)
        except _Bad as bad:
            problems.append(Problem(file, row.line, bad.reason, bad.column))
            continue
        key = content_key(row.values, one.child.source)
        ordinals[key] += 1
        number = row.get("id") if one.child.name else ""  # a nameless child 1 may be anybody's
        digest = row_digest(one.child.source, table, number, key, ordinals[key])
        found.append(replace(one, digest=digest))
        problems += doubts
    return tuple(found), tuple(problems)


def second_passes(rows: Sequence[Row], zone: str) -> dict[int, int]:
    """Lines whose time is the second pass: of rows of one child at one ambiguous time all but the first.

    The lower number came first; without numbers the row further down did, since exports are newest first.
    """
    same: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        text = row.get("time") or row.get("start")
        try:
            naive = parse_time(text)
        except NotATime:
            continue
        if naive.tzinfo is None and is_twice(naive, zone):
            same[row.get("child_id"), text].append(row)
    return {row.line: 1 for group in same.values() if len(group) > 1 for row in sorted(group, key=_age)[1:]}


def _age(row: Row) -> tuple[int, int]:
    number = row.get("id")
    return (int(number), 0) if number.isascii() and number.isdigit() else (0, -row.line)


def _read(table: TableName, row: Row, settings: Settings, fold: int, doubt: Doubt) -> Found:
    if not row.get("child_id"):
        raise _Bad("no_child", "child_id")
    child = settings.children.get((row.get("child_id"), row_name(row)))
    if child is None:
        raise _Bad("unknown_child", "child_id")

    base = Found(
        table,
        child,
        row.line,
        "",
        note=_note(row, "notes", doubt),
        tags=tuple(_tags(row, settings.tags, doubt)),
    )
    return _READERS[table](base, row, settings, fold, doubt)


def _measure(base: Found, row: Row, settings: Settings, fold: int, doubt: Doubt) -> Found:
    column = MEASURED[base.table]
    quantity = measures.QUANTITY[base.table]
    number = _number(row, column)
    value = measures.to_book(number, quantity, settings.units.of(quantity))
    if not measures.is_likely(base.table, value):
        doubt("unlikely", column)
    done = replace(base, number=number, measured=value, unit=settings.units.of(quantity))
    if base.table == "temperature":
        return replace(done, at=_instant(row, "time", settings, fold, doubt))
    try:
        return replace(done, on=parse_date(row.get("date")))
    except NotATime:
        raise _Bad("not_a_time", "date") from None


def _note_row(base: Found, row: Row, settings: Settings, fold: int, doubt: Doubt) -> Found:
    words = _note(row, "note", doubt)
    if not words:
        raise _Bad("nothing_said", "note")
    return replace(base, at=_instant(row, "time", settings, fold, doubt), note=words)


def _medication(base: Found, row: Row, settings: Settings, fold: int, doubt: Doubt) -> Found:
    name = row.get("name")
    if not name:
        raise _Bad("nothing_said", "name")
    return replace(
        base,
        at=_instant(row, "time", settings, fold, doubt),
        name=name[:120],
        number=_number(row, "dosage") if row.get("dosage") else None,
        unit=row.get("dosage_unit")[:20],
        hours=_hours(row.get("next_dose_interval")),
    )


def _diaper(base: Found, row: Row, settings: Settings, fold: int, doubt: Doubt) -> Found:
    values: dict[str, bool | int | float | str] = {
        "wet": _yes(row, "wet"),
        "solid": _yes(row, "solid"),
        **_choices(row, ("color",), doubt),
        **_amount(row, None),
    }
    return replace(base, at=_instant(row, "time", settings, fold, doubt), values=values)


def _lasting(base: Found, row: Row, settings: Settings, fold: int, doubt: Doubt) -> Found:
    if base.table == "pumping" and row.get("time"):
        at, minutes = _instant(row, "time", settings, fold, doubt), None
    else:
        at, minutes = _minutes(row, settings, fold, doubt)
    values: dict[str, bool | int | float | str] = {} if minutes is None else {"minutes": minutes}
    if base.table == "sleep" and row.get("nap"):
        values["nap"] = _yes(row, "nap")
    if base.table == "feeding":
        values |= _choices(row, ("type", "method"), doubt)
    if base.table in ("feeding", "pumping"):
        values |= _amount(row, settings.units.volume)
    if not values:
        raise _Bad("nothing_said", "amount")
    milestone = _note(row, "milestone", doubt)
    return replace(base, at=at, values=values, note="\n".join(filter(None, (milestone, base.note))))


Reader = Callable[[Found, Row, Settings, int, Doubt], Found]
_READERS: Mapping[str, Reader] = {
    **dict.fromkeys(MEASURED, _measure),
    "note": _note_row,
    "medication": _medication,
    "diaper": _diaper,
    **dict.fromkeys(("sleep", "feeding", "tummy", "pumping"), _lasting),
}


def _minutes(row: Row, settings: Settings, fold: int, doubt: Doubt) -> tuple[datetime, int]:
    start, end = _written(row, "start"), _written(row, "end")
    begin, finish = interval(start, end, zone=settings.zone, fold=fold)
    _note_jump(start, begin, settings, doubt, "start")
    if finish < begin:
        raise _Bad("ends_before_start", "end")
    if finish - begin > LONGEST:
        raise _Bad("too_long", "end")
    return begin, round((finish - begin).total_seconds() / 60)


def _instant(row: Row, column: str, settings: Settings, fold: int, doubt: Doubt) -> datetime:
    written = _written(row, column)
    at = instant(written, zone=settings.zone, fold=fold)
    _note_jump(written, at, settings, doubt, column)
    return at


def _note_jump(written: datetime, at: datetime, settings: Settings, doubt: Doubt, column: str) -> None:
    if written.tzinfo is None and at.astimezone(ZoneInfo(settings.zone)).replace(tzinfo=None) != written:
        doubt("moved_time", column)


def _written(row: Row, column: str) -> datetime:
    try:
        return parse_time(row.get(column))
    except NotATime:
        raise _Bad("not_a_time", column) from None


def _number(row: Row, column: str) -> Decimal:
    try:
        return parse_number(row.get(column))
    except NotANumber:
        raise _Bad("not_a_number", column) from None


def _amount(row: Row, unit: str | None) -> dict[str, float]:
    if not row.get("amount"):
        return {}
    number = _number(row, "amount")
    return {"amount": float(measures.to_book(number, "volume", unit) if unit else number)}


def _yes(row: Row, column: str) -> bool:
    text = row.get(column).casefold()
    if text not in YES | NO:
        raise _Bad("not_yes_or_no", column)
    return text in YES


def _choices(row: Row, columns: Sequence[str], doubt: Doubt) -> dict[str, str]:
    said: dict[str, str] = {}
    for column in columns:
        text = row.get(column).casefold()
        if text in CHOICES[column]:
            said[column] = text
        elif text:
            doubt("unknown_choice", column)
    return said


def _tags(row: Row, names: Mapping[str, str], doubt: Doubt) -> Iterator[str]:
    for tag in filter(None, (one.strip() for one in row.get("tags").split(","))):
        if tag in names:
            yield names[tag][:60]
        elif names and tag.isdigit():
            doubt("unknown_tag", "tags")
        else:
            yield tag[:60]


def _note(row: Row, column: str, doubt: Doubt) -> str:
    text = row.get(column).replace("\r\n", "\n")
    if len(text) > LONGEST_NOTE:
        doubt("cut", column)
    return text[:LONGEST_NOTE]


_CLOCK = re.compile(r"(?:(\d+) (?:days?,? )?)?(\d+):(\d\d)(?::(\d\d))?(?:\.\d+)?\Z")


def _hours(text: str) -> float | None:
    """Hours of an interval such as "6:00:00" or "1 12:00:00"; None where it says none that is possible."""
    found = _CLOCK.match(text)
    if found is None:
        return None
    days, hours, minutes, _seconds = (int(part or 0) for part in found.groups())
    total = days * 24 + hours + minutes / 60
    return total if 0.5 <= total <= 24 * 60 else None
