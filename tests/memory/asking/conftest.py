"""A small household with something to ask about: a boy, what happened to him, what was tried."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from household.models import Person
from household.services.thinking import choose_endpoint
from memory.models import Answer, Strategy, StrategyUse
from memory.services.asking import ask
from tests.fake_model import FakeModel, fake_model
from tests.makers import a_cat, a_child, a_household, a_membership, a_person, a_record
from twin.models import Event, Subject

TODAY = dt.date(2026, 5, 20)
NOW = dt.datetime(2026, 5, 20, 9, tzinfo=dt.UTC)
HELP = "he melted down at the supermarket, what do I do?"


def an_event(subject: Subject, day: dt.date, **fields: Any) -> Event:
    """Something that happened at the supermarket, unless told otherwise."""
    values = {
        "kind": "meltdown",
        "place": "Supermarket",
        "antecedent": "The queue was long",
        "tried": "Out to the car",
        "outcome": "Calm after a while",
        "minutes": 20,
        "impact": -2,
        "turn": f"t-{day}",
        "client_id": f"event-{subject.pk}-{day}-{fields.get('place', '')}",
        "at": dt.datetime.combine(day, dt.time(16), dt.UTC),
        "local_day": day,
        **fields,
    }
    return Event.objects.create(subject=subject, **values)


def a_strategy(subject: Subject, name: str, uses: dict[Event, str], **fields: Any) -> Strategy:
    """A strategy with its outcome in each of some events."""
    row = Strategy.objects.create(
        subject=subject, name=name, lifecycle="in_use", client_id=f"strategy-{name}", **fields
    )
    for number, (event, outcome) in enumerate(uses.items()):
        StrategyUse.objects.create(
            strategy=row,
            subject=subject,
            event=event,
            on=event.local_day,
            outcome=outcome,
            client_id=f"use-{row.pk}-{number}",
        )
    return row


@dataclass
class House:
    """Ana is Leo's and Mavi's parent, Dr. Ito his therapist, Eve of another family."""

    ana: Person
    ito: Person
    eve: Person
    leo: Subject
    mavi: Subject
    events: list[Event]
    quiet: Strategy


@pytest.fixture
def house(db: None) -> House:
    a_household()
    ana, ito, eve = a_person("Ana"), a_person("Dr. Ito"), a_person("Eve")
    leo, mavi = a_child(ana), a_cat(ana)
    a_membership(ito, leo, "therapist")
    days = [TODAY - dt.timedelta(days=ago) for ago in (40, 20, 3)]
    events = [an_event(leo, day) for day in days]
    quiet = a_strategy(
        leo,
        "A quiet place",
        dict(zip(events, ("success", "failure", "success"), strict=True)),
        how="Leave the noise at once and sit beside him.",
    )
    for day in (dt.date(2026, 5, 18), dt.date(2026, 5, 19)):
        a_record(mavi, "ears", day=day, signs={"scratching": True, "side": "left"}, site="left")
    return House(ana, ito, eve, leo, mavi, events, quiet)


def answered(house: House, words: str = HELP, **changes: Any) -> Answer:
    """The answer to a question of Ana's about Leo, unless told otherwise."""
    values = {"person": house.ana, "subject_id": house.leo.pk, "client_id": words[:60], "now": NOW, **changes}
    return Answer.objects.get(pk=ask(question=words, **values))


@pytest.fixture
def model(house: House) -> Iterator[FakeModel]:
    """A model that answers over HTTP, chosen for routine questions."""
    with fake_model() as server:
        choose_endpoint(
            purpose="routine", base_url=server.url, model="small", key=None, timeout_s=5, is_on=True
        )
        yield server
