"""Forms work by every name a home has for its box, and from no other site."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import pytest
from django.test import Client

from household.box import places
from tests.housemate import PASSPHRASE
from tests.makers import a_child, a_person

pytestmark = pytest.mark.django_db
PROXIED = {"X-Forwarded-Proto": "https"}


def posted(host: str, origin: str, **headers: str) -> Any:
    """What becomes of the sign-in form opened under a host and sent with an origin."""
    a_child(a_person("Ana", passphrase=PASSPHRASE))
    browser = Client(enforce_csrf_checks=True, headers={"Host": host, **headers})
    page = browser.get("/accounts/login/", headers={"Host": host, **headers})
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.content.decode())
    assert token, page.content.decode()
    return browser.post(
        "/accounts/login/",
        {"login": "Ana", "password": PASSPHRASE, "csrfmiddlewaretoken": token[1]},
        headers={"Host": host, "Origin": origin, "Referer": f"{origin}/accounts/login/", **headers},
    )


@pytest.mark.parametrize(
    "host",
    ["hearthbook.local", "hearthbook.local:8455", "127.0.0.1:8455", "192.168.1.20:8455", "[::1]:8455", "box"],
)
def test_a_form_works_under_every_name_of_the_box(host: str) -> None:
    assert posted(host, f"http://{host}").status_code == 302


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("hearthbook.local", "http://evil.example"),
        ("hearthbook.local", "https://hearthbook.local.evil.example"),
        ("hearthbook.local", "null"),
        ("127.0.0.1:8455", "http://127.0.0.1:9999"),
        ("hearthbook.local", "http://127.0.0.1:8455"),
    ],
)
def test_a_form_of_another_site_is_refused(host: str, origin: str) -> None:
    assert posted(host, origin).status_code == 403


def test_behind_a_tls_proxy_the_setting_is_asked_for_by_name(settings: Any) -> None:
    settings.SECURE_PROXY_SSL_HEADER = None
    page = posted("book.example", "https://book.example", **PROXIED)
    assert page.status_code == 403
    assert "HEARTHBOOK_ORIGINS" in page.content.decode() and "https://book.example" in page.content.decode()


def test_behind_a_tls_proxy_a_form_works_once_it_is_set(settings: Any) -> None:
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    assert posted("book.example", "https://book.example", **PROXIED).status_code == 302


def test_an_origin_that_was_set_is_trusted(settings: Any) -> None:
    settings.CSRF_TRUSTED_ORIGINS = ["https://book.example"]
    assert posted("10.0.0.5:8455", "https://book.example").status_code == 302
    settings.CSRF_TRUSTED_ORIGINS = ["https://other.example"]
    assert posted("10.0.0.5:8455", "https://book.example").status_code == 403


def test_without_the_setting_nobody_passes_for_encrypted(settings: Any) -> None:
    settings.SECURE_PROXY_SSL_HEADER = None
    request = Client().get("/healthz", headers=PROXIED).wsgi_request
    assert not request.is_secure()


def settings_with(env: Mapping[str, str]) -> dict[str, Any]:
    """The settings a process reads under these variables."""
    names = "CSRF_TRUSTED_ORIGINS SECURE_PROXY_SSL_HEADER SESSION_COOKIE_SECURE CSRF_COOKIE_SECURE".split()
    wanted = f"[getattr(settings, name) for name in {names}]"
    script = f"import json; from household import settings; print(json.dumps({wanted}))"
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=places.CHECKOUT,
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        check=True,
    )
    return dict(zip(names, json.loads(done.stdout), strict=True))


def test_the_two_variables_set_what_they_say() -> None:
    plain = settings_with({"HEARTHBOOK_ORIGINS": "", "HEARTHBOOK_TLS_PROXY": ""})
    assert plain == {
        "CSRF_TRUSTED_ORIGINS": [],
        "SECURE_PROXY_SSL_HEADER": None,
        "SESSION_COOKIE_SECURE": False,
        "CSRF_COOKIE_SECURE": False,
    }
    behind = settings_with(
        {"HEARTHBOOK_ORIGINS": "https://a.example,https://b.example", "HEARTHBOOK_TLS_PROXY": "yes"}
    )
    assert behind == {
        "CSRF_TRUSTED_ORIGINS": ["https://a.example", "https://b.example"],
        "SECURE_PROXY_SSL_HEADER": ["HTTP_X_FORWARDED_PROTO", "https"],
        "SESSION_COOKIE_SECURE": True,
        "CSRF_COOKIE_SECURE": True,
    }
