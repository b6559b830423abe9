"""The forms of events, medicines and doses."""

from __future__ import annotations

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from twin.daily_shown import OUTCOME_TAPS
from twin.models import Dose, Event, Medicine, Subject
from twin.rules.events import IMPACTS, PICK_LABELS, NotYet, ago, kinds_for, stated
from twin.rules.medicines import TIMES_A_DAY
from twin.services.days import day_of

TIMES_SHOWN = 4
GROWING = {"rows": 2, "data-grow": ""}
SCHEDULES = [("times", _("At times of day")), ("every", _("Every few hours")), ("needed", _("When needed"))]
LONGEST_GAP_H = 24 * 60


def date_input() -> forms.DateInput:
    """A date as browsers read and send it."""
    return forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})


def time_input() -> forms.TimeInput:
    """A clock time as browsers read and send it."""
    return forms.TimeInput(format="%H:%M", attrs={"type": "time"})


class WhenForm(forms.Form):
    """When it was: a tap that counts back from now, or a date and a clock time in the subject's zone."""

    client_id = forms.CharField(max_length=64, widget=forms.HiddenInput)
    when = forms.ChoiceField(
        label=_("When"),
        choices=[(key, _(label)) for key, label in PICK_LABELS.items()],
        initial="now",
        widget=forms.RadioSelect,
    )
    on = forms.DateField(label=_("Day"), required=False, widget=date_input())
    clock = forms.TimeField(label=_("Time"), required=False, widget=time_input())

    def __init__(
        self, *args: Any, subject: Subject, now: dt.datetime, at: dt.datetime | None = None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.subject, self.now = subject, now
        local = (at or now).astimezone(ZoneInfo(subject.time_zone))
        self.initial.setdefault("on", local.date())
        self.initial.setdefault("clock", local.time())
        self.initial.setdefault("when", "now" if at is None else "at")

    def clean(self) -> dict[str, Any]:
        """Put the moment under `at`."""
        given = {**(super().clean() or {})}
        pick, on, clock = given.pop("when", None), given.pop("on", None), given.pop("clock", None)
        if pick == "at":
            given["at"] = self._stated(on, clock)
        elif pick:
            given["at"] = ago(pick, now=self.now)
        return given

    def _stated(self, on: dt.date | None, clock: dt.time | None) -> dt.datetime | None:
        if clock is None or on is None:
            self.add_error("on" if on is None else "clock", _("Say the day and the time."))
            return None
        try:
            return stated(on, clock, zone=self.subject.time_zone, now=self.now)
        except (NotYet, OverflowError):
            self.add_error("clock", _("That is still to come."))
            return None

    def said(self) -> dict[str, Any]:
        """What the service takes."""
        return {key: value for key, value in self.cleaned_data.items() if key != "client_id"}


class EventForm(WhenForm):
    """What happened: chips and taps first, words where there is time for them."""

    kind = forms.ChoiceField(label=_("What happened?"), widget=forms.RadioSelect)
    place = forms.CharField(label=_("Where"), max_length=120, required=False)
    antecedent = forms.CharField(
        label=_("What came before"), max_length=2000, required=False, widget=forms.Textarea(attrs=GROWING)
    )
    behaviour = forms.CharField(
        label=_("What it looked like"), max_length=2000, required=False, widget=forms.Textarea(attrs=GROWING)
    )
    tried = forms.CharField(
        label=_("What was tried"), max_length=2000, required=False, widget=forms.Textarea(attrs=GROWING)
    )
    outcome = forms.CharField(
        label=_("How it ended"), max_length=2000, required=False, widget=forms.Textarea(attrs=GROWING)
    )
    minutes = forms.IntegerField(
        label=_("How long, in minutes"),
        required=False,
        min_value=0,
        max_value=1440,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    impact = forms.TypedChoiceField(
        label=_("How was it?"),
        coerce=int,
        initial=0,
        choices=[(key, _(label)) for key, label in IMPACTS.items()],
        widget=forms.RadioSelect,
    )

    def __init__(self, *args: Any, subject: Subject, **kwargs: Any) -> None:
        super().__init__(*args, subject=subject, **kwargs)
        kinds = kinds_for(subject.kind)
        choices = [(key, _(kind.label)) for key, kind in kinds.items()]
        self.fields["kind"].choices = choices  # type: ignore[attr-defined]
        self.icons = {key: kind.icon for key, kind in kinds.items()}

    @property
    def word_fields(self) -> list[forms.BoundField]:
        """What is said in words."""
        return [self[name] for name in ("antecedent", "behaviour", "tried", "outcome")]


def event_initial(row: Event) -> dict[str, Any]:
    """An event as its form shows it."""
    return {name: getattr(row, name) for name in EventForm.base_fields if hasattr(row, name)}


class DoseForm(WhenForm):
    """One dose: how it went and when."""

    outcome = forms.ChoiceField(
        label=_("How did it go?"),
        choices=[(key, label) for key, (label, _icon) in OUTCOME_TAPS.items()],
        initial="given",
        widget=forms.RadioSelect,
    )
    despite = forms.IntegerField(required=False, widget=forms.HiddenInput)


def dose_initial(row: Dose) -> dict[str, Any]:
    """A dose as its form shows it."""
    return {"outcome": row.outcome}


class MedicineForm(forms.Form):
    """A medicine: what, how much, when, for how long."""

    client_id = forms.CharField(max_length=64, widget=forms.HiddenInput)
    name = forms.CharField(label=_("Name"), max_length=120)
    dose = forms.DecimalField(
        label=_("How much at once"),
        required=False,
        min_value=0,
        max_digits=9,
        decimal_places=3,
        widget=forms.NumberInput(attrs={"inputmode": "decimal", "step": "any"}),
    )
    unit = forms.CharField(label=_("Unit"), max_length=20, required=False, help_text=_("ml, tablet, drops"))
    schedule = forms.ChoiceField(
        label=_("When"), choices=SCHEDULES, initial="times", widget=forms.RadioSelect
    )
    hours = forms.FloatField(
        label=_("Hours between two doses"),
        required=False,
        min_value=0.5,
        max_value=LONGEST_GAP_H,
        widget=forms.NumberInput(attrs={"inputmode": "decimal", "step": "0.5"}),
    )
    gap_hours = forms.FloatField(
        label=_("Warn if sooner than, in hours"),
        required=False,
        min_value=0,
        max_value=LONGEST_GAP_H,
        help_text=_("Left empty, the house reckons it from the times."),
        widget=forms.NumberInput(attrs={"inputmode": "decimal", "step": "0.25"}),
    )
    gives = forms.CharField(label=_("Who gives it"), max_length=80, required=False)
    started_on = forms.DateField(label=_("From"), widget=date_input())
    until_on = forms.DateField(
        label=_("Until"),
        required=False,
        widget=date_input(),
        help_text=_("The last day; empty: until stopped."),
    )

    def __init__(self, *args: Any, subject: Subject, now: dt.datetime, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial.setdefault("started_on", day_of(subject, now))
        self.times_count = self._add_times()

    def _add_times(self) -> int:
        """As many clock fields as were sent or are known, and a few."""
        sent = sum(name.startswith("time_") for name in self.data)
        known = len([name for name in self.initial if name.startswith("time_")])
        count = min(TIMES_A_DAY, max(TIMES_SHOWN, sent, known + 1))
        for n in range(count):
            self.fields[f"time_{n}"] = forms.TimeField(
                label=_("Time %(number)s") % {"number": n + 1}, required=False, widget=time_input()
            )
        return count

    @property
    def time_fields(self) -> list[forms.BoundField]:
        """The clock fields, in order."""
        return [self[f"time_{n}"] for n in range(self.times_count)]

    def clean(self) -> dict[str, Any]:
        """Put the schedule in its stored form, and the gap in minutes."""
        given = {**(super().clean() or {})}
        times = [given.pop(f"time_{n}", None) for n in range(self.times_count)]
        hours, gap, kind = given.pop("hours", None), given.pop("gap_hours", None), given.get("schedule")
        given["schedule"] = self._schedule(kind, times, hours)
        given["min_gap_minutes"] = None if gap is None else round(gap * 60)
        until, start = given.get("until_on"), given.get("started_on")
        if until and start and until < start:
            self.add_error("until_on", _("It cannot end before it begins."))
        return given

    def _schedule(self, kind: str | None, times: list[dt.time | None], hours: float | None) -> dict[str, Any]:
        if kind == "every":
            if hours is None and "hours" not in self.errors:
                self.add_error("hours", _("Say how many hours lie between two doses."))
            return {"kind": "every", "hours": hours}
        if kind == "times":
            said = sorted({f"{at:%H:%M}" for at in times if at is not None})
            if not said and not any(f"time_{n}" in self.errors for n in range(self.times_count)):
                self.add_error("time_0", ValidationError(_("Say at least one time.")))
            return {"kind": "times", "times": said}
        return {"kind": "needed"}

    def defined(self) -> dict[str, Any]:
        """What the service takes."""
        return {key: value for key, value in self.cleaned_data.items() if key != "client_id"}


def medicine_initial(row: Medicine) -> dict[str, Any]:
    """A medicine as its form shows it."""
    plain = ("name", "dose", "unit", "gives", "started_on", "until_on")
    gap = row.min_gap_minutes
    return {
        **{name: getattr(row, name) for name in plain},
        "schedule": row.schedule["kind"],
        "hours": row.schedule.get("hours"),
        "gap_hours": None if gap is None else gap / 60,
        **{f"time_{n}": dt.time.fromisoformat(at) for n, at in enumerate(row.schedule.get("times", []))},
    }
