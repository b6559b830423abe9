"""Speaking a text: whole, or part by part so that the first sentence plays while the rest is made."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace

from household.rules.text import sanitise
from voice import clients
from voice.clients import Clip
from voice.clients.sound import encoded, joined
from voice.lines import is_own
from voice.rules.cache import variant
from voice.rules.choice import Choice, Voice, choose
from voice.rules.refusals import NoVoice, UnknownScript, VoiceBroken, check_length, check_sayable
from voice.rules.sentences import units
from voice.rules.spans import Span, shifted, spoken_times, text_spans
from voice.rules.speakable import Spoken, speakable
from voice.services import allowance, cache
from voice.services.choices import chosen_voice, manner

# Sound is made one part ahead of what is sent, by at most two threads of the process.
_makers = ThreadPoolExecutor(max_workers=2, thread_name_prefix="voice")


@dataclass(frozen=True)
class Part:
    """One piece of a text's sound; `spans` are those of the text's characters from `first` on."""

    clip: Clip
    start_ms: int
    first: int
    spans: tuple[Span, ...]


@dataclass(frozen=True)
class Said:
    """A whole text as a file of sound, with a span for each of its characters."""

    audio: bytes
    spans: tuple[Span, ...]
    duration_ms: int
    voice: Voice
    missing: str
    is_kept: bool  # it came from the cache and cost nothing


class Speech:
    """A text being spoken, part by part; `close` settles what was made, at its end or when nobody listens."""

    def __init__(self, said: Spoken, choice: Choice, *, language: str, speed: int) -> None:
        self.said, self.choice, self.language, self.speed = said, choice, language, speed
        self.is_whole = False  # nothing is spent unless all of it was made
        self.kept: cache.Kept | None = None
        self.reserved: allowance.Reservation | None = None
        self.keeps_line = False
        self._clips: list[Clip] = []
        self._times: list[Span] = []
        self._spans: list[Span] = []
        self._at_ms = 0.0

    def parts(self, *, beat_s: float | None = None) -> Iterator[Part | None]:
        """The parts in order, and None after each `beat_s` without one. Raises NotSpoken where a part fails.

        Touches no database, except to settle at the end.
        """
        try:
            yield from self._kept_part() if self.kept else self._made_parts(beat_s)
            if not any(clip.pcm for clip in self._clips) and not self.kept:
                self._spans = []
                raise UnknownScript
            if self.keeps_line:
                cache.keep_line(self._cache_voice, self.said.text, joined(self._clips), self._spans)
        finally:
            self.close()

    def close(self) -> None:
        """Count the characters that were spoken, and give back the rest. Closing twice changes nothing."""
        if self.reserved and self.reserved.is_open:
            is_short = len(self._spans) < len(self.said.text)
            allowance.settle(self.reserved, 0 if self.is_whole and is_short else len(self._spans))

    @property
    def spans(self) -> tuple[Span, ...]:
        """The spans of all characters spoken so far."""
        return tuple(self._spans)

    @property
    def _cache_voice(self) -> str:
        return variant(self.choice.voice.id, self.speed)

    def _kept_part(self) -> Iterator[Part]:
        assert self.kept is not None
        self._spans = list(self.kept.spans)
        yield Part(self.kept.clip, 0, 0, self.kept.spans)

    def _made_parts(self, beat_s: float | None) -> Iterator[Part | None]:
        words = self.said.words
        ahead = [words[start:end] for start, end in units(words)]
        making = self._make(ahead[0])
        for unit, following in zip(ahead, [*ahead[1:], None], strict=True):
            while not wait([making], timeout=beat_s).done:
                yield None
            clip = self._made(unit, making)
            if following is not None:
                making = self._make(following)
            yield self._part(unit, clip)

    def _make(self, unit: str) -> Future[Clip]:
        return _makers.submit(clients.speaker().say, self.choice.voice.id, unit, speed=self.speed)

    def _made(self, unit: str, making: Future[Clip]) -> Clip:
        """The unit's sound; where a voice turns out to be broken at its first word, another takes over."""
        try:
            return making.result()
        except VoiceBroken as broken:
            if self._clips:
                raise
            try:
                choice = choose(clients.speaker().voices(), language=self.language)
            except NoVoice:
                raise broken from None
            if choice.voice.id == self.choice.voice.id:
                raise
            self.choice = replace(choice, missing=self.choice.voice.id)
            return self._make(unit).result()

    def _part(self, unit: str, clip: Clip) -> Part:
        groups = [(group.phonemes, group.start_ms, group.end_ms) for group in clip.groups]
        self._times += shifted(spoken_times(unit, clip.duration_ms, groups), int(self._at_ms))
        first, start = len(self._spans), int(self._at_ms)
        self._spans = text_spans(self.said, self._times)
        self._clips.append(clip)
        self._at_ms += clip.duration_ms
        return Part(clip, start, first, tuple(self._spans[first:]))


def begin(
    text: str,
    *,
    language: str,
    now: dt.datetime,
    voice: str = "",
    character: str = "",
    fixed: bool = False,
    speed: int | None = None,
) -> Speech:
    """A text about to be spoken: its voice chosen, its characters reserved. Close it, or take all its parts.

    `fixed` says that this is a line of the house's own, which may be kept; a line that is in none of its
    catalogues is not kept all the same. Raises a NotSpoken, each of which means: show the text.
    """
    text = sanitise(text)
    check_length(text)
    said = speakable(text, language)
    check_sayable(text, said.words)
    choice = chosen_voice(wanted=voice, character=character, language=language)
    speech = Speech(said, choice, language=language, speed=speed or manner().speed)
    if fixed and is_own(text):
        speech.keeps_line = True
        speech.kept = cache.find_line(variant(choice.voice.id, speech.speed), text)
    if speech.kept:
        speech.keeps_line = False
        allowance.count_hit(len(text), now=now)
    else:
        speech.reserved = allowance.reserve(len(text), now=now)
    return speech


def speak(
    text: str,
    voice: str = "",
    fixed: bool = False,
    *,
    language: str,
    now: dt.datetime,
    character: str = "",
    speed: int | None = None,
    form: str = "wav",
) -> Said:
    """A whole text as sound and spans; nothing is spent where it fails. Raises a NotSpoken."""
    speech = begin(
        text, language=language, now=now, voice=voice, character=character, fixed=fixed, speed=speed
    )
    speech.is_whole = True
    clip = joined([part.clip for part in speech.parts() if part])
    return Said(
        audio=encoded(clip, form),
        spans=speech.spans,
        duration_ms=int(clip.duration_ms),
        voice=speech.choice.voice,
        missing=speech.choice.missing,
        is_kept=speech.kept is not None,
    )
