"""Forgetting one thing, everywhere: one transaction, under the forgetting lock.

The rows it will take are locked first, then the forgetting lock exclusively, before the first write. A
writer that holds a row this one wants, and waits for the lock itself, would wait for ever: this one gives
way after a fifth of a second and begins again, as often as it takes.
"""

from __future__ import annotations

import datetime as dt
import random
import time
from dataclasses import dataclass

from django.apps import apps
from django.db import OperationalError, connection, transaction
from django.db.models import Count, Value

from household.models import Person
from memory.models import Forgetting, JournalWriter
from memory.models.journal import HOME_DEVICE
from memory.rules.forgetting import Counts, Reach, RecordPlan, Target, plan_records
from memory.services.forgetting import rederiving, taking
from memory.services.forgetting.reaching import (
    Asker,
    asker,
    pictures_of,
    reach_of,
    reached,
    refuse_strangers,
    subjects_of,
)
from memory.services.forgetting.surveying import Survey, survey
from memory.services.journal import write_naming
from memory.services.owing import owe_reached
from twin.models import Subject
from twin.models.triggers import FORGETTING_LOCK
from twin.services.days import last_closed_day
from twin.services.filing import lock_subject

TRIES = 60
GIVES_WAY_AFTER = "200ms"
GIVE_WAY_STATES = {"55P03", "40P01"}  # lock_not_available, deadlock_detected


class Busy(Exception):
    """Others kept writing: nothing was forgotten, and it can be asked for again."""


@dataclass(frozen=True)
class Look:
    """What a forgetting would reach, for the page that asks."""

    target: Target
    counts: Counts
    subjects: tuple[tuple[int, str], ...]  # whom it is about, by name


def look(target: Target, who: Asker) -> Look:
    """What would be reached, counted by table; nothing changes. Raises Unknown, NotYours."""
    reach = reached(target, who)
    found = survey(reach)
    refuse_strangers(target, found.owners, who)
    return Look(target, counts_of(reach, found, plan_records(found.held, reach)), found.names)


def forget(
    target: Target, *, person: Person, client_id: str, now: dt.datetime, tries: int = TRIES
) -> Forgetting:
    """Forget it. The same client id twice is one forgetting. Raises Unknown, NotYours, Busy.

    The bytes go afterwards: `household.services.erasing.sweep` rewrites what is owed.
    """
    for attempt in range(tries):
        try:
            with transaction.atomic(durable=not connection.in_atomic_block):
                done = Forgetting.objects.filter(author=person, client_id=client_id).first()
                return done or _forget(target, asker(person, now=now), client_id=client_id, now=now)
        except OperationalError as error:
            if getattr(error.__cause__, "sqlstate", None) not in GIVE_WAY_STATES:
                raise
            time.sleep(random.uniform(0.01, 0.02) * (attempt + 1))  # noqa: S311 - not for secrets
    raise Busy


def _forget(target: Target, who: Asker, *, client_id: str, now: dt.datetime) -> Forgetting:
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('lock_timeout', %s, true)", [GIVES_WAY_AFTER])
        expected = reach_of(target, who)
        for pk in subjects_of(expected):
            lock_subject(pk)
        _lock_rows(expected)
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [FORGETTING_LOCK])
    taking.mark_forgetting()
    reach = reach_of(target, who)  # again: what came while the locks were waited for is forgotten too
    counts, files = _take(target, reach, now=now)
    row = owe_reached(files=files)
    touched = [pk for pk in subjects_of(reach) if pk not in reach.subjects]
    return Forgetting.objects.create(
        kind=target.kind,
        subject_id=touched[0] if len(touched) == 1 else None,
        author=who.person,
        client_id=client_id,
        asked_at=now,
        counts=counts.as_json(),
        owed=row,
    )


def _lock_rows(reach: Reach) -> None:
    """Hold every row that will go, and the journal's pen, before the lock: who holds one waits for none."""
    for label, rows in (
        ("twin.Statement", reach.statements),
        ("twin.FormFill", reach.fills),
        ("twin.Event", reach.events),
        ("twin.LedgerEntry", reach.entries),
        ("twin.Record", reach.records | reach.refolds),
    ):
        held = apps.get_model(label)._base_manager.filter(pk__in=rows).order_by("pk")
        list(held.select_for_update().values_list("pk", flat=True))
    list(JournalWriter.objects.filter(device=HOME_DEVICE).select_for_update())


def _take(target: Target, reach: Reach, *, now: dt.datetime) -> tuple[Counts, list[str]]:
    subjects = list(Subject.objects.filter(pk__in=subjects_of(reach)).order_by("pk"))
    names = taking.names_of(target, reach, [one.pk for one in subjects])
    staying = [one for one in subjects if one.pk not in reach.subjects]
    found = survey(reach)
    counts = counts_of(reach, found, plan_records(found.held, reach))
    files = taking.files_owed(reach)
    closed = {one.pk: last_closed_day(one) for one in staying}
    days = {one.pk: rederiving.days_of(reach, found.held, one.pk) for one in staying}
    since = {one.pk: rederiving.told_since(reach, one.pk) for one in staying}
    first = {one.pk: rederiving.take_back(one, days[one.pk]) for one in staying}
    planned = taking.plan(reach)
    _take_rows(reach, planned, names=names, closed=closed, now=now)
    for one in staying:
        rederiving.run_again(one, first[one.pk], days[one.pk])
        rederiving.frames_citing(one, planned.gone)
        counts = counts.plus("twin.Assessment", rederiving.assessments(one, since[one.pk]))
    counts = counts.plus("memory.WorkingSet", rederiving.working_sets(one.pk for one in staying))
    for pk in reach.subjects:
        taking.subject(pk)
    _journal(names, reach, now=now)
    return counts, files


def _take_rows(
    reach: Reach,
    planned: RecordPlan,
    *,
    names: list[taking.Name],
    closed: dict[int, dt.date | None],
    now: dt.datetime,
) -> None:
    taking.reopen_agenda(reach, closed)
    taking.reopen_questions(reach, now=now)
    taking.bury(names, reach, pictures_of(reach), now=now)
    taking.fields_of_fills(reach)
    uncorrected = taking.corrected_rows(planned, reach)
    taking.pass_on_follow_ups(reach)
    taking.spend_ids(reach)
    taking.delete_found(reach, planned.gone, now=now)
    taking.empty_shares(reach)
    taking.records(planned, reach, uncorrected, now=now)


def _journal(names: list[taking.Name], reach: Reach, *, now: dt.datetime) -> None:
    """Say in the journal that something was forgotten, by its identity alone."""
    write_naming(
        "Forgot",
        [(name.gid, None if name.subject_id in reach.subjects else name.subject_id) for name in names],
        at=now,
    )


def counts_of(reach: Reach, found: Survey, planned: RecordPlan) -> Counts:
    """How many rows of each table are reached."""
    counts = Counts()
    for label, number in (
        ("twin.Subject", len(reach.subjects)),
        ("twin.Statement", len(reach.statements)),
        ("twin.FormFill", len(reach.fills)),
        ("twin.Event", len(reach.events)),
        ("twin.LedgerEntry", len(reach.entries)),
        ("twin.Record", len(planned.gone)),
        ("twin.Record#folded", len(planned.folded)),
        ("memory.Memory", len(reach.memories)),
        ("memory.JournalLine", len(reach.lines)),
        ("memory.Document", len(reach.documents)),
        ("memory.Answer", found.answers_on(planned.gone)),
        ("memory.Picture", len(found.pictures)),
    ):
        counts = counts.plus(label, number)
    for label, number in _of_subjects(reach.subjects) if reach.subjects else ():
        counts = counts.plus(label, number)
    return counts


def _of_subjects(subjects: frozenset[int]) -> list[tuple[str, int]]:
    """How many rows of the tables a family knows hang on whole subjects."""
    labels = ("twin.Statement", "twin.FormFill", "twin.Event", "twin.Record", "twin.Medicine")
    hang = {
        **dict.fromkeys(labels, "subject"),
        "household.Membership": "subject",
        "household.Device": "child",
    }
    counts = [
        apps.get_model(label)
        ._base_manager.filter(**{f"{column}__in": subjects})
        .order_by()
        .annotate(label=Value(label))
        .values("label")
        .annotate(number=Count("pk"))
        .values_list("label", "number")
        for label, column in hang.items()
    ]
    return list(counts[0].union(*counts[1:]))
