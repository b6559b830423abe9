"""The forms of the household's own pages."""

from __future__ import annotations

from functools import cache
from itertools import groupby
from typing import Any

from django import forms
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from household.box.firstrun import check_code
from household.models import Person
from household.models.people import LANGUAGES, THEMES
from household.rules.names import name_key
from household.zones import zones


@cache
def zone_choices() -> list[tuple[str, list[tuple[str, str]]]]:
    """Every time zone there is, UTC first, then by part of the world."""
    names = sorted(zone for zone in zones() if "/" in zone)
    groups = [
        (region, [(name, name.partition("/")[2].replace("_", " ")) for name in cities])
        for region, cities in groupby(names, key=lambda name: name.partition("/")[0])
    ]
    others = sorted(zone for zone in zones() if "/" not in zone and zone != "UTC")
    return [("UTC", [("UTC", "UTC")]), *groups, (_("Others"), [(zone, zone) for zone in others])]


TOO_SHORT = _("A passphrase has at least 8 characters.")
TOO_COMMON = _("Many people use that one. Take a few words of your own.")
DIFFERENT = _("The two passphrases differ.")


def fitting_passphrase(passphrase: str, person: Person | None = None) -> str:
    """The passphrase as it is; raises ValidationError where it is too short or too common."""
    try:
        validate_password(passphrase, person or Person())
    except ValidationError as refused:
        codes = {error.code for error in refused.error_list}
        raise ValidationError(TOO_SHORT if "password_too_short" in codes else TOO_COMMON) from None
    return passphrase


class ConsoleCodeForm(forms.Form):
    """Asks for the code that the console printed."""

    code = forms.CharField(
        label=_("Code from the console"),
        help_text=_("Eight letters and digits, printed where the house was started."),
        max_length=20,
        widget=forms.TextInput(
            attrs={
                "class": "code-input",
                "autocomplete": "one-time-code",
                "autocapitalize": "characters",
                "spellcheck": "false",
            }
        ),
    )

    def clean_code(self) -> str:
        """Refuse any code but the printed one."""
        code: str = self.cleaned_data["code"]
        if not check_code(code):
            raise ValidationError(
                _("That is not the code. Look at the console again; after ten wrong tries, wait ten minutes.")
            )
        return code


class RestoreForm(ConsoleCodeForm):
    """What restores a household onto a new box: the printed code, the backup, its passphrase."""

    backup = forms.FileField(
        label=_("The backup"), help_text=_("A file that ends in .hearthbook."), allow_empty_file=True
    )
    passphrase = forms.CharField(
        label=_("Passphrase of the backup"),
        help_text=_("It stands on the recovery sheet. Leave it empty where the backup is not sealed."),
        max_length=256,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )


class FirstRunForm(ConsoleCodeForm):
    """What makes a household: the printed code, the home, and its first parent."""

    household_name = forms.CharField(label=_("Name of the household"), max_length=80)
    time_zone = forms.ChoiceField(
        choices=zone_choices,
        label=_("Time zone"),
        help_text=_("The book's days begin and end by it."),
        widget=forms.Select(attrs={"data-own-zone": ""}),
    )
    language = forms.ChoiceField(label=_("Language"), choices=LANGUAGES)
    parent_name = forms.CharField(
        label=_("Your name"),
        help_text=_("You sign in with it."),
        max_length=80,
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "words"}),
    )
    passphrase = forms.CharField(
        label=_("Passphrase"),
        help_text=_("At least 8 characters. A few words that only you would put together are best."),
        max_length=256,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )
    again = forms.CharField(
        label=_("Passphrase again"),
        max_length=256,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def clean_parent_name(self) -> str:
        """Refuse a name that comes to nothing when compared."""
        name: str = " ".join(self.cleaned_data["parent_name"].split())
        if not name_key(name):
            raise ValidationError(_("A name has at least one letter."))
        return name

    def clean_passphrase(self) -> str:
        """Refuse a passphrase too short or too common."""
        return fitting_passphrase(self.cleaned_data["passphrase"])

    def clean(self) -> dict[str, Any]:
        """Refuse two passphrases that differ."""
        given = {**(super().clean() or {})}
        if "passphrase" in given and "again" in given and given["passphrase"] != given["again"]:
            self.add_error("again", DIFFERENT)
        return given

    def household(self) -> dict[str, str]:
        """What the service makes the household of."""
        return {key: value for key, value in self.cleaned_data.items() if key not in {"code", "again"}}


class HouseholdForm(forms.Form):
    """The home itself."""

    name = forms.CharField(label=_("Name of the household"), max_length=80)
    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        choices=zone_choices,
        help_text=_("The household's day begins and ends by it. Each page of the book has its own, too."),
    )
    language = forms.ChoiceField(
        label=_("Language"), choices=LANGUAGES, help_text=_("What new people and the companion begin with.")
    )


class LimitsForm(forms.Form):
    """The household's settings that are kept as registers. An empty field is no limit."""

    daily_minutes = forms.IntegerField(
        label=_("Companion minutes a day"),
        required=False,
        min_value=0,
        max_value=24 * 60,
        help_text=_("After them the companion says goodnight. Empty: no limit."),
    )
    quiet_from = forms.TimeField(
        label=_("Quiet from"),
        required=False,
        widget=forms.TimeInput(format="%H:%M", attrs={"type": "time"}),
        help_text=_("In quiet hours the companion sleeps. They may pass midnight."),
    )
    quiet_to = forms.TimeField(
        label=_("Quiet until"),
        required=False,
        widget=forms.TimeInput(format="%H:%M", attrs={"type": "time"}),
    )
    voice_daily_chars = forms.IntegerField(
        label=_("Letters spoken a day"),
        required=False,
        min_value=0,
        max_value=10**9,
        help_text=_("How much may be read aloud with a voice that costs. Empty: no limit."),
    )
    tokens_per_window = forms.IntegerField(
        label=_("Model allowance, in tokens"),
        required=False,
        min_value=0,
        max_value=10**9,
        help_text=_("Once it is used up, the house answers by its own rules. Empty: no limit."),
    )
    token_window_hours = forms.IntegerField(
        label=_("Allowance counts the last hours"),
        required=False,
        min_value=1,
        max_value=31 * 24,
        help_text=_("How many hours back the allowance looks. Empty: 24."),
    )
    log_retention_days = forms.IntegerField(
        label=_("Keep conversations for so many days"),
        required=False,
        min_value=1,
        max_value=10**6,
        help_text=_("Older words of conversations are cleared every night. Empty: kept until forgotten."),
    )

    def clean(self) -> dict[str, Any]:
        """Ask for both ends of the quiet hours."""
        given = {**(super().clean() or {})}
        start, end = given.get("quiet_from"), given.get("quiet_to")
        for name, here, other in (("quiet_from", start, end), ("quiet_to", end, start)):
            if here is None and other is not None and name not in self.errors:
                self.add_error(name, _("Quiet hours need a beginning and an end."))
        if start is not None and start == end:
            self.add_error("quiet_to", _("Quiet hours that end as they begin are none. Leave both empty."))
        return given

    def settings(self) -> dict[str, Any]:
        """The values by register key."""
        values = {**self.cleaned_data}
        start, end = values.pop("quiet_from"), values.pop("quiet_to")
        quiet = {"from": f"{start:%H:%M}", "to": f"{end:%H:%M}"} if start and end else None
        return {**values, "quiet": quiet}


class ThinkingForm(forms.Form):
    """A model a parent lets the house ask. Without one the house does everything by its own rules."""

    base_url = forms.URLField(
        label=_("Address of the model server"),
        required=False,
        max_length=200,
        assume_scheme="http",
        help_text=_(
            "Any OpenAI-compatible one, such as Ollama on this network: http://192.168.1.20:11434/v1"
        ),
        widget=forms.URLInput(attrs={"inputmode": "url", "autocomplete": "off"}),
    )
    model = forms.CharField(label=_("Name of the model"), required=False, max_length=120)
    key = forms.CharField(
        label=_("Key"),
        required=False,
        max_length=400,
        help_text=_("Only where the server asks for one. Leave it empty to keep the one there is."),
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
    )
    timeout_s = forms.IntegerField(
        label=_("Seconds to wait for it"),
        min_value=1,
        max_value=600,
        initial=30,
        help_text=_("After them the house reads by itself."),
    )

    def clean(self) -> dict[str, Any]:
        """Ask for address and model together."""
        given = {**(super().clean() or {})}
        if bool(given.get("base_url")) != bool(given.get("model")) and "base_url" not in self.errors:
            missing = "model" if given.get("base_url") else "base_url"
            self.add_error(missing, _("A model needs an address and a name."))
        return given


class PinForm(forms.Form):
    """The parents' PIN, which opens extra minutes on the companion."""

    pin = forms.RegexField(
        r"^[0-9]{4,8}$",
        label=_("New PIN"),
        help_text=_("4 to 8 digits. Only a salted hash of it is kept, so nobody can look it up."),
        error_messages={"invalid": _("A PIN is 4 to 8 digits.")},
        widget=forms.PasswordInput(
            attrs={"inputmode": "numeric", "autocomplete": "off", "class": "code-input"}
        ),
    )


class PreferencesForm(forms.Form):
    """How one person reads the book."""

    language = forms.ChoiceField(label=_("Language"), choices=LANGUAGES)
    theme = forms.ChoiceField(label=_("Appearance"), choices=THEMES, widget=forms.RadioSelect)
