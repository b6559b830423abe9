"""The diagnosis frame: concerns in order, negatives that still stand, and nothing made up."""

from __future__ import annotations

import json
from datetime import date, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from twin.rules.frame import Cited, Consideration, Finding, FrameCourse, frame

DAY = date(2025, 6, 12)
EAR = FrameCourse(
    "rec_000007",
    "ears",
    "left",
    "active",
    date(2025, 6, 9),
    severity=2,
    trajectory="worsening",
    last_abnormal=date(2025, 6, 11),
    abnormal_signs=("redness", "odour"),
)
KIDNEYS = FrameCourse("rec_000003", "urinary", "", "passive", None, chronic=True)


def found(
    days_ago: int, signs: dict[str, Any], record: str = "rec_000010", category: str = "ears"
) -> Finding:
    return Finding(record, DAY - timedelta(days_ago), category, signs)


def test_the_frame_lays_out_what_stands() -> None:
    body = frame(
        DAY,
        courses=[KIDNEYS, EAR],
        findings=[found(0, {"discharge": False, "redness": True, "side": "left"})],
        red_flags=[("no_urine", "rec_000011"), ("no_urine", "rec_000011")],
        chronic=[Cited("rec_000001", "asthma")],
        ruled_out=[Cited("rec_000002", "mites")],
        considerations=[Consideration("an allergy", "model:x")],
    )
    assert body == {
        "day": "2025-06-12",
        "open": [
            {
                "record": "rec_000007",
                "category": "ears",
                "site": "left",
                "lifecycle": "active",
                "trajectory": "worsening",
                "severity": 2,
                "since": "2025-06-09",
                "days": 4,
                "last_abnormal": "2025-06-11",
            },
            {
                "record": "rec_000003",
                "category": "urinary",
                "site": "",
                "lifecycle": "passive",
                "trajectory": None,
                "severity": 0,
                "since": None,
                "days": None,
                "last_abnormal": None,
            },
        ],
        "red_flags": [{"key": "no_urine", "record": "rec_000011"}],
        "negatives": [{"category": "ears", "sign": "discharge", "record": "rec_000010", "day": "2025-06-12"}],
        "chronic": [{"record": "rec_000001", "text": "asthma"}, {"record": "rec_000003", "text": "urinary"}],
        "ruled_out": [{"record": "rec_000002", "text": "mites"}],
        "look_at": [{"record": "rec_000007", "category": "ears", "signs": ["odour", "redness"]}],
        "considerations": [{"text": "an allergy", "source": "model:x"}],
    }


def negatives(*findings: Finding) -> list[str]:
    return [each["sign"] for each in frame(DAY, courses=[EAR], findings=findings)["negatives"]]


def test_a_negative_counts_for_three_days_and_only_in_what_is_open() -> None:
    assert negatives(found(2, {"pain": False})) == ["pain"]
    assert negatives(found(3, {"pain": False})) == []
    assert negatives(found(-1, {"pain": False})) == []
    assert negatives(found(0, {"vomiting": False}, category="upper_digestive")) == []


def test_what_was_found_later_is_no_negative_any_more() -> None:
    before, after = found(2, {"pain": False}, "rec_000010"), found(1, {"pain": True}, "rec_000011")
    assert negatives(before, after) == negatives(after, before) == []
    assert negatives(found(2, {"pain": True}), found(1, {"pain": False})) == ["pain"]


def test_an_empty_night_is_an_empty_frame() -> None:
    body = frame(DAY, courses=[], findings=[])
    assert body.pop("day") == "2025-06-12"
    assert set(map(len, body.values())) == {0}


findings = st.lists(
    st.builds(
        Finding,
        st.sampled_from(["rec_000010", "rec_000011", "rec_000012"]),
        st.dates(DAY - timedelta(5), DAY),
        st.sampled_from(["ears", "urinary"]),
        st.dictionaries(st.sampled_from(["redness", "pain"]), st.booleans()),
    ),
    max_size=6,
    unique_by=lambda each: (each.record, each.day),
)


@given(findings, st.randoms(use_true_random=False))
def test_the_frame_is_the_same_in_any_order_and_is_plain_json(findings: list[Finding], random: Any) -> None:
    body = frame(DAY, courses=[EAR, KIDNEYS], findings=findings)
    random.shuffle(findings)
    assert frame(DAY, courses=[KIDNEYS, EAR], findings=findings) == body
    assert json.loads(json.dumps(body)) == body
