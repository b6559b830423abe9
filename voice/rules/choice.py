"""Which voice speaks: the one asked for, else the household's base voice, else the best of the language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from voice.rules.refusals import NoVoice

QUALITIES = ("high", "medium", "low", "x_low")
SPEED_LEAST, SPEED_MOST, SPEED_USUAL = 60, 160, 100
# Turkish voices that Piper offers; which file to add when there is none.
KNOWN = {
    "tr": ("tr_TR-dfki-medium", "tr_TR-fahrettin-medium", "tr_TR-fettah-medium"),
    "en": ("en_US-joe-medium",),
}


@dataclass(frozen=True)
class Voice:
    """One voice the house can speak with; `problem` says why it cannot, empty where it can."""

    id: str
    language: str
    quality: str = ""
    name: str = ""
    is_bundled: bool = False
    problem: str = ""

    @property
    def short_language(self) -> str:
        """The language without its country, as in "en"."""
        return self.language[:2].lower()


@dataclass(frozen=True)
class Choice:
    """The voice that speaks; `missing` is the voice that was wanted and is not there."""

    voice: Voice
    missing: str = ""


def usable(voices: Sequence[Voice], language: str) -> list[Voice]:
    """The voices without a problem that speak a language, the better quality first, added before bundled."""
    found = [v for v in voices if not v.problem and v.short_language == language[:2].lower()]
    return sorted(found, key=lambda v: (v.is_bundled, _rank(v.quality), v.id))


def _rank(quality: str) -> int:
    return QUALITIES.index(quality) if quality in QUALITIES else len(QUALITIES)


def choose(voices: Sequence[Voice], *, wanted: str = "", base: str = "", language: str) -> Choice:
    """The voice for a text of this language. Raises NoVoice where none speaks it.

    A wanted voice of another language gives way without a word; one that is gone or broken is named.
    """
    able = {voice.id: voice for voice in usable(voices, language)}
    if wanted in able:
        return Choice(able[wanted])
    if not able:
        raise NoVoice(language)
    is_other = any(voice.id == wanted and not voice.problem for voice in voices)
    return Choice(able.get(base) or next(iter(able.values())), "" if is_other else wanted)


def is_speed(percent: int) -> bool:
    """Whether a speed in percent of the usual is one a voice can be set to."""
    return SPEED_LEAST <= percent <= SPEED_MOST
