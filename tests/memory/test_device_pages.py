"""Devices on a page: pairing by a code, how far behind each is, renaming, revoking."""

import datetime as dt
import re
import uuid

import pytest
from django.utils import timezone

from household.models import Device, PairingCode, TimeSpent
from household.services.registers import change_settings
from memory.rules.merge import Memory, Mention
from tests.makers import a_child, a_person, signed_in
from tests.twin.course_makers import queries_of
from tests.wire import a_device

pytestmark = pytest.mark.django_db


@pytest.fixture
def leo():
    return a_child(a_person("Ana"), "Leo")


@pytest.fixture
def ana(leo):
    return signed_in(a_person("Ana"))


def code_on(page):
    return "".join(re.search(r'class="pair-code[^>]*>(\d{3}) (\d{3})<', page).groups())


def test_a_parent_gets_a_code_that_pairs_once(leo, ana, client):
    page = ana.post("/devices/pair", {"child": leo.pk}).content.decode()
    assert 'class="qr"' in page and 'data-lasts="300"' in page and "Leo" in page
    body = {"code": code_on(page), "device": str(uuid.uuid4()), "name": "Tablet", "app": "test"}
    paired = client.post("/api/v1/pair", body, content_type="application/json")
    assert paired.status_code == 201, paired.content
    again = client.post(
        "/api/v1/pair", {**body, "device": str(uuid.uuid4())}, content_type="application/json"
    )
    assert again.status_code == 422
    assert Device.objects.get().child == leo
    assert "Tablet" in ana.get("/devices/").content.decode()


def test_the_code_is_in_no_address_and_kept_hashed(leo, ana):
    response = ana.post("/devices/pair", {"child": ""})
    assert response.status_code == 200
    assert code_on(response.content.decode()) not in PairingCode.objects.get().code_hash


def test_a_child_of_nobody_here_cannot_be_chosen(ana):
    other = a_child(a_person("Olga"), "Zoe")
    assert ana.post("/devices/pair", {"child": other.pk}).status_code == 404
    assert PairingCode.objects.count() == 0


def test_the_page_says_how_far_behind_a_device_is(leo, ana):
    first, second = a_device(a_person("Ana"), leo, "First"), a_device(a_person("Ana"), leo, "Second")
    for number in range(3):
        telling = Mention(1, first.gid, f"t{number}")
        first.memory(Memory(f"m{number}", "w", learned_at_ms=1, mentions=frozenset({telling})))
    line = {"event": "TurnEnded", "at_ms": 1, "turn": "t", "how": "done"}
    first.told("journal", {"from_seq": 0, "lines": [line, line]})
    card = ana.get("/devices/").content.decode().split(f'id="device-{second.gid}"')[1].split("</li>")[0]
    assert "5 changes behind" in card
    cursor = second.memory()["cursor"]
    second.memory(since=cursor)
    after = second.get("journal?after=0").json()["next"]
    second.get(f"journal?after={after}")
    card = ana.get("/devices/").content.decode().split(f'id="device-{second.gid}"')[1].split("</li>")[0]
    assert "Up to date" in card


def test_many_devices_cost_no_more_queries_than_one(leo, ana):
    a_device(a_person("Ana"), leo)
    few = queries_of(ana, "/devices/")
    for number in range(12):
        a_device(a_person("Ana"), leo, f"Tablet {number}")
    assert queries_of(ana, "/devices/") == few <= 10


def test_a_device_is_renamed_and_an_empty_name_is_refused(leo, ana):
    tablet = a_device(a_person("Ana"), leo, "Old")
    assert ana.post(f"/devices/{tablet.gid}/name", {"name": "Kitchen"}).status_code == 302
    assert Device.objects.get().name == "Kitchen"
    refused = ana.post(f"/devices/{tablet.gid}/name", {"name": "   "})
    assert refused.status_code == 422 and "Give it a name." in refused.content.decode()
    assert Device.objects.get().name == "Kitchen"


def test_a_revoked_device_is_told_so_and_twice_is_once(leo, ana):
    tablet = a_device(a_person("Ana"), leo, "Lost")
    assert "empties its copy" in ana.get(f"/devices/{tablet.gid}/revoke").content.decode()
    for _ in range(2):
        assert ana.post(f"/devices/{tablet.gid}/revoke").status_code == 302
    answer = tablet.get("state")
    assert answer.status_code == 401 and answer.json()["code"] == "revoked"
    assert "A parent took it off the house." in ana.get("/devices/").content.decode()


def test_the_page_says_how_long_each_child_talked_today(leo, ana):
    now = timezone.now()
    change_settings({"daily_minutes": 30, "utc_offset_minutes": 0}, now=now)
    for device, minutes, extra in (("a", 7, 5), ("b", 5, 0)):
        day = now.astimezone(dt.UTC).date()
        TimeSpent.objects.create(
            device=device, day=day, child=leo, used_ms=minutes * 60_000, extra_minutes=extra
        )
    text = ana.get("/devices/").content.decode()
    assert "12 of 35 minutes" in text and "(5 minutes added)" in text


def test_nobody_but_a_parent_finds_the_page_and_no_other_familys_devices(leo):
    tablet = a_device(a_person("Ana"), leo, "Ours")
    a_child(a_person("Olga"), "Zoe")
    olga, eve = signed_in(a_person("Olga")), signed_in(a_person("Eve"))
    assert eve.get("/devices/").status_code == 404
    assert "Ours" not in olga.get("/devices/").content.decode()
    for path, sent in (("name", {"name": "Mine"}), ("name", {"name": ""}), ("revoke", {})):
        assert olga.post(f"/devices/{tablet.gid}/{path}", sent).status_code == 404
    assert Device.objects.get().name == "Ours" and Device.objects.get().revoked_at is None
