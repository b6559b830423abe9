"""Drawers by set, ageing and waking, and the cap that no choice of questions exceeds."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from household.rules.tokens import tokens_of
from memory.rules.catalogue import Card, OverBudget, catalogue, expand
from memory.rules.drawers import (
    AT_MOST,
    FOLLOW_UPS,
    Closes,
    Drawer,
    Waiting,
    drawer_for,
    falls_asleep,
    is_evidence,
    to_show,
    wakes,
)
from memory.rules.never import said_in, topic_of, touches
from memory.rules.topics import circumstances, known_intents, topics
from twin.rules.categories import FIELDS

NOW = dt.datetime(2026, 11, 30, tzinfo=dt.UTC)
sets = st.frozensets(st.sampled_from(sorted(known_intents())), min_size=1, max_size=3)
drawers = st.lists(
    st.builds(Drawer, st.integers(1, 99), sets, st.datetimes().map(lambda at: at.replace(tzinfo=dt.UTC))),
    unique_by=lambda one: one.id,
    max_size=6,
)
waiting = st.lists(
    st.builds(
        Waiting,
        st.integers(1, 99),
        st.integers(1, 3),
        st.sampled_from([Closes("ears", "odour"), Closes("eyes", "redness"), Closes(profile_field="food_g")]),
        st.sampled_from(["open", "dormant", "closed"]),
        st.integers(0, 20).map(lambda days: NOW - dt.timedelta(days=days)),
        st.integers(0, 20).map(lambda days: NOW - dt.timedelta(days=days)),
    ),
    unique_by=lambda one: one.id,
    max_size=9,
)


@given(sets, drawers)
def test_the_very_same_set_always_finds_its_drawer(intents: frozenset[str], known: list[Drawer]) -> None:
    mine = Drawer(100, intents, NOW)
    found = drawer_for(intents, [*known, mine])
    assert {one.id: one for one in [*known, mine]}[found or 0].intents == intents


@given(sets, drawers, st.randoms(use_true_random=False))
def test_a_found_drawer_shares_a_topic_and_the_order_of_drawers_does_not_matter(
    intents: frozenset[str], known: list[Drawer], random: object
) -> None:
    found = drawer_for(intents, known)
    random.shuffle(known)  # type: ignore[attr-defined]
    assert drawer_for(intents, known) == found
    if found is not None:
        key = next(one.intents for one in known if one.id == found)
        assert key & intents and ((key & intents & topics()) or not (key | intents) & topics())


@given(waiting, st.integers(0, 4), st.integers(0, 3))
def test_no_choice_exceeds_the_cap_or_asks_what_is_settled(
    rows: list[Waiting], taken: int, drawer: int
) -> None:
    settled = {Closes("eyes", "redness")}
    shown = to_show(rows, drawer=drawer, settled=settled, taken=taken)
    assert len(shown) + taken <= max(AT_MOST, taken)
    by_id = {one.id: one for one in rows}
    assert all(by_id[pk].state == "open" and by_id[pk].closes not in settled for pk in shown)


@given(waiting)
def test_a_week_makes_dormant_and_the_topic_wakes(rows: list[Waiting]) -> None:
    asleep = falls_asleep(rows, NOW)
    assert set(asleep) == {
        one.id for one in rows if one.state == "open" and NOW - one.revived_at >= dt.timedelta(days=7)
    }
    assert set(wakes(rows, 2)) == {one.id for one in rows if one.state == "dormant" and one.drawer == 2}


@pytest.mark.parametrize(
    ("signs", "closes"),
    [({"side": "left"}, True), ({"side": "not_observed"}, False), ({"odour": True}, False)],
)
def test_evidence_is_the_sign_itself_and_not_that_nobody_looked(
    signs: dict[str, object], closes: bool
) -> None:
    assert is_evidence(Closes("ears", "side"), "ears", signs) is closes
    assert not is_evidence(Closes("ears", "side"), "eyes", signs)


def test_every_follow_up_is_a_sign_of_its_category() -> None:
    for (category, sign), wanted in FOLLOW_UPS.items():
        assert {sign, *wanted} <= FIELDS[category].keys()


def test_the_vocabulary_is_closed() -> None:
    assert not topics() & circumstances()
    assert set(FIELDS) <= topics()


@given(st.lists(st.text(min_size=1, max_size=40), max_size=9), st.integers(0, 60))
def test_neither_the_catalogue_nor_the_expander_goes_over_its_budget(texts: list[str], budget: int) -> None:
    cards = [Card(f"rec_{n:06d}", "ears", tags=(text,)) for n, text in enumerate(texts)]
    lines = catalogue(cards, budget=budget)
    assert sum(tokens_of(line + "\n") for line in lines) <= budget
    assert all("\n" not in line for line in lines)
    full = {card.ref: text for card, text in zip(cards, texts, strict=True)}
    try:
        opened = expand(full, full, budget=budget)
    except OverBudget:
        assert full
        return
    assert opened.tokens <= budget
    assert [ref for ref, _text in opened.texts] + list(opened.left_out) != [] or not full
    assert {ref for ref, _text in opened.texts} | set(opened.left_out) == set(full)


@pytest.mark.parametrize(
    ("topic", "text", "is_one"),
    [
        ("school fees", "the school fees are due", True),
        ("school fees", "we paid the tuition late", True),
        ("school fees", "okulun harcını ödedik", True),
        ("school fees", "he likes his school", False),
        ("okul ücreti", "okul ücretini geciktirdik", True),
        ("okul ücreti", "okulu seviyor", False),
        ("boşanma", "boşanmayı sordu", True),
        ("divorce", "she divorced him", True),
        ("divorce", "he vomited", False),
        ("bedwetting", "yatağını ıslattı", True),
        ("grandma's illness", "grandma baked a cake", False),
    ],
)
def test_a_topic_is_found_in_other_words_and_in_the_other_language(
    topic: str, text: str, is_one: bool
) -> None:
    assert touches(topic_of(topic), said_in(text)) is is_one
