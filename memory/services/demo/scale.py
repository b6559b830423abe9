"""A household at scale: more subjects, and years of daily logs for the first of them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

from django.db import transaction

from household.models import Membership, Person
from memory.services.demo.bulk import COPIED, add_history, table
from memory.services.demo.copying import analyse
from twin.models import Record, Subject
from twin.rules.day import from_local
from twin.services.subjects import add_subject

OTHERS_YEARS = 1.0  # how much those after the first have logged, unless everyone has all of it
STARTS_AT = dt.time(7)
YEAR_DAYS = 365.25
AGE_YEARS = 2


def history_days(years: float, count: int, *, is_for_everyone: bool = False) -> list[int]:
    """How many days each of `count` further subjects has logged: the first all years, the others one."""
    others = years if is_for_everyone else min(years, OTHERS_YEARS)
    return [round((years if number == 0 else others) * YEAR_DAYS) for number in range(count)]


def add_scale(
    *,
    people: list[tuple[Person, str]],
    days: list[int],
    today: dt.date,
    seed: int,
    language: str,
    zone: str,
    on_day: Callable[[Subject, int, int], None] = lambda *_: None,
) -> list[Subject]:
    """One more subject for each number of days logged up to yesterday, each in its own transaction."""
    made = []
    for number, total in enumerate(days):
        first = today - dt.timedelta(days=total)
        with transaction.atomic():
            subject = _subject(number, people=people, first=first, language=language, zone=zone)

            def on_one(
                day: dt.date, subject: Subject = subject, first: dt.date = first, total: int = total
            ) -> None:
                on_day(subject, (day - first).days + 1, total)

            last = today - dt.timedelta(days=1)
            add_history(subject, authors=people, first=first, last=last, seed=seed, on_day=on_one)
        made.append(subject)
    analyse(Record, *COPIED)
    return made


def _subject(
    number: int, *, people: list[tuple[Person, str]], first: dt.date, language: str, zone: str
) -> Subject:
    name, species = table()["names"][number % len(table()["names"])]
    again = number // len(table()["names"])
    columns: dict[str, Any] = {
        "name": f"{name} {again + 1}" if again else name,
        "species": species,
        "sex": "female" if number % 2 else "male",
        "born_on": dt.date(first.year - AGE_YEARS, 1 + number % 12, 1),
        "born_precision": "month",
        "time_zone": zone,
        "language": language,
    }
    now = from_local(dt.datetime.combine(first, STARTS_AT), zone=zone)
    subject = add_subject(person=people[0][0], now=now, **columns)
    Membership.objects.bulk_create(
        Membership(person=person, subject=subject, role=role, starts_at=now, invited_by=people[0][0])
        for person, role in people[1:]
    )
    subject.refresh_from_db()
    return subject
