"""The form that corrects a record: made from the signs its category can hold."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from twin.labels import POLARITY_LABELS, field_label
from twin.models import Record
from twin.rules.categories import SCHEMAS, TEXT_LIMIT, SignField
from twin.rules.entries import SignValue
from twin.services.records import Correction
from twin.sign_names import MEMBERS, TRI

NOT_SAID = ("", _("not said"))
PHRASE_LIMIT = 200


class CorrectionForm(forms.Form):
    """What the record should say: how it looked, each sign, and when."""

    client_id = forms.UUIDField(widget=forms.HiddenInput)
    asserted = forms.TypedChoiceField(
        label=_("How did it look?"),
        required=False,
        empty_value=None,
        choices=[("", _("Not said: let the signs decide")), *POLARITY_LABELS.items()],
        widget=forms.RadioSelect,
    )
    day = forms.DateField(
        label=_("Which day?"),
        required=False,
        help_text=_("Leave it empty when it was longer ago, or no single day."),
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
    )
    started_on = forms.DateField(
        label=_("Since when?"),
        required=False,
        help_text=_("Only if you know the date."),
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
    )
    time_phrase = forms.CharField(
        label=_("When, in words"),
        required=False,
        max_length=PHRASE_LIMIT,
        help_text=_("As you would say it. It is shown as it stands."),
    )
    note = forms.CharField(
        label=_("Why?"),
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 2, "data-grow": ""}),
    )

    def __init__(self, data: Any, *, record: Record, today: dt.date, client_id: str) -> None:
        self.schema = SCHEMAS.get(record.category or "", ())
        self.record, self.today = record, today
        super().__init__(data, initial={**_initial(record), "client_id": client_id})
        for sign in self.schema:
            self.fields[f"sign_{sign.name}"] = _field(record.category or "", sign)

    @property
    def sign_fields(self) -> Iterator[forms.BoundField]:
        """The fields of the signs, in the category's order."""
        return (self[f"sign_{sign.name}"] for sign in self.schema)

    def clean(self) -> dict[str, Any]:
        """Refuse a day to come and an onset after the day."""
        given = {**(super().clean() or {})}
        day, since = given.get("day"), given.get("started_on")
        if day and day > self.today:
            self.add_error("day", _("That day is still to come."))
        if since and since > (day or self.today):
            self.add_error("started_on", _("It cannot have begun after the day it was seen."))
        return given

    def correction(self) -> Correction:
        """What the service takes. An onset that was not touched stays as exact as it was known."""
        given = self.cleaned_data
        since = given["started_on"]
        is_kept = since is not None and since == self.record.started_on
        return Correction(
            asserted=given["asserted"],
            signs=self._signs(),
            day=given["day"],
            started_on=since,
            precision=(self.record.precision or "day") if is_kept else "day" if since else None,
            time_phrase=given["time_phrase"] or None,
        )

    def _signs(self) -> dict[str, SignValue]:
        said = {sign.name: self.cleaned_data[f"sign_{sign.name}"] for sign in self.schema}
        return {name: value for name, value in said.items() if value not in (None, "")}


def _initial(record: Record) -> dict[str, Any]:
    signs = {f"sign_{name}": _shown(value) for name, value in record.signs.items()}
    return {
        "asserted": record.asserted or "",
        "day": record.day,
        "started_on": record.started_on,
        "time_phrase": record.time_phrase or "",
        **signs,
    }


def _shown(value: SignValue) -> Any:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else value


def _field(category: str, sign: SignField) -> forms.Field:
    label = field_label(category, sign.name)
    match sign.kind:
        case "tri":
            there, absent = TRI[category][sign.name]
            return forms.TypedChoiceField(
                label=label,
                required=False,
                choices=[NOT_SAID, ("yes", there), ("no", absent)],
                coerce=lambda value: value == "yes",
                empty_value=None,
            )
        case "enum":
            members = [(member, MEMBERS[category, sign.name][member]) for member in sign.members]
            return forms.ChoiceField(label=label, required=False, choices=[NOT_SAID, *members])
        case "number":
            if sign.is_whole:
                low, high = int(sign.low or 0), int(sign.high or 0)
                return forms.IntegerField(label=label, required=False, min_value=low, max_value=high)
            return forms.FloatField(label=label, required=False, min_value=sign.low, max_value=sign.high)
        case _:
            return forms.CharField(label=label, required=False, max_length=TEXT_LIMIT)
