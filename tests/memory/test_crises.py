"""Words of distress raise a card for the parents, once, which stays on Today until one of them saw it."""

from __future__ import annotations

import json

import pytest
from django.utils import timezone

from household.access import seen_by
from memory import models
from memory.rules.forgetting import Target
from memory.services.crises import Heard, raise_cards
from memory.services.forgetting import forget
from memory.services.journal import write_line
from tests.makers import a_child, a_membership, a_person, signed_in
from tests.wire import Wire, a_device, now_ms

pytestmark = pytest.mark.django_db
WORDS = "i want to die"


@pytest.fixture
def tablet() -> Wire:
    ana = a_person("Ana")
    return a_device(ana, a_child(ana))


def said(wire: Wire, text: str = WORDS, turn: str = "turn-1", **more: str) -> list[dict[str, str]]:
    response = wire.post("turn", {"turn": turn, "text": text, **more})
    assert response.status_code == 200, response.content
    return [json.loads(line) for line in b"".join(response.streaming_content).splitlines()]


def a_card(wire: Wire, turn: str = "turn-1") -> models.CrisisCard:
    child = wire.device.child_id
    assert child is not None
    raise_cards(subject_id=child, device=wire.gid, heard=[Heard(turn, WORDS, now_ms())])
    return models.CrisisCard.objects.get(turn=turn)


def test_a_turn_of_distress_raises_one_card_and_gets_the_fixed_reply(tablet: Wire) -> None:
    first, again = said(tablet), said(tablet)
    assert first == again
    text = "".join(line.get("said", "") for line in first)
    assert "grown-up" in text and "?" not in text
    card = models.CrisisCard.objects.get()
    assert (card.kind, card.turn, card.seen_at) == ("wish_to_die", "turn-1", None)


def test_the_fixed_reply_is_there_in_turkish_and_when_the_day_is_over(tablet: Wire) -> None:
    text = "".join(line.get("said", "") for line in said(tablet, "ölmek istiyorum", language="tr"))
    assert "büyüğe" in text
    assert models.CrisisCard.objects.count() == 1


def test_ordinary_talk_raises_none(tablet: Wire) -> None:
    said(tablet, "this game kills me")
    assert not models.CrisisCard.objects.exists()


def test_words_said_offline_raise_a_card_when_they_arrive_once(tablet: Wire) -> None:
    at = now_ms()
    line = {"event": "Heard", "at_ms": at, "turn": "turn-9", "text": "ölmek istiyorum", "pictures": []}
    body = {"device": tablet.gid, "from_seq": 0, "lines": [line]}
    tablet.told("journal", body)
    tablet.told("journal", body)
    card = models.CrisisCard.objects.get()
    assert (card.turn, card.at_ms) == ("turn-9", at)
    page = signed_in(a_person("Ana")).get("/").content.decode()
    assert "ölmek istiyorum" in page


def test_today_shows_it_to_a_parent_until_one_saw_it(tablet: Wire) -> None:
    card, ana = a_card(tablet), signed_in(a_person("Ana"))
    page = ana.get("/").content.decode()
    assert f"crisis-{card.pk}" in page and "112" in page
    for _twice in range(2):
        assert ana.post(f"/crises/{card.pk}/seen").status_code == 302
    seen = models.CrisisCard.objects.get()
    assert seen.seen_by == a_person("Ana") and seen.seen_at is not None
    assert f"crisis-{card.pk}" not in ana.get("/").content.decode()


def test_the_first_parent_who_saw_it_stays_named(tablet: Wire) -> None:
    card, ben = a_card(tablet), a_person("Ben")
    a_membership(ben, tablet.device.child, "parent")
    signed_in(ben).post(f"/crises/{card.pk}/seen")
    signed_in(a_person("Ana")).post(f"/crises/{card.pk}/seen")
    assert models.CrisisCard.objects.get().seen_by == ben


def test_another_family_and_other_roles_see_nothing_of_it(tablet: Wire) -> None:
    card, child = a_card(tablet), tablet.device.child
    eve, gran = a_person("Eve"), a_person("Gran")
    a_child(eve, "Zoe")
    a_membership(gran, child, "family")
    for person in (eve, gran):
        browser = signed_in(person)
        assert browser.post(f"/crises/{card.pk}/seen").status_code == 404
        assert "crisis-" not in browser.get("/").content.decode()
    assert models.CrisisCard.objects.get().seen_at is None


def test_a_card_outlives_the_forgetting_of_its_words(tablet: Wire) -> None:
    card, ana = a_card(tablet), a_person("Ana")
    with seen_by(ana, now=timezone.now()):
        write_line(
            event="Heard", at=timezone.now(), turn="turn-1", fields={"text": WORDS}, device=tablet.gid,
            subject_id=card.subject_id,
        )  # fmt: skip
    browser = signed_in(ana)
    assert WORDS in browser.get("/").content.decode()
    forget(Target("turn", "turn-1"), person=ana, client_id="one", now=timezone.now())
    page = browser.get("/").content.decode()
    assert WORDS not in page and f"crisis-{card.pk}" in page


def test_today_asks_little_more_for_it(tablet: Wire, django_assert_max_num_queries) -> None:
    browser = signed_in(a_person("Ana"))
    browser.get("/")
    for number in range(3):
        a_card(tablet, f"turn-{number}")
    with django_assert_max_num_queries(11):
        browser.get("/")
