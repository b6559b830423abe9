"""What people do to a document: correct what it is, decide on its findings, give its password, try again."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from household.access import Denied, may_do, require_parent, sight_of, visible
from household.models import Person
from household.rules.permissions import Action, Resource, Role
from household.rules.text import sanitise
from memory.models import Document, ProposedFinding
from memory.models.documents import KINDS
from memory.papers import reading
from memory.services.documents.files import bytes_of, erase, keep_bytes
from memory.services.documents.pipeline import go_on
from memory.services.documents.queueing import enqueue
from twin.services.additions import Addition, add_record


class NotPossible(ValueError):
    """What was asked for does not fit the state the document is in."""


class BadDate(ValueError):
    """A paper's date lies after its receipt or before the subject's birth."""


class BadKind(ValueError):
    """No such sort of document."""


@dataclass(frozen=True)
class Corrected:
    """What a document is, by a person's own word."""

    kind: str
    title: str
    writer: str
    dated_on: dt.date | None


def document_of(person: Person, document_id: int) -> Document:
    """A document this person may see, inside `seen_by`. Raises Denied."""
    rows = Document.objects.filter(pk=document_id).select_related("author", "summary")
    found = visible(person, Resource.DOCUMENT, rows).first()
    if found is None:
        raise Denied
    return found


def may_change(person: Person, document: Document) -> bool:
    """Whether this person may correct or forget a document: a parent, or whoever handed it in."""
    sight = sight_of(person).subjects.get(document.subject_id)
    if sight is None:
        return False
    is_parent = Role.PARENT in sight.roles
    return is_parent or (
        document.author_id == person.pk and may_do(person, Action.ADD, Resource.DOCUMENT, document.subject_id)
    )


def changeable(person: Person, document_id: int) -> Document:
    """A document this person may change. Raises Denied."""
    found = document_of(person, document_id)
    if not may_change(person, found):
        raise Denied
    return found


@transaction.atomic
def correct_document(*, person: Person, document_id: int, said: Corrected, now: dt.datetime) -> Document:
    """Set what a document is; a later reading leaves it so. Raises Denied, BadDate, BadKind."""
    document = changeable(person, document_id)
    born_on = sight_of(person).subjects[document.subject_id].subject.born_on
    if said.kind not in KINDS:
        raise BadKind
    if said.dated_on is not None and not (born_on or dt.date.min) <= said.dated_on <= document.received_on:
        raise BadDate
    values: dict[str, Any] = {
        "kind": said.kind,
        "title": sanitise(said.title).strip()[:200],
        "writer": sanitise(said.writer).strip()[:120],
        "dated_on": said.dated_on,
    }
    changed = [name for name, value in values.items() if getattr(document, name) != value]
    for name in changed:
        setattr(document, name, values[name])
    document.corrected = sorted({*document.corrected, *changed})
    document.changed_at = now
    document.save(update_fields=[*changed, "corrected", "changed_at"])
    document.refresh_from_db(fields=["day"])
    return document


@transaction.atomic
def accept_finding(*, person: Person, finding_id: int, now: dt.datetime) -> ProposedFinding:
    """File a proposed finding as a record of the book; twice is once. Raises Denied, NotPossible."""
    finding = _decidable(person, finding_id)
    if finding.state == "accepted":
        return finding
    if finding.state == "declined":
        raise NotPossible
    finding.record = add_record(
        person=person,
        subject_id=finding.subject_id,
        addition=Addition(
            kind=finding.kind,
            text=finding.text,
            category=finding.category,
            started_on=finding.started_on,
            precision=finding.precision,
            time_phrase=finding.time_phrase,
            chronic=finding.chronic,
        ),
        now=now,
    )
    return _decided(finding, "accepted", person, now)


@transaction.atomic
def decline_finding(*, person: Person, finding_id: int, now: dt.datetime) -> ProposedFinding:
    """Leave a proposed finding out of the book. Raises Denied, NotPossible."""
    finding = _decidable(person, finding_id)
    if finding.state == "accepted":
        raise NotPossible
    return finding if finding.state == "declined" else _decided(finding, "declined", person, now)


def _decidable(person: Person, finding_id: int) -> ProposedFinding:
    rows = visible(person, Resource.DOCUMENT, ProposedFinding.objects.filter(pk=finding_id))
    found = rows.values_list("subject_id", flat=True).first()
    if found is None:
        raise Denied
    require_parent(person, found)
    return (
        ProposedFinding.objects.select_for_update(no_key=True).select_related("document").get(pk=finding_id)
    )


def _decided(finding: ProposedFinding, state: str, person: Person, now: dt.datetime) -> ProposedFinding:
    finding.state, finding.decided_by, finding.decided_at = state, person, now
    finding.save(update_fields=["state", "record", "decided_by", "decided_at"])
    return finding


def give_password(*, person: Person, document_id: int, password: str, now: dt.datetime) -> Document:
    """Unlock an encrypted PDF; the password is used once and kept nowhere.

    Raises Denied, NotPossible, Refused.
    """
    document = changeable(person, document_id)
    if document.state != "needs_password":
        raise NotPossible
    name = keep_bytes(reading.unlock(bytes_of(document.stored), password))
    try:
        with transaction.atomic():
            document.unlocked = name
            document.save(update_fields=["unlocked"])
            go_on(document.pk, now=now)
            transaction.on_commit(lambda: enqueue(document.pk))
    except BaseException:
        erase([name])
        raise
    return document


@transaction.atomic
def read_again(*, person: Person, document_id: int, now: dt.datetime) -> Document:
    """Try once more to read what could not be read. Raises Denied, NotPossible."""
    document = changeable(person, document_id)
    if document.state not in ("failed", "needs_ocr"):
        raise NotPossible
    go_on(document.pk, now=now)
    transaction.on_commit(lambda: enqueue(document.pk))
    return document
