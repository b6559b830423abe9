"""The fact ledger at work: settle, correct, retire; what the night and questions read of it."""

from __future__ import annotations

import datetime as dt

from django.db import transaction

from household.access import Denied, require_parent, visible
from household.models import Person
from household.rules.permissions import Resource
from household.rules.text import sanitise
from memory.models import SettledFact
from memory.rules import settled as rules
from memory.rules.drawers import Closes
from twin.models import Record, Subject
from twin.rules.categories import FIELDS
from twin.rules.drift import FIELDS as PROFILE_FIELDS
from twin.rules.frame import Cited
from twin.rules.record_ids import parse
from twin.services.days import day_of
from twin.services.filing import lock_subject

LONGEST = 200


def fact_of(row: SettledFact) -> rules.Fact:
    """A stored fact as the rules read it."""
    about = Closes(row.category, row.sign, row.profile_field)
    return rules.Fact(
        row.pk, row.kind, about, row.valid_from, row.valid_until, is_retired=row.retired_at is not None
    )


def facts_on(subject_id: int, day: dt.date) -> list[SettledFact]:
    """The facts in force on a day, oldest first."""
    rows = SettledFact.objects.in_force(day).filter(subject=subject_id).select_related("record")
    return list(rows.order_by("valid_from", "id"))


def settled_on(subject_id: int, day: dt.date) -> frozenset[Closes]:
    """What nobody is asked about on a day."""
    return rules.settled([fact_of(row) for row in facts_on(subject_id, day)], day)


def settled_signs(subject_id: int, day: dt.date) -> frozenset[tuple[str, str]]:
    """The same as (category, sign), for the twin's own questions."""
    return frozenset(
        (one.category, one.sign) for one in settled_on(subject_id, day) if one.category and one.sign
    )


def ruled_out(subject_id: int, day: dt.date) -> list[Cited]:
    """What stands ruled out on a day, for the night's frame, each with its record where it has one."""
    return [
        Cited(row.record.rec_id if row.record else "", row.text)
        for row in facts_on(subject_id, day)
        if row.kind == "ruled_out"
    ]


@transaction.atomic
def settle(
    *,
    person: Person,
    subject_id: int,
    kind: str,
    text: str,
    category: str = "",
    sign: str = "",
    profile_field: str = "",
    settled_by: str = "",
    valid_from: dt.date | None = None,
    valid_until: dt.date | None = None,
    rec_id: str = "",
    client_id: str,
    now: dt.datetime,
) -> SettledFact:
    """Write a settled item into the ledger, once for each client id. Raises Denied, InvalidFact.

    An older fact that says the opposite ends on the day before, where the new evidence is newer; both stay.
    """
    require_parent(person, subject_id)
    held = SettledFact.objects.filter(author=person, client_id=client_id).first()
    if held is not None:
        return held
    subject = lock_subject(subject_id)
    words = sanitise(text).strip()[:LONGEST]
    if not words or kind not in ("ruled_out", "settled"):
        raise rules.InvalidFact("empty" if not words else "kind")
    if (sign and sign not in FIELDS.get(category, {})) or (category and category not in FIELDS):
        raise rules.InvalidFact("sign")
    if profile_field and profile_field not in PROFILE_FIELDS:
        raise rules.InvalidFact("profile_field")
    today = day_of(subject, now)
    rules.checked_dates(valid_from or today, valid_until, today)
    row = SettledFact.objects.create(
        subject=subject,
        kind=kind,
        text=words,
        category=category if sign else "",
        sign=sign,
        profile_field=profile_field,
        settled_by=sanitise(settled_by).strip()[:120],
        valid_from=valid_from or today,
        valid_until=valid_until,
        record=_record(subject, rec_id),
        author=person,
        client_id=client_id,
        created_at=now,
    )
    _end_contradicted(row)
    return row


def _record(subject: Subject, rec_id: str) -> Record | None:
    if not rec_id.strip():
        return None
    number = parse(rec_id.strip())
    found = Record.objects.filter(subject=subject, pk=number).first() if number is not None else None
    if found is None:
        raise rules.InvalidFact("record")
    return found


def _end_contradicted(row: SettledFact) -> None:
    others = SettledFact.objects.filter(subject=row.subject_id, retired_at=None).exclude(pk=row.pk)
    known = {one.pk: one for one in others}
    new = fact_of(row)
    for pk in rules.contradicted(new, [fact_of(one) for one in known.values()]):
        old = known[pk]
        last = rules.ends_before(fact_of(old), new)
        if last is not None:
            old.valid_until = last
            old.save(update_fields=["valid_until"])
        row.contradicts = old
        row.save(update_fields=["contradicts"])


@transaction.atomic
def retire(*, person: Person, fact_id: int, now: dt.datetime) -> SettledFact:
    """Take a fact out of force at once, everywhere: what it settled may be asked again. Raises Denied."""
    rows = visible(person, Resource.MEMORY, SettledFact.objects.filter(pk=fact_id))
    row = rows.first()
    if row is None:
        raise Denied
    require_parent(person, row.subject_id)
    if row.retired_at is None:
        row.retired_at, row.retired_by = now, person
        row.save(update_fields=["retired_at", "retired_by"])
    return row
