"""Evidence for a question: typed, within budgets, what the asker may see, and one step further."""

from __future__ import annotations

import datetime as dt

import pytest

from household.access import seen_by
from memory.models import Episode, Pattern, PatternEvidence, Strategy, StrategyPattern, StrategyUse
from memory.rules.evidence import Budgets, Retrieved, Source
from memory.rules.retrieval.folding import asked_terms
from memory.services.finding.entries import fill_due
from memory.services.finding.searching import Wanted
from memory.services.retrieving import retrieve
from tests import makers
from twin.models import Event

NOW = dt.datetime(2026, 11, 20, 12, tzinfo=dt.UTC)


def asked(person, subject, question, **more):
    with seen_by(person, now=NOW):
        return retrieve(
            person=person,
            subject=subject,
            question=question,
            language="en",
            now=NOW,
            wanted=Wanted(tuple(asked_terms(question))),
            **more,
        )


@pytest.fixture
def ana(db):
    return makers.a_person("Ana")


@pytest.fixture
def leo(ana):
    leo = makers.a_child(ana)
    day = NOW.date() - dt.timedelta(days=3)
    for number, place in enumerate(["the supermarket", "the playground"]):
        event = Event.objects.create(
            subject=leo, author=ana, client_id=f"e{number}", turn="t", kind="meltdown", at=NOW, local_day=day
        )
        Episode.objects.create(
            subject=leo,
            author=ana,
            event=event,
            turn="t",
            kind="meltdown",
            at=NOW,
            day=day,
            place=place,
            impact=-2,
        )
    pattern = Pattern.objects.create(
        subject=leo, antecedent="sleep_bad", outcome="meltdown", lag=1, lifecycle="supported", since=day,
        window_from=day, window_to=day, both=6, antecedent_days=8, outcome_days=9, days=60, lift=3.0,
        base_rate=0.15, lower=0.4, p=0.001, first_on=day, last_on=day,
    )  # fmt: skip
    PatternEvidence.objects.create(
        pattern=pattern, subject=leo, day=day, is_for=True, side="outcome", event=Event.objects.first()
    )
    helps = Strategy.objects.create(
        subject=leo, name="Dim the lights", author=ana, client_id="s1", lifecycle="in_use"
    )
    often = Strategy.objects.create(
        subject=leo, name="Ear defenders", author=ana, client_id="s2", lifecycle="in_use"
    )
    StrategyPattern.objects.create(strategy=helps, pattern=pattern, subject=leo)
    for number in range(6):
        StrategyUse.objects.create(
            strategy=often, subject=leo, on=day, outcome="success", author=ana, client_id=f"u{number}"
        )
    makers.a_record(leo, "sleep", day=NOW.date(), text="Woke four times")
    fill_due()
    return leo


def test_what_fits_comes_first_and_each_source_keeps_its_budget(ana, leo):
    found = asked(ana, leo, "meltdown at the supermarket", budgets=Budgets(episodes=1, strategies=1))
    assert [one.facts["place"] for one in found.of(Source.EPISODE) if one.via is None] == ["the supermarket"]
    assert [one.facts["name"] for one in found.of(Source.STRATEGY) if one.via is None] == ["Ear defenders"]
    assert found.scope == "conversation,document,memory,observation,profile"
    assert found.searched_by == ("text",)


def test_a_strategy_carries_its_counts_and_its_recent_ones(ana, leo):
    (one,) = [e for e in asked(ana, leo, "ear defenders").of(Source.STRATEGY) if e.facts["uses"]]
    assert one.ref == f"str_{one.row_id:06d}"
    assert (one.facts["uses"], one.facts["successes"], one.facts["recent"]["uses"]) == (6, 6, 6)
    assert 0.5 < one.facts["lower"] < 1


def test_a_pattern_found_pulls_in_its_strategy_and_what_it_counted(ana, leo):
    found = asked(ana, leo, "bad sleep", budgets=Budgets(strategies=1))
    (pattern,) = found.of(Source.PATTERN)
    pulled = {one.source: one for one in found.evidence if one.via == pattern.ref}
    assert pulled[Source.STRATEGY].facts["name"] == "Dim the lights"
    assert pulled[Source.EPISODE].facts["place"] == "the supermarket"


def test_recent_observations_are_found_and_old_ones_are_not_among_them(ana, leo):
    old = makers.a_record(leo, "sleep", day=NOW.date() - dt.timedelta(days=90), text="Woke once")
    fill_due()
    found = asked(ana, leo, "woke in the night")
    texts = [one.text for one in found.of(Source.OBSERVATION)]
    assert any("Woke four times" in text for text in texts)
    assert old.rec_id not in found.refs


def test_no_subject_a_strangers_subject_and_no_words_give_nothing(ana, leo):
    eve = makers.a_person("Eve")
    makers.a_child(eve, name="Noa")
    assert asked(ana, None, "supermarket") == Retrieved()
    assert asked(eve, leo, "supermarket") == Retrieved()
    assert asked(ana, leo, "   ") == Retrieved()


def test_who_may_not_view_memories_gets_none_of_them(ana, leo):
    gran = makers.a_person("Gran")
    makers.a_membership(gran, leo, role="family")
    found = asked(gran, leo, "woke, meltdown at the supermarket, bad sleep")
    assert {one.source for one in found.evidence} <= {Source.OBSERVATION, Source.COURSE}
    assert found.of(Source.OBSERVATION)
    assert found.scope == "observation,profile"


def test_the_version_changes_with_every_row(ana, leo):
    before = asked(ana, leo, "sleep").version
    assert asked(ana, leo, "sleep").version == before
    makers.a_record(leo, "ears", text="itchy")
    assert asked(ana, leo, "sleep").version != before
