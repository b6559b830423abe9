"""The forms of people: inviting, joining, and a member's window and end."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from household.forms import FirstRunForm
from household.models import Person
from household.models.people import ROLES
from household.rules.invitations import end_of, last_day_of, school_year_of
from household.rules.names import name_key

NAME_TAKEN = _("Somebody in this household has that name. Take another, perhaps with your family name.")
WINDOWS = [("all", _("Everything")), ("school", _("From this school year")), ("day", _("From a day on"))]


def day_input() -> forms.DateInput:
    """A date as the browser's own field sends it."""
    return forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})


class WindowForm(forms.Form):
    """From which day a member sees what was noted, and the last day they belong."""

    window = forms.ChoiceField(
        label=_("They see what was noted"), choices=WINDOWS, initial="all", widget=forms.RadioSelect
    )
    data_from = forms.DateField(label=_("From this day on"), required=False, widget=day_input())
    last_day = forms.DateField(
        label=_("Last day"),
        required=False,
        help_text=_("After it nothing is shown any more. Empty: until you end it."),
        widget=day_input(),
    )

    def __init__(self, *args: Any, today: dt.date, zone: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.today, self.zone = today, zone

    def clean(self) -> dict[str, Any]:
        """Ask for the day where one is chosen, and for an end that is still to come."""
        given = {**(super().clean() or {})}
        if given.get("window") == "day" and not given.get("data_from") and "data_from" not in self.errors:
            self.add_error("data_from", _("Choose the day."))
        if (last := given.get("last_day")) and last < self.today:
            self.add_error("last_day", _("That day is over. To end it now, use the button below."))
        return given

    def limits(self) -> dict[str, Any]:
        """The membership's end and window, as the services take them."""
        given = self.cleaned_data
        by_window = {"all": None, "school": school_year_of(self.today), "day": given["data_from"]}
        last = given["last_day"]
        return {
            "data_from": by_window[given["window"]],
            "ends_at": end_of(last, self.zone) if last else None,
        }


def window_initial(
    *, data_from: dt.date | None, ends_at: dt.datetime | None, today: dt.date, zone: str
) -> dict[str, Any]:
    """What a membership's window and end look like in the form."""
    windows = {None: "all", school_year_of(today): "school"}
    return {
        "window": windows.get(data_from, "day"),
        "data_from": data_from,
        "last_day": last_day_of(ends_at, zone) if ends_at else None,
    }


class InvitationForm(WindowForm):
    """Whom a link invites: as what, to whose pages, for how long."""

    client_id = forms.UUIDField(widget=forms.HiddenInput)
    role = forms.ChoiceField(label=_("As what?"), choices=ROLES, widget=forms.RadioSelect)
    subjects = forms.TypedMultipleChoiceField(
        label=_("To whose page?"), coerce=int, widget=forms.CheckboxSelectMultiple
    )
    field_order = ("client_id", "role", "subjects", "window", "data_from", "last_day")

    def __init__(self, *args: Any, subjects: list[tuple[int, str]], **kwargs: Any) -> None:
        kwargs["initial"] = {"client_id": uuid.uuid4(), **(kwargs.get("initial") or {})}
        super().__init__(*args, **kwargs)
        self.fields["subjects"].choices = subjects  # type: ignore[attr-defined]


class JoinForm(FirstRunForm):
    """A new account: a name, a language and a passphrase."""

    code = None  # type: ignore[assignment]
    household_name = None  # type: ignore[assignment]
    time_zone = None  # type: ignore[assignment]
    field_order = ("parent_name", "language", "passphrase", "again")

    def clean_parent_name(self) -> str:
        """Refuse a name somebody here has."""
        name = super().clean_parent_name()
        if Person.objects.filter(name_key=name_key(name)).exists():
            raise ValidationError(NAME_TAKEN)
        return name

    def account(self) -> dict[str, str]:
        """What the service makes the account of."""
        given = self.cleaned_data
        return {
            "name": given["parent_name"],
            "passphrase": given["passphrase"],
            "language": given["language"],
        }


class RecoveryForm(FirstRunForm):
    """A new passphrase for whoever holds a code."""

    household_name = None  # type: ignore[assignment]
    time_zone = None  # type: ignore[assignment]
    language = None  # type: ignore[assignment]
    code = forms.CharField(
        label=_("One-time code"),
        help_text=_("From a parent of this household, or from the console."),
        max_length=20,
        widget=forms.TextInput(
            attrs={"class": "code-input", "autocomplete": "one-time-code", "autocapitalize": "characters"}
        ),
    )
    field_order = ("parent_name", "code", "passphrase", "again")

    def clean_code(self) -> str:
        """Any text: whether it fits is for the service to say, together with the name."""
        code: str = self.cleaned_data["code"]
        return code
