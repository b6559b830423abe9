"""Rounds without a worker: opening Today closes what is overdue, a few days at a time, once a minute."""

import datetime as dt

import pytest

from household.models import Heartbeat
from tests.makers import a_cat
from twin.models import Lease, RoundRun
from twin.services.rounds.degraded import LOOKS_EVERY, MOST_DAYS, Watch, run_without_worker

pytestmark = pytest.mark.django_db
NOW = dt.datetime(2026, 11, 30, 12, 0, tzinfo=dt.UTC)


@pytest.fixture(autouse=True)
def nobody_looked_yet(a_worker_lives, monkeypatch):
    monkeypatch.setattr(Watch, "looked_at", dt.datetime.min.replace(tzinfo=dt.UTC))


def test_overdue_days_are_closed_in_order_and_not_all_in_one_page():
    a_cat(now=NOW - dt.timedelta(days=10))
    assert run_without_worker(now=NOW) == MOST_DAYS
    days = list(RoundRun.objects.order_by("day").values_list("day", flat=True))
    assert days == [days[0] + dt.timedelta(days=n) for n in range(MOST_DAYS)]
    assert not Lease.objects.exists()
    assert run_without_worker(now=NOW + LOOKS_EVERY) == 10 - MOST_DAYS


def test_one_look_a_minute_is_enough():
    a_cat(now=NOW - dt.timedelta(days=30))
    run_without_worker(now=NOW)
    assert run_without_worker(now=NOW + LOOKS_EVERY - dt.timedelta(seconds=1)) == 0


def test_a_living_worker_does_it_itself():
    a_cat(now=NOW - dt.timedelta(days=3))
    Heartbeat.objects.create(worker="w", at=NOW - dt.timedelta(minutes=4))
    assert run_without_worker(now=NOW) == 0
    Heartbeat.objects.update(at=NOW - dt.timedelta(minutes=6))
    assert run_without_worker(now=NOW + LOOKS_EVERY) == 3
