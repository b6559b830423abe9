"""Who said it and how, and that neither ever rises by being summed up. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

# From the weakest to the strongest. A summary is as strong as the weakest word it rests on.
SAID_BY = ("model", "round", "import", "document", "child", "family", "teacher", "parent", "therapist", "vet")
MANNERS = ("inferred", "stated", "measured")


@dataclass(frozen=True)
class Provenance:
    """Who said something, and whether it was measured, stated or only inferred."""

    said_by: str
    manner: str


def weakest(sources: Sequence[Provenance]) -> Provenance:
    """The provenance of what rests on all of these. Raises ValueError where there are none."""
    if not sources:
        raise ValueError("what rests on nothing has no provenance")
    return Provenance(
        min((source.said_by for source in sources), key=SAID_BY.index),
        min((source.manner for source in sources), key=MANNERS.index),
    )


def inferred_by(author: str, sources: Sequence[Provenance]) -> Provenance:
    """The provenance of a conclusion that `author` (a round, a model, a person) drew from these."""
    return weakest([*sources, Provenance(author, "inferred")])


def is_raised(claimed: Provenance, sources: Sequence[Provenance]) -> bool:
    """Whether something claims more than what it rests on."""
    limit = weakest(sources)
    return SAID_BY.index(claimed.said_by) > SAID_BY.index(limit.said_by) or MANNERS.index(
        claimed.manner
    ) > MANNERS.index(limit.manner)
