"""What levels and patterns are called, for pages and answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

LEVELS: Mapping[str, Any] = {
    "sleep_bad": gettext_lazy("a bad night"),
    "sleep_woke": gettext_lazy("waking at night"),
    "sleep_late": gettext_lazy("falling asleep late"),
    "plan_changed": gettext_lazy("a change of plan"),
    "place_busy": gettext_lazy("a busy place"),
    "overloaded": gettext_lazy("too much for the senses"),
    "ate_little": gettext_lazy("eating little"),
    "anxious": gettext_lazy("anxiety"),
    "wound_up": gettext_lazy("being wound up"),
    "shut_down": gettext_lazy("shutting down"),
    "meltdown": gettext_lazy("a meltdown"),
    "outing": gettext_lazy("an outing"),
    "visitors": gettext_lazy("visitors"),
    "school_event": gettext_lazy("something at school"),
    "appointment": gettext_lazy("an appointment"),
    "new_food": gettext_lazy("a new food"),
    "unwell": gettext_lazy("being unwell"),
    "eats_less": gettext_lazy("eating less"),
    "drinks_more": gettext_lazy("drinking more"),
    "stool_loose": gettext_lazy("loose stool"),
    "urine_trouble": gettext_lazy("trouble with urine"),
    "low_energy": gettext_lazy("low energy"),
    "restless": gettext_lazy("restlessness"),
    "itching": gettext_lazy("scratching"),
    "ear_trouble": gettext_lazy("trouble with the ears"),
    "hiding": gettext_lazy("hiding"),
    "snappy": gettext_lazy("being snappy"),
    "limping": gettext_lazy("limping"),
    "vomiting": gettext_lazy("vomiting"),
    "vet_visit": gettext_lazy("a vet visit"),
}
NIGHTS = frozenset({"sleep_bad", "sleep_woke", "sleep_late"})
LIFECYCLES: Mapping[str, Promise] = {
    "hypothesis": gettext_lazy("Hypothesis"),
    "supported": gettext_lazy("Supported"),
    "weakening": gettext_lazy("Weakening"),
    "retired": gettext_lazy("Retired"),
}


def level_name(key: str, trackables: Mapping[int, Any] | None = None) -> str:
    """What a level is called; a family's own trackable by its own name and field."""
    if key in LEVELS:
        return str(LEVELS[key])
    number, _dot, position = key.removeprefix("t").partition(".")
    row = (trackables or {}).get(int(number)) if number.isdecimal() else None
    if row is None:
        return str(_("something counted"))
    fields = row.fields
    if len(fields) < 2 or not position.isdecimal() or int(position) >= len(fields):
        return str(row.name)
    return f"{row.name}, {fields[int(position)]['name']}"


def trackable_of(key: str) -> int | None:
    """The trackable a level's key names, None for one of the house's own."""
    number = key.removeprefix("t").partition(".")[0]
    return int(number) if "." in key and number.isdecimal() else None


def pattern_title(
    antecedent: str, outcome: str, lag: int, trackables: Mapping[int, Any] | None = None
) -> str:
    """The pattern as a headline."""
    names = {"before": level_name(antecedent, trackables), "after": level_name(outcome, trackables)}
    text = (
        _("After %(before)s: %(after)s the next day") if lag else _("With %(before)s: %(after)s the same day")
    )
    return text % names


def count_words(antecedent: str, both: int, times: int) -> str:
    """How often it held, said as loudly as the claim: "4 nights of 6"."""
    if antecedent in NIGHTS:
        text = ngettext("%(both)d night of %(times)d", "%(both)d nights of %(times)d", both)
    else:
        text = ngettext("%(both)d day of %(times)d", "%(both)d days of %(times)d", both)
    return text % {"both": both, "times": times}
