"""The round's first and third steps: what nobody answered, and what is still ambiguous."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

from twin.models import LedgerEntry, Question, Record
from twin.rules import adjudication as rules
from twin.rules.provenance import Provenance
from twin.services.filing import file_entry, weaken
from twin.services.folding import refold, sources_of
from twin.services.rounds.courses import regrade
from twin.services.rounds.night import Night


def expire_questions(night: Night) -> Mapping[str, int]:
    """File every entry whose question nobody answered by its deadline: no onset, the words as they were."""
    waiting = Question.objects.filter(
        subject=night.subject, state="open", deadline_at__lte=night.due_at
    ).select_related("entry")
    expired = 0
    for question in waiting.order_by("id"):
        question.state, question.closed_at = "expired", question.deadline_at
        question.save(update_fields=["state", "closed_at"])
        file_entry(question.entry, subject=night.subject, now=night.ended_at, has_been_asked=True)
        expired += 1
    return {"expired": expired}


def adjudicate(night: Night) -> Mapping[str, int]:
    """Let an ambiguous entry join what was abnormal within two days; else it stays history, undated."""
    joined = stayed = 0
    rows = LedgerEntry.objects.filter(
        subject=night.subject, adjudicate=True, state="filed", local_day__lte=night.day
    ).exclude(question__closed_at__gt=night.due_at)  # a round that runs again does not know the future
    for row in rows.select_related("record").order_by("said_at", "id"):
        decision = rules.adjudicate(row.local_day, row.site, _abnormal_near(night, row))
        if decision.record is not None:
            _join(row, Record.objects.get(pk=decision.record), night)
            joined += 1
        else:
            stayed += 1
        row.adjudicate = False
        row.save(update_fields=["adjudicate"])
    return {"joined": joined, "undated": stayed}


def _abnormal_near(night: Night, row: LedgerEntry) -> list[rules.AbnormalDay]:
    near = dt.timedelta(days=rules.NEAR_DAYS)
    found = Record.objects.standing().filter(
        subject=night.subject,
        kind="symptom",
        lifecycle="day",
        category=row.category,
        polarity="abnormal",
        day__gte=row.local_day - near,
        day__lte=min(row.local_day + near, night.day),
    )
    return [rules.AbnormalDay(record.pk, record.day, record.site) for record in found if record.day]


def _join(row: LedgerEntry, target: Record, night: Night) -> None:
    left, row.record = row.record, target
    row.save(update_fields=["record"])
    if left is not None:
        weaken(target, Provenance(left.provenance, left.manner))
    refold(target, sources_of(target), subject=night.subject)
    if left is not None and not sources_of(left):
        left.delete()
    regrade(target)
