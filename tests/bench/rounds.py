"""One night of a book with ten years behind it, and of one a month old; each is rolled back and run again.

The last days are the same in both, so that both nights have the same to do: what differs is what lies behind.
"""

from __future__ import annotations

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

from tests.bench.bases import cloned, spent_ms
from tests.bench.figures import Samples
from tests.bench.pages import MONTH, QUICK_DAYS, YEARS, ZONE, furnished

ROUNDS, ALIKE = 20, 5  # nights; days before it on which the same was said in both books
SAID = ("scratching the ear again, it smells", "ate half of the food", "slept well, no vomiting")


def samples(*, quick: bool) -> Samples:
    """Wall and CPU milliseconds of the same night in both books."""
    with cloned():
        books = {
            tail: the_night(name, days)
            for tail, name, days in (
                ("years", "Ana", QUICK_DAYS if quick else YEARS),
                ("month", "Ben", MONTH),
            )
        }
        found: Samples = {}
        for number in range((4 if quick else ROUNDS) + 1):
            for tail, (subject, day, now) in books.items():
                wall, cpu = spent_ms(lambda s=subject, d=day, n=now: close(s, d, n))  # type: ignore[misc]
                if number:
                    found.setdefault(f"round.{tail}.wall", []).append(wall)
                    found.setdefault(f"round.{tail}.cpu", []).append(cpu)
        return found


def the_night(name: str, days: int) -> tuple[Any, dt.date, dt.datetime]:
    """A subject after the same last days in either book, with an open course, and the night to close."""
    from memory.services.turns import tell
    from twin.models import Record
    from twin.services.days import last_closed_day
    from twin.services.rounds.run import run_round

    parent, (subject,) = furnished(name, [days])
    last = last_closed_day(subject)
    assert last is not None
    for ahead in range(1, ALIKE + 2):
        day = last + dt.timedelta(days=ahead)
        noon = dt.datetime.combine(day, dt.time(12), ZoneInfo(ZONE)).astimezone(dt.UTC)
        for number, text in enumerate(SAID):
            client_id = f"{name}-{ahead}-{number}"
            tell(person=parent, text=text, client_id=client_id, now=noon, subject_id=subject.pk)
        if ahead <= ALIKE:
            run_round(subject_id=subject.pk, day=day, now=noon + dt.timedelta(days=1))
    assert Record.objects.filter(subject=subject).open_courses().exists()
    return subject, day, noon + dt.timedelta(days=1)


def close(subject: Any, day: dt.date, now: dt.datetime) -> None:
    """Close one day, and take it back."""
    from django.db import transaction

    from twin.services.rounds.run import run_round

    with transaction.atomic():
        run_round(subject_id=subject.pk, day=day, now=now)
        transaction.set_rollback(True)
