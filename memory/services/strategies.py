"""Strategies: proposed, taken into use, changed, retired; and every use with how it went."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Mapping

from django.db import transaction

from household.access import visible
from household.models import Person
from household.rules.permissions import Resource
from household.rules.text import sanitise
from memory.models import Pattern, Strategy, StrategyPattern, StrategyUse
from memory.models.strategies import OUTCOMES
from memory.services.open_questions import waiting_questions
from twin.models import AgendaItem, Event
from twin.rules.agenda import WaitingQuestion
from twin.rules.routing import may_undo
from twin.services.filing import TooLate, lock_subject
from twin.services.rounds.night import Night

NAME_LONGEST = 120
HOW_LONGEST = 4_000
EXPIRES_AFTER = dt.timedelta(days=7)  # an unanswered follow-up counts as a use without a known outcome
ASKED_A_DAY = 2
FOLLOW_UP = "use:"  # the agenda's key of a follow-up


class NoName(ValueError):
    """A strategy without a name cannot be told from others."""


class NameTaken(ValueError):
    """Another strategy of this subject has the name."""


class Retired(ValueError):
    """A retired strategy is not used; it can be taken into use again."""


class UnknownOutcome(ValueError):
    """The tap is none of the outcomes."""


@transaction.atomic
def propose_strategy(
    *,
    person: Person,
    subject_id: int,
    client_id: str,
    name: str,
    how: str = "",
    patterns: Iterable[int] = (),
    lifecycle: str = "proposed",
    now: dt.datetime,
) -> Strategy:
    """A new strategy; the same client id twice is one row. Raises NoName, NameTaken."""
    subject = lock_subject(subject_id)
    found = Strategy.objects.filter(author=person, client_id=client_id).first()
    if found is not None:
        return found
    row = Strategy(
        subject=subject,
        author=person,
        client_id=client_id,
        lifecycle=lifecycle,
        created_at=now,
        **_words(subject_id, name, how, but=None),
        changed_at=now,
    )
    row.save()
    _be_for(row, patterns)
    return row


@transaction.atomic
def change_strategy(
    *, strategy_id: int, name: str, how: str, patterns: Iterable[int], now: dt.datetime
) -> Strategy:
    """Say it otherwise; its uses stay. Raises NoName, NameTaken."""
    row = _locked(strategy_id)
    for field, value in _words(row.subject_id, name, how, but=row.pk).items():
        setattr(row, field, value)
    row.changed_at = now
    row.save(update_fields=["name", "how", "changed_at"])
    _be_for(row, patterns)
    return row


@transaction.atomic
def adopt_strategy(*, strategy_id: int, now: dt.datetime) -> Strategy:
    """Take it into use, also one that was retired. Twice changes nothing."""
    row = _locked(strategy_id)
    if row.lifecycle != "in_use":
        row.lifecycle, row.retired_by, row.retired_reason, row.changed_at = "in_use", None, "", now
        row.save(update_fields=["lifecycle", "retired_by", "retired_reason", "changed_at"])
    return row


@transaction.atomic
def retire_strategy(*, person: Person, strategy_id: int, reason: str = "", now: dt.datetime) -> Strategy:
    """Use it no more; what it did stays counted. Twice changes nothing."""
    row = _locked(strategy_id)
    if row.lifecycle != "retired":
        row.lifecycle, row.retired_by, row.changed_at = "retired", person, now
        row.retired_reason = sanitise(reason).strip()[:HOW_LONGEST]
        row.save(update_fields=["lifecycle", "retired_by", "retired_reason", "changed_at"])
    return row


@transaction.atomic
def record_use(
    *,
    person: Person,
    strategy_id: int,
    client_id: str,
    on: dt.date,
    outcome: str = "unknown",
    event_id: int | None = None,
    now: dt.datetime,
) -> StrategyUse:
    """One use; in an event each strategy is used once, and another tap says how it went.

    The same client id twice is one row. A proposed strategy that is used is in use. Raises Retired,
    UnknownOutcome.
    """
    _check(outcome)
    row = _locked(strategy_id)
    event = Event.objects.filter(pk=event_id, subject_id=row.subject_id).first() if event_id else None
    found = StrategyUse.objects.filter(author=person, client_id=client_id).first()
    if found is None and event is not None:
        found = StrategyUse.objects.filter(strategy=row, event=event).first()
    if found is not None:
        if outcome != "unknown":
            _say(found, person, outcome, now=now)
        return found
    if row.lifecycle == "retired":
        raise Retired
    if row.lifecycle == "proposed":
        adopt_strategy(strategy_id=row.pk, now=now)
    return StrategyUse.objects.create(
        strategy=row,
        subject_id=row.subject_id,
        event=event,
        on=event.local_day if event else on,
        outcome=outcome,
        author=person,
        client_id=client_id,
        created_at=now,
        answered_at=None if outcome == "unknown" else now,
        answered_by=None if outcome == "unknown" else person,
    )


@transaction.atomic
def answer_use(*, person: Person, use_id: int, outcome: str, now: dt.datetime) -> StrategyUse:
    """How a use went, said afterwards; "don't know" ends the asking. Raises UnknownOutcome."""
    _check(outcome)
    subject_id = StrategyUse.objects.values_list("subject_id", flat=True).get(pk=use_id)
    lock_subject(subject_id)
    row = StrategyUse.objects.get(pk=use_id)
    _say(row, person, outcome, now=now)
    AgendaItem.objects.filter(subject_id=subject_id, key=f"{FOLLOW_UP}{use_id}", state="open").update(
        state="answered", answered_at=now
    )
    return row


def _say(row: StrategyUse, person: Person, outcome: str, *, now: dt.datetime) -> None:
    if (row.outcome, row.answered_at is None) == (outcome, False):
        return
    row.outcome, row.answered_at, row.answered_by = outcome, now, person
    row.follow_up_expired = outcome == "unknown"
    row.save(update_fields=["outcome", "answered_at", "answered_by", "follow_up_expired"])


@transaction.atomic
def undo_use(*, use_id: int, now: dt.datetime, held: dt.timedelta = dt.timedelta(0)) -> None:
    """Take a use back within sixty seconds; afterwards its outcome is said anew. Raises TooLate."""
    row = StrategyUse.objects.filter(pk=use_id).first()
    if row is None:
        return
    lock_subject(row.subject_id)
    if not may_undo("filed", row.created_at, now, held=held):
        raise TooLate
    row.delete()


def expire_follow_ups(night: Night) -> Mapping[str, int]:
    """The round's step: a use nobody told the end of in a week counts, with an unknown outcome."""
    old = StrategyUse.objects.filter(
        subject=night.subject, outcome="unknown", follow_up_expired=False, on__lte=night.day - EXPIRES_AFTER
    )
    return {"expired": old.update(follow_up_expired=True)}


def waiting(subject_id: int, day: dt.date, at: dt.datetime) -> list[WaitingQuestion]:
    """What the morrow's agenda may ask: how the latest uses went, then the memory's open questions."""
    rows = StrategyUse.objects.filter(
        subject=subject_id,
        outcome="unknown",
        follow_up_expired=False,
        on__lte=day,
        on__gt=day - EXPIRES_AFTER,
    ).order_by("-on", "-pk")
    uses = [WaitingQuestion(row.pk, row.on, of="use") for row in rows[:ASKED_A_DAY]]
    return uses + waiting_questions(subject_id, day, at)


def names_of_tried(person: Person, ids: Collection[int]) -> dict[int, str]:
    """What was tried, by the number of its use, as far as this person may see it."""
    rows = visible(person, Resource.MEMORY, StrategyUse.objects.filter(pk__in=ids))
    return dict(rows.values_list("pk", "strategy__name"))


def tell_tried(person: Person, number: int, outcome: str, now: dt.datetime) -> bool:
    """Keep how a use went; False where the tap is none of the outcomes or the use is gone."""
    if outcome not in OUTCOMES or not StrategyUse.objects.filter(pk=number).exists():
        return False
    answer_use(person=person, use_id=number, outcome=outcome, now=now)
    return True


def _words(subject_id: int, name: str, how: str, *, but: int | None) -> dict[str, str]:
    called = sanitise(name).strip()[:NAME_LONGEST]
    if not called:
        raise NoName
    if Strategy.objects.filter(subject_id=subject_id, name=called).exclude(pk=but or 0).exists():
        raise NameTaken
    return {"name": called, "how": sanitise(how).strip()[:HOW_LONGEST]}


def _be_for(row: Strategy, patterns: Iterable[int]) -> None:
    wanted = set(
        Pattern.objects.filter(pk__in=list(patterns), subject_id=row.subject_id).values_list("pk", flat=True)
    )
    StrategyPattern.objects.filter(strategy=row).exclude(pattern_id__in=wanted).delete()
    StrategyPattern.objects.bulk_create(
        [StrategyPattern(strategy=row, pattern_id=pk, subject_id=row.subject_id) for pk in sorted(wanted)],
        ignore_conflicts=True,
    )


def _locked(strategy_id: int) -> Strategy:
    lock_subject(Strategy.objects.values_list("subject_id", flat=True).get(pk=strategy_id))
    return Strategy.objects.get(pk=strategy_id)


def _check(outcome: str) -> None:
    if outcome not in OUTCOMES:
        raise UnknownOutcome(outcome)
