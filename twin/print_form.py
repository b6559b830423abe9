"""Which days a visit's print covers."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

DEFAULT_DAYS = 90
LONGEST_DAYS = 3 * 366


def _day(label: Any) -> forms.DateField:
    widget = forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
    return forms.DateField(label=label, required=False, widget=widget)


class PrintForm(forms.Form):
    """From when until when; what is left out is the last three months."""

    def __init__(self, data: Any, *, today: dt.date) -> None:
        self.today = today
        first = today - dt.timedelta(days=DEFAULT_DAYS)
        super().__init__(data or None, initial={"from": first, "to": today})
        self.fields["from"] = _day(_("From the day"))
        self.fields["to"] = _day(_("To the day"))

    def clean(self) -> dict[str, Any]:
        """Refuse days that run backwards, and more of them than fit on paper."""
        given = {**(super().clean() or {})}
        if self.errors:
            return given
        last = given.get("to") or self.today
        first = given.get("from") or last - dt.timedelta(days=DEFAULT_DAYS)
        if first > last:
            self.add_error("from", _("This day comes after the last one."))
        elif (last - first).days > LONGEST_DAYS:
            self.add_error("from", _("That is too long for paper: choose three years at the most."))
        return {"from": first, "to": last}

    def span(self) -> tuple[dt.date, dt.date]:
        """The first and the last day."""
        chosen = self.cleaned_data if self.is_bound else self.initial
        return chosen["from"], chosen["to"]
