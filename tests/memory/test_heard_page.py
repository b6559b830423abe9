"""The parents' page of what a companion wrote down for them: distress, health, sadness."""

from __future__ import annotations

import pytest
from django.test import Client

from memory import models
from memory.models import PendingReflection
from memory.services.crises import Heard, raise_cards
from memory.services.heard import MOST_SHOWN
from memory.services.reflecting import reflect
from tests.makers import a_cat, a_child, a_membership, a_person, now, signed_in
from tests.wire import Wire, a_device, now_ms

pytestmark = pytest.mark.django_db


@pytest.fixture
def tablet() -> Wire:
    ana = a_person("Ana")
    return a_device(ana, a_child(ana))


def heard(wire: Wire, text: str, turn: str) -> None:
    row = PendingReflection.objects.create(
        turn=turn, subject=wire.device.child, device=wire.gid, at_ms=now_ms(), heard=text
    )
    assert reflect(row.pk, now=now())


def a_card(wire: Wire, turn: str) -> None:
    child = wire.device.child_id
    assert child is not None
    raise_cards(subject_id=child, device=wire.gid, heard=[Heard(turn, "i want to die", now_ms())])


def page_of(person: str, wire: Wire) -> str:
    answer = signed_in(a_person(person)).get(f"/book/{wire.device.child_id}/heard")
    assert answer.status_code == 200
    return str(answer.content.decode())


def test_what_was_told_of_health_and_sadness_stands_there_and_ordinary_talk_does_not(tablet: Wire) -> None:
    heard(tablet, "my tummy hurts a lot", "turn-1")
    heard(tablet, "i like dinosaurs", "turn-2")
    page = page_of("Ana", tablet)
    assert "my tummy hurts a lot" in page and "/turns/turn-1" in page
    assert "dinosaurs" not in page


def test_a_card_stays_there_after_somebody_saw_it(tablet: Wire) -> None:
    a_card(tablet, "turn-1")
    card, browser = models.CrisisCard.objects.get(), signed_in(a_person("Ana"))
    assert f"/book/{tablet.device.child_id}/heard" in browser.get("/").content.decode()
    back = browser.post(f"/crises/{card.pk}/seen", {"back": str(tablet.device.child_id)})
    assert back.headers["Location"] == f"/book/{tablet.device.child_id}/heard"
    page = page_of("Ana", tablet)
    assert f"crisis-{card.pk}" in page and "Seen by Ana" in page
    assert f"crisis-{card.pk}" not in browser.get("/").content.decode()


@pytest.mark.parametrize("back", ["x", "999", ""])
def test_an_odd_way_back_is_today(tablet: Wire, back: str) -> None:
    a_card(tablet, "turn-1")
    card = models.CrisisCard.objects.get()
    answer = signed_in(a_person("Ana")).post(f"/crises/{card.pk}/seen", {"back": back})
    assert answer.headers["Location"] == "/"


def test_nobody_but_parents_opens_it(tablet: Wire) -> None:
    child = tablet.device.child
    assert child is not None
    for name, role in (("Gran", "family"), ("Dr. Ito", "therapist"), ("Ms. Lind", "teacher")):
        a_membership(a_person(name), child, role)
        assert signed_in(a_person(name)).get(f"/book/{child.pk}/heard").status_code == 404
    a_child(a_person("Eve"), "Zoe")
    assert signed_in(a_person("Eve")).get(f"/book/{child.pk}/heard").status_code == 404
    assert Client().get(f"/book/{child.pk}/heard").status_code == 302


def test_it_is_offered_for_children_and_says_so_where_it_is_empty(tablet: Wire) -> None:
    mavi, browser = a_cat(a_person("Ana")), signed_in(a_person("Ana"))
    assert "Nothing was heard" in page_of("Ana", tablet)
    assert "/heard" in browser.get(f"/book/{tablet.device.child_id}").content.decode()
    assert "/heard" not in browser.get(f"/book/{mavi.pk}").content.decode()


def test_it_speaks_turkish(tablet: Wire) -> None:
    a_card(tablet, "turn-1")
    ana = a_person("Ana")
    ana.language = "tr"
    ana.save(update_fields=["language"])
    assert 'lang="tr"' in page_of("Ana", tablet)


def test_it_asks_few_questions(tablet: Wire, django_assert_max_num_queries) -> None:  # type: ignore[no-untyped-def]
    for number in range(4):
        a_card(tablet, f"turn-{number}")
        heard(tablet, "my ear hurts", f"turn-h{number}")
    browser = signed_in(a_person("Ana"))
    address = f"/book/{tablet.device.child_id}/heard"
    browser.get(address)
    with django_assert_max_num_queries(10):
        assert browser.get(address).status_code == 200


def test_only_a_card_nobody_has_seen_is_an_alert(tablet: Wire) -> None:
    a_card(tablet, "turn-1")
    assert page_of("Ana", tablet).count('role="alert"') == 1
    signed_in(a_person("Ana")).post(f"/crises/{models.CrisisCard.objects.get().pk}/seen")
    page = page_of("Ana", tablet)
    assert 'role="alert"' not in page and "Seen by Ana" in page


def test_what_one_page_cannot_show_is_said_of_cards_too(tablet: Wire) -> None:
    a_card(tablet, "turn-1")
    assert "Older ones" not in page_of("Ana", tablet)
    for turn in range(2, MOST_SHOWN + 2):
        a_card(tablet, f"turn-{turn}")
    page = page_of("Ana", tablet)
    assert "Older ones" in page and page.count('id="crisis-') == 2 * MOST_SHOWN
