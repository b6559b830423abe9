"""Which levels and pairs are counted for a subject: those of its species and the family's own trackables."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any

from memory.rules.counting.levels import Catalogue, parse_catalogue, with_trackables
from twin.models import Subject, Trackable

OWN_LISTS = ("person", "cat", "dog")


@lru_cache
def _table() -> Mapping[str, Any]:
    return tomllib.loads((files("memory") / "data" / "levels.toml").read_text(encoding="utf-8"))


def list_of(species: str) -> str:
    """Which list of the data file a species is counted by."""
    return species if species in OWN_LISTS else "animal"


@lru_cache
def built_in(name: str) -> Catalogue:
    """The levels and pairs of one list of the data file."""
    return parse_catalogue(_table()[name])


def catalogue_of(subject: Subject) -> Catalogue:
    """The levels and pairs of one subject; what is put away stays counted, after what is in use."""
    name = list_of(subject.species)
    rows = Trackable.objects.filter(subjects=subject).order_by("put_away_at", "pk")
    tracked = [
        (row.pk, [(one["key"], one["kind"], position) for position, one in enumerate(row.fields)])
        for row in sorted(rows, key=lambda row: (row.put_away_at is not None, row.pk))
    ]
    return with_trackables(built_in(name), _table()[name]["tracked_before"], tracked)


def fingerprint(catalogue: Catalogue) -> str:
    """What tells one catalogue from another: a change of it is a fresh count."""
    return hashlib.sha256(repr(catalogue).encode()).hexdigest()[:16]
