"""Clearing the journal by age waits where the clock may have jumped: what is cleared does not come back."""

from __future__ import annotations

import datetime as dt

import pytest

from household.services.registers import change_settings
from memory.models import JournalLine
from memory.services.retention import clear_when_settled, is_clock_settled
from memory.services.turns import tell
from tests.makers import a_cat, a_person, now
from twin.models import RoundRun
from twin.services.rounds.run import run_due

pytestmark = pytest.mark.django_db
DAY = dt.timedelta(days=1)


@pytest.fixture
def told() -> int:
    """A household that keeps 90 days of its journal, and told something before; its box ran last night."""
    mavi = a_cat(ana := a_person("Ana"), now=now() - 4 * DAY)
    change_settings({"log_retention_days": 90}, now=now())
    for age in (3, 1):
        tell(person=ana, text="threw up", client_id=f"told-{age}", now=now() - age * DAY, subject_id=mavi.pk)
        run_due(now=now() - age * DAY)
    return JournalLine.objects.filter(live=True).count()


def test_a_clock_that_jumped_a_year_ahead_clears_nothing(told: int) -> None:
    ahead = now() + 365 * DAY
    assert clear_when_settled(now=ahead) == 0
    assert JournalLine.objects.filter(live=True).count() == told
    assert not is_clock_settled(now=now() - 365 * DAY)


def test_once_the_box_has_run_for_a_day_by_that_clock_what_is_old_is_cleared(told: int) -> None:
    later = now() + 100 * DAY
    RoundRun.objects.order_by("-day").filter(pk__in=RoundRun.objects.values("pk")[:1]).update(ran_at=later)
    assert clear_when_settled(now=later + DAY / 2) == 0
    assert clear_when_settled(now=later + 2 * DAY) == told
    assert not JournalLine.objects.filter(live=True, envelope__event="Heard").exists()
