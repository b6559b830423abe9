"""Characters of the household's day: reserved, settled, given back, and never overspent."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import IntegrityError, transaction

from household.services.registers import change_settings
from tests.threads import at_once
from voice.models import VoiceSpend
from voice.rules.refusals import NotReserved, OverAllowance
from voice.services.allowance import count_hit, left, refund, reserve, settle

NOON = dt.datetime(2025, 3, 1, 12, tzinfo=dt.UTC)
LATE = dt.datetime(2025, 3, 1, 22, 30, tzinfo=dt.UTC)
TODAY = dt.date(2025, 3, 1)


def allow(most: int | None, **more: int) -> None:
    change_settings({"voice_daily_chars": most, **more}, now=NOON - dt.timedelta(days=1))


def spend(day: dt.date = TODAY) -> tuple[int, int, int, int]:
    return VoiceSpend.objects.values_list("chars", "reserved", "hits", "saved_chars").get(day=day)


@pytest.mark.django_db
def test_what_is_reserved_counts_until_it_is_settled() -> None:
    allow(100)
    held = reserve(60, now=NOON)
    assert spend() == (0, 60, 0, 0)
    assert left(now=NOON)[0] == 40
    with pytest.raises(OverAllowance):
        reserve(41, now=NOON)
    settle(held, 50)
    assert spend() == (50, 0, 0, 0)
    assert left(now=NOON)[0] == 50


@pytest.mark.django_db
def test_a_failed_reading_costs_nothing() -> None:
    allow(100)
    refund(reserve(100, now=NOON))
    assert spend() == (0, 0, 0, 0)
    reserve(100, now=NOON)


@pytest.mark.django_db
@pytest.mark.parametrize("spoken", [-1, 11])
def test_no_more_is_settled_than_was_reserved(spoken: int) -> None:
    held = reserve(10, now=NOON)
    with pytest.raises(NotReserved):
        settle(held, spoken)
    assert spend() == (0, 10, 0, 0)


@pytest.mark.django_db
def test_a_reservation_is_settled_once() -> None:
    held = reserve(10, now=NOON)
    settle(held, 10)
    with pytest.raises(NotReserved):
        settle(held, 10)
    with pytest.raises(NotReserved):
        refund(held)
    assert spend() == (10, 0, 0, 0)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("most", "count", "is_let"), [(None, 10**9, True), (0, 1, False), (10, 10, True), (10, 11, False)]
)
def test_the_limit_is_exact_and_none_is_no_limit(most: int | None, count: int, is_let: bool) -> None:
    allow(most)
    if is_let:
        reserve(count, now=NOON)
        return
    with pytest.raises(OverAllowance):
        reserve(count, now=NOON)
    assert not VoiceSpend.objects.exists()


@pytest.mark.django_db
def test_over_the_limit_says_when_the_households_day_begins() -> None:
    allow(5, utc_offset_minutes=180)
    with pytest.raises(OverAllowance) as refused:
        reserve(6, now=NOON)
    begins = dt.datetime.fromtimestamp(refused.value.free_at_ms / 1000, tz=dt.UTC)
    assert begins == dt.datetime(2025, 3, 1, 21, tzinfo=dt.UTC)


@pytest.mark.django_db
def test_a_new_household_day_is_a_new_allowance() -> None:
    allow(10, utc_offset_minutes=180)
    settle(reserve(10, now=NOON), 10)
    settle(reserve(10, now=LATE), 10)  # already the second of March there
    assert spend(TODAY)[0] == spend(TODAY + dt.timedelta(days=1))[0] == 10


@pytest.mark.django_db
def test_a_reading_that_passes_midnight_counts_on_the_day_it_began() -> None:
    held = reserve(10, now=NOON)
    reserve(5, now=NOON + dt.timedelta(days=1))
    settle(held, 10)
    assert spend()[:2] == (10, 0)


@pytest.mark.django_db
def test_a_hit_is_counted_and_costs_nothing() -> None:
    allow(10)
    for _ in range(3):
        count_hit(25, now=NOON)
    assert spend() == (0, 0, 3, 75)
    assert left(now=NOON)[0] == 10


@pytest.mark.django_db
def test_the_database_refuses_a_negative_count() -> None:
    with pytest.raises(IntegrityError, match="voicespend_never_negative"), transaction.atomic():
        VoiceSpend.objects.create(day=TODAY, chars=-1)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("settles_at_once", [True, False])
def test_twenty_at_once_never_overspend(settles_at_once: bool) -> None:
    allow(100)

    def ask() -> None:
        held = reserve(15, now=NOON)
        if settles_at_once:
            settle(held, 15)

    results = at_once(*[ask] * 20)
    assert results.count(None) == 6
    assert sum(isinstance(one, OverAllowance) for one in results) == 14
    chars, reserved, _, _ = spend()
    assert chars + reserved == 90
