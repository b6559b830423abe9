"""The forms of a subject, a child's profile and the correction of a record."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.dates import MONTHS
from django.utils.translation import gettext_lazy as _

from household.forms import zone_choices
from twin.models import PersonProfile, Subject
from twin.models.subjects import METHODOLOGIES, SEXES

EARLIEST_YEAR = 1900
UNKNOWN_BOOL = [("", _("Not said")), ("yes", _("Yes")), ("no", _("No"))]


class LinesField(forms.CharField):
    """Several short texts, one a line."""

    widget = forms.Textarea(attrs={"rows": 3, "data-grow": ""})

    def __init__(self, *, longest: int, **kwargs: Any) -> None:
        super().__init__(required=False, max_length=4000, **kwargs)
        self.longest = longest

    def prepare_value(self, value: Any) -> Any:
        """The texts as lines."""
        return "\n".join(value) if isinstance(value, list) else value

    def clean(self, value: Any) -> list[str]:
        """The lines that say something, each once."""
        lines = [line.strip() for line in super().clean(value).splitlines()]
        if any(len(line) > self.longest for line in lines):
            raise ValidationError(
                _("A line has at most %(longest)d letters."), params={"longest": self.longest}
            )
        return list(dict.fromkeys(line for line in lines if line))


class SubjectForm(forms.Form):
    """What is known of a child or an animal. How exact a birthday is follows from what was filled in."""

    client_id = forms.UUIDField(widget=forms.HiddenInput)
    name = forms.CharField(
        label=_("Name"), max_length=80, widget=forms.TextInput(attrs={"autocapitalize": "words"})
    )
    born_year = forms.IntegerField(
        label=_("Year"),
        required=False,
        min_value=EARLIEST_YEAR,
        max_value=9999,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    born_month = forms.TypedChoiceField(
        label=_("Month"),
        required=False,
        coerce=int,
        empty_value=None,
        choices=[("", "–"), *MONTHS.items()],
    )
    born_day = forms.IntegerField(
        label=_("Day"),
        required=False,
        min_value=1,
        max_value=31,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    sex = forms.ChoiceField(label=_("Sex"), choices=SEXES, initial="unknown")
    breed = forms.CharField(label=_("Breed"), max_length=80, required=False)
    neutered = forms.TypedChoiceField(
        label=_("Neutered"),
        required=False,
        choices=UNKNOWN_BOOL,
        coerce=lambda value: value == "yes",
        empty_value=None,
    )
    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        choices=zone_choices,
        help_text=_("Their days begin and end by it."),
    )
    day_starts_at = forms.TimeField(
        label=_("A new day starts at"),
        help_text=_("What happens after midnight and before this belongs to the evening before."),
        initial=dt.time(3),
        widget=forms.TimeInput(format="%H:%M", attrs={"type": "time"}),
    )

    def __init__(self, *args: Any, species: str, today: dt.date, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.today = today
        self.initial.setdefault("client_id", uuid.uuid4())
        if species == "person":
            del self.fields["breed"], self.fields["neutered"]

    @property
    def birth_fields(self) -> list[forms.BoundField]:
        """Year, month and day, which are asked together."""
        return [self["born_year"], self["born_month"], self["born_day"]]

    @property
    def more_fields(self) -> list[forms.BoundField]:
        """Sex, and breed and neutered where they are asked."""
        return [self[name] for name in ("sex", "breed", "neutered") if name in self.fields]

    def clean(self) -> dict[str, Any]:
        """Turn the parts of the birthday into a date and how exact it is."""
        given = {**(super().clean() or {})}
        parts = [given.pop(f"born_{part}", None) for part in ("year", "month", "day")]
        if not any(f"born_{part}" in self.errors for part in ("year", "month", "day")):
            given["born_on"], given["born_precision"] = self._birthday(*parts)
        return given

    def subject(self) -> dict[str, Any]:
        """What the service takes."""
        return {key: value for key, value in self.cleaned_data.items() if key != "client_id"}

    def _birthday(self, year: int | None, month: int | None, day: int | None) -> tuple[dt.date | None, str]:
        if year is None:
            if month or day:
                self.add_error("born_year", _("Add the year, or leave the month and the day out too."))
            return None, "unknown"
        if day and not month:
            self.add_error("born_month", _("Add the month, or leave the day out too."))
            return None, "unknown"
        try:
            born = dt.date(year, month or 1, day or 1)
        except ValueError:
            self.add_error("born_day", _("This month has no such day."))
            return None, "unknown"
        if born > self.today:
            self.add_error("born_year", _("A birthday cannot lie in the future."))
        return born, "day" if day else "month" if month else "year"


def subject_initial(subject: Subject) -> dict[str, Any]:
    """A subject's values as its form shows them, no more exact than they are known."""
    born, precision = subject.born_on, subject.born_precision
    return {
        "name": subject.name,
        "born_year": born.year if born else None,
        "born_month": born.month if born and precision in {"month", "day"} else None,
        "born_day": born.day if born and precision == "day" else None,
        "sex": subject.sex,
        "breed": subject.breed,
        "neutered": {True: "yes", False: "no", None: ""}[subject.neutered],
        "time_zone": subject.time_zone,
        "day_starts_at": subject.day_starts_at,
    }


class ProfileForm(forms.Form):
    """What travels in every thought about a child."""

    diagnoses = LinesField(
        label=_("Diagnoses"), longest=120, help_text=_("One a line, as professionals gave them.")
    )
    communication = forms.CharField(
        label=_("How they communicate"),
        required=False,
        max_length=4000,
        help_text=_("Words, signs, pictures, a talker; what they understand."),
        widget=forms.Textarea(attrs={"rows": 3, "data-grow": ""}),
    )
    sensory = forms.CharField(
        label=_("Senses"),
        required=False,
        max_length=4000,
        help_text=_("What is too much, what they seek: sounds, light, touch, food, movement."),
        widget=forms.Textarea(attrs={"rows": 3, "data-grow": ""}),
    )
    interests = LinesField(label=_("Interests"), longest=120, help_text=_("One a line."))
    calming = LinesField(label=_("What calms"), longest=120, help_text=_("One a line."))
    never_do = LinesField(
        label=_("Never do"), longest=200, help_text=_("One a line. It is shown to everybody who helps.")
    )
    methodologies = forms.MultipleChoiceField(
        label=_("Methods used"),
        required=False,
        choices=[(name, name) for name in METHODOLOGIES],
        widget=forms.CheckboxSelectMultiple,
    )

    @property
    def text_fields(self) -> list[forms.BoundField]:
        """All that is written in words."""
        return [field for field in self if field.name != "methodologies"]


PROFILE_FIELDS = tuple(ProfileForm.base_fields)


def profile_initial(profile: PersonProfile) -> dict[str, Any]:
    """A child's profile as its form shows it."""
    return {name: getattr(profile, name) for name in PROFILE_FIELDS}
