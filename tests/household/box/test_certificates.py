"""TLS at home: the authority, its certificate, and the door it is served on."""

from __future__ import annotations

import datetime as dt
import ssl
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.x509.verification import PolicyBuilder, Store

from household.box import certificates, tls
from household.box.trouble import Trouble
from tests.household.box.running import Box, a_running_box, free_port

NOW = dt.datetime(2026, 11, 30, 12, 0, tzinfo=dt.UTC)


def read(path: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate(path.read_bytes())


def test_the_certificate_is_signed_for_home_names_and_private_addresses_only(tmp_path: Path) -> None:
    assert certificates.ready(tmp_path, addresses=["192.168.1.20", "8.8.8.8"], now=NOW)
    place = certificates.files(tmp_path)
    names = read(place.box).extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    shown = {str(name.value) for name in names}
    assert {"hearthbook.local", "localhost", "192.168.1.20", "127.0.0.1"} <= shown
    assert "8.8.8.8" not in shown
    verifier = PolicyBuilder().store(Store([read(place.ca)])).time(NOW)
    chain = verifier.build_server_verifier(x509.DNSName("hearthbook.local")).verify(read(place.box), [])
    assert len(chain) == 2
    assert place.ca_key.stat().st_mode & 0o077 == 0


def test_nothing_is_made_twice_and_what_runs_out_is_renewed(tmp_path: Path) -> None:
    place = certificates.files(tmp_path)
    assert certificates.ready(tmp_path, addresses=[], now=NOW)
    first, ca = read(place.box), certificates.fingerprint(tmp_path)
    assert not certificates.ready(tmp_path, addresses=[], now=NOW + dt.timedelta(days=300))
    assert certificates.ready(tmp_path, addresses=[], now=NOW + dt.timedelta(days=370))
    assert read(place.box).serial_number != first.serial_number
    assert certificates.fingerprint(tmp_path) == ca
    assert certificates.ready(tmp_path, addresses=["10.0.0.7"], now=NOW + dt.timedelta(days=371))
    assert first.not_valid_after_utc - first.not_valid_before_utc <= dt.timedelta(days=398)


def test_an_authority_that_ran_out_is_made_anew(tmp_path: Path) -> None:
    certificates.ready(tmp_path, addresses=[], now=NOW)
    old = certificates.fingerprint(tmp_path)
    assert certificates.ready(tmp_path, addresses=[], now=NOW + dt.timedelta(days=3660))
    assert certificates.fingerprint(tmp_path) != old


@pytest.mark.parametrize(
    ("environ", "sentence"),
    [
        ({"HEARTHBOOK_HTTPS": "perhaps"}, "must be yes or no"),
        ({"HEARTHBOOK_HTTPS": "yes", "PORT": "8443"}, "choose two"),
        ({"HEARTHBOOK_HTTPS": "yes", "HTTPS_PORT": "x"}, "whole numbers"),
    ],
)
def test_a_wrong_wish_ends_in_one_sentence(environ: dict[str, str], sentence: str) -> None:
    with pytest.raises(Trouble, match=sentence):
        tls.read_entrance(environ)


@pytest.fixture(scope="module")
def box() -> Iterator[Box]:
    """A running box that serves TLS."""
    with a_running_box(env={"HEARTHBOOK_HTTPS": "yes", "HTTPS_PORT": str(free_port())}) as running:
        yield running


def fetch(url: str, *, context: ssl.SSLContext | None = None, language: str = "en") -> tuple[str, bytes]:
    asked = urllib.request.Request(url, headers={"Accept-Language": language})
    with urllib.request.urlopen(asked, timeout=20, context=context) as answer:
        return answer.url, answer.read()


def test_the_porch_hands_out_the_authority_that_opens_the_secure_door(box: Box) -> None:
    plain, secure = f"http://127.0.0.1:{box.port}", f"https://127.0.0.1:{box.env['HTTPS_PORT']}"
    _url, der = fetch(f"{plain}/hearthbook-ca.crt")
    print_of_it = x509.load_der_x509_certificate(der).fingerprint(hashes.SHA256()).hex(":").upper()
    assert print_of_it in box.printed()
    for language, words in (("en", "Compare before you trust"), ("tr", "Güvenmeden önce")):
        page = fetch(f"{plain}/", language=language)[1].decode()
        assert words in page and print_of_it in page and secure in page
    context = ssl.create_default_context(cadata=der)
    assert b'"ok": true' in fetch(f"{secure}/healthz", context=context)[1]
    assert fetch(f"{plain}/healthz?x=1", context=context)[0] == f"{secure}/healthz?x=1"
    with pytest.raises(urllib.error.URLError, match="CERTIFICATE_VERIFY_FAILED"):
        fetch(f"{secure}/healthz")


def test_over_tls_cookies_travel_over_tls_only(box: Box) -> None:
    context = ssl.create_default_context(cafile=str(certificates.files(box.house).ca))
    asked = urllib.request.Request(f"https://127.0.0.1:{box.env['HTTPS_PORT']}/welcome")
    with urllib.request.urlopen(asked, timeout=20, context=context) as answer:
        cookies = answer.headers.get_all("Set-Cookie")
    assert cookies and all("Secure" in cookie for cookie in cookies)


@pytest.mark.parametrize("path", ["//evil.example/x", "/\\evil.example", "/%0d%0aSet-Cookie:x=1"])
def test_the_porch_leads_nowhere_else(box: Box, path: str) -> None:
    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *_args: object) -> None:
            return None

    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.build_opener(Stay).open(f"http://127.0.0.1:{box.port}{path}", timeout=20)
    assert caught.value.headers["Location"].startswith(f"https://127.0.0.1:{box.env['HTTPS_PORT']}/")
    assert "Set-Cookie" not in caught.value.headers
