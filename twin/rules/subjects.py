"""Whom each entry is about: named by the words, else chosen, else the only one there is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from twin.rules.entries import Entry


@dataclass(frozen=True)
class Known:
    """A subject the speaker may write about."""

    id: int
    name: str
    species: str


@dataclass(frozen=True)
class Assigned:
    """Entries by subject id, and those about nobody known."""

    by_subject: Mapping[int, tuple[Entry, ...]]
    nobody: tuple[Entry, ...]


def find_named(said: str, known: Sequence[Known]) -> int | None:
    """The one subject a name or kind word fits, None where none or several do."""
    by_name = [one.id for one in known if one.name.casefold() == said.casefold()]
    if len(by_name) == 1:
        return by_name[0]
    by_kind = [one.id for one in known if one.species == said]
    return by_kind[0] if len(by_kind) == 1 else None


def assign(entries: Sequence[Entry], *, known: Sequence[Known], chosen: int | None) -> Assigned:
    """Give every entry its subject. A name in the words beats the one chosen on the page."""
    default = chosen if chosen is not None else known[0].id if len(known) == 1 else None
    by_subject: dict[int, list[Entry]] = {}
    nobody: list[Entry] = []
    for entry in entries:
        found = find_named(entry.subject, known) if entry.subject else None
        target = found if found is not None else default
        if target is None:
            nobody.append(entry)
        else:
            by_subject.setdefault(target, []).append(entry)
    return Assigned({pk: tuple(found) for pk, found in by_subject.items()}, tuple(nobody))
