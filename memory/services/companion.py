"""One turn of the companion: the child's words in, what the companion says back, in pieces.

The seam: `begin` gathers all it needs in one short transaction and gives a `Reply`; `Reply.pieces` touches no
database; `keep` puts the exchange where the memory work finds it, unless it was forgotten meanwhile. What is
said is chosen by `composer`, which gets what was gathered and nothing else.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from django.db import connection
from django.utils import translation
from django.utils.translation import gettext as _

from household.access import seen_through
from household.models import Device, TimeSpent
from household.rules.days import household_day
from household.rules.limits import TimeRow, is_quiet, says_goodnight, time_rows
from household.rules.registers import read
from household.services.registers import read_registers, to_ms
from memory.models import PendingReflection, TombstoneTurn
from memory.rules.merge.bounds import MOST_TEXT
from memory.services.store.pushing import child_of
from twin.models.triggers import FORGETTING_LOCK

MINUTE_MS = 60_000


@dataclass(frozen=True)
class Heard:
    """What the child said, and all the composer may know when it answers."""

    turn: str
    text: str
    language: str
    is_over: bool  # the day's talk is used up, or the house is quiet


@dataclass
class Reply:
    """An answer being said."""

    heard: Heard
    subject_id: int
    device: str
    at_ms: int
    session: str = ""
    said: list[str] = field(default_factory=list)

    def pieces(self) -> Iterator[str]:
        """What the companion says, piece by piece."""
        for piece in composer(self.heard):
            self.said.append(piece)
            yield piece


def begin(*, device: Device, turn: str, text: str, session: str, language: str, now: dt.datetime) -> Reply:
    """Gather what an answer needs. Raises NoChild, DeviceEnded."""
    with seen_through(device, now=now) as sight:
        subject = child_of(device, sight)
        heard = Heard(turn, text, language, _is_over(device, str(sight.subjects[subject].subject.gid), now))
    return Reply(heard, subject, str(device.pk), to_ms(now), session)


def _is_over(device: Device, child: str, now: dt.datetime) -> bool:
    held = read_registers()
    offset = read(held, "utc_offset_minutes")
    day = household_day(to_ms(now), offset)
    minute = (to_ms(now) // MINUTE_MS + (offset or 0)) % (24 * 60)
    rows = TimeSpent.objects.filter(day=day, child_id=device.child_id)
    spent = time_rows(TimeRow(row.device, row.day, row.used_ms, row.extra_minutes) for row in rows)
    most = read(held, "daily_minutes", child)
    return is_quiet(read(held, "quiet", child), minute) or says_goodnight(spent, day, daily_minutes=most)


def simple_words(heard: Heard) -> Iterator[str]:
    """The built-in answer: it says that it listened, and asks one simple question back."""
    with translation.override(heard.language):
        if heard.is_over:
            yield _("It is time to rest now. Good night.")
            return
        questions = [
            _("What happened then?"),
            _("How did that feel?"),
            _("Who was with you?"),
            _("What did you like best about it?"),
        ]
        yield _("Thank you for telling me.") + " "
        yield questions[hashlib.sha256(heard.turn.encode()).digest()[0] % len(questions)]


# What answers; the companion's own composer takes this place.
composer: Callable[[Heard], Iterator[str]] = simple_words


def keep(reply: Reply, *, device: Device, now: dt.datetime) -> bool:
    """Keep a finished exchange for the memory work; False where its turn was forgotten meanwhile."""
    with seen_through(device, now=now):
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock_shared(%s)", [FORGETTING_LOCK])
        if TombstoneTurn.objects.filter(turn=reply.heard.turn, tombstone__at_ms__gt=0).exists():
            return False
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
    return True


__all__ = ["MOST_TEXT", "Heard", "Reply", "begin", "composer", "keep", "simple_words"]
