"""The pages of patterns, strategies and insights: who sees what, counts over that, taps, refusals."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from household.models import Membership, Person
from memory.models import Pattern, Strategy, StrategyUse
from memory.services.counting.night import count_day
from memory.services.strategies import propose_strategy, record_use
from tests.makers import a_child, a_membership, a_person, a_second_step, now, signed_in
from twin.models import Event, FormFill, Subject
from twin.services.days import day_of
from twin.services.events import add_event

pytestmark = pytest.mark.django_db
DAYS = 14


@pytest.fixture
def home() -> dict[str, Any]:
    """Ana's child with a fortnight in which a bad night and a meltdown go together, and one strategy."""
    ana = a_person("Ana")
    leo = a_child(ana)
    Subject.objects.filter(pk=leo.pk).update(created_at=now() - dt.timedelta(days=DAYS + 3))
    leo.refresh_from_db()
    today = day_of(leo, now())
    for back in range(DAYS, 0, -1):
        is_bad = back % 2 == 0
        melts = is_bad and back != 4
        FormFill.objects.create(
            subject=leo,
            author=ana,
            client_id=f"f{back}",
            turn=f"f{back}",
            at=now() - dt.timedelta(days=back),
            local_day=today - dt.timedelta(days=back),
            levels={"sleep": "bad" if is_bad else "good", "regulation": "meltdown" if melts else "steady"},
        )
    for back in range(DAYS, 0, -1):
        count_day(leo, today - dt.timedelta(days=back))
    pattern = Pattern.objects.get(antecedent="sleep_bad", outcome="meltdown", lag=0)
    strategy = propose_strategy(
        person=ana,
        subject_id=leo.pk,
        client_id="s",
        name="Deep pressure",
        how="Two minutes",
        patterns=[pattern.pk],
        now=now(),
    )
    event = add_event(
        person=ana, subject_id=leo.pk, client_id="e", kind="meltdown", at=now(), now=now(), place="Shop"
    )
    return {"ana": ana, "leo": leo, "pattern": pattern, "strategy": strategy, "event": event}


def pages(home: dict[str, Any]) -> list[str]:
    leo, pattern, strategy = home["leo"], home["pattern"], home["strategy"]
    return [
        f"/book/{leo.pk}/patterns",
        f"/patterns/{pattern.ref}",
        f"/book/{leo.pk}/strategies",
        f"/strategies/{strategy.ref}",
        f"/book/{leo.pk}/strategies/add",
        f"/strategies/{strategy.ref}/change",
        f"/events/{home['event'].pk}/tried",
    ]


def text_of(client: Client, url: str) -> str:
    page = client.get(url)
    assert page.status_code == 200, (url, page.status_code)
    return page.content.decode()


def test_every_page_opens_for_a_parent_in_at_most_ten_queries(home: dict[str, Any]) -> None:
    client, asked = signed_in(home["ana"]), {}
    for url in [*pages(home), "/insights"]:
        text_of(client, url)
        with CaptureQueriesContext(connection) as queries:
            client.get(url)
        asked[url] = len(queries)
    assert max(asked.values()) <= 10, asked


def test_another_family_gets_404(home: dict[str, Any]) -> None:
    eve = signed_in(a_person("Eve"))
    a_child(Person.objects.get(name="Eve"), "Ida")
    for url in [*pages(home), "/patterns/pat_999999", "/patterns/rec_000001", "/strategies/str_1"]:
        assert eve.get(url).status_code == 404, url
    for url in (f"/patterns/{home['pattern'].ref}/retire", f"/strategies/{home['strategy'].ref}/use"):
        assert eve.post(url, {"client_id": "x", "outcome": "success"}).status_code == 404
    assert "Deep pressure" not in text_of(eve, "/insights")


def test_the_count_stands_beside_the_claim_with_every_row_for_and_against(home: dict[str, Any]) -> None:
    page = text_of(signed_in(home["ana"]), f"/patterns/{home['pattern'].ref}")
    assert "6 nights of 7" in page
    assert "6 days speak for it" in page and "1 day speaks against it" in page
    assert "Deep pressure" in page


def test_a_professional_sees_a_pattern_counted_over_what_they_may_see(home: dict[str, Any]) -> None:
    ito, leo = a_person("Dr. Ito"), home["leo"]
    a_second_step(ito)
    since = day_of(leo, now()) - dt.timedelta(days=7)
    a_membership(ito, leo, "therapist", data_from=since)
    page = text_of(signed_in(ito), f"/patterns/{home['pattern'].ref}")
    assert "2 nights of 3" in page and "Counted over the rows you may see" in page
    assert "2 nights of 3" in text_of(signed_in(ito), f"/book/{leo.pk}/patterns")
    Membership.objects.filter(person=ito).update(overrides={"observation:view": False}, data_from=None)
    assert signed_in(ito).get(f"/patterns/{home['pattern'].ref}").status_code == 404
    assert home["pattern"].ref not in text_of(signed_in(ito), f"/book/{leo.pk}/patterns")
    assert signed_in(ito).post(f"/patterns/{home['pattern'].ref}/retire").status_code == 404


def test_a_parent_retires_a_pattern_and_no_night_brings_it_back(home: dict[str, Any]) -> None:
    client, pattern, leo = signed_in(home["ana"]), home["pattern"], home["leo"]
    for _twice in range(2):
        assert (
            client.post(f"/patterns/{pattern.ref}/retire", {"reason": "It was the cold"}).status_code == 302
        )
    pattern.refresh_from_db()
    assert (pattern.lifecycle, pattern.reason, pattern.moves.filter(by_hand=True).count()) == (
        "retired",
        "It was the cold",
        1,
    )
    count_day(leo, day_of(leo, now()))
    pattern.refresh_from_db()
    assert (pattern.lifecycle, pattern.reason) == ("retired", "It was the cold")
    client.post(f"/patterns/{pattern.ref}/reopen")
    pattern.refresh_from_db()
    assert (pattern.lifecycle, pattern.by_hand) == ("hypothesis", False)


def test_one_tap_from_an_event_records_a_use_and_another_tap_says_it_anew(home: dict[str, Any]) -> None:
    client, event, strategy = signed_in(home["ana"]), home["event"], home["strategy"]
    url = f"/events/{event.pk}/tried"
    said = {"client_id": "u1", "strategy": strategy.pk, "outcome": "unknown"}
    client.post(url, said)
    client.post(url, said)
    use = StrategyUse.objects.get()
    strategy.refresh_from_db()
    assert (use.outcome, use.event_id, strategy.uses, strategy.lifecycle) == (
        "unknown",
        event.pk,
        0,
        "in_use",
    )
    client.post(url, {**said, "client_id": "u2", "outcome": "success"})
    strategy.refresh_from_db()
    assert (StrategyUse.objects.count(), strategy.uses, strategy.effectiveness) == (1, 1, 1.0)
    assert client.post(url, {**said, "client_id": "u3", "outcome": "splendid"}).status_code == 422
    assert client.post(f"/uses/{use.pk}/undo").status_code == 302
    strategy.refresh_from_db()
    assert (StrategyUse.objects.count(), strategy.uses) == (0, 0)


def test_a_retired_strategy_is_not_used_and_undo_has_its_minute(home: dict[str, Any]) -> None:
    client, strategy = signed_in(home["ana"]), home["strategy"]
    use = record_use(
        person=home["ana"],
        strategy_id=strategy.pk,
        client_id="old",
        on=dt.date(2026, 1, 1),
        outcome="success",
        now=now() - dt.timedelta(minutes=2),
    )
    assert client.post(f"/uses/{use.pk}/undo").status_code == 409
    client.post(f"/strategies/{strategy.ref}/retire")
    tap = {"client_id": "again", "outcome": "success"}
    assert client.post(f"/strategies/{strategy.ref}/use", tap).status_code == 409
    client.post(f"/strategies/{strategy.ref}/adopt")
    assert client.post(f"/strategies/{strategy.ref}/use", tap).status_code == 302
    assert "2 of 2 times" in text_of(client, f"/strategies/{strategy.ref}")


def test_a_strategy_needs_a_name_of_its_own_and_keeps_what_was_typed(home: dict[str, Any]) -> None:
    client, leo = signed_in(home["ana"]), home["leo"]
    url = f"/book/{leo.pk}/strategies/add"
    page = client.post(url, {"client_id": "n1", "name": "", "how": "very slowly"})
    assert page.status_code == 422 and b"very slowly" in page.content
    page = client.post(url, {"client_id": "n2", "name": "Deep pressure", "how": "very slowly"})
    assert page.status_code == 422 and b"Another strategy has this name" in page.content
    said = {"client_id": str(uuid.uuid4()), "name": "Headphones", "patterns": [home["pattern"].pk]}
    for _twice in range(2):
        assert client.post(url, said).status_code == 302
    row = Strategy.objects.get(name="Headphones")
    assert [link.pattern_id for link in row.for_patterns.all()] == [home["pattern"].pk]
    assert not Event.objects.filter(place="Headphones").exists()
