"""Answering the day's follow-up questions by one tap."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any, Literal

from django.db import transaction

from household.access import Denied, filing, require, visible
from household.models import Person
from household.rules.permissions import Action, Resource
from twin.models import AgendaItem
from twin.rules.categories import FIELDS, LOCATORS
from twin.rules.entries import Entry, Reading, SignValue
from twin.rules.subjects import Known
from twin.services.filing import lock_subject
from twin.services.statements import Told, file_reading, keep_statement

Choice = Literal["still", "gone", "unseen"]
CHOICES: tuple[Choice, ...] = ("still", "gone", "unseen")


class UnknownChoice(ValueError):
    """The tap is none of the question's answers."""


@transaction.atomic
def answer_item(
    *, person: Person, item_id: int, choice: str, words: str, client_id: str, now: dt.datetime
) -> Told | None:
    """File what a tap says about a course; "didn't look" files nothing. Raises Denied, UnknownChoice.

    `words` is the answer as the page showed it; it is kept as the statement.
    """
    if choice not in CHOICES:
        raise UnknownChoice(choice)
    asked = visible(person, Resource.OBSERVATION, AgendaItem.objects.filter(pk=item_id))
    subject_id = asked.values_list("subject_id", flat=True).first()
    if subject_id is None:
        raise Denied
    require(person, Action.ADD, Resource.OBSERVATION, subject_id)
    with filing([subject_id]):
        lock_subject(subject_id)  # first, as every writer does: the round replaces agendas under this lock
        return _answer(person, item_id, choice, words, client_id=client_id, now=now)


def _answer(
    person: Person, item_id: int, choice: str, words: str, *, client_id: str, now: dt.datetime
) -> Told | None:
    rows = AgendaItem.objects.select_for_update(no_key=True, of=("self",)).filter(pk=item_id)
    item = rows.select_related("course", "subject").first()
    if item is None or item.course is None:
        raise Denied
    told = None
    if choice != "unseen":
        entry = entry_for(
            item.course.category or "", item.asks.get("signs", []), item.course.signs, choice, words
        )
        told = _tell(person, item, entry, client_id=client_id, now=now)
    item.state, item.answered_at = ("skipped" if choice == "unseen" else "answered"), now
    item.save(update_fields=["state", "answered_at"])
    return told


def _tell(person: Person, item: AgendaItem, entry: Entry, *, client_id: str, now: dt.datetime) -> Told:
    statement, _is_new = keep_statement(
        author_id=person.pk,
        subject=item.subject,
        text=entry.words,
        turn=f"agenda-{item.pk}-{int(now.timestamp())}",
        client_id=client_id,
        at=now,
        through="form",
        language=person.language,
    )
    reading = Reading(frozenset({"observation"}), (entry,), reader="form")
    known = [Known(item.subject_id, item.subject.name, item.subject.species)]
    return file_reading(statement, reading, known=known, now=now)


def entry_for(category: str, asked: list[str], last: Mapping[str, Any], choice: str, words: str) -> Entry:
    """What a tap says about the signs it was asked about, at the very place the course is about."""
    locator = LOCATORS.get(category, "")
    place = {locator: last[locator]} if locator in last else {}
    signs: dict[str, SignValue] = {**place}
    for name in asked:
        if choice == "still" and name in last:
            signs[name] = last[name]
        elif choice == "gone" and FIELDS[category][name].kind == "tri":
            signs[name] = False
    polarity: Literal["normal", "abnormal"] = "abnormal" if choice == "still" else "normal"
    return Entry(
        category,
        asserted=polarity,
        model_read=polarity,
        signs=signs,
        today="yes",
        words=words,
        why=("agenda",),
    )
