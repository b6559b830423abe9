"""The built-in answer of the companion: it listens, recalls, asks one simple thing. Pure.

What it never does: give advice, say a sentence or recall a memory twice within the history handed in, or say
anything about what is not handed in. When everything was said it nods, which is no sentence. The one reply
to distress is fixed and always the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from memory.rules.companion.icons import icon_for, topic_of
from memory.rules.companion.moments import Moment, moment_of
from memory.rules.companion.recalling import Recall, Remembered, recall
from memory.rules.companion.sayings import DEFAULT_CHARACTER, Saying, in_voice, sayings

WEEK_MS = 7 * 24 * 60 * 60_000  # within it nothing is said or recalled twice
WORD = 0xFFFFFFFF
VOICED = 3  # one in so many replies begins with the character's sound
GREETS_WITH_MEMORY = frozenset({Moment.PLAIN, Moment.PICTURE, Moment.GREETING})


@dataclass(frozen=True)
class Talk:
    """All the composer may know: the words, who is asked, what it may recall and what was said this week."""

    turn: str
    text: str
    language: str = "en"
    character: str = DEFAULT_CHARACTER
    now_ms: int = 0
    is_over: bool = False
    is_distress: bool = False
    has_picture: bool = False
    memories: Sequence[Remembered] = ()
    said: frozenset[str] = frozenset()  # keys of the last week
    recalled: frozenset[str] = frozenset()  # memories of the last week


@dataclass(frozen=True)
class Spoken:
    """A reply: its sentences in order, their keys, and the memory recalled."""

    moment: Moment
    sentences: tuple[str, ...]
    keys: tuple[str, ...] = ()
    recalled: str = ""

    @property
    def text(self) -> str:
        """The whole of it."""
        return " ".join(self.sentences)


@dataclass
class _Draft:
    said: list[Saying] = field(default_factory=list)
    recalled: str = ""


def moment_now(talk: Talk) -> Moment:
    """How this turn is taken: distress before all else, then the end of the day."""
    if talk.is_distress:
        return Moment.DISTRESS
    if talk.is_over:
        return Moment.OVER
    return moment_of(talk.text, talk.language, has_picture=talk.has_picture)


def compose(talk: Talk) -> Spoken:
    """The reply to one turn; the same talk gives the same reply."""
    known, moment = sayings(talk.language), moment_now(talk)
    if moment == Moment.DISTRESS:
        return Spoken(moment, (known.fixed,))
    draft = _Draft()
    if moment in (Moment.OVER, Moment.GOODNIGHT):
        _add(draft, talk, known.said["goodnight"])
    else:
        _add(draft, talk, known.said["listen" if moment == Moment.PLAIN else moment.value], is_voiced=True)
        _recall(draft, talk, moment)
        _add(draft, talk, *_questions(talk, moment))
    if not draft.said:
        return Spoken(moment, (known.nod,))
    return Spoken(
        moment,
        tuple(one.text for one in draft.said),
        tuple(one.key for one in draft.said),
        draft.recalled,
    )


def _questions(talk: Talk, moment: Moment) -> tuple[Sequence[Saying], ...]:
    """Where the last sentence comes from: what fits first, then what always does."""
    asks = sayings(talk.language).asks
    if moment in (Moment.SAD, Moment.HEALTH):
        return (asks[moment.value],)
    if moment == Moment.THANKS:
        return ()
    if moment != Moment.PLAIN:
        return asks[moment.value], asks["any"]
    topic = topic_of(icon_for(talk.text))
    return asks[topic], asks["any"]


def _recall(draft: _Draft, talk: Talk, moment: Moment) -> None:
    if moment not in GREETS_WITH_MEMORY:
        return
    found: Recall | None = recall(
        talk.text,
        talk.memories,
        language=talk.language,
        now_ms=talk.now_ms,
        already=talk.recalled,
        number=_number(talk, "recall"),
    )
    if found is not None:
        draft.said.append(found.saying)
        draft.recalled = found.gid


def _add(draft: _Draft, talk: Talk, *pools: Sequence[Saying], is_voiced: bool = False) -> None:
    """Add one sentence that was not said: plain ones first, then the same ones in the character's voice."""
    for pool in pools:
        if (found := next(_unsaid(talk, pool, is_voiced=is_voiced), None)) is not None:
            draft.said.append(found)
            return
    for pool in pools:
        for number, voice in enumerate(_voices(talk)):
            voiced = [in_voice(one, voice, number) for one in pool]
            if (found := next(_unsaid(talk, voiced), None)) is not None:
                draft.said.append(found)
                return


def _unsaid(talk: Talk, pool: Sequence[Saying], *, is_voiced: bool = False) -> Iterator[Saying]:
    """What of a pool was not said this week, begun at a place that the turn decides."""
    if not pool:
        return
    first = _number(talk, pool[0].key)
    voices = _voices(talk)
    speaks = is_voiced and first % VOICED == 0
    for step in range(len(pool)):
        one = pool[(first + step) % len(pool)]
        voice = first % len(voices)
        candidate = in_voice(one, voices[voice], voice) if speaks else one
        if candidate.key not in talk.said:
            yield candidate


def _voices(talk: Talk) -> tuple[str, ...]:
    voices = sayings(talk.language).voices
    return voices.get(talk.character, voices[DEFAULT_CHARACTER])


def _number(talk: Talk, salt: str) -> int:
    """A number that the turn's identity decides, never its words: FNV-1a, which a tablet can count too."""
    value = 2_166_136_261
    for byte in f"{talk.turn}/{salt}".encode():
        value = (value ^ byte) * 16_777_619 & WORD
    value = (value ^ value >> 16) * 0x85EBCA6B & WORD
    value = (value ^ value >> 13) * 0xC2B2AE35 & WORD
    return value ^ value >> 16


__all__ = ["WEEK_MS", "Spoken", "Talk", "compose", "moment_now"]
