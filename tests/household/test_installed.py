"""The app on the home screen: manifest, worker, the page without a house; help and the keyboard's page."""

from __future__ import annotations

import json
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from household.views.installed import LANGUAGES, SHELL
from tests.makers import a_child, a_household, a_membership, a_person, signed_in

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("language", "write"), [("en", "Write it down"), ("tr", "Yaz")])
def test_the_manifest_is_installable_in_both_languages(client: Client, language: str, write: str) -> None:
    a_household()
    answer = client.get("/app.webmanifest", headers={"Accept-Language": language})
    said = json.loads(answer.content)
    assert answer["Content-Type"] == "application/manifest+json"
    assert (said["name"], said["start_url"], said["scope"]) == ("Hearthbook", "/", "/")
    sizes = {(icon["sizes"], icon["purpose"]) for icon in said["icons"]}
    assert {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")} <= sizes
    assert said["shortcuts"][0]["name"] == write
    assert said["share_target"]["action"] == "/share"


def test_everything_the_manifest_names_is_there(client: Client) -> None:
    ana = a_person()
    a_child(ana)
    said = json.loads(client.get("/app.webmanifest").content)
    for shortcut in said["shortcuts"]:
        assert signed_in(ana).get(shortcut["url"].split("#")[0]).status_code == 200


def test_the_worker_keeps_static_files_only_and_leaves_the_companion_alone(client: Client) -> None:
    a_household()
    answer = client.get("/worker.js")
    text = answer.content.decode()
    shell = json.loads(re.search(r"const SHELL = (\[.*?\]);", text)[1])  # type: ignore[index]
    assert answer["Content-Type"].startswith("text/javascript")
    assert answer["Cache-Control"] == "no-cache"
    assert len(shell) == len(SHELL)
    assert all(url.startswith("/static/") for url in shell)
    assert '"/companion/", "/api/"' in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_without_a_house_knows_of_nobody(client: Client, language: str) -> None:
    ana = a_person("Ana Kaplan")
    a_child(ana, name="Leofric")
    with CaptureQueriesContext(connection) as asked:
        as_guest = client.get(f"/offline?lang={language}")
    as_ana = signed_in(ana).get(f"/offline?lang={language}")
    assert len(asked) <= 1
    assert as_guest.content == as_ana.content
    assert f'<html lang="{language}">' in as_guest.content.decode()
    assert as_guest["Content-Language"] == language


def test_a_language_nobody_speaks_here_is_the_reader_s_own(client: Client) -> None:
    a_household()
    answer = client.get("/offline?lang=<b>", headers={"Accept-Language": "tr"})
    assert answer["Content-Language"] == "tr"


def test_they_are_there_before_the_household_is(client: Client) -> None:
    for address in ("/app.webmanifest", "/worker.js", "/offline"):
        assert client.get(address).status_code == 200


def test_help_says_what_is_never_done_and_guests_sign_in(client: Client) -> None:
    ana = a_person()
    a_child(ana)
    browser = signed_in(ana)
    with CaptureQueriesContext(connection) as asked:
        text = browser.get("/help").content.decode()
    assert len(asked) <= 10
    assert "It does not diagnose" in text
    assert client.get("/help").status_code == 302


def test_the_keyboard_s_page_names_only_places_one_may_go() -> None:
    ana, sam = a_person(), a_person("Sam")
    child = a_child(ana)
    a_membership(sam, child, "family")
    assert "<kbd>j</kbd>" in signed_in(ana).get("/help/keys").content.decode()
    page = signed_in(sam).get("/help/keys").content.decode()
    assert "<kbd>b</kbd>" in page
    assert "<kbd>j</kbd>" not in page
    assert 'data-key="?"' in page
