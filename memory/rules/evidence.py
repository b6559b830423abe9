"""What an answer may draw on: one piece of evidence, how many of each source, and what retrieval gives."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Source(StrEnum):
    """Where a piece of evidence comes from."""

    EPISODE = "episode"
    PATTERN = "pattern"
    STRATEGY = "strategy"
    PASSAGE = "passage"
    OBSERVATION = "observation"
    COURSE = "course"


LETTERS: Mapping[Source, str] = {  # the letter of an answer's marker: [E1] [P1] [S1] [D1] [O1] [C1]
    Source.EPISODE: "E",
    Source.PATTERN: "P",
    Source.STRATEGY: "S",
    Source.PASSAGE: "D",
    Source.OBSERVATION: "O",
    Source.COURSE: "C",
}
PREFIXES: Mapping[Source, str] = {  # a record of the book is called rec_000123 whatever it holds
    Source.EPISODE: "epi",
    Source.PATTERN: "pat",
    Source.STRATEGY: "str",
    Source.PASSAGE: "pas",
    Source.OBSERVATION: "rec",
    Source.COURSE: "rec",
}


def ref_of(source: Source, row_id: int) -> str:
    """The public id a marker links to, such as `rec_000123`, six digits or more."""
    return f"{PREFIXES[source]}_{row_id:06d}"


@dataclass(frozen=True)
class Evidence:
    """One row an answer may cite.

    `ref` is its public id, `via` the ref that pulled it in by the hop of one. `facts` by source:
    EPISODE kind, place, antecedent, behaviour, tried, outcome, impact, minutes, day (a date), event_id;
    PATTERN antecedent, outcome, window, lifecycle, both, antecedent_days, outcome_days, days, lift, lower,
    base, first_on, last_on;
    STRATEGY name, how, lifecycle, uses, successes, partials, failures, lower (Wilson), last_on and recent
    (uses, successes, partials of the last 8 weeks);
    PASSAGE document_id, title, kind, author, document_on, page;
    OBSERVATION kind, category, site, polarity, signs, severity, day;
    COURSE the same, and lifecycle, started_on, precision, ended_on, days.
    """

    source: Source
    ref: str
    row_id: int
    subject_id: int
    at: dt.datetime | None
    text: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    score: float = 0.0
    via: str | None = None


@dataclass(frozen=True)
class Budgets:
    """How many pieces each source may give; the hop of one has its own."""

    episodes: int = 6
    patterns: int = 4
    strategies: int = 4
    passages: int = 4
    observations: int = 8
    courses: int = 6
    hop: int = 6
    observation_days: int = 30


@dataclass(frozen=True)
class Portrait:
    """What travels with every question about a subject: profile values and what drifted, where seen."""

    profile: Mapping[str, Any] = field(default_factory=dict)
    drift: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True)
class Retrieved:
    """What was found for one question, best first within each source.

    `scope` names what the asker may view: two people with equal scopes may see the same rows. `version` says
    which state of the subject's data was read; an answer kept under another version is stale.
    """

    evidence: tuple[Evidence, ...] = ()
    scope: str = ""
    version: str = ""
    portrait: Portrait = field(default_factory=Portrait)
    searched_by: tuple[str, ...] = ()  # "text", and "vector" where an embedder answered

    def of(self, source: Source) -> tuple[Evidence, ...]:
        """The pieces of one source, best first."""
        return tuple(one for one in self.evidence if one.source == source)

    @property
    def refs(self) -> frozenset[str]:
        """The public ids of everything found."""
        return frozenset(one.ref for one in self.evidence)
