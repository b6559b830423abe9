"""A table of any program, its columns named by a person, as a table that is known. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from twin.rules.importing.babybuddy import Row
from twin.rules.importing.bundle import Sheet
from twin.rules.importing.digests import content_key
from twin.rules.importing.tables import MEASURED, TABLES, TableName

Order = Literal["iso", "dmy", "mdy"]
ORDERS: tuple[Order, ...] = ("iso", "dmy", "mdy")
PARTS = ("when", "end", "value", "amount", "name", "dosage", "dosage_unit", "note", "tags")
# What a table must be given, and what each part is called in it.
NEEDS: Mapping[TableName, tuple[str, ...]] = {
    **dict.fromkeys(("weight", "height", "head", "bmi", "temperature"), ("when", "value")),
    "note": ("when", "note"),
    "medication": ("when", "name"),
    "sleep": ("when", "end"),
    "tummy": ("when", "end"),
    "feeding": ("when", "end"),
    "pumping": ("when", "amount"),
}
STARTS = ("sleep", "tummy", "feeding")
_DAY = re.compile(r"\s*(\d{1,2})[./-](\d{1,2})[./-](\d{4}|\d{2})\b[,T]?(.*)\Z", re.S)


@dataclass(frozen=True)
class ColumnMap:
    """Which table a sheet is, which of its columns is which part, and how its dates are written."""

    table: TableName
    columns: Mapping[str, str]  # part -> the sheet's column
    order: Order = "iso"

    @property
    def missing(self) -> tuple[str, ...]:
        """Parts the table needs and nobody named."""
        return tuple(part for part in NEEDS[self.table] if not self.columns.get(part))


def sheet_key(sheet: Sheet) -> str:
    """What a sheet is remembered by: its file's name and its columns."""
    return content_key(dict.fromkeys(sheet.header, "x"), sheet.file)


def mapped(sheet: Sheet, said: ColumnMap) -> Sheet:
    """The sheet as the table it was said to be; its rows are about one child, called like the file."""
    table = next(one for one in TABLES if one.name == said.table)
    who = sheet.file.rsplit(".", 1)[0]
    rows = tuple(Row(row.line, _values(row, said, who)) for row in sheet.rows)
    used = set(said.columns.values())
    unknown = tuple(name for name in sheet.header if name not in used)
    return replace(sheet, table=table, rows=rows, unknown=unknown, trouble="")


def _values(row: Row, said: ColumnMap, who: str) -> dict[str, str]:
    values = {"child_id": "1", "child_first_name": who}
    for part, column in said.columns.items():
        text = row.get(column)
        values[_name_of(part, said.table)] = to_iso(text, said.order) if part in ("when", "end") else text
    return values


def _name_of(part: str, table: TableName) -> str:
    """What a part is called in a table."""
    if part == "when":
        is_day = table in MEASURED and table != "temperature"
        return "date" if is_day else "start" if table in STARTS else "time"
    if part == "value":
        return MEASURED.get(table, "value")
    if part == "note":
        return "note" if table == "note" else "notes"
    return part


def to_iso(text: str, order: Order) -> str:
    """A date as the table's program wrote it, as ISO 8601 writes it; what is no such date stays."""
    found = _DAY.match(text)
    if order == "iso" or found is None:
        return text
    first, second, year, rest = found.groups()
    day, month = (first, second) if order == "dmy" else (second, first)
    clock = rest.strip()
    clock = f"0{clock}" if re.match(r"\d:", clock) else clock
    whole = int(year) + 2000 if len(year) == 2 else int(year)
    return f"{whole:04}-{int(month):02}-{int(day):02} {clock}".strip()
