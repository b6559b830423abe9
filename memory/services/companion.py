"""One turn of the companion: the child's words in, what the companion says back, in pieces.

The seam: `begin` gathers all it needs in one short transaction and gives a `Reply`; `Reply.pieces` touches no
database; `keep` puts the exchange where the memory work finds it, unless it was forgotten meanwhile. The
built-in reply stands ready before a model is asked, so whatever a model does the child gets an answer.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass, field

from household.access import seen_through
from household.models import Device, TimeSpent
from household.rules.days import household_day
from household.rules.limits import OverLimit, TimeRow, is_quiet, says_goodnight, time_rows
from household.rules.registers import read, shown_character
from household.services.registers import read_registers, to_ms
from household.services.thinking import endpoint_for, give_back, reserve, settle
from memory.models import CompanionTurn, Memory, PendingReflection, TombstoneTurn
from memory.rules.companion.composing import WEEK_MS, Spoken, Talk, compose
from memory.rules.companion.guarding import digest, sentences
from memory.rules.companion.prompting import MODEL_MOMENTS, prompt_for
from memory.rules.companion.recalling import MOST_MEMORIES, Remembered, named
from memory.rules.companion.sayings import DEFAULT_CHARACTER
from memory.rules.merge.bounds import MOST_TEXT
from memory.services.companion_model import Thinking, Thought, think
from memory.services.crises import Heard as Words
from memory.services.crises import raise_cards
from memory.services.reflecting import reflect_in_a_moment
from memory.services.store.pushing import child_of, lock_for_merge

MINUTE_MS = 60_000
MOST_RECALLED = 8
MOST_TURNS = 2_000  # of a week


@dataclass(frozen=True)
class Heard:
    """What the child said, and all the composer may know when it answers."""

    turn: str
    text: str
    language: str
    is_over: bool  # the day's talk is used up, or the house is quiet
    crisis: str = ""  # the kind of distress it says
    has_picture: bool = False


@dataclass
class Reply:
    """An answer being said: the built-in one stands ready, `thought` is what a model is asked."""

    heard: Heard
    subject_id: int
    device: str
    at_ms: int
    spoken: Spoken
    talk: Talk
    session: str = ""
    said: list[str] = field(default_factory=list)
    thought: Thought | None = None
    thinking: Thinking = field(default_factory=Thinking)

    @property
    def recalled(self) -> list[str]:
        """The memories that were said back; the device journals them with its turn."""
        if self.thinking.is_own:
            return sorted(named(self.talk.memories, "".join(self.said)))[:MOST_RECALLED]
        return [self.spoken.recalled] if self.spoken.recalled else []

    def pieces(self) -> Iterator[str]:
        """What the companion says, piece by piece: a sentence each."""
        if self.thought is None:
            told: Iterator[str] = iter(self.spoken.sentences)
        else:
            told = think(self.thought, self.talk, self.spoken, self.thinking)
        for sentence in told:
            piece = f" {sentence}" if self.said else sentence
            self.said.append(piece)
            yield piece

    def close(self) -> None:
        """Settle what a model's call cost, or give it back; once, however the answer ended."""
        thought, self.thought = self.thought, None
        if thought is None:
            return
        if self.thinking.tokens is None:
            give_back(thought.reservation)
        else:
            settle(thought.reservation, self.thinking.tokens or thought.reservation.tokens)


def begin(
    *,
    device: Device,
    turn: str,
    text: str,
    session: str,
    language: str,
    now: dt.datetime,
    has_picture: bool = False,
) -> Reply:
    """Gather what an answer needs; distress raises its card here. Raises NoChild, DeviceEnded."""
    with seen_through(device, now=now) as sight:
        subject = child_of(device, sight)
        lock_for_merge(subject)
        gid, me, at_ms = str(sight.subjects[subject].subject.gid), str(device.pk), to_ms(now)
        heard_now = [Words(turn, text, at_ms)]
        crisis = raise_cards(subject_id=subject, device=me, heard=heard_now).get(turn, "")
        heard = Heard(turn, text, language, _is_over(device, gid, now), crisis, has_picture)
        talk, digests = _talk(heard, subject=subject, device=me, child=gid, at_ms=at_ms)
        spoken = compose(talk)
        _note(talk, spoken, subject=subject, device=me, at_ms=at_ms)
    reply = Reply(heard, subject, me, at_ms, spoken, talk, session)
    if spoken.moment in MODEL_MOMENTS and text.strip():
        reply.thought = _thought(talk, digests, now=now)
    return reply


def _talk(heard: Heard, *, subject: int, device: str, child: str, at_ms: int) -> tuple[Talk, frozenset[str]]:
    """What the composer may know, and the digests of what a model said this week."""
    rows = CompanionTurn.objects.filter(subject=subject, at_ms__gte=at_ms - WEEK_MS)
    week = list(
        rows.exclude(device=device, turn=heard.turn)
        .order_by("-at_ms")
        .values_list("said", "recalled", "digests")[:MOST_TURNS]
    )
    live = Memory.objects.filter(subject=subject, hidden=False).order_by("-learned_at_ms", "-gid")
    memories = live.values_list("gid", "text", "icon", "learned_at_ms")[:MOST_MEMORIES]
    talk = Talk(
        turn=heard.turn,
        text=heard.text,
        language=heard.language,
        character=_character(child),
        now_ms=at_ms,
        is_over=heard.is_over,
        is_distress=bool(heard.crisis),
        has_picture=heard.has_picture,
        memories=tuple(Remembered(*one) for one in memories),
        said=frozenset(key for said, _recalled, _digests in week for key in said),
        recalled=frozenset(gid for _said, recalled, _digests in week for gid in recalled),
    )
    return talk, frozenset(one for _said, _recalled, digests in week for one in digests)


def _character(child: str) -> str:
    shown = shown_character(read_registers(), child)
    return shown[1] if shown else DEFAULT_CHARACTER


def _note(talk: Talk, spoken: Spoken, *, subject: int, device: str, at_ms: int) -> None:
    """Keep what was said and recalled, so that it is not said again this week."""
    if TombstoneTurn.objects.filter(turn=talk.turn, tombstone__at_ms__gt=0).exists():
        return
    CompanionTurn.objects.bulk_create(
        [
            CompanionTurn(
                subject_id=subject,
                device=device,
                turn=talk.turn,
                at_ms=at_ms,
                said=list(spoken.keys),
                recalled=[spoken.recalled] if spoken.recalled else [],
            )
        ],
        ignore_conflicts=True,
    )


def _thought(talk: Talk, digests: frozenset[str], *, now: dt.datetime) -> Thought | None:
    """What a model is asked, where the household has one and tokens are left."""
    endpoint = endpoint_for("routine")
    if endpoint is None:
        return None
    prompt = prompt_for(talk)
    try:
        reservation = reserve(endpoint=endpoint, tokens=prompt.estimate, now=now)
    except OverLimit:
        return None
    return Thought(endpoint, prompt, reservation, digests)


def _is_over(device: Device, child: str, now: dt.datetime) -> bool:
    held = read_registers()
    offset = read(held, "utc_offset_minutes")
    day = household_day(to_ms(now), offset)
    minute = (to_ms(now) // MINUTE_MS + (offset or 0)) % (24 * 60)
    rows = TimeSpent.objects.filter(day=day, child_id=device.child_id)
    spent = time_rows(TimeRow(row.device, row.day, row.used_ms, row.extra_minutes) for row in rows)
    most = read(held, "daily_minutes", child)
    return is_quiet(read(held, "quiet", child), minute) or says_goodnight(spent, day, daily_minutes=most)


def keep(reply: Reply, *, device: Device, now: dt.datetime) -> bool:
    """Keep a finished exchange for the memory work; False where its turn was forgotten meanwhile.

    Of words of distress nothing is learned, nor of a picture alone, so they wait for nothing.
    """
    reply.close()
    with seen_through(device, now=now):
        lock_for_merge(reply.subject_id)
        if TombstoneTurn.objects.filter(turn=reply.heard.turn, tombstone__at_ms__gt=0).exists():
            return False
        mine = CompanionTurn.objects.filter(device=reply.device, turn=reply.heard.turn)
        if reply.heard.crisis or not reply.heard.text.strip():
            mine.filter(reflected_at=None).update(reflected_at=now)
            return True
        if reply.thinking.is_own:
            told = "".join(reply.said)
            mine.update(
                said=[],
                digests=[digest(one) for one in sentences(told)],
                recalled=reply.recalled,
            )
        if mine.filter(reflected_at__isnull=False).exists():
            return True
        PendingReflection.objects.bulk_create(
            [
                PendingReflection(
                    turn=reply.heard.turn,
                    subject_id=reply.subject_id,
                    device=reply.device,
                    session=reply.session,
                    at_ms=reply.at_ms,
                    heard=reply.heard.text,
                    said="".join(reply.said),
                )
            ],
            ignore_conflicts=True,
        )
    reflect_in_a_moment()
    return True


__all__ = ["MOST_TEXT", "Heard", "Reply", "begin", "keep"]
