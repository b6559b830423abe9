"""Finding what a forgetting reaches: where it begins, all that hangs on it, and whose it is."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Min, Q

from household.access import grant_of, sight_of
from household.models import Membership, Person, Register
from household.rules.days import day_bounds_ms
from household.rules.permissions import Role
from memory.models import (
    Document,
    JournalLine,
    LinePicture,
    Memory,
    MemoryPicture,
    ProposedFinding,
)
from memory.rules.forgetting import Kind, NotYours, Reach, Target, Unknown, forgotten_memories
from memory.services.forgetting.growing import Owner, grown, owners_of
from twin.models import Event, FormFill, Record, Statement
from twin.models.records import CourseDay

# For a whole turn or day also the memories that were told in it alone. A memory takes its turns along;
# another told in one of them stays: lines about other memories name those, and stay.
TELLINGS = frozenset({"turn", "day", "statement", "record"})


@dataclass(frozen=True)
class Asker:
    """Who forgets, and whose parent they are."""

    person: Person
    subjects: frozenset[int]


def asker(person: Person, *, now: dt.datetime) -> Asker:
    """The person with the subjects whose parent they are now."""
    rows = Membership.objects.live(now).filter(person=person)
    return Asker(person, frozenset(row.subject_id for row in rows if grant_of(row, now).role == Role.PARENT))


def asker_seen(person: Person) -> Asker:
    """The same as the page's own sight knows it, without a query. Inside `seen_by`."""
    subjects = sight_of(person).subjects.items()
    return Asker(person, frozenset(pk for pk, one in subjects if Role.PARENT in one.roles))


def reach_of(target: Target, who: Asker) -> Reach:
    """What forgetting this target reaches. Raises Unknown, NotYours."""
    reach = reached(target, who)
    refuse_strangers(target, owners_of(reach), who)
    return reach


def reached(target: Target, who: Asker) -> Reach:
    """The same, whoever's it is. Raises Unknown."""
    found = grown(
        _STARTS[target.kind](target, who), is_told=target.kind in TELLINGS, is_whole=target.kind == "subject"
    )
    memories = found.reach.memories | forgotten_memories(found.told, found.reach.turns)
    naming = frozenset(position for gid, position in found.naming if gid in memories)
    reach = found.reach | Reach(memories=memories, lines=found.lines | naming)
    if reach.is_nothing():
        raise Unknown(target.kind)
    return reach


# --- where it begins -------------------------------------------------------------------------------


def _mine(rows: Any, who: Asker, *, orphans: bool = False) -> Any:
    """Rows about the asker's subjects; with `orphans`, also their own of nobody known yet."""
    found = Q(subject_id__in=who.subjects)
    return rows.filter(found | Q(subject=None, author=who.person) if orphans else found)


def _turn(target: Target, who: Asker) -> Reach:
    return Reach(turns=frozenset({target.key}))  # `refuse_strangers` asks whose it is


def _statement(target: Target, who: Asker) -> Reach:
    row = _mine(Statement.objects.filter(pk=target.number), who, orphans=True).first()
    if row is None:
        raise Unknown(target.kind)
    return Reach(turns=frozenset({row.turn}), statements=frozenset({row.pk}))


def _event(target: Target, who: Asker) -> Reach:
    row = _mine(Event.objects.filter(pk=target.number), who).first()
    if row is None:
        raise Unknown(target.kind)
    return Reach(turns=frozenset({row.turn}), events=frozenset({row.pk}))


def _record(target: Target, who: Asker) -> Reach:
    row = _mine(Record.objects.filter(pk=target.number), who).first()
    if row is None:
        raise Unknown(target.kind)
    found = {row.pk}
    if row.lifecycle != "day":
        found |= set(CourseDay.objects.filter(course=row).values_list("record_id", flat=True))
        found |= set(Record.objects.filter(course=row).values_list("pk", flat=True))
    return Reach(records=frozenset(found))


def _memory(target: Target, who: Asker) -> Reach:
    row = _mine(Memory.objects.filter(gid=target.key), who).first()
    if row is None:
        raise Unknown(target.kind)
    turns = row.mentions.exclude(turn="").values_list("turn", flat=True)
    return Reach(turns=frozenset(turns), memories=frozenset({row.gid}))


def _document(target: Target, who: Asker) -> Reach:
    row = _mine(Document.objects.filter(pk=target.number), who).first()
    if row is None:
        raise Unknown(target.kind)
    found = ProposedFinding.objects.filter(document=row, record__isnull=False)
    records = frozenset(found.values_list("record_id", flat=True))
    return Reach(documents=frozenset({row.pk}), refolds=frozenset(pk for pk in records if pk is not None))


def _day(target: Target, who: Asker) -> Reach:
    zone = Register.objects.filter(key="utc_offset_minutes", child=None)
    began, ended = day_bounds_ms(target.day, zone.values_list("value", flat=True).first())
    lines = _mine(JournalLine.objects.filter(at_ms__gte=began, at_ms__lt=ended), who, orphans=True)
    held = {turn for turn in lines.values_list("turn", flat=True) if turn}
    # A turn belongs to the day it began on, whole.
    first = JournalLine.objects.filter(turn__in=held).values("turn").annotate(first=Min("at_ms"))
    turns = {row["turn"] for row in first if row["first"] >= began}
    for model in (Statement, FormFill, Event):
        rows = _mine(model.objects.filter(local_day=target.day), who)
        turns |= set(rows.values_list("turn", flat=True))
    return Reach(turns=frozenset(turns))


def _subject(target: Target, who: Asker) -> Reach:
    if target.number not in who.subjects:
        raise Unknown(target.kind)
    pk = target.number
    spoken = [model.objects.filter(subject=pk).values("turn") for model in (Statement, FormFill, JournalLine)]
    told = {row["turn"] for row in spoken[0].union(*spoken[1:]) if row["turn"]}
    shares = Statement.objects.filter(turn__in=told).exclude(subject=pk).exclude(subject=None)
    return Reach(
        subjects=frozenset({pk}),
        turns=frozenset(told),
        shares=frozenset(shares.values_list("pk", flat=True)),
        memories=frozenset(Memory.objects.filter(subject=pk).values_list("gid", flat=True)),
        documents=frozenset(Document.objects.filter(subject=pk).values_list("pk", flat=True)),
    )


_STARTS: Mapping[Kind, Callable[[Target, Asker], Reach]] = {
    "turn": _turn,
    "statement": _statement,
    "event": _event,
    "record": _record,
    "memory": _memory,
    "document": _document,
    "day": _day,
    "subject": _subject,
}


# --- whose it is -----------------------------------------------------------------------------------


def refuse_strangers(target: Target, owners: Iterable[Owner], who: Asker) -> None:
    """Raise NotYours where it takes rows of a subject whose parent the asker is not.

    A turn of which nothing is the asker's is Unknown to them.
    """
    if target.kind == "subject":
        return
    mine = [one for one in owners if _is_mine(one, who)]
    if target.kind == "turn" and not mine:
        raise Unknown(target.kind)
    if any(one.is_taken and one not in mine for one in owners):
        raise NotYours


def _is_mine(one: Owner, who: Asker) -> bool:
    return one.author_id == who.person.pk if one.subject_id is None else one.subject_id in who.subjects


def pictures_of(reach: Reach) -> frozenset[str]:
    """The names of the pictures these turns and memories showed."""
    shown = LinePicture.objects.filter(line__in=reach.lines).values_list("picture", flat=True)
    of_memories = MemoryPicture.objects.filter(memory__gid__in=reach.memories)
    return frozenset(shown.union(of_memories.values_list("picture", flat=True)))


def subjects_of(reach: Reach) -> list[int]:
    """Every subject a forgetting touches, in the one order in which rows are locked."""
    return sorted(reach.subjects | {one.subject_id for one in owners_of(reach) if one.subject_id is not None})
