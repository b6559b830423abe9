"""The memory work after a companion's turn: what was told becomes memories, once, or nothing is lost.

An exchange waits in `PendingReflection`. Reading it happens outside any transaction; filing happens in one,
under the forgetting lock and after looking that the exchange still waits. Health and sadness become a
statement of the child for the parents, never a memory; of distress nothing is learned.
"""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.db import transaction
from django.db.models import F, Q

from household.clients import ChatModel, ModelFailed
from household.rules.limits import OverLimit
from household.rules.tokens import tokens_of
from household.services.thinking import endpoint_for, reserved
from memory import models
from memory.models import CompanionTurn, PendingReflection
from memory.rules.companion import model_facts
from memory.rules.companion.distress import distress_in
from memory.rules.companion.facts import Fact
from memory.rules.companion.filing import Filing, Held, gid_for, plan_fact
from memory.rules.companion.learning import facts_in
from memory.rules.companion.moments import Moment, moment_of
from memory.rules.merge import (
    Forgotten,
    Memory,
    Mention,
    StoreDoc,
    difference,
    drop_duplicate,
    edit_text,
    mention,
    merge_memory,
    remember,
)
from memory.rules.never import Said, said_in
from memory.services.journal import write_line
from memory.services.never import may_remember
from memory.services.store.pushing import Again, lock_for_merge
from memory.services.store.reading import memories_of, soft_actions_of
from memory.services.store.writing import write
from twin.clients import read
from twin.models import Subject
from twin.models.statements import Statement
from twin.rules.entries import Reading
from twin.rules.language import guess_language
from twin.rules.subjects import Known
from twin.services.days import day_of
from twin.services.statements import file_reading, keep_statement, reading_context

log = logging.getLogger("hearthbook.companion")
AT_ONCE = 50
MOST_ATTEMPTS = 8  # then an exchange waits a day between tries
LONGEST_TURN = 40  # of a statement's identity
ANSWER_TOKENS = 600
FOR_PARENTS = frozenset({Moment.HEALTH, Moment.SAD})


@dataclass(frozen=True)
class Read:
    """What was made of an exchange before anything is stored: facts, and what the parents are told.

    Beside each fact is what it says, for the topics that are never to be learned.
    """

    facts: tuple[tuple[Fact, Said], ...] = ()
    reading: Reading | None = None


def reflect_in_a_moment() -> None:
    """Tell the worker that something waits; where the queue is out of reach the sweep finds it."""
    from memory.tasks import reflect_soon

    def tell() -> None:
        try:
            reflect_soon()
        except Exception as error:  # the row waits
            log.warning("memory work waits for the sweep: %s", type(error).__name__)

    transaction.on_commit(tell)


def reflect_due(*, now: dt.datetime) -> int:
    """Work on every exchange that waits and is due, the oldest first. Gives how many were dealt with."""
    waiting = PendingReflection.objects.filter(Q(due_at=None) | Q(due_at__lte=now)).order_by("at_ms", "pk")
    return sum(reflect(pk, now=now) for pk in list(waiting.values_list("pk", flat=True)[:AT_ONCE]))


def reflect(pk: int, *, now: dt.datetime) -> bool:
    """Work on one exchange; False where it does not wait any more or waits for another try."""
    row = PendingReflection.objects.select_related("subject").filter(pk=pk).first()
    if row is None:
        return False
    try:
        made = _read(row, now=now)
        return _file(row, made, now=now)
    except Exception as error:  # it waits and is tried again; no word may reach a log
        log.error("memory work is tried again: %s", type(error).__name__)
        pause = dt.timedelta(minutes=2 ** min(row.attempts, MOST_ATTEMPTS))
        rows = PendingReflection.objects.filter(pk=pk)
        rows.update(attempts=F("attempts") + 1 if row.attempts < 1_000 else 1_000, due_at=now + pause)
        return False


# --- reading: no transaction is open -------------------------------------------------------------


def _read(row: PendingReflection, *, now: dt.datetime) -> Read:
    if distress_in(row.heard) is not None:
        return Read()
    language = guess_language(row.heard, default="en")
    reading = None
    if moment_of(row.heard, language) in FOR_PARENTS and len(row.turn) <= LONGEST_TURN:
        statement = _statement_like(row, language)
        context = reading_context(statement, row.subject, [_known(row.subject)])
        reading = read(row.heard, context=context)
    facts = _facts(row.heard, language, now=now)
    return Read(tuple((fact, said_in(fact.text)) for fact in facts), reading)


def _facts(heard: str, language: str, *, now: dt.datetime) -> Sequence[Fact]:
    """By the household's model where there is one and it answers soundly, else by rules."""
    endpoint = endpoint_for("routine")
    if endpoint is not None:
        told = model_facts.INSTRUCTIONS
        estimate = tokens_of(told, heard) + ANSWER_TOKENS
        try:
            with reserved(endpoint=endpoint, tokens=estimate, now=now) as reservation:
                answer = ChatModel(endpoint).complete_json(
                    system=told, text=heard, schema=model_facts.schema(), max_tokens=ANSWER_TOKENS
                )
                reservation.settle(answer.tokens or estimate)
            facts, dropped = model_facts.parse(answer.text, heard, language=language)
            if dropped:
                log.info("a model proposed %d facts that the words do not carry", dropped)
            if facts or not dropped:
                return facts
        except (ModelFailed, model_facts.NotFacts) as failure:
            log.warning("facts are read by rules: %s", failure.code)
        except OverLimit:
            log.warning("facts are read by rules: over_limit")
    return facts_in(heard, language=language)


def _known(subject: Subject) -> Known:
    return Known(subject.pk, subject.name, subject.species)


def _moment(row: PendingReflection) -> dt.datetime:
    return dt.datetime.fromtimestamp(row.at_ms / 1000, tz=dt.UTC)


def _statement_like(row: PendingReflection, language: str) -> Statement:

    at = _moment(row)
    return Statement(
        subject=row.subject, text=row.heard, said_at=at, local_day=day_of(row.subject, at), language=language
    )


# --- filing: one transaction, under the forgetting lock ------------------------------------------


def _file(row: PendingReflection, made: Read, *, now: dt.datetime) -> bool:
    try:
        return _file_once(row, made, now=now, is_exclusive=False)
    except Again:
        return _file_once(row, made, now=now, is_exclusive=True)


@transaction.atomic
def _file_once(row: PendingReflection, made: Read, *, now: dt.datetime, is_exclusive: bool) -> bool:
    lock_for_merge(row.subject_id, is_exclusive=is_exclusive)
    held = PendingReflection.objects.select_for_update().filter(pk=row.pk).first()
    if held is None or held.heard != row.heard:
        return False  # forgotten meanwhile, or somebody else was faster
    if made.reading is not None:
        _file_for_parents(row, made.reading, now=now)
    for number, (fact, said) in enumerate(made.facts):
        if may_remember(subject_id=row.subject_id, said=said, turn=row.turn, now=now):
            _file_fact(row, fact, number, now=now, is_exclusive=is_exclusive)
    CompanionTurn.objects.update_or_create(
        device=row.device,
        turn=row.turn,
        defaults={"reflected_at": now},
        create_defaults={
            "subject_id": row.subject_id,
            "device": row.device,
            "turn": row.turn,
            "at_ms": row.at_ms,
            "reflected_at": now,
        },
    )
    held.delete()
    return True


def _file_for_parents(row: PendingReflection, reading: Reading, *, now: dt.datetime) -> None:
    """The child's words as a statement for the parents' book, once; the companion says nothing of it."""
    statement, is_new = keep_statement(
        author_id=None,
        subject=row.subject,
        text=row.heard,
        turn=row.turn,
        client_id=row.turn,
        at=_moment(row),
        through="device",
        device=row.device,
    )
    if is_new:
        file_reading(statement, reading, known=[_known(row.subject)], now=now)


def _file_fact(
    row: PendingReflection, fact: Fact, number: int, *, now: dt.datetime, is_exclusive: bool
) -> None:
    rows = models.Memory.objects.filter(subject=row.subject_id)
    listed = [Held(*one) for one in rows.values_list("gid", "text", "kind", "learned_at_ms")]
    gid = gid_for(device=row.device, turn=row.turn, at_ms=row.at_ms, number=number)
    plan = plan_fact(fact, listed, new_gid=gid)
    wanted = [plan.gid, *plan.duplicates]
    before = StoreDoc(
        memories=memories_of(rows.filter(gid__in=wanted)),
        soft_actions=soft_actions_of(models.SoftAction.objects.filter(memory__gid__in=wanted)),
    )
    telling = Mention(row.at_ms, row.device, row.turn)
    try:
        after = _after(before, plan.filing, plan.gid, fact, telling)
    except Forgotten:
        return
    for copy in plan.duplicates:
        kept = merge_memory(after.memories[plan.gid], replace(before.memories[copy], gid=plan.gid))
        after = replace(after, memories={**after.memories, plan.gid: kept})
        after = drop_duplicate(after, copy)
    after = replace(
        after, soft_actions={at: one for at, one in after.soft_actions.items() if one.gid in after.memories}
    )
    change = difference(before, after)
    if change.is_empty:
        return
    if models.Tombstone.objects.filter(gid=plan.gid).exists():
        return
    if change.tombstones and not is_exclusive:
        raise Again
    write(change, before, subject_id=row.subject_id)
    _journal(row, plan.filing, plan.gid, fact, now=now)


def _after(before: StoreDoc, filing: Filing, gid: str, fact: Fact, telling: Mention) -> StoreDoc:
    """The store once a fact is filed."""
    if filing == Filing.NEW:
        fresh = Memory(
            gid,
            fact.text,
            telling.at_ms,
            icon=fact.icon,
            kind=fact.kind,
            who=fact.who,
            place=fact.place,
            said_when=fact.said_when,
            mentions=frozenset({telling}),
        )
        return remember(before, fresh)
    told = mention(before.memories[gid], telling)
    if filing == Filing.REVISE and telling.at_ms >= told.learned_at_ms:
        told = edit_text(told, fact.text, at_ms=telling.at_ms, device=telling.device)
    return replace(before, memories={**before.memories, gid: told})


def _journal(row: PendingReflection, filing: Filing, gid: str, fact: Fact, *, now: dt.datetime) -> None:
    is_again = filing == Filing.MENTION
    named = {"gid": gid, "fact": fact.text}
    write_line(
        event="Recalled" if is_again else "Remembered",
        at=now,
        turn=row.turn,
        fields={"entries": [named]} if is_again else named,
        subject_id=row.subject_id,
    )


__all__ = ["reflect", "reflect_due", "reflect_in_a_moment"]
