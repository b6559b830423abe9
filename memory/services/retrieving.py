"""Finding what an answer may draw on: typed sources, each within its budget and what the asker may see."""

from __future__ import annotations

import datetime as dt

from household.models import Person
from memory.rules.evidence import Budgets, Retrieved
from twin.models import Subject


def retrieve(
    *,
    person: Person,
    subject: Subject | None,
    question: str,
    language: str,
    now: dt.datetime,
    budgets: Budgets | None = None,
) -> Retrieved:
    """The evidence for one question about one subject, inside `access.seen_by`; no subject gives none."""
    if subject is None or not question.strip():
        return Retrieved()
    return Retrieved()
