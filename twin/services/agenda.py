"""Answering the day's follow-up questions by one tap."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from django.db import transaction

from household.access import Denied, filing, require, visible
from household.models import Person
from household.rules.permissions import Action, Resource
from twin.models import AgendaItem, Subject
from twin.rules.categories import FIELDS, LOCATORS
from twin.rules.entries import Entry, Reading, SignValue
from twin.rules.polarity import PolarityContext, derived_polarity
from twin.rules.sign_answers import sign_value
from twin.rules.subjects import Known
from twin.services.above import above
from twin.services.filing import lock_subject
from twin.services.statements import Told, file_reading, keep_statement

Choice = Literal["still", "gone", "unseen"]
CHOICES: tuple[Choice, ...] = ("still", "gone", "unseen")


TRIED = "use:"  # the key of a follow-up of something tried


class UnknownChoice(ValueError):
    """The tap is none of the question's answers."""


@transaction.atomic
def answer_item(
    *,
    person: Person,
    item_id: int,
    choice: str,
    words: str,
    client_id: str,
    now: dt.datetime,
    typed: str = "",
) -> Told | None:
    """File what a tap says about a course; "didn't look" files nothing. Raises Denied, UnknownChoice.

    `words` is the answer as the page showed it; it is kept as the statement. `typed` is what was written
    in answer to a question without fitting taps.
    """
    asked = visible(person, Resource.OBSERVATION, AgendaItem.objects.filter(pk=item_id))
    subject_id = asked.values_list("subject_id", flat=True).first()
    if subject_id is None:
        raise Denied
    require(person, Action.ADD, Resource.OBSERVATION, subject_id)
    with filing([subject_id]):
        lock_subject(subject_id)  # first, as every writer does: the round replaces agendas under this lock
        return _answer(person, item_id, choice, words, typed=typed, client_id=client_id, now=now)


def file_sign(
    person: Person,
    subject: Subject,
    category: str,
    sign: str,
    *,
    answer: str,
    typed: str,
    said: str,
    turn: str,
    client_id: str,
    now: dt.datetime,
) -> Told | None:
    """File what a tap or typed words say about one sign; "didn't look" files nothing. Raises UnknownChoice.

    `said` is the question as the page showed it with its answer: it is kept as the statement.
    """
    if answer == "unseen":
        return None
    value = sign_value(category, sign, answer, typed)
    if value is None:
        raise UnknownChoice(answer)
    read = derived_polarity(
        category, {sign: value}, PolarityContext(species=subject.species, sex=subject.sex)
    )
    entry = Entry(category, model_read=read, signs={sign: value}, today="yes", words=said, why=("question",))
    return _keep(person, subject, entry, turn=turn, client_id=client_id, now=now)


def _answer(
    person: Person, item_id: int, choice: str, words: str, *, typed: str, client_id: str, now: dt.datetime
) -> Told | None:
    rows = AgendaItem.objects.select_for_update(no_key=True, of=("self",)).filter(pk=item_id)
    item = rows.select_related("course", "subject").first()
    if item is not None and item.key.startswith("question:") and item.category:
        return _answer_question(person, item, choice, words, typed=typed, client_id=client_id, now=now)
    if item is not None and item.key.startswith(TRIED):
        _answer_tried(person, item, choice, now=now)
        return None
    if item is None or item.course is None:
        raise Denied
    if choice not in CHOICES:
        raise UnknownChoice(choice)
    told = None
    if choice != "unseen":
        entry = entry_for(
            item.course.category or "", item.asks.get("signs", []), item.course.signs, choice, words
        )
        told = _tell(person, item, entry, client_id=client_id, now=now)
    item.state, item.answered_at = ("skipped" if choice == "unseen" else "answered"), now
    item.save(update_fields=["state", "answered_at"])
    return told


def _answer_tried(person: Person, item: AgendaItem, choice: str, *, now: dt.datetime) -> None:
    """A tap on how something that was tried went."""
    if not above.tell_tried(person, int(item.key.removeprefix(TRIED)), choice, now):
        raise UnknownChoice(choice)
    item.state, item.answered_at = ("skipped" if choice == "unknown" else "answered"), now
    item.save(update_fields=["state", "answered_at"])


def with_tried(person: Person, items: Iterable[AgendaItem]) -> list[AgendaItem]:
    """The items, each follow-up of something tried with its name; without those it may not be told of."""
    rows = list(items)
    wanted = [int(item.key.removeprefix(TRIED)) for item in rows if item.key.startswith(TRIED)]
    names = above.tried(person, wanted) if wanted else {}
    shown = []
    for item in rows:
        if item.key.startswith(TRIED):
            item.tried = names.get(int(item.key.removeprefix(TRIED)), "")  # type: ignore[attr-defined]
            if not item.tried:  # type: ignore[attr-defined]
                continue
        shown.append(item)
    return shown


def _answer_question(
    person: Person, item: AgendaItem, choice: str, words: str, *, typed: str, client_id: str, now: dt.datetime
) -> Told | None:
    """A tap or typed words on a question of the family's memory; what is filed closes it."""
    sign = next(iter(item.asks.get("signs", [])), "")
    told = file_sign(
        person,
        item.subject,
        item.category,
        sign,
        answer=choice,
        typed=typed,
        said=words,
        turn=f"agenda-{item.pk}-{int(now.timestamp())}",
        client_id=client_id,
        now=now,
    )
    item.state, item.answered_at = ("skipped" if choice == "unseen" else "answered"), now
    item.save(update_fields=["state", "answered_at"])
    return told


def _tell(person: Person, item: AgendaItem, entry: Entry, *, client_id: str, now: dt.datetime) -> Told:
    turn = f"agenda-{item.pk}-{int(now.timestamp())}"
    return _keep(person, item.subject, entry, turn=turn, client_id=client_id, now=now)


def _keep(
    person: Person, subject: Subject, entry: Entry, *, turn: str, client_id: str, now: dt.datetime
) -> Told:
    statement, _is_new = keep_statement(
        author_id=person.pk,
        subject=subject,
        text=entry.words,
        turn=turn,
        client_id=client_id,
        at=now,
        through="form",
        language=person.language,
    )
    reading = Reading(frozenset({"observation"}), (entry,), reader="form")
    known = [Known(subject.pk, subject.name, subject.species)]
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
