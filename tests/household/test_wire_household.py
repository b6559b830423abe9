"""Pairing, settings, time and what every endpoint of the wire shares."""

from __future__ import annotations

import datetime as dt
import gzip
import json
import uuid
from typing import Any

import brotli
import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from household.access import seen_by
from household.models import Device, Membership, PairingCode, Register, TimeSpent
from household.services import devices
from household.services.registers import hash_pin
from tests.makers import a_child, a_membership, a_person, now
from tests.wire import Wire, a_device, now_ms

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fresh_cache() -> None:
    cache.clear()


@pytest.fixture
def tablet() -> Wire:
    ana = a_person("Ana")
    return a_device(ana, a_child(ana))


def a_code(name: str = "Ana", child_id: int | None = None) -> str:
    person = a_person(name)
    with seen_by(person, now=now()):
        return devices.make_code(person=person, child_id=child_id, now=now())


def pair(code: str, device: str | None = None, **more: Any) -> Any:
    body = {"code": code, "device": device or str(uuid.uuid4()), "name": "Leo's tablet", **more}
    return Client(raise_request_exception=False).post(
        "/api/v1/pair", json.dumps(body), content_type="application/json"
    )


# Pairing


def test_six_digits_pair_one_device_once() -> None:
    leo = a_child(a_person("Ana"))
    code = a_code(child_id=leo.pk)
    response = pair(f"{code[:3]} {code[3:]}", app="tablet 1.0")
    assert response.status_code == 201
    paired = response.json()
    assert paired["child"] == str(leo.gid)
    device = Device.objects.get()
    assert (device.child, device.paired_by, device.app) == (leo, a_person("Ana"), "tablet 1.0")
    assert paired["token"] not in str(Device.objects.values_list("token_hash"))
    wire = Wire(device, paired["token"])
    assert wire.get("state").json()["device"] == str(device.pk)
    assert pair(code).status_code == 422


def test_a_device_of_the_household_may_become_a_childs_and_then_stays_its() -> None:
    leo, mia = a_child(a_person("Ana")), a_child(a_person("Ana"), "Mia")
    gid = str(uuid.uuid4())
    told = [
        (answer.status_code, answer.json().get("child"))
        for child in (None, leo, mia, None, leo)
        for answer in [pair(a_code(child_id=child and child.pk), gid)]
    ]
    done, refused = (201, str(leo.gid)), (422, None)
    assert told == [(201, ""), done, refused, refused, done]


def test_a_code_lasts_five_minutes() -> None:
    code = a_code()
    PairingCode.objects.update(expires_at=now())
    assert pair(code).json()["code"] == "invalid"


def test_five_wrong_tries_end_a_code() -> None:
    code = a_code()
    wrong = f"{(int(code) + 1) % 1_000_000:06}"
    for _try in range(5):
        assert pair(wrong).status_code == 422
    assert PairingCode.objects.get().wrong_tries == 5
    assert pair(code).status_code == 422


def test_trying_many_codes_is_slowed() -> None:
    a_code()
    answers = [pair("000000") for _try in range(11)]
    assert (answers[-1].status_code, answers[-1].json()["code"]) == (429, "rate_limited")
    assert answers[-1]["Retry-After"]


def test_a_code_is_kept_hashed_and_its_maker_has_one() -> None:
    first, second = a_code(), a_code()
    assert PairingCode.objects.count() == 1
    assert second not in PairingCode.objects.get().code_hash
    assert pair(first).status_code == 422


def test_only_a_parent_makes_a_code_for_a_child() -> None:
    leo = a_child(a_person("Ana"))
    a_membership(a_person("Ben"), leo, "family")
    with pytest.raises(devices.Denied):
        a_code("Ben", leo.pk)
    with pytest.raises(devices.Denied):
        a_code("Eve")


def test_a_known_device_is_not_taken_over_by_another_childs_code(tablet: Wire) -> None:
    olga = a_person("Olga")
    code = a_code("Olga", a_child(olga, "Zoe").pk)
    assert pair(code, tablet.gid).status_code == 422
    assert tablet.get("state").status_code == 200


@pytest.mark.parametrize("device", ["", "tablet", "1" * 36, "{" + str(uuid.UUID(int=7)) + "}"])
def test_a_device_names_itself_by_a_uuid(device: str) -> None:
    response = pair(a_code(), device or "x")
    assert (response.status_code, response.json()["path"]) == (422, "device")


# Who asks


def test_without_a_token_nobody_is_let_in(tablet: Wire) -> None:
    for headers in ({}, {"Authorization": "Bearer nonsense"}, {"Authorization": "Basic eDp5"}):
        response = Client().get("/api/v1/state", headers=headers)
        assert (response.status_code, response.json()["code"]) == (401, "unauthorized")
        assert response["WWW-Authenticate"] == "Bearer"
        assert response["Content-Type"] == "application/problem+json"


def test_a_revoked_device_is_told_so_at_once(tablet: Wire) -> None:
    ana = a_person("Ana")
    with seen_by(ana, now=now()):
        devices.revoke(person=ana, device=tablet.device.pk, now=now())
    response = tablet.get("state")
    assert (response.status_code, response.json()["code"]) == (401, "revoked")
    assert response.json()["reason"] == "parent"


def test_another_parent_can_neither_see_nor_revoke_a_device(tablet: Wire) -> None:
    olga = a_person("Olga")
    a_child(olga, "Zoe")
    with seen_by(olga, now=now()):
        assert devices.devices_of(olga) == []
        with pytest.raises(devices.Denied):
            devices.revoke(person=olga, device=tablet.device.pk, now=now())


def test_the_end_of_the_pairing_parents_membership_ends_the_device(tablet: Wire) -> None:
    Membership.objects.filter(person__name="Ana").update(ends_at=now())
    response = tablet.post("memory", {})
    assert (response.status_code, response.json()["reason"]) == (401, "membership")
    Membership.objects.filter(person__name="Ana").update(ends_at=None)
    assert tablet.get("state").json()["code"] == "revoked"  # it stays ended


def test_a_newer_protocol_is_refused(tablet: Wire) -> None:
    response = tablet.get("state", **{"X-Hearthbook-Protocol": "2"})
    assert (response.status_code, response.json()["code"]) == (409, "newer_protocol")


def test_the_state_says_clock_cursor_and_limits(tablet: Wire) -> None:
    Register.objects.create(key="daily_minutes", value=45, at_ms=1)
    found = tablet.get("state").json()
    assert abs(found["now_ms"] - now_ms()) < 60_000
    assert found["cursor"].startswith(found["epoch"] + ":")
    assert found["limits"]["daily_minutes"] == 45
    assert found["protocol"] == 1


# Bodies


PACKED = {
    "gzip": (gzip.compress, gzip.decompress),
    "br": (brotli.compress, brotli.decompress),
}


@pytest.mark.parametrize("coding", sorted(PACKED))
def test_bodies_and_answers_may_be_packed(tablet: Wire, coding: str) -> None:
    pack, unpack = PACKED[coding]
    body = json.dumps(
        {"memories": [{"gid": f"m-{n}", "text": "boat", "learned_at_ms": 1} for n in range(50)]}
    )
    sent = pack(body.encode())
    assert tablet.post("memory", sent, **{"Content-Encoding": coding}).status_code == 200
    other = a_device(a_person("Ana"), tablet.device.child, "phone")
    answer = other.post("memory", {}, **{"Accept-Encoding": f"{coding}, deflate"})
    assert answer["Content-Encoding"] == coding
    assert len(json.loads(unpack(answer.content))["memories"]) == 50


def test_brotli_is_chosen_before_gzip_unless_refused(tablet: Wire) -> None:
    rows = [{"gid": f"m-{n}", "text": "boat", "learned_at_ms": 1} for n in range(50)]
    tablet.post("memory", {"memories": rows})
    other = a_device(a_person("Ana"), tablet.device.child, "phone")
    for accepts, coding in (("gzip, br", "br"), ("br;q=0, gzip", "gzip"), ("identity", None)):
        answer = other.post("memory", {}, **{"Accept-Encoding": accepts})
        assert answer.headers.get("Content-Encoding") == coding


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (b"", {}, 422),
        (b"{", {}, 422),
        (b"[]", {}, 422),
        (b'{"since": NaN}', {}, 422),
        (b'{"since": ' + b"9" * 5_000 + b"}", {}, 422),
        (b"[" * 100_000, {}, 422),
        (b'{"a":' * 50_000, {}, 422),
        (b"\xff\xfe{}", {}, 422),
        (b"{}", {"Content-Encoding": "gzip"}, 422),
        (gzip.compress(b"{}", mtime=0)[:-6], {"Content-Encoding": "gzip"}, 422),
        (b"{}", {"Content-Encoding": "br"}, 422),
        (b'{"x": "' + b"y" * 5_000_000 + b'"}', {}, 413),
        (gzip.compress(b" " * 9_000_000, mtime=0), {"Content-Encoding": "gzip"}, 413),
        (brotli.compress(b"{}" * 400)[:-3], {"Content-Encoding": "br"}, 422),
        (brotli.compress(b" " * 9_000_000), {"Content-Encoding": "br"}, 413),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_what_cannot_be_read_is_refused_clearly(
    tablet: Wire, body: bytes, headers: dict[str, str], status: int
) -> None:
    for path in ("memory", "household", "time", "chat", "journal", "turn", "speech"):
        response = tablet.post(path, body, **headers)
        assert response.status_code == status, path
        assert response.json()["code"] == ("too_large" if status == 413 else "invalid")
        assert response["X-Hearthbook-Time"]


def test_an_address_that_is_none_answers_as_the_api_does(tablet: Wire) -> None:
    for path in ("nothing", "memory/1", "../v2/state"):
        response = tablet.get(path)
        assert (response.status_code, response.json()["code"]) == (404, "not_found")


# Settings


def exchanged(wire: Wire, *registers: dict[str, Any], pin: str | None = None) -> dict[str, Any]:
    body = {"registers": list(registers)} | ({"pin": pin} if pin is not None else {})
    return wire.told("household", body)


def a_setting(key: str, value: Any, at_ms: int = 5, child: str = "") -> dict[str, Any]:
    return {"key": key, "value": value, "at_ms": at_ms, "child": child}


def test_a_companion_writes_its_own_settings_and_no_others(tablet: Wire) -> None:
    found = exchanged(tablet, a_setting("cat_theme", "ginger"), a_setting("daily_minutes", 600))
    assert found["forbidden"] == [{"key": "daily_minutes", "child": ""}]
    assert [row.key for row in Register.objects.all()] == ["cat_theme"]
    assert found["registers"] == [a_setting("cat_theme", "ginger")]


def test_a_companion_writes_its_own_childs_settings(tablet: Wire) -> None:
    child = tablet.device.child
    assert child is not None
    found = exchanged(tablet, a_setting("character", "owl", child=str(child.gid)))
    assert found["forbidden"] == []
    assert Register.objects.get().child == child


def test_the_pin_lifts_a_companion(tablet: Wire) -> None:
    Register.objects.create(key="pin", value=hash_pin("2468"), at_ms=1)
    wrong = tablet.post("household", {"registers": [a_setting("daily_minutes", 60)], "pin": "1111"})
    assert (wrong.status_code, wrong.json()["code"]) == (403, "forbidden")
    assert exchanged(tablet, a_setting("daily_minutes", 60), pin="2468")["forbidden"] == []
    assert Register.objects.get(key="daily_minutes").value == 60


def test_the_hash_of_the_pin_never_reaches_a_childs_tablet(tablet: Wire) -> None:
    Register.objects.create(key="pin", value=hash_pin("2468"), at_ms=1)
    for pin in (None, "2468"):
        told = exchanged(tablet, a_setting("character", "owl"), pin=pin)["registers"]
        assert {one["key"] for one in told} == {"character"}


def test_ten_wrong_pins_shut_the_door_for_a_while(tablet: Wire) -> None:
    Register.objects.create(key="pin", value=hash_pin("2468"), at_ms=1)
    for _try in range(10):
        tablet.post("household", {"registers": [], "pin": "1111"})
    assert tablet.post("household", {"registers": [], "pin": "2468"}).status_code == 403


def test_a_households_device_writes_as_a_parent(tablet: Wire) -> None:
    box = a_device(a_person("Ana"), None, "second box")
    assert exchanged(box, a_setting("daily_minutes", 60))["forbidden"] == []


def test_the_later_setting_wins_and_sending_it_again_writes_nothing(tablet: Wire) -> None:
    exchanged(tablet, a_setting("cat_theme", "ginger", 10))
    found = exchanged(tablet, a_setting("cat_theme", "grey", 9))
    assert found["registers"][0]["value"] == "ginger"
    with CaptureQueriesContext(connection) as queries:
        exchanged(tablet, a_setting("cat_theme", "ginger", 10))
    assert [q["sql"] for q in queries if q["sql"].startswith(("INSERT", "UPDATE"))] == []


def test_a_setting_from_the_future_or_of_no_kind_is_refused_by_itself(tablet: Wire) -> None:
    ahead = now_ms() + 6 * 60_000
    found = exchanged(
        tablet, a_setting("cat_theme", "grey", ahead), a_setting("weather", 1), a_setting("character", "cat")
    )
    assert found["clock_skew"] == [{"key": "cat_theme", "child": ""}]
    assert found["invalid"] == [{"key": "weather", "child": ""}]
    assert [one["key"] for one in found["registers"]] == ["character"]


def test_another_childs_settings_are_neither_told_nor_written(tablet: Wire) -> None:
    olga = a_person("Olga")
    zoe = a_child(olga, "Zoe")
    Register.objects.create(key="character", child=zoe, value="dog", at_ms=1)
    found = exchanged(tablet, a_setting("character", "cat", child=str(zoe.gid)))
    assert found["forbidden"] == [{"key": "character", "child": str(zoe.gid)}]
    assert found["registers"] == []
    box = a_device(a_person("Ana"), None, "second box")
    assert exchanged(box, a_setting("character", "cat", child=str(zoe.gid)))["forbidden"] != []
    assert Register.objects.get().value == "dog"


# Time


def a_row(wire: Wire, used_ms: int, day: dt.date | None = None, **more: Any) -> dict[str, Any]:
    on = day or timezone.now().date()
    return {"device": wire.gid, "day": on.isoformat(), "used_ms": used_ms, "extra_minutes": 0, **more}


def test_time_only_rises(tablet: Wire) -> None:
    tablet.told("time", {"rows": [a_row(tablet, 1_000)]})
    found = tablet.told("time", {"rows": [a_row(tablet, 400)]})
    assert found["rows"] == [a_row(tablet, 1_000)]


def test_a_device_writes_its_own_rows_only(tablet: Wire) -> None:
    phone = a_device(a_person("Ana"), tablet.device.child, "phone")
    phone.told("time", {"rows": [a_row(phone, 1_000)]})
    found = tablet.told("time", {"rows": [a_row(phone, 9_000), a_row(tablet, 500)]})
    assert [one["device"] for one in found["forbidden"]] == [phone.gid]
    assert {row["device"]: row["used_ms"] for row in found["rows"]} == {phone.gid: 1_000, tablet.gid: 500}
    again = tablet.told("time", {"rows": found["rows"]})  # told back as it is: no write, no refusal
    assert again["forbidden"] == []


def test_extra_minutes_need_the_pin(tablet: Wire) -> None:
    Register.objects.create(key="pin", value=hash_pin("2468"), at_ms=1)
    row = a_row(tablet, 1_000, extra_minutes=15)
    assert tablet.told("time", {"rows": [row]})["forbidden"] != []
    assert not TimeSpent.objects.exists()
    assert tablet.told("time", {"rows": [row], "pin": "2468"})["rows"] == [row]


def test_the_latest_day_travels_and_the_older_stay(tablet: Wire) -> None:
    today = timezone.now().date()
    rows = [a_row(tablet, 5, today - dt.timedelta(days=1)), a_row(tablet, 7, today)]
    assert tablet.told("time", {"rows": rows})["rows"] == rows[1:]
    assert TimeSpent.objects.count() == 2
    ahead = a_row(tablet, 5, today + dt.timedelta(days=3))
    assert tablet.told("time", {"rows": [ahead]})["clock_skew"] != []


@pytest.mark.parametrize(
    "row",
    [{"day": "2026-13-01"}, {"used_ms": -1}, {"used_ms": 10**12}, {"device": "my tablet"}, {"mood": "sad"}],
)
def test_a_row_that_is_none_is_refused(tablet: Wire, row: dict[str, Any]) -> None:
    response = tablet.post("time", {"rows": [{**a_row(tablet, 1), **row}]})
    assert (response.status_code, response.json()["code"]) == (422, "invalid")


def test_no_zero_row_is_kept(tablet: Wire) -> None:
    tablet.told("time", {"rows": [a_row(tablet, 0)]})
    assert not TimeSpent.objects.exists()


# Speech


def test_speech_is_refused_as_a_problem(tablet: Wire) -> None:
    response = tablet.post("speech", {"text": "   "})
    assert (response.status_code, response["Content-Type"]) == (422, "application/problem+json")
