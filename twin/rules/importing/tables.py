"""The tables of a Baby Buddy export, recognised by their headers in any order. Pure.

Baby Buddy's own import and export (`babybuddy/models` and `core/admin.py` of its source) name the columns;
an export has ids and the child's names, a file written for its import need have neither.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Literal

TableName = Literal[
    "child",
    "tag",
    "bmi",
    "weight",
    "height",
    "head",
    "temperature",
    "note",
    "medication",
    "sleep",
    "feeding",
    "diaper",
    "tummy",
    "pumping",
]
ROW_COLUMNS = frozenset({"id", "child_id", "child_first_name", "child_last_name", "notes", "tags"})


@dataclass(frozen=True)
class Table:
    """A table: the columns a file must have to be it, and those it may have beside."""

    name: TableName
    needs: frozenset[str]
    may: frozenset[str] = field(default_factory=frozenset)

    @property
    def columns(self) -> frozenset[str]:
        """Every column that is known of it."""
        return self.needs | self.may | (frozenset() if self.name in ("child", "tag") else ROW_COLUMNS)


def _table(name: TableName, needs: str, may: str = "") -> Table:
    return Table(name, frozenset(needs.split()), frozenset(may.split()))


# From the most telling to the least: the first whose columns are all there is it.
TABLES: tuple[Table, ...] = (
    _table("child", "first_name last_name birth_date", "id birth_time slug picture"),
    _table("medication", "child_id time name dosage", "dosage_unit next_dose_interval"),
    _table("feeding", "child_id start end type method", "amount"),
    _table("diaper", "child_id time wet solid", "color amount"),
    _table("sleep", "child_id start end nap"),
    _table("tummy", "child_id start end milestone"),
    _table("pumping", "child_id amount start end"),
    _table("pumping", "child_id amount time"),
    _table("bmi", "child_id bmi date"),
    _table("weight", "child_id weight date"),
    _table("height", "child_id height date"),
    _table("head", "child_id head_circumference date"),
    _table("temperature", "child_id temperature time"),
    _table("note", "child_id note time", "image"),
    _table("sleep", "child_id start end"),
    _table("tag", "name color", "id slug last_used child_id child_first_name child_last_name"),
)
# The column each measured table measures.
MEASURED: Mapping[str, str] = {
    "bmi": "bmi",
    "weight": "weight",
    "height": "height",
    "head": "head_circumference",
    "temperature": "temperature",
}


def recognise(header: Collection[str]) -> Table | None:
    """The table whose columns these are, None where they are no table's."""
    names = {name.strip().casefold() for name in header}
    return next((table for table in TABLES if table.needs <= names), None)


def unknown_columns(table: Table, header: Collection[str]) -> tuple[str, ...]:
    """Columns of a file that mean nothing here; they are reported, and nothing of them is taken over."""
    return tuple(name for name in header if name and name not in table.columns)
