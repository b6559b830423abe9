"""How a record is called."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twin.rules.record_ids import parse, show


@pytest.mark.parametrize(
    ("number", "text"),
    [(1, "rec_000001"), (123, "rec_000123"), (999_999, "rec_999999"), (1_000_000, "rec_1000000")],
)
def test_a_record_shows_six_digits_or_more(number: int, text: str) -> None:
    assert show(number) == text


@given(st.integers(0, 10**15 - 1))
def test_what_is_shown_is_read_back(number: int) -> None:
    assert parse(show(number)) == number


@pytest.mark.parametrize(("text", "number"), [("REC_000123", 123), ("  rec_000123\n", 123)])
def test_case_and_spaces_around_it_do_not_matter(text: str, number: int) -> None:
    assert parse(text) == number


@pytest.mark.parametrize(
    "text",
    [
        "",
        "rec_",
        "rec_123",
        "000123",
        "record_000123",
        "rec_000123x",
        "rec_-00123",
        "rec_٠٠٠١٢٣",
        "rec_" + "9" * 16,
    ],
)
def test_anything_else_is_no_record(text: str) -> None:
    assert parse(text) is None
