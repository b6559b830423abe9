"""Refusals say what went wrong and what to do next, as a page and as a notice."""

from __future__ import annotations

import pytest
from django.test import Client, override_settings

from tests.makers import a_child, a_household, a_person, signed_in

pytestmark = pytest.mark.django_db


def test_a_tap_of_no_form_says_what_to_do() -> None:
    ana = a_person()
    child = a_child(ana)
    address = f"/book/{child.pk}/form/tap"
    answer = signed_in(ana).post(address, {"client_id": "one", "sleep": "purple"})
    assert answer.status_code == 422
    assert "That tap is in no form. Reload the page and try again." in answer.content.decode()
    assert "<html" in answer.content.decode()
    notice = signed_in(ana).post(
        address, {"client_id": "one", "sleep": "purple"}, headers={"HX-Request": "true"}
    )
    assert notice.status_code == 422
    assert "That tap is in no form" in notice.content.decode()
    assert "<html" not in notice.content.decode()


def test_what_is_not_there_leads_on() -> None:
    ana = a_person()
    a_child(ana)
    answer = signed_in(ana).get("/r/rec_999999")
    assert answer.status_code == 404
    assert "/search/" in answer.content.decode()


def test_a_form_of_elsewhere_is_refused_with_the_next_step() -> None:
    a_household()
    answer = Client(enforce_csrf_checks=True).post(
        "/accounts/login/", {"login": "Ana"}, headers={"Origin": "http://evil.example"}
    )
    assert answer.status_code == 403
    assert "Open the page again" in answer.content.decode()


@override_settings(DATA_UPLOAD_MAX_MEMORY_SIZE=100)
def test_too_much_at_once_is_said_so() -> None:
    ana = a_person()
    a_child(ana)
    answer = signed_in(ana).post("/tell", {"words": "a" * 500, "client_id": "one"})
    assert answer.status_code == 400
    assert "too large" in answer.content.decode()


@override_settings(DEBUG_PROPAGATE_EXCEPTIONS=False)
def test_a_broken_house_says_that_what_was_saved_is_safe(monkeypatch: pytest.MonkeyPatch) -> None:
    ana = a_person()
    a_child(ana)

    def broken(*_args: object, **_more: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr("twin.views.today.gather_today", broken)
    browser = signed_in(ana)
    browser.raise_request_exception = False
    answer = browser.get("/")
    assert answer.status_code == 500
    assert "What was already saved is safe." in answer.content.decode()
