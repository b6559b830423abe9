"""After something was tried the agenda asks how it went; unknown counts once a week has passed."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from memory.models import Strategy, StrategyUse
from memory.rules.effectiveness import Tally, Use, change, earlier, recent, tally
from memory.services.strategies import propose_strategy, record_use
from tests.makers import a_child, a_membership, a_person, now, signed_in
from twin.models import AgendaItem, Subject
from twin.services.days import day_of
from twin.services.events import add_event, undo_event
from twin.services.rounds.run import run_round


def tried(days_ago: int = 1) -> dict[str, Any]:
    """Ana, her child and an event some days ago, in which one strategy was tried; nobody said how it went."""
    ana = a_person("Ana")
    leo = a_child(ana)
    Subject.objects.filter(pk=leo.pk).update(created_at=now() - dt.timedelta(days=days_ago))
    leo.refresh_from_db()
    at = now() - dt.timedelta(days=days_ago)
    strategy = propose_strategy(person=ana, subject_id=leo.pk, client_id="s", name="Deep pressure", now=at)
    event = add_event(person=ana, subject_id=leo.pk, client_id="e", kind="meltdown", at=at, now=at)
    use = record_use(
        person=ana, strategy_id=strategy.pk, client_id="u", on=event.local_day, event_id=event.pk, now=at
    )
    return {"ana": ana, "leo": leo, "use": use, "strategy": strategy, "event": event, "at": at}


def night(leo: Subject, ago: int) -> None:
    day = day_of(leo, now()) - dt.timedelta(days=ago)
    run_round(subject_id=leo.pk, day=day, now=now() - dt.timedelta(days=ago - 1))


@pytest.mark.django_db
def test_today_asks_how_it_went_and_a_tap_counts() -> None:
    home = tried()
    night(home["leo"], 1)
    item = AgendaItem.objects.get(key=f"use:{home['use'].pk}")
    client = signed_in(home["ana"])
    assert "Leo, Deep pressure: how did it go?" in client.get("/").content.decode()
    assert client.post(f"/agenda/{item.pk}", {"answer": "splendid", "client_id": "x"}).status_code == 422
    for _twice in range(2):
        client.post(f"/agenda/{item.pk}", {"answer": "partial", "client_id": "x"})
    strategy = Strategy.objects.get()
    assert (strategy.uses, strategy.partials, strategy.effectiveness) == (1, 1, 0.5)
    item.refresh_from_db()
    assert item.state == "answered"


@pytest.mark.django_db
def test_who_may_not_see_strategies_is_not_asked_about_one() -> None:
    home = tried()
    night(home["leo"], 1)
    kim = a_person("Kim")
    a_membership(kim, home["leo"], "family")
    assert "Deep pressure" not in signed_in(kim).get("/").content.decode()
    item = AgendaItem.objects.get()
    assert signed_in(kim).post(f"/agenda/{item.pk}", {"answer": "success"}).status_code == 404


@pytest.mark.django_db
def test_an_unknown_outcome_counts_once_a_week_has_passed_and_not_before() -> None:
    home = tried(days_ago=9)
    for ago in range(9, 2, -1):
        night(home["leo"], ago)
        assert Strategy.objects.get().uses == 0
    night(home["leo"], 2)
    strategy = Strategy.objects.get()
    assert (strategy.uses, strategy.effectiveness) == (1, 0.0)
    assert StrategyUse.objects.get().follow_up_expired


@pytest.mark.django_db
def test_a_use_that_is_taken_back_takes_its_question_along() -> None:
    home = tried()
    night(home["leo"], 1)
    undo_event(event_id=home["event"].pk, now=home["at"])
    assert not StrategyUse.objects.exists() and not AgendaItem.objects.filter(key__startswith="use:").exists()
    assert Strategy.objects.get().uses == 0


TODAY = dt.date(2026, 5, 30)


def uses(*outcomes: str, ago: int) -> list[Use]:
    return [Use(TODAY - dt.timedelta(days=ago), outcome) for outcome in outcomes]


def test_one_of_one_does_not_beat_nine_of_ten() -> None:
    nine = tally(uses(*["success"] * 9, "failure", ago=1))
    assert nine.lower > tally(uses("success", ago=1)).lower > Tally().lower == 0


def test_an_unknown_outcome_is_a_use_only_where_it_counts() -> None:
    known = uses("success", "partial", ago=1)
    assert tally([*known, Use(TODAY, "unknown", is_counted=False)]).effectiveness == 0.75
    assert tally([*known, Use(TODAY, "unknown")]).effectiveness == 0.5


@pytest.mark.parametrize(
    ("before", "lately", "turn"),
    [
        (["success"] * 3, ["failure"] * 3, -1),
        (["failure"] * 3, ["success"] * 3, 1),
        (["success"] * 3, ["success"] * 3, 0),
        (["success"], ["failure"], 0),
        ([], ["failure"] * 3, 0),
    ],
)
def test_worked_in_march_not_in_may(before: list[str], lately: list[str], turn: int) -> None:
    told = [*uses(*before, ago=80), *uses(*lately, ago=10)]
    assert change(earlier(told, TODAY), recent(told, TODAY)) == turn
    assert earlier(told, TODAY).uses + recent(told, TODAY).uses == tally(told).uses
