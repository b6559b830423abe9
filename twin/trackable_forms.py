"""The forms of trackables and quick logs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from household.rules.text import sanitise
from twin.daily_forms import WhenForm
from twin.daily_shown import KIND_LABELS, TRACKABLE_ICONS
from twin.models import Trackable
from twin.rules.trackables import (
    FIELDS_MOST,
    NAME_LONGEST,
    WHOLE_RANGES,
    InvalidTrackable,
    TrackedField,
    parse_fields,
)

ROWS_SHOWN = 3
WRONG_FIELDS = {
    "only_and_always_for_choice": _("Name the choices, separated by commas."),
    "two_to_twelve": _("Two to twelve choices, separated by commas."),
    "option_twice": _("One choice stands there twice."),
    "not_a_short_text": _("At most 60 letters each."),
}


class TrackableForm(forms.Form):
    """What to count: a name, an icon, for whom, and one to eight fields."""

    client_id = forms.CharField(max_length=64, widget=forms.HiddenInput)
    name = forms.CharField(label=_("What do you want to count?"), max_length=NAME_LONGEST)
    icon = forms.ChoiceField(
        label=_("Icon"),
        choices=list(TRACKABLE_ICONS.items()),
        initial="check",
        widget=forms.RadioSelect,
    )
    subjects = forms.TypedMultipleChoiceField(
        label=_("For whom?"), coerce=int, widget=forms.CheckboxSelectMultiple
    )

    def __init__(
        self, *args: Any, parents_of: Iterable[tuple[int, str]], has_entries: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.fields["subjects"].choices = list(parents_of)  # type: ignore[attr-defined]
        self.has_entries = has_entries
        self.rows_count = 0 if has_entries else self._add_rows()

    def _add_rows(self) -> int:
        sent = len([name for name in self.data if name.startswith("kind_")])
        known = len([name for name in self.initial if name.startswith("kind_")])
        count = min(FIELDS_MOST, max(ROWS_SHOWN, sent, known + 1))
        kinds = list(KIND_LABELS.items())
        for n in range(count):
            choices = kinds if n == 0 else [("", _("Nothing more")), *kinds]
            self.fields[f"kind_{n}"] = forms.ChoiceField(
                label=_("What is noted"), choices=choices, required=n == 0
            )
            self.fields[f"label_{n}"] = forms.CharField(
                label=_("Name of the field"), required=False, max_length=NAME_LONGEST
            )
            self.fields[f"unit_{n}"] = forms.CharField(
                label=_("Unit of a number"), required=False, max_length=NAME_LONGEST
            )
            self.fields[f"options_{n}"] = forms.CharField(
                label=_("Choices, separated by commas"), required=False, max_length=800
            )
        return count

    @property
    def rows(self) -> list[list[forms.BoundField]]:
        """The fields of each row."""
        parts = ("kind", "label", "unit", "options")
        return [[self[f"{part}_{n}"] for part in parts] for n in range(self.rows_count)]

    def clean(self) -> dict[str, Any]:
        """Put the definition's fields in their stored form."""
        given = {**(super().clean() or {})}
        if self.has_entries or self.errors:
            return given
        wanted = [n for n in range(self.rows_count) if given.get(f"kind_{n}")]
        given["fields"] = [self._field(given, n) for n in wanted]
        try:
            parse_fields(given["fields"])
        except InvalidTrackable as wrong:
            self._blame(wrong, wanted)
        return given

    def _field(self, given: dict[str, Any], n: int) -> dict[str, Any]:
        kind = given[f"kind_{n}"]
        field: dict[str, Any] = {
            "key": f"f{n + 1}",
            "name": sanitise(given.get(f"label_{n}") or given.get("name") or ""),
            "kind": kind,
        }
        if kind == "number" and given.get(f"unit_{n}"):
            field["unit"] = sanitise(given[f"unit_{n}"])
        if kind == "choice":
            options = sanitise(given.get(f"options_{n}") or "").split(",")
            field["options"] = [option.strip() for option in options if option.strip()]
        return field

    def _blame(self, wrong: InvalidTrackable, wanted: Sequence[int]) -> None:
        parts = wrong.path.split(".")
        n = wanted[int(parts[1])] if len(parts) > 1 else 0
        part = {"options": "options", "unit": "unit"}.get(parts[-1], "label")
        self.add_error(
            f"{part}_{n}", WRONG_FIELDS.get(wrong.code, _("That does not fit. Look it over once more."))
        )


def trackable_initial(row: Trackable, subject_ids: Iterable[int]) -> dict[str, Any]:
    """A definition as its form shows it."""
    initial: dict[str, Any] = {"name": row.name, "icon": row.icon, "subjects": list(subject_ids)}
    for n, field in enumerate(parse_fields(row.fields)):
        initial |= {f"kind_{n}": field.kind, f"label_{n}": field.name, f"unit_{n}": field.unit}
        initial[f"options_{n}"] = ", ".join(field.options)
    return initial


class EntryForm(WhenForm):
    """One entry of a trackable: whatever was noted of it, and when."""

    def __init__(self, *args: Any, fields: Sequence[TrackedField], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.tracked = fields
        for field in fields:
            self.fields[f"value_{field.key}"] = _value_field(field)

    @property
    def value_fields(self) -> list[forms.BoundField]:
        """The fields of the trackable, in its order."""
        return [self[f"value_{field.key}"] for field in self.tracked]

    def clean(self) -> dict[str, Any]:
        """Put the values together; at least one is there."""
        given = super().clean()
        values = {field.key: given.pop(f"value_{field.key}", None) for field in self.tracked}
        given["values"] = {key: value for key, value in values.items() if value not in (None, "")}
        if not given["values"] and not self.errors:
            self.add_error(f"value_{self.tracked[0].key}", _("Say at least one of them."))
        return given


def _value_field(field: TrackedField) -> forms.Field:
    common: dict[str, Any] = {"label": field.name, "required": False}
    match field.kind:
        case "number":
            number = forms.NumberInput(attrs={"inputmode": "decimal", "step": "any"})
            label = f"{field.name} ({field.unit})" if field.unit else field.name
            return forms.FloatField(**{**common, "label": label}, widget=number)
        case "count" | "duration":
            low, high = WHOLE_RANGES[field.kind]
            label = (
                _now("%(name)s, in minutes") % {"name": field.name}
                if field.kind == "duration"
                else field.name
            )
            number = forms.NumberInput(attrs={"inputmode": "numeric"})
            return forms.IntegerField(
                **{**common, "label": label}, min_value=low, max_value=high, widget=number
            )
        case "scale":
            levels = [(level, str(level)) for level in range(1, 6)]
            return forms.TypedChoiceField(
                **common, choices=levels, coerce=int, empty_value=None, widget=forms.RadioSelect
            )
        case "yes_no":
            return forms.TypedChoiceField(
                **common,
                choices=[("yes", _("Yes")), ("no", _("No"))],
                coerce=lambda value: value == "yes",
                empty_value=None,
                widget=forms.RadioSelect,
            )
        case _:
            return forms.ChoiceField(
                **common, choices=[(option, option) for option in field.options], widget=forms.RadioSelect
            )


class QuickLogForm(forms.Form):
    """One action for one button."""

    client_id = forms.CharField(max_length=64, widget=forms.HiddenInput)
    action = forms.ChoiceField(label=_("What one press does"))
    label = forms.CharField(
        label=_("Name of the button"),
        max_length=60,
        required=False,
        help_text=_("Left empty, it is called after what it does."),
    )

    def __init__(
        self, *args: Any, choices: Sequence[tuple[str, list[tuple[str, str]]]], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.fields["action"].choices = list(choices)  # type: ignore[attr-defined]
