"""Makers of a household's people, subjects and records, each with keyword overrides."""

from __future__ import annotations

import datetime as dt
import itertools
import re
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.test import Client, override_settings
from django.utils import timezone

from household.models import Household, Membership, Person
from household.rules.names import name_key
from household.rules.permissions import PROFESSIONALS
from memory.models import NeverTopic
from memory.rules.never import topic_of
from twin.models import LedgerEntry, Record, Statement, Subject
from twin.rules.timeline import sort_position
from twin.services.subjects import add_subject

BACKEND = "household.auth.NameBackend"
LONG_AGO = dt.datetime(2024, 1, 1, tzinfo=dt.UTC)
_turns = itertools.count(1)


def text_of(response: Any) -> str:
    """What a page says, without its markup."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


@contextmanager
def stored_in_memory() -> Iterator[None]:
    """A storage without a disk, and empty, inside this block."""
    memory = {"default": {"BACKEND": "django.core.files.storage.InMemoryStorage"}}
    with override_settings(STORAGES={**settings.STORAGES, **memory}):
        yield


def a_household(**fields: Any) -> Household:
    """The one household, made when it is not there."""
    return Household.objects.get_or_create(id=1, defaults={"name": "The house", **fields})[0]


def a_person(name: str = "Ana", *, passphrase: str | None = None, **fields: Any) -> Person:
    """A person of this name living in the household; the same name twice is the same person."""
    a_household()
    found = Person.objects.filter(name_key=name_key(name)).first()
    return found or Person.objects.create_user(name, passphrase, **fields)


def a_subject(parent: Person | None = None, *, now: dt.datetime | None = None, **fields: Any) -> Subject:
    """A subject of care; its parent is Ana unless another is named."""
    return add_subject(person=parent or a_person(), now=now or LONG_AGO, **fields)


def a_child(parent: Person | None = None, name: str = "Leo", **fields: Any) -> Subject:
    """A child, with an empty person profile."""
    return a_subject(parent, name=name, species="person", **fields)


def a_cat(parent: Person | None = None, name: str = "Mavi", **fields: Any) -> Subject:
    """A cat."""
    return a_subject(parent, name=name, species="cat", **fields)


def a_membership(person: Person, subject: Subject, role: str = "family", **fields: Any) -> Membership:
    """A place in the support network of a subject; a professional has set up the second step."""
    if role in PROFESSIONALS:
        a_second_step(person)
    return Membership.objects.create(
        person=person, subject=subject, role=role, **{"starts_at": LONG_AGO, **fields}
    )


def a_never_topic(subject: Subject, words: str) -> NeverTopic:
    """A topic that a parent listed as never to be learned."""
    listed = topic_of(words)
    return NeverTopic.objects.create(
        subject=subject,
        topic=words,
        words=[sorted(one) for one in listed.words],
        about=sorted(listed.about),
        client_id=str(uuid.uuid4()),
    )


def a_second_step(person: Person) -> Authenticator:
    """An authenticator app on a person's phone."""
    return Authenticator.objects.get_or_create(user=person, type=Authenticator.Type.TOTP, data={})[0]


def a_record(subject: Subject, category: str | None = "ears", **fields: Any) -> Record:
    """A record as filing leaves it: a symptom of 1 March 2025 unless told otherwise."""
    values: dict[str, Any] = {"kind": "symptom", "asserted": "abnormal", **fields}
    if values["kind"] == "symptom" and "started_on" not in values:
        values.setdefault("day", dt.date(2025, 3, 1))
    if values.get("lifecycle", "day") != "day":
        values.setdefault("opened_on", values.get("started_on"))
    values.setdefault(
        "sort_on",
        sort_position(
            started_on=values.get("started_on"),
            day=values.get("day"),
            born_on=subject.born_on,
            low_months=values.get("age_low_months"),
            high_months=values.get("age_high_months"),
        ),
    )
    row = Record.objects.create(subject=subject, category=category, **values)
    row.refresh_from_db()
    return row


def a_statement(
    subject: Subject,
    author: Person | None = None,
    text: str = "she scratches her ear",
    *,
    record: Record | None = None,
    said_at: dt.datetime | None = None,
    **entry: Any,
) -> Statement:
    """Something said about a subject; with `record`, one ledger entry of it is filed into that record."""
    at = said_at or dt.datetime(2025, 3, 1, 9, tzinfo=dt.UTC)
    turn = f"turn-{next(_turns)}"
    row = Statement.objects.create(
        subject=subject,
        author=author,
        client_id=str(uuid.uuid4()),
        turn=turn,
        text=text,
        said_at=at,
        local_day=at.date(),
        kinds=["observation"],
        reader="builtin",
        read_at=at,
    )
    if record is not None:
        values = {"today": "yes", "words": text, "signs": record.signs, "asserted": record.asserted, **entry}
        LedgerEntry.objects.create(
            subject=subject,
            statement=row,
            turn=turn,
            said_at=at,
            local_day=at.date(),
            category=record.category or "",
            site=record.site,
            state="filed",
            record=record,
            filed_day=record.day,
            filed_at=at,
            **values,
        )
        record.turns = [*record.turns, turn]
        record.save(update_fields=["turns"])
    return row


def signed_in(person: Person, **headers: str) -> Client:
    """A browser in which this person is signed in."""
    client = Client(headers=headers)
    client.force_login(person, backend=BACKEND)
    return client


def now() -> dt.datetime:
    """The clock, for a service that must be told it."""
    return timezone.now()
