"""The forms of a re-measurement: one for each step of the wizard, and the one that keeps it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.formats import number_format
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from twin.rules.drift import FIELDS, InvalidProfile, ProfileField, Value, fields_of, validate_profile


@dataclass(frozen=True)
class Step:
    """One page of the wizard: what it is about, and the fields it asks for."""

    key: str
    title: Any
    help: Any
    icon: str
    names: tuple[str, ...]


ALL_STEPS = (
    Step("body", _("Body"), _("A scale and a look are enough."), "metabolic_weight", ("weight_kg", "bcs")),
    Step(
        "food",
        _("Food and drink"),
        _("What a usual day holds, not today."),
        "food",
        ("food_g", "water_ml", "appetite", "foods_accepted"),
    ),
    Step(
        "toilet",
        _("Toilet"),
        _("How often on a usual day, and what it usually looks like."),
        "stool",
        ("stool_per_day", "stool_form", "urine_per_day"),
    ),
    Step(
        "rest",
        _("Sleep and movement"),
        _("Over a day and a night, roughly."),
        "sleep",
        ("sleep_hours", "night_wakings", "activity_min"),
    ),
    Step(
        "mood",
        _("Energy and mood"),
        _("How it usually is these weeks."),
        "energy",
        ("energy", "mood", "meltdowns_per_week", "words_or_signs_per_day"),
    ),
)

_LITTLE_TO_MUCH = (
    _("1 · very low"),
    _("2 · low"),
    _("3 · middle"),
    _("4 · high"),
    _("5 · very high"),
)
LEVELS: Mapping[str, tuple[Any, ...]] = {
    "appetite": _LITTLE_TO_MUCH,
    "energy": _LITTLE_TO_MUCH,
    "mood": (
        _("1 · very low"),
        _("2 · low"),
        pgettext_lazy("mood", "3 · even"),
        pgettext_lazy("mood", "4 · good"),
        pgettext_lazy("mood", "5 · very good"),
    ),
    "stool_form": (
        pgettext_lazy("stool", "1 · hard lumps"),
        pgettext_lazy("stool", "2 · hard"),
        pgettext_lazy("stool", "3 · firm, cracked"),
        pgettext_lazy("stool", "4 · smooth, formed"),
        pgettext_lazy("stool", "5 · soft pieces"),
        pgettext_lazy("stool", "6 · mushy"),
        pgettext_lazy("stool", "7 · watery"),
    ),
    "bcs": (
        pgettext_lazy("body condition", "1 · wasted"),
        pgettext_lazy("body condition", "2 · very thin"),
        pgettext_lazy("body condition", "3 · thin"),
        pgettext_lazy("body condition", "4 · lean"),
        pgettext_lazy("body condition", "5 · just right"),
        pgettext_lazy("body condition", "6 · a little heavy"),
        pgettext_lazy("body condition", "7 · heavy"),
        pgettext_lazy("body condition", "8 · very heavy"),
        pgettext_lazy("body condition", "9 · obese"),
    ),
}
NOT_MEASURED = ("", _("not measured"))
FAULTS: Mapping[str, Any] = {
    "not_a_number": _("Enter a number."),
    "not_whole": _("Enter a whole number."),
}


def steps_for(species: str) -> tuple[Step, ...]:
    """The steps of the wizard for this species, each with only the fields it has."""
    has = {field.name for field in fields_of(species)}
    steps = (Step(s.key, s.title, s.help, s.icon, tuple(n for n in s.names if n in has)) for s in ALL_STEPS)
    return tuple(step for step in steps if step.names)


def shown_value(name: str, value: Value | None) -> str:
    """A measured value in words, as the reader's language writes it; a dash where there is none."""
    if value is None:
        return "–"
    if name in LEVELS:
        return str(LEVELS[name][int(value) - 1])
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return str(number_format(text, decimal_pos=len(text.partition(".")[2])))


class NumberField(forms.FloatField):
    """A number written with a point or a comma."""

    def to_python(self, value: Any) -> Any:
        """The number, whichever sign parts its decimals."""
        return super().to_python(value.replace(",", ".") if isinstance(value, str) else value)


class StepForm(forms.Form):
    """The fields of one step; every one of them may be left out."""

    def __init__(
        self,
        data: Any,
        *,
        species: str,
        step: Step,
        values: Mapping[str, Value],
        last: Mapping[str, Value],
    ) -> None:
        self.species, self.step = species, step
        super().__init__(data, initial={name: _typed(values.get(name)) for name in step.names})
        for name in step.names:
            self.fields[name] = _field(FIELDS[name], last.get(name))

    def clean(self) -> dict[str, Any]:
        """Hold what was typed against the rules of each field."""
        given = {**(super().clean() or {})}
        for name in self.step.names:
            if given.get(name) is not None:
                self._check(name, given[name])
        return given

    def measured(self) -> dict[str, Value]:
        """What was measured in this step; a field left out is not in it."""
        given = {n: self.cleaned_data[n] for n in self.step.names if self.cleaned_data.get(n) is not None}
        return validate_profile(self.species, given)

    def _check(self, name: str, value: Value) -> None:
        try:
            validate_profile(self.species, {name: value})
        except InvalidProfile as fault:
            self.add_error(name, FAULTS.get(fault.code) or _range_text(FIELDS[name]))


class KeepForm(forms.Form):
    """The last step: on which day it was measured."""

    measured_on = forms.DateField(
        label=_("Measured on"), widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
    )

    def __init__(self, data: Any, *, today: dt.date) -> None:
        super().__init__(data, initial={"measured_on": today})


def _typed(value: Value | None) -> str:
    return "" if value is None else f"{value:.3f}".rstrip("0").rstrip(".")


def _range_text(field: ProfileField) -> str:
    low, high = (number_format(f"{end:.3f}".rstrip("0").rstrip(".")) for end in (field.low, field.high))
    return _now("Enter a number from %(low)s to %(high)s.") % {"low": low, "high": high}


def _field(field: ProfileField, last: Value | None) -> forms.Field:
    label, help_text = _(field.label), ""
    if last is not None:
        help_text = _now("Last time: %(value)s") % {"value": shown_value(field.name, last)}
    if field.kind == "ordinal":
        levels = [(str(n), text) for n, text in enumerate(LEVELS[field.name], start=int(field.low))]
        return forms.TypedChoiceField(
            label=label,
            help_text=help_text,
            required=False,
            coerce=int,
            empty_value=None,
            choices=[NOT_MEASURED, *levels],
            widget=forms.RadioSelect,
        )
    mode = "numeric" if field.is_whole else "decimal"
    return NumberField(
        label=label,
        help_text=help_text,
        required=False,
        widget=forms.TextInput(attrs={"inputmode": mode, "autocomplete": "off"}),
        error_messages={"invalid": FAULTS["not_a_number"]},
    )
