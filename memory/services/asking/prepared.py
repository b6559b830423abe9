"""What is known before the first byte of an answer: all it may rest on, gathered in one transaction."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field

from household.models import Endpoint
from household.services.thinking import Reservation
from memory.rules.asking.prompting import Prompt
from memory.rules.composing.plan import Plan


@dataclass(frozen=True)
class Given:
    """One row that was given to an answer, under its marker."""

    marker: str
    ref: str
    kind: str
    pk: int
    text: str
    fingerprint: str
    where: str = ""
    about: str = ""  # a category or a kind, a code
    first_on: dt.date | None = None
    last_on: dt.date | None = None
    polarity: str = ""
    parent: str | None = None  # the public id of what pulled it in


@dataclass
class Thought:
    """The model that is to be asked, with its prompt and the tokens set aside."""

    endpoint: Endpoint
    variant_id: int | None
    prompt: Prompt
    reservation: Reservation


@dataclass
class Prepared:
    """A question with all its answer may rest on. After this nothing is read until the answer is stored."""

    question_id: int
    subject_id: int
    person_id: int
    language: str
    scope: str
    is_private: bool
    started_at: dt.datetime
    plan: Plan
    composed: list[str]  # the composer's answer, section by section
    given: Mapping[str, Given] = field(default_factory=dict)  # by marker
    tier: str = "none"
    effort: str = "minimal"
    keys: Mapping[str, str] = field(default_factory=dict)  # the hashes of the cache
    vector: list[float] | None = None
    embedder: str = ""
    cached: str | None = None  # the text of an answer that may be given again
    cached_variant_id: int | None = None
    cached_model: str = ""
    thought: Thought | None = None
    why_composed: str = ""
    turn: str = ""
    conversation: str = ""  # the turn its conversation began with
    text: str = ""  # the question
    may_remember: bool = True  # nothing of it is kept beside the answer where a parent wants that
    answer_id: int | None = None  # where it was answered before: the same form posted twice

    @property
    def supplied(self) -> frozenset[str]:
        """The markers an answer may use."""
        return frozenset(self.given)
