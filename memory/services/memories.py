"""The child's memories as people see and change them: each change is a stamp on a register, and merges."""

from __future__ import annotations

import datetime as dt
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import Q, QuerySet

from household.access import Denied, require_parent, sight_of, visible
from household.models import Person
from household.rules.permissions import Resource
from household.services.registers import to_ms
from memory import models
from memory.models.journal import HOME_DEVICE
from memory.rules.merge import (
    UNDO_WINDOW_MS,
    Forgotten,
    Refused,
    StoreDoc,
    UndoRefused,
    UnknownMemory,
    difference,
    edit_text,
    put_away,
    set_hidden,
    undo,
)
from memory.services.journal import write_line
from memory.services.store.pushing import lock_for_merge
from memory.services.store.reading import memories_of, soft_actions_of
from memory.services.store.writing import write

CARDS_A_PAGE = 24
MOST_TEXT = 2_000


class NoWords(ValueError):
    """A memory has some words, and not too many."""


@dataclass(frozen=True)
class After:
    """The last card of a page: when it was learned, and its number."""

    learned_at_ms: int
    pk: int


def children_with_memories(person: Person) -> dict[int, str]:
    """The children whose memories this person may see, by number. Call it inside `seen_by`."""
    sight = sight_of(person)
    own = sight.viewable(Resource.MEMORY)
    return {pk: sight.subjects[pk].name for pk in own if sight.subjects[pk].species == "person"}


def seen_memories(person: Person) -> QuerySet[models.Memory]:
    """The memories this person may see."""
    return visible(person, Resource.MEMORY, models.Memory.objects.all())


def cards(
    person: Person, *, child: int | None, is_hidden: bool, after: After | None = None
) -> tuple[list[models.Memory], After | None]:
    """A page of memories, the latest learned first, with their tellings and pictures; where to go on."""
    rows = seen_memories(person).filter(hidden=is_hidden).select_related("subject")
    if child is not None:
        rows = rows.filter(subject_id=child)
    if after is not None:
        at, pk = after.learned_at_ms, after.pk
        rows = rows.filter(Q(learned_at_ms__lt=at) | Q(learned_at_ms=at, pk__lt=pk))
    ordered = rows.order_by("-learned_at_ms", "-pk").prefetch_related("mentions", "pictures")
    found = list(ordered[: CARDS_A_PAGE + 1])
    page = found[:CARDS_A_PAGE]
    more = len(found) > CARDS_A_PAGE
    return page, After(page[-1].learned_at_ms, page[-1].pk) if more else None


def held_pictures(person: Person, names: Sequence[str]) -> set[str]:
    """Those of some pictures whose bytes the house has and this person may see."""
    rows = visible(person, Resource.MEMORY, models.Picture.objects.filter(name__in=list(names)))
    return set(rows.values_list("name", flat=True))


def read_picture(person: Person, name: str) -> tuple[bytes, str]:
    """A picture's bytes and type. Raises Denied. Call it inside `seen_by`."""
    row = visible(person, Resource.MEMORY, models.Picture.objects.filter(name=name)).first()
    if row is None or not default_storage.exists(row.file):
        raise Denied
    with default_storage.open(row.file) as file:
        return file.read(), row.type


# changes, by parents


@transaction.atomic
def put_memory_away(*, person: Person, memory_id: int, now: dt.datetime) -> str:
    """Put a memory away; gives the soft action that undoes it for 8 seconds. Raises Denied."""
    action = f"home-{secrets.token_hex(8)}"

    def change(held: StoreDoc, gid: str) -> StoreDoc:
        return put_away(held, gid, action_id=action, at_ms=to_ms(now))

    _change(person, memory_id, change, now=now, event="PutAway")
    return action


@transaction.atomic
def undo_put_away(
    *, person: Person, memory_id: int, action: str, now: dt.datetime, was_held: bool = False
) -> None:
    """Take a putting away back, within its 8 seconds. Raises Denied, and Refused when it is too late.

    Where the page's clock was held it is never too late: the memory is brought back as at any later time.
    """

    def change(held: StoreDoc, gid: str) -> StoreDoc:
        try:
            return undo(held, gid, action_id=action, at_ms=to_ms(now))
        except UndoRefused:
            if not was_held:
                raise
            return _shown(held, gid, now)

    _change(person, memory_id, change, now=now, event="Restored")


@transaction.atomic
def restore_memory(*, person: Person, memory_id: int, now: dt.datetime) -> None:
    """Bring a memory back that was put away, however long ago. One that is there stays. Raises Denied."""

    _change(person, memory_id, lambda held, gid: _shown(held, gid, now), now=now, event="Restored")


def _shown(held: StoreDoc, gid: str, now: dt.datetime) -> StoreDoc:
    memory = held.memories[gid]
    shown = set_hidden(memory, hidden=False, at_ms=to_ms(now)) if memory.hidden else memory
    return replace(held, memories={gid: shown})


@transaction.atomic
def edit_memory(*, person: Person, memory_id: int, text: str, now: dt.datetime) -> None:
    """Give a memory other words; the old ones become a revision. Raises Denied, NoWords."""
    clean = " ".join(text.split())
    if not clean or len(clean) > MOST_TEXT:
        raise NoWords

    def change(held: StoreDoc, gid: str) -> StoreDoc:
        edited = edit_text(held.memories[gid], clean, at_ms=to_ms(now), device=HOME_DEVICE)
        return replace(held, memories={gid: edited})

    _change(person, memory_id, change, now=now)


def _change(
    person: Person,
    memory_id: int,
    change: Callable[[StoreDoc, str], StoreDoc],
    *,
    now: dt.datetime,
    event: str = "",
) -> None:
    """One change of one memory, written as its difference and journalled where something changed."""
    found = seen_memories(person).filter(pk=memory_id).first()
    if found is None:
        raise Denied
    require_parent(person, found.subject_id)
    lock_for_merge(found.subject_id)
    rows = models.Memory.objects.select_for_update(of=("self",)).filter(pk=memory_id)
    documents = memories_of(rows)
    if not documents:
        raise Denied
    actions = soft_actions_of(models.SoftAction.objects.filter(memory_id=memory_id))
    held = StoreDoc(memories=documents, soft_actions=actions)
    plan = difference(held, change(held, found.gid))
    if plan.is_empty:
        return
    write(plan, held, subject_id=found.subject_id)
    if event:
        write_line(
            event=event,
            at=now,
            turn="",
            fields={"gid": found.gid, "fact": documents[found.gid].text},
            subject_id=found.subject_id,
            author_id=person.pk,
        )


__all__ = [
    "UNDO_WINDOW_MS",
    "After",
    "Forgotten",
    "NoWords",
    "Refused",
    "UnknownMemory",
    "cards",
    "children_with_memories",
    "edit_memory",
    "held_pictures",
    "put_memory_away",
    "read_picture",
    "restore_memory",
    "seen_memories",
    "undo_put_away",
]
