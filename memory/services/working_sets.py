"""The working set of a conversation, advanced by each of its turns."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable

from django.db import transaction

from household.models import Person
from memory.models import WorkingSet
from memory.rules import working_set as rules

GONE_ON_WITH = dt.timedelta(days=7)
_REF = re.compile(r"\b[a-z]{3}_\d{6,12}\b")


def refs_named(text: str) -> frozenset[str]:
    """The public ids that stand in a text, such as rec_000123."""
    return frozenset(_REF.findall(text[:10_000]))


@transaction.atomic
def advance(
    *,
    person: Person,
    subject_id: int,
    conversation: str,
    turn: str,
    text: str,
    brought: Iterable[rules.Brought],
    now: dt.datetime,
) -> rules.WorkingSet:
    """The set after a turn of these words for which `brought` was retrieved; the same turn counts once.

    A new conversation takes the place of those that nobody went on with for a week.
    """
    row, is_new = WorkingSet.objects.select_for_update(no_key=True).get_or_create(
        author=person, subject_id=subject_id, conversation=conversation, defaults={"changed_at": now}
    )
    if is_new:
        own = WorkingSet.objects.filter(author=person, subject=subject_id)
        own.filter(changed_at__lt=now - GONE_ON_WITH).delete()
    before = rules.from_json(row.state)
    if turn in before.turns:
        return before
    after = rules.advance(before, rules.Turn(turn, tuple(brought), refs_named(text)))
    row.state, row.changed_at = rules.to_json(after), now
    row.save(update_fields=["state", "changed_at"])
    return after
