"""Settings as registers in the database: one row a key, the later stamp wins, whoever writes first."""

from __future__ import annotations

import datetime as dt
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as run
from hypothesis import strategies as st

from household.models import Register
from household.rules import registers as rules
from household.rules.settings import InvalidSetting
from household.services.registers import (
    BadPin,
    change_household,
    change_settings,
    hash_pin,
    keep_offset,
    read_registers,
    read_setting,
    write_register,
)
from tests.makers import a_household, now
from tests.threads import at_once

pytestmark = pytest.mark.django_db
WRITES = st.lists(st.tuples(st.integers(0, 5) | st.none(), st.integers(0, 3)), min_size=1, max_size=6)


@run(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(writes=WRITES)
def test_any_order_of_writes_leaves_what_the_rule_says(writes: list[tuple[Any, int]]):
    Register.objects.all().delete()
    for value, at_ms in writes:
        write_register("daily_minutes", value, at_ms)
    expected = rules.by_address(rules.Register("daily_minutes", value, at_ms) for value, at_ms in writes)
    assert read_registers() == expected
    assert Register.objects.count() == 1


@pytest.mark.parametrize(
    ("key", "value"), [("nonsense", 1), ("daily_minutes", -1), ("pin", "4711"), ("quiet", {"from": "1"})]
)
def test_what_a_setting_may_not_hold_is_not_written(key: str, value: Any):
    with pytest.raises(InvalidSetting):
        write_register(key, value, 1)
    assert not Register.objects.exists()


def test_a_change_made_here_wins_over_a_stamp_from_a_clock_that_ran_ahead():
    ahead = int((now() + dt.timedelta(days=1)).timestamp() * 1000)
    write_register("daily_minutes", 10, ahead)
    assert change_settings({"daily_minutes": 20}, now=now()) == ["daily_minutes"]
    assert read_setting("daily_minutes") == 20


def test_a_setting_put_back_to_none_is_a_row_that_reads_as_none():
    write_register("daily_minutes", 10, 1)
    change_settings({"daily_minutes": None, "quiet": None}, now=now())
    assert read_setting("daily_minutes") is None
    assert [row.key for row in Register.objects.all()] == ["daily_minutes"]


@pytest.mark.parametrize("digits", ["", "123", "123456789", "12 34", "abcd"])
def test_a_pin_that_is_none_is_refused(digits: str):
    with pytest.raises(BadPin):
        hash_pin(digits)


def test_the_offset_follows_the_season():
    a_household()
    january, july = (dt.datetime(2025, month, 1, tzinfo=dt.UTC) for month in (1, 7))
    change_household(name="The mill", time_zone="Europe/Berlin", language="en", now=january)
    assert read_setting("utc_offset_minutes") == 60
    keep_offset(now=july)
    assert read_setting("utc_offset_minutes") == 120


@pytest.mark.django_db(transaction=True)
def test_writers_at_once_leave_one_row_with_the_latest_stamp():
    results = at_once(*[partial(write_register, "daily_minutes", value, value) for value in (1, 2, 3, 4)])
    assert not any(isinstance(one, Exception) for one in results), results
    assert [(row.value, row.at_ms) for row in Register.objects.all()] == [(4, 4)]
