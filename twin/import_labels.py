"""The words of an import: names of tables and fields, rows as they will read, what is wrong with some."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from django.utils import formats
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from twin.rules.importing.babybuddy import CHOICES, Found, Problem
from twin.rules.importing.units import BOOK, QUANTITY, SHOWN

TABLE_LABELS: Mapping[str, Any] = {
    "child": gettext_lazy("Children"),
    "tag": gettext_lazy("Tags"),
    "bmi": gettext_lazy("BMI"),
    "weight": gettext_lazy("Weight"),
    "height": gettext_lazy("Height"),
    "head": gettext_lazy("Head circumference"),
    "temperature": gettext_lazy("Temperature"),
    "note": gettext_lazy("Notes"),
    "medication": gettext_lazy("Medicine doses"),
    "sleep": gettext_lazy("Sleep"),
    "feeding": gettext_lazy("Feeding"),
    "diaper": gettext_lazy("Diaper changes"),
    "tummy": gettext_lazy("Tummy time"),
    "pumping": gettext_lazy("Pumping"),
}
FIELD_LABELS: Mapping[str, Any] = {
    "minutes": gettext_lazy("Duration"),
    "nap": gettext_lazy("Nap"),
    "type": gettext_lazy("What was fed"),
    "method": gettext_lazy("How it was fed"),
    "amount": gettext_lazy("Amount"),
    "wet": gettext_lazy("Wet"),
    "solid": gettext_lazy("Solid"),
    "color": gettext_lazy("Colour"),
}
OPTION_LABELS: Mapping[str, Any] = {
    "breast milk": gettext_lazy("breast milk"),
    "formula": gettext_lazy("formula"),
    "fortified breast milk": gettext_lazy("fortified breast milk"),
    "solid food": gettext_lazy("solid food"),
    "bottle": gettext_lazy("bottle"),
    "left breast": gettext_lazy("left breast"),
    "right breast": gettext_lazy("right breast"),
    "both breasts": gettext_lazy("both breasts"),
    "parent fed": gettext_lazy("fed by a parent"),
    "self fed": gettext_lazy("ate by itself"),
    "black": gettext_lazy("black"),
    "brown": gettext_lazy("brown"),
    "green": gettext_lazy("green"),
    "yellow": gettext_lazy("yellow"),
}
REASONS: Mapping[str, Any] = {
    "no_child": gettext_lazy("no child is named"),
    "unknown_child": gettext_lazy("the child is not known"),
    "not_a_time": gettext_lazy("no date or time can be read"),
    "not_a_number": gettext_lazy("no number can be read"),
    "not_yes_or_no": gettext_lazy("neither yes nor no"),
    "ends_before_start": gettext_lazy("ends before it begins"),
    "too_long": gettext_lazy("lasts longer than a day"),
    "nothing_said": gettext_lazy("says nothing"),
    "unknown_choice": gettext_lazy("an unknown choice is left out"),
    "unlikely": gettext_lazy("an unlikely number: is the unit right?"),
    "moved_time": gettext_lazy("the clock skipped this time; it is moved past the jump"),
    "unknown_tag": gettext_lazy("a tag without a name is left out"),
    "cut": gettext_lazy("a very long text is cut"),
}
TROUBLES: Mapping[str, Any] = {
    "not_text": gettext_lazy("This is no text file in Unicode."),
    "not_a_table": gettext_lazy("This is no table."),
    "unknown_table": gettext_lazy("Its columns are no known table’s."),
    "empty": gettext_lazy("There is nothing in it."),
}
REFUSALS: Mapping[str, Any] = {
    "too_large": gettext_lazy("The files are larger than 20 MB together."),
    "too_many_rows": gettext_lazy("The files hold more than 100,000 rows together. Bring them in by parts."),
    "too_many_files": gettext_lazy("These are more than 100 files."),
    "broken_archive": gettext_lazy("The ZIP file is broken."),
    "locked_archive": gettext_lazy("The ZIP file is locked with a password. Unpack it first."),
    "no_file": gettext_lazy("There is no CSV file in it."),
}
FAILURES: Mapping[str, Any] = {
    "AlreadyHere": gettext_lazy("Somebody in this file is in the book already."),
    "other_format": gettext_lazy("This is no export of a Hearthbook."),
    "newer_version": gettext_lazy("A newer Hearthbook made this file. Update the box first."),
    "broken_file": gettext_lazy("The file is damaged."),
    "BadZipFile": gettext_lazy("The file is damaged."),
    "NotTheirs": gettext_lazy("You are no parent of somebody you chose."),
}
FIELDS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "sleep": (("minutes", "duration"), ("nap", "yes_no")),
    "feeding": (("minutes", "duration"), ("type", "choice"), ("method", "choice"), ("amount", "number")),
    "diaper": (("wet", "yes_no"), ("solid", "yes_no"), ("color", "choice"), ("amount", "number")),
    "tummy": (("minutes", "duration"),),
    "pumping": (("minutes", "duration"), ("amount", "number")),
}
ICONS: Mapping[str, str] = dict.fromkeys(FIELDS, "check")


def trackable_fields(table: str) -> list[dict[str, Any]]:
    """The typed fields of a counted table, in the language of whoever brings it in."""
    return [_field(table, key, kind) for key, kind in FIELDS[table]]


def _field(table: str, key: str, kind: str) -> dict[str, Any]:
    field: dict[str, Any] = {"key": key, "name": str(FIELD_LABELS[key]), "kind": kind}
    if kind == "choice":
        field["options"] = [str(OPTION_LABELS[one]) for one in CHOICES[key]]
    if key == "amount" and table != "diaper":
        field["unit"] = "ml"
    return field


def trackable_values(found: Found, fields: list[dict[str, Any]]) -> dict[str, Any]:
    """The values of a row as the fields of its trackable spell them, whatever language they were made in."""
    spelled = {
        (field["key"], code): option
        for field in fields
        if field["kind"] == "choice"
        for code, option in zip(CHOICES.get(field["key"], ()), field["options"], strict=False)
    }
    known = {field["key"] for field in fields}
    return {key: spelled.get((key, str(value)), value) for key, value in found.values.items() if key in known}


def measured_words(found: Found, zone: str) -> str:
    """A measured row in one sentence, the number as it was written beside that of the book."""
    unit = BOOK.get(QUANTITY[found.table], "")
    said = _with_unit(found.measured, unit)
    if found.unit != unit:
        said = f"{said} ({_with_unit(found.number, found.unit)})"
    words = f"{TABLE_LABELS[found.table]}: {said}"
    return f"{words}. {found.note}" if found.note else words


def clock_of(found: Found, zone: str) -> str | None:
    """The time of day a row names, on the clock of the file."""
    return None if found.at is None else f"{found.at.astimezone(ZoneInfo(zone)):%H:%M}"


def row_words(found: Found, zone: str) -> str:
    """One row as it will read."""
    if found.measured is not None:
        return measured_words(found, zone)
    if found.table == "medication":
        return " ".join(filter(None, (found.name, _with_unit(found.number, found.unit), found.note)))
    if found.table == "note":
        return found.note
    parts = [_value_words(key, value) for key, value in found.values.items()]
    return " · ".join(filter(None, [*parts, found.note]))


def _value_words(key: str, value: Any) -> str:
    if key == "minutes":
        return _("%(minutes)d min") % {"minutes": value}
    if isinstance(value, bool):
        return str(FIELD_LABELS[key]) if value else ""
    if isinstance(value, str):
        return str(OPTION_LABELS.get(value, value))
    return formats.number_format(value, use_l10n=True)


def problem_words(problem: Problem) -> str:
    """What is wrong with a row."""
    words = str(REASONS[problem.reason])
    return f"{problem.column}: {words}" if problem.column else words


def _with_unit(number: Decimal | None, unit: str) -> str:
    if number is None:
        return ""
    plain = format(number.normalize(), "f") if number else "0"
    return f"{formats.localize(Decimal(plain), use_l10n=True)} {SHOWN.get(unit, unit)}".strip()
