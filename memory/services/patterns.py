"""What a person decides about a pattern: to retire it, or to let the nights count it again."""

from __future__ import annotations

import datetime as dt

from django.db import transaction

from household.models import Person
from household.rules.text import sanitise
from memory.models import Pattern, PatternMove
from twin.services.days import day_of
from twin.services.filing import lock_subject

REASON_LONGEST = 1_000


@transaction.atomic
def retire_pattern(*, person: Person, pattern_id: int, reason: str = "", now: dt.datetime) -> Pattern:
    """Let a pattern count no more; no night brings it back. Twice changes nothing."""
    row = _locked(pattern_id)
    if row.by_hand:
        return row
    words = sanitise(reason).strip()[:REASON_LONGEST]
    _move(row, person, "retired", words, now=now)
    row.by_hand, row.retired_by, row.reason = True, person, words
    row.save(update_fields=["lifecycle", "since", "changed_at", "by_hand", "retired_by", "reason"])
    return row


@transaction.atomic
def reopen_pattern(*, person: Person, pattern_id: int, now: dt.datetime) -> Pattern:
    """Let the nights count it again, as a hypothesis. Twice changes nothing."""
    row = _locked(pattern_id)
    if row.lifecycle != "retired":
        return row
    _move(row, person, "hypothesis", "", now=now)
    row.by_hand, row.retired_by, row.reason = False, None, ""
    row.save(update_fields=["lifecycle", "since", "changed_at", "by_hand", "retired_by", "reason"])
    return row


def _locked(pattern_id: int) -> Pattern:
    subject_id = Pattern.objects.values_list("subject_id", flat=True).get(pk=pattern_id)
    lock_subject(subject_id)
    return Pattern.objects.select_related("subject").get(pk=pattern_id)


def _move(row: Pattern, person: Person, became: str, reason: str, *, now: dt.datetime) -> None:
    day = day_of(row.subject, now)
    PatternMove.objects.create(
        pattern=row,
        subject=row.subject,
        day=day,
        was=row.lifecycle,
        became=became,
        reason=reason,
        by=person,
        by_hand=True,
    )
    row.lifecycle, row.since, row.changed_at = became, day, now
