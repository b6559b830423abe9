"""What a parent may put behind a quick log of one subject, with the words for each choice."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from household.access import visible
from household.models import Person
from household.rules.permissions import Resource
from twin.daily_shown import amount_of, value_words
from twin.models import Medicine, Subject, TrackableSubject
from twin.rules.form_fields import fields_for
from twin.rules.quick_actions import key_of, preset_values
from twin.rules.trackables import parse_fields


@dataclass
class QuickChoices:
    """Actions by their key, their words, and both grouped as a list to choose from."""

    actions: dict[str, dict[str, Any]] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    grouped: list[tuple[str, list[tuple[str, str]]]] = field(default_factory=list)

    def add(self, group: str, choices: list[tuple[str, dict[str, Any], str]]) -> None:
        """One group of (key, action, words); an empty one is left out."""
        for key, action, words in choices:
            self.actions[key], self.labels[key] = action, words
        if choices:
            self.grouped.append((group, [(key, words) for key, _action, words in choices]))


def quick_choices(person: Person, subject: Subject) -> QuickChoices:
    """Every action there is for the subject: doses, one-tap entries, taps of the form."""
    found = QuickChoices()
    found.add(_("Medicines"), _doses(person, subject))
    found.add(_("What you count"), _entries(person, subject))
    for row in fields_for(subject.kind).values():
        taps = []
        for level in row.levels:
            action = {"kind": "form", "field": row.key, "level": level.key}
            taps.append((key_of(action), action, f"{_(row.label)}: {_(level.label)}"))
        found.add(_(row.label), taps)
    return found


def _doses(person: Person, subject: Subject) -> list[tuple[str, dict[str, Any], str]]:
    rows = visible(person, Resource.OBSERVATION, Medicine.objects.filter(subject=subject, ended_at=None))
    choices = []
    for row in rows.order_by("name", "pk"):
        action = {"kind": "dose", "id": row.pk}
        choices.append((key_of(action), action, f"{row.name} {amount_of(row)}".strip()))
    return choices


def _entries(person: Person, subject: Subject) -> list[tuple[str, dict[str, Any], str]]:
    rows = TrackableSubject.objects.filter(subject=subject, trackable__put_away_at=None)
    links = visible(person, Resource.OBSERVATION, rows.select_related("trackable"))
    choices = []
    for link in links.order_by("trackable__name", "pk"):
        fields = parse_fields(link.trackable.fields)
        presets = preset_values(fields)
        for n, values in enumerate(presets):
            action = {"kind": "trackable", "id": link.trackable_id, "values": values}
            words = value_words(fields[0], values[fields[0].key])
            name = link.trackable.name
            choices.append((key_of(action, n), action, name if len(presets) == 1 else f"{name}: {words}"))
    return choices
