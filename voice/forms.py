"""The forms of the voice: what should be read, and how the house sounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from voice.clients.sound import FORMATS
from voice.labels import SPEEDS, language_name
from voice.rules.choice import SPEED_LEAST, SPEED_MOST, Voice

CHARACTER = "character:"
HOUSE_CHOOSES = "auto"  # no voice in particular


class SpeakForm(forms.Form):
    """How a text should be read aloud; the text itself is judged by the rules, which say what to do."""

    language = forms.RegexField(r"^[A-Za-z]{2}([_-][A-Za-z]{2})?$", required=False)
    voice = forms.RegexField(r"^[\w.-]{1,64}$", required=False)
    character = forms.RegexField(r"^[\w.-]{1,64}$", required=False)
    speed = forms.IntegerField(min_value=SPEED_LEAST, max_value=SPEED_MOST, required=False)
    fixed = forms.BooleanField(required=False)
    form = forms.ChoiceField(choices=[(name, name) for name in FORMATS], required=False)
    sample = forms.BooleanField(required=False)


class MannerForm(forms.Form):
    """The base voice, the speed, and a voice for each character."""

    base_voice = forms.ChoiceField(
        label=_("The household’s voice"),
        help_text=_("It reads in its own language; for another language the best voice there is takes over."),
    )
    speed = forms.TypedChoiceField(label=_("Speed"), choices=SPEEDS, coerce=int)

    def __init__(
        self, *args: Any, voices: Sequence[Voice], characters: Mapping[str, str], base: str, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.fields["base_voice"].choices = voice_choices(voices, base, _("The best there is"))  # type: ignore[attr-defined]
        for name, chosen in characters.items():
            self.fields[CHARACTER + name] = forms.ChoiceField(
                label=gettext(name.replace("_", " ").capitalize()),  # the companion's own have a word
                choices=voice_choices(voices, chosen, _("The household’s voice")),
            )

    def chosen_voice(self) -> str:
        """The base voice chosen, empty for none in particular."""
        return _voice(self.cleaned_data["base_voice"])

    def characters(self) -> dict[str, str]:
        """The voice chosen for each character, empty for the base voice."""
        return {
            name.removeprefix(CHARACTER): _voice(value)
            for name, value in self.cleaned_data.items()
            if name.startswith(CHARACTER)
        }

    def character_fields(self) -> list[forms.BoundField]:
        """The fields of the characters' voices."""
        return [self[name] for name in self.fields if name.startswith(CHARACTER)]


def _voice(chosen: str) -> str:
    return "" if chosen == HOUSE_CHOOSES else chosen


def voice_choices(voices: Sequence[Voice], chosen: str, empty: Any) -> list[tuple[str, Any]]:
    """The voices that can be chosen; one that was chosen and went away stays in the list, and says so."""
    found = [
        (voice.id, f"{voice.id} · {language_name(voice.language)}") for voice in voices if not voice.problem
    ]
    gone = [(chosen, _("%(voice)s (not there)") % {"voice": chosen})] if chosen else []
    return [(HOUSE_CHOOSES, empty), *found, *(one for one in gone if chosen not in dict(found))]
