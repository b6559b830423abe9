"""The forms of an import: its files, then the zone, the units and who is who."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from household.forms import zone_choices
from twin.import_labels import TABLE_LABELS
from twin.rules.importing.babybuddy import Child
from twin.rules.importing.mapping import NEEDS, PARTS, ColumnMap
from twin.rules.importing.units import Units

UNIT_CHOICES: Mapping[str, Sequence[tuple[str, Any]]] = {
    "weight": [
        ("kg", gettext_lazy("kilograms")),
        ("lb", gettext_lazy("pounds")),
        ("g", gettext_lazy("grams")),
        ("oz", gettext_lazy("ounces")),
    ],
    "length": [("cm", gettext_lazy("centimetres")), ("in", gettext_lazy("inches"))],
    "temperature": [("C", gettext_lazy("degrees Celsius")), ("F", gettext_lazy("degrees Fahrenheit"))],
    "volume": [("ml", gettext_lazy("millilitres")), ("oz", gettext_lazy("fluid ounces"))],
}
UNIT_LABELS: Mapping[str, Any] = {
    "weight": gettext_lazy("Weights are in"),
    "length": gettext_lazy("Lengths are in"),
    "temperature": gettext_lazy("Temperatures are in"),
    "volume": gettext_lazy("Amounts of milk are in"),
}
LEAVE = "leave"


class ChooseForm(forms.Form):
    """What no file says: the zone of its times, the units of its numbers, and which subject each child is."""

    def __init__(
        self,
        *,
        children: Sequence[Child],
        subjects: Sequence[tuple[int, str]],
        chosen: Mapping[str, Any],
        zone: str,
        data: Any = None,
    ) -> None:
        super().__init__(data)
        self.children = children
        self.fields["zone"] = forms.ChoiceField(
            label=_("Time zone of the files"), choices=zone_choices(), initial=chosen.get("zone", zone)
        )
        units = chosen.get("units", {})
        for name, options in UNIT_CHOICES.items():
            self.fields[name] = forms.ChoiceField(
                label=UNIT_LABELS[name], choices=options, initial=units.get(name, getattr(Units(), name))
            )
        options_of_child = [
            ("", _("Choose")),
            *((str(pk), name) for pk, name in subjects),
            ("new", _("A new child in the book")),
            (LEAVE, _("Nobody: leave these rows out")),
        ]
        who = chosen.get("children", {})
        for number, child in enumerate(children):
            self.fields[f"child-{number}"] = forms.ChoiceField(
                label=_("Who is %(child)s?") % {"child": child_words(child)},
                choices=options_of_child,
                initial=who.get(child.source, ""),
            )

    def choices(self) -> dict[str, Any]:
        """What was chosen, as the batch remembers it."""
        said = self.cleaned_data
        who = {child.source: said[f"child-{n}"] for n, child in enumerate(self.children)}
        return {
            "zone": said["zone"],
            "units": {name: said[name] for name in UNIT_CHOICES},
            "children": {source: "" if one == LEAVE else one for source, one in who.items()},
        }


def child_words(child: Child) -> str:
    """How a child of the files is called."""
    if child.name and child.number:
        return _("%(name)s (number %(number)s)") % {"name": child.name, "number": child.number}
    return child.name or _("child number %(number)s") % {"number": child.number}


class ColumnsForm(forms.Form):
    """What a table of another program is, and which of its columns says what."""

    def __init__(self, *, header: Sequence[str], data: Any = None) -> None:
        super().__init__(data)
        self.fields["table"] = forms.ChoiceField(
            label=_("What the table holds"), choices=[(one, TABLE_LABELS[one]) for one in NEEDS]
        )
        self.fields["order"] = forms.ChoiceField(label=_("Its dates are written"), choices=ORDER_CHOICES)
        columns = [("", _("Not in this table")), *((one, one) for one in header if one)]
        for part in PARTS:
            self.fields[part] = forms.ChoiceField(label=PART_LABELS[part], choices=columns, required=False)

    def clean(self) -> dict[str, Any]:
        """Every part the table needs is named. Raises ValidationError."""
        said = super().clean() or {}
        if said.get("table") in NEEDS:
            for part in self.column_map().missing:
                self.add_error(part, _("This table needs it."))
        return said

    def column_map(self) -> ColumnMap:
        """What was said."""
        said = self.cleaned_data
        columns = {part: said[part] for part in PARTS if said.get(part)}
        return ColumnMap(said["table"], columns, said.get("order", "iso"))


ORDER_CHOICES = [
    ("iso", gettext_lazy("year, month, day (2025-01-31)")),
    ("dmy", gettext_lazy("day, month, year (31.01.2025)")),
    ("mdy", gettext_lazy("month, day, year (01/31/2025)")),
]
PART_LABELS: Mapping[str, Any] = {
    "when": gettext_lazy("Day or time (of something lasting: its beginning)"),
    "end": gettext_lazy("Its end"),
    "value": gettext_lazy("The measured number"),
    "amount": gettext_lazy("Amount"),
    "name": gettext_lazy("Name of the medicine"),
    "dosage": gettext_lazy("How much of it"),
    "dosage_unit": gettext_lazy("In which unit"),
    "note": gettext_lazy("A text beside it"),
    "tags": gettext_lazy("Tags, with commas between"),
}
