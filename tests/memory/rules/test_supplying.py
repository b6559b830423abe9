"""What a model is told of a row: nothing that is not known, and nothing of how a computer writes nothing."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from memory.rules.asking.supplying import portrait_of, text_of
from memory.rules.evidence import Evidence, Portrait, Source

DAY = dt.date(2026, 3, 5)
USED = {"uses": 3, "successes": 2, "partials": 0, "recent": {"uses": 1, "successes": 1}}
COURSE = {"ended_on": None, "lifecycle": "open", "days": None}
ROWS: list[tuple[Source, dict[str, Any], str]] = [
    (Source.OBSERVATION, {"day": DAY, "polarity": "abnormal"}, "2026-03-05: said, abnormal"),
    (Source.OBSERVATION, {"day": DAY, "polarity": None}, "2026-03-05: said"),
    (Source.OBSERVATION, {"day": None, "started_on": None, "polarity": None}, "no date: said"),
    (Source.STRATEGY, {**USED, "last_on": DAY}, "said. Helped 2 of 3 times, last on 2026-03-05; in the last"),
    (Source.STRATEGY, {**USED, "last_on": None}, "said. Helped 2 of 3 times; in the last 8 weeks 1 of 1"),
    (
        Source.COURSE,
        {"started_on": None, "ended_on": None, "lifecycle": "open", "days": None},
        "since no date, open",
    ),
]


@pytest.mark.parametrize(("source", "facts", "says"), ROWS)
def test_a_line_says_what_is_known(source: Source, facts: dict[str, Any], says: str) -> None:
    text = text_of(Evidence(source, "x_000001", 1, 1, None, "said", facts))
    assert says in text and "None" not in text


@pytest.mark.parametrize(("was", "says"), [(None, "weight was not known, is 4"), (0, "weight was 0, is 4")])
def test_what_drifted_from_an_unknown_value_says_so(was: object, says: str) -> None:
    assert portrait_of(Portrait({}, ({"field": "weight", "was": was, "is": 4},))) == ("", says)
