"""A model may propose, never decide: floors hold, inventions are dropped, the night needs it for nothing."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from household.models import ThinkingSpend
from household.services.thinking import choose_endpoint
from tests.fake_model import fake_model
from tests.twin.test_rounds import a_watched_cat, at, day_number, ear, run_until, tell
from twin.models import Frame, FrameLog, Record
from twin.rules.proposals import MOST_DAYS, NoProposals, Proposals, parse
from twin.services.rounds.proposing import propose
from twin.services.rounds.run import run_due


@pytest.fixture
def course(db):
    cat = a_watched_cat()
    tell(cat, day_number(0), ear())
    tell(cat, day_number(1), ear())
    run_until(cat, day_number(1))
    return Record.objects.courses().get()


def ask(course, content):
    with fake_model() as model:
        choose_endpoint(
            purpose="analytical", base_url=model.url, model="fake", key=None, timeout_s=2, is_on=True
        )
        model.says(content)
        found = propose(course.subject, now=at(day_number(2), 5))
        return found, model.asked


def test_proposals_are_kept_with_their_source_and_no_word_was_sent(course):
    rec = course.rec_id
    found, asked = ask(
        course,
        {
            "horizons": [{"record": rec, "to_passive": 10, "to_close": 30}],
            "considerations": ["A second ear course this year: worth a look by the vet."],
        },
    )
    assert found.dropped == 0
    course.refresh_from_db()
    assert course.horizons == {"to_passive": 10, "to_close": 30, "source": "fake"}
    frame = Frame.objects.get()
    assert frame.body["considerations"][0]["source"] == "fake"
    assert FrameLog.objects.filter(day=frame.day).count() == 2
    assert "ear" not in json.loads(asked[0]["messages"][1]["content"]).get("words", "")
    assert ThinkingSpend.objects.get().state == "settled"


def test_what_is_invented_or_out_of_bounds_is_dropped(course):
    found, _ = ask(
        course,
        {
            "horizons": [
                {"record": "rec_999999", "to_passive": 3, "to_close": 7},
                {"record": course.rec_id, "to_passive": 0, "to_close": 7},
                {"record": course.rec_id, "to_passive": True, "to_close": 7},
            ],
            "considerations": ["", 7, "x" * 500],
        },
    )
    assert found == Proposals({}, (), dropped=6)
    course.refresh_from_db()
    assert course.horizons is None


def test_an_impatient_proposal_cannot_close_before_the_floors(course):
    ask(
        course,
        {"horizons": [{"record": course.rec_id, "to_passive": 1, "to_close": 1}], "considerations": []},
    )
    cat = course.subject
    for n in range(2, 6):
        tell(cat, day_number(n), ear(bad=False))
        run_until(cat, day_number(n))
    course.refresh_from_db()
    assert course.lifecycle in {"active", "passive"}
    assert (day_number(5) - day_number(1)).days < 7


def test_a_broken_model_stops_no_night(db):
    cat = a_watched_cat()
    tell(cat, day_number(0), ear())
    tell(cat, day_number(1), ear())
    with fake_model() as model:
        choose_endpoint(
            purpose="analytical", base_url=model.url, model="fake", key=None, timeout_s=2, is_on=True
        )
        model.says("{nonsense")
        assert run_due(now=at(day_number(2), 4)) == 2
    assert Record.objects.courses().get().lifecycle == "active"
    assert Frame.objects.get().body["considerations"] == []


def test_nothing_is_asked_where_nothing_is_open_or_no_model_is_there(db):
    cat = a_watched_cat()
    run_until(cat, day_number(0))
    assert propose(cat, now=at(day_number(1), 5)) is None
    assert not ThinkingSpend.objects.exists()


@given(st.text(max_size=200))
def test_any_text_is_proposals_or_none(text):
    try:
        found = parse(text, records={"rec_000001"})
    except NoProposals:
        return
    assert set(found.horizons) <= {"rec_000001"}


@given(st.integers(-5, 500), st.integers(-5, 500))
def test_only_days_in_bounds_are_kept(to_passive, to_close):
    raw = {"record": "rec_000001", "to_passive": to_passive, "to_close": to_close}
    found = parse(json.dumps({"horizons": [raw], "considerations": []}), records={"rec_000001"})
    is_sane = 0 < to_passive <= MOST_DAYS and 0 < to_close <= MOST_DAYS
    assert bool(found.horizons) == is_sane
