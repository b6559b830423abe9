"""Undated entries join what was abnormal within two days, or become history."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twin.rules.adjudication import AbnormalDay, Adjudication, adjudicate

DAY = date(2025, 6, 11)
HISTORY = Adjudication("history")


def abnormal(record: int, days: int, site: str = "") -> AbnormalDay:
    return AbnormalDay(record, DAY + timedelta(days), site)


@pytest.mark.parametrize("days", range(-5, 6))
def test_a_finding_joins_within_two_days_only(days: int) -> None:
    expected = Adjudication("join", 7) if abs(days) <= 2 else HISTORY
    assert adjudicate(DAY, "", [abnormal(7, days)]) == expected


def test_the_nearest_finding_is_joined_and_the_later_of_equals() -> None:
    assert adjudicate(DAY, "", [abnormal(1, -2), abnormal(2, -1)]) == Adjudication("join", 2)
    assert adjudicate(DAY, "", [abnormal(1, -1), abnormal(2, 1)]) == Adjudication("join", 2)
    assert adjudicate(DAY, "", []) == HISTORY


def test_the_other_ear_is_not_joined() -> None:
    assert adjudicate(DAY, "left", [abnormal(1, 0, "right")]) == HISTORY
    assert adjudicate(DAY, "left", [abnormal(1, 0, "right"), abnormal(2, -2, "left")]) == Adjudication(
        "join", 2
    )
    assert adjudicate(DAY, "", [abnormal(1, 0, "right"), abnormal(2, 0, "left")]) == HISTORY
    assert adjudicate(DAY, "", [abnormal(1, 0, "right")]) == Adjudication("join", 1)


findings = st.builds(
    abnormal, st.integers(1, 99), st.integers(-4, 4), st.sampled_from(["", "left", "right", "both"])
)


@given(st.lists(findings, max_size=5), st.sampled_from(["", "left", "right", "both"]))
def test_the_order_of_findings_does_not_matter_and_only_a_near_one_is_joined(
    found: list[AbnormalDay], site: str
) -> None:
    outcome = adjudicate(DAY, site, found)
    assert adjudicate(DAY, site, list(reversed(found))) == outcome
    assert outcome.record is None or any(
        f.record == outcome.record and abs((f.day - DAY).days) <= 2 for f in found
    )
    assert (outcome.record is None) is (outcome.action == "history")
