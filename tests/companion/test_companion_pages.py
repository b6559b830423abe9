"""A child, a tablet and a house: talking, going away, coming back, forgetting."""

from __future__ import annotations

import datetime as dt
import io
import random
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.utils import timezone
from PIL import Image
from playwright.sync_api import expect

from household.access import seen_by
from household.models import Device, TimeSpent
from household.services.backups.making import make_backup
from household.services.backups.reading import Source
from household.services.devices import make_code, revoke
from household.services.registers import change_settings, hash_pin, read_setting
from memory.models import JournalLine, JournalWords, Memory, Picture
from memory.rules.companion.said_before import keys_in
from memory.rules.forgetting import Target
from memory.services.forgetting.forget import forget
from memory.services.restoring import restore
from memory.views import companion
from tests.browser.conftest import shot
from tests.companion.conftest import PATIENCE_MS, House, Tablet

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LONG_AGO = dt.datetime(2025, 1, 1, tzinfo=dt.UTC)


def own_words() -> list[str]:
    """What the house has heard from tablets."""
    lines = JournalWords.objects.filter(line__envelope__event="Heard").order_by("line__at_ms")
    return [body["text"] for body in lines.values_list("body", flat=True)]


def test_what_is_said_without_the_house_is_told_later(tablets: Any, house: House) -> None:
    tablet = tablets().paired()
    tablet.say("I saw a heron at the pond")
    tablet.context.set_offline(True)
    tablet.say("and grandpa laughed")
    tablet.keep("and grandpa laughed")
    expect(tablet.page.locator("#far")).to_contain_text("tell it later")
    assert keys_in(tablet.page.locator(".bubble.is-companion .words").last.text_content() or "")
    tablet.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    tablet = tablet.reopened()
    expect(tablet.page.locator(".bubble.is-child")).to_have_count(2)
    tablet.say("we went home")
    assert own_words() in ([], ["I saw a heron at the pond"])
    tablet.context.set_offline(False)
    tablet.sync()
    assert own_words() == ["I saw a heron at the pond", "and grandpa laughed", "we went home"]
    assert list(Memory.objects.values_list("text", flat=True)) == ["and grandpa laughed"]
    lines = JournalLine.objects.filter(device=str(Device.objects.get().pk)).order_by("seq")
    assert list(lines.values_list("seq", flat=True)) == list(range(lines.count()))
    tablet.go("cards")
    expect(tablet.page.locator(".card")).to_have_text(re.compile("and grandpa laughed"))
    assert {fault for fault in tablet.watched.faults if "ERR_INTERNET" not in fault} == set()


@pytest.mark.long
def test_two_tablets_that_edit_one_card_end_alike(tablets: Any, house: House) -> None:
    one, other = tablets().paired(), tablets().paired()
    one.context.set_offline(False)
    one.say("a red boat")
    one.keep("a red boat")
    one.sync()
    other.sync()
    for tablet, words in ((one, "a red boat with a sail"), (other, "two red boats")):
        tablet.go("cards")
        tablet.context.set_offline(True)
        tablet.page.locator(".card").click()
        tablet.page.locator("#card-change").click()
        tablet.page.locator("#card-words").fill(words)
        tablet.page.locator("#card-form .big").click()
        expect(tablet.page.locator("#card-text")).to_have_text(words)
        tablet.page.locator("#card-close").click()
    for tablet in (one, other, one):
        tablet.context.set_offline(False)
        tablet.sync()
    for tablet in (one, other):
        expect(tablet.page.locator(".card-words")).to_have_text("two red boats")
    memory = Memory.objects.get()
    assert memory.text == "two red boats"
    assert {row.text for row in memory.revisions.all()} == {"a red boat", "a red boat with a sail"}


def test_what_parents_forget_leaves_a_tablet_that_was_away(tablets: Any, house: House) -> None:
    tablet = tablets().paired()
    tablet.say("the walrus secret")
    tablet.keep("the walrus secret")
    tablet.say("the harmless pond")
    tablet.sync()
    assert "walrus" in tablet.kept()
    tablet.context.set_offline(True)
    gid = Memory.objects.get().gid
    forget(Target("memory", str(gid)), person=house.ana, client_id="one", now=timezone.now())
    tablet = tablet.reopened()
    assert "walrus" in tablet.kept()
    tablet.context.set_offline(False)
    tablet.sync()
    kept = tablet.kept()
    assert "walrus" not in kept
    assert "harmless pond" in kept
    tablet.go("cards")
    expect(tablet.page.locator("#cards-empty")).to_be_visible()


def test_words_forgotten_stay_on_no_part_of_the_page(tablets: Any, house: House) -> None:
    tablet = tablets().paired()
    tablet.say("the walrus secret")
    tablet.keep("the walrus secret")
    tablet.sync()
    tablet.go("cards")
    tablet.page.locator(".card").click()
    tablet.page.locator("#card-change").click()
    expect(tablet.page.locator("#card-words")).to_have_value("the walrus secret")
    tablet.page.locator("#card-close").click()
    tablet.go("days")
    expect(tablet.page.locator(".day-card")).to_contain_text("walrus")
    tablet.go("talk")
    forget(
        Target("memory", str(Memory.objects.get().gid)), person=house.ana, client_id="one", now=timezone.now()
    )
    tablet.sync()
    assert "walrus" not in tablet.kept()
    assert tablet.page.locator("#card-words").input_value() == ""
    tablet.go("cards")
    expect(tablet.page.locator("#cards-empty")).to_be_visible()


COUNT_READS = """() => {
  const all = IDBIndex.prototype.getAll;
  window.reads = 0;
  IDBIndex.prototype.getAll = function (...range) { window.reads += 1; return all.apply(this, range); };
}"""


def test_a_sync_without_news_reads_no_line_again(tablets: Any, house: House) -> None:
    tablet, other = tablets().paired(), tablets().paired()
    other.page.locator("#from-gallery").set_input_files([noise(1, side=64)])  # type: ignore[list-item]
    expect(other.page.locator(".chosen")).to_have_count(1)
    other.say("a picture for the other tablet")
    other.sync()
    tablet.sync()
    expect(tablet.page.locator(".bubble.is-child img")).to_have_count(1)
    tablet.page.evaluate(COUNT_READS)
    tablet.sync()
    assert tablet.page.evaluate("window.reads") == 0
    other.say("and more words")
    other.sync()
    tablet.sync()
    assert tablet.page.evaluate("window.reads") > 0


BREAK_STORAGE = """() => {
  window.allKeys = IDBObjectStore.prototype.getAllKeys;
  IDBObjectStore.prototype.getAllKeys = () => { throw new Error('the storage fails'); };
}"""


@pytest.mark.long
def test_a_storage_that_failed_once_ends_no_syncing(tablets: Any, house: House) -> None:
    tablet = tablets().paired()
    tablet.sync()
    with tablet.page.expect_console_message(lambda one: "storage fails" in one.text):
        tablet.page.evaluate(BREAK_STORAGE)
        tablet.page.evaluate("dispatchEvent(new Event('online'))")
    tablet.page.evaluate("() => { IDBObjectStore.prototype.getAllKeys = window.allKeys; }")
    body = tablet.page.locator("body")
    for _ in range(2):  # that one's end, and one that nobody asked for
        before = body.get_attribute("data-synced") or ""
        expect(body).not_to_have_attribute("data-synced", before, timeout=PATIENCE_MS)


REFUSE_PLACES = """() => {
  window.openBucket = StorageBucketManager.prototype.open;
  StorageBucketManager.prototype.open = () => Promise.reject(new DOMException('no', 'UnknownError'));
}"""


def test_grown_ups_are_told_of_words_that_could_not_leave_the_files(tablets: Any, house: House) -> None:
    tablet = tablets().paired()
    tablet.say("the walrus secret")
    tablet.keep("the walrus secret")
    tablet.sync()
    tablet.page.evaluate(REFUSE_PLACES)
    forget(
        Target("memory", str(Memory.objects.get().gid)), person=house.ana, client_id="one", now=timezone.now()
    )
    tablet.sync()
    tablet.go("me")
    expect(tablet.page.locator("#unmoved")).to_contain_text("tablet's files")
    tablet.page.evaluate("() => { StorageBucketManager.prototype.open = window.openBucket; }")
    tablet.sync()
    expect(tablet.page.locator("#unmoved")).to_be_hidden()
    assert "walrus" not in tablet.kept()
    assert tablet.watched.faults == []


HEARD = """() => { window.heard = [];
  const place = document.getElementById('answered');
  new MutationObserver(() => { if (place.textContent) window.heard.push(place.textContent); })
    .observe(place, {childList: true, subtree: true, characterData: true}); }"""


def test_an_answer_is_heard_once_and_whole_and_does_not_stay_there(tablets: Any, house: House) -> None:
    tablet = tablets().paired()
    page = tablet.page
    page.evaluate(HEARD)
    tablet.say("I saw a heron at the pond")
    expect(page.locator("#said .is-companion.is-thinking")).to_have_count(0)
    answer = page.locator("#said .is-companion .words").last.inner_text()
    assert page.evaluate("window.heard") == [answer]
    expect(page.locator("#said")).to_have_attribute("role", "region")  # neither a log nor live
    assert page.locator("#said[aria-live], #said [aria-live]").count() == 0
    expect(page.locator("#answered")).to_have_text("")


def test_a_clock_in_2031_is_set_right_and_loses_nothing(tablets: Any, house: House) -> None:
    tablet = tablets()
    ahead = int((dt.datetime(2031, 5, 1, tzinfo=dt.UTC) - timezone.now()).total_seconds() * 1000)
    tablet.context.add_init_script(f"const real = Date.now.bind(Date); Date.now = () => real() + {ahead};")
    tablet.paired()
    tablet.say("from the future")
    tablet.keep("from the future")
    tablet.page.locator("[data-place=me]").click()
    tablet.page.locator("#choose-character [value=owl] + span").click()
    tablet.sync()
    now_ms = int(timezone.now().timestamp() * 1000)
    assert own_words() == ["from the future"]
    assert Memory.objects.get().learned_at_ms <= now_ms
    assert all(at <= now_ms for at in JournalLine.objects.values_list("at_ms", flat=True))
    assert abs(tablet.about("offset_ms") + ahead) < 120_000
    tablet.go("talk")
    tablet.say("and back again")
    tablet.sync()
    assert own_words() == ["from the future", "and back again"]


@pytest.mark.long
def test_a_house_restored_without_it_gets_the_tablets_whole_copy(
    tablets: Any, house: House, tmp_path: Path, settings: Any
) -> None:
    settings.HOME = tmp_path
    tablet = tablets().paired()
    tablet.say("told before")
    tablet.keep("told before")
    tablet.sync()
    backup = make_backup(now=timezone.now())
    for words in ("the walrus secret", "told after"):
        tablet.say(words)
        tablet.keep(words)
    tablet.sync()
    gone = Memory.objects.get(text="the walrus secret")
    forget(Target("memory", gone.gid), person=house.ana, client_id="one", now=timezone.now())
    tablet.sync()
    before = tablet.about("epoch")
    assert restore(Source(backup), now=timezone.now()).forgotten_again == 1
    assert own_words() == ["told before"]
    tablet.sync()
    assert tablet.about("epoch") != before
    assert set(Memory.objects.values_list("text", flat=True)) == {"told before", "told after"}
    assert own_words() == ["told before", "told after"]
    assert "walrus" not in tablet.kept()
    tablet.say("and on it goes")
    tablet.sync()
    assert own_words()[-1] == "and on it goes"
    assert tablet.watched.faults == []


WRITE_WHAT_IS_REFUSED = """async () => {
  const {Copy} = await import('/static/companion/store.js');
  const {Device} = await import('/static/companion/device.js');
  const device = new Device(await Copy.open());
  await device.set('daily_minutes', 600);
  await device.use(60_000, 15);
  await device.hear('look', {'p1.jpg': {bytes: new ArrayBuffer(9), type: 'image/jpeg'}});
  return device.setting('daily_minutes');
}"""


@pytest.mark.long
def test_what_the_house_refuses_is_the_houses_again_and_stops_nothing(tablets: Any, house: House) -> None:
    change_settings({"daily_minutes": 45}, now=timezone.now())
    tablet = tablets().paired()
    tablet.context.set_offline(True)
    tablet.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    assert tablet.page.evaluate(WRITE_WHAT_IS_REFUSED) == 600
    tablet = tablet.reopened()
    tablet.go("me")
    expect(tablet.page.locator("#time-left")).to_have_text(re.compile("61[345]"))
    tablet.context.set_offline(False)
    tablet.sync()
    tablet.go("me")
    expect(tablet.page.locator("#time-left")).to_have_text(re.compile("4[345]"))
    tablet.go("talk")
    tablet.say("and talk goes on")
    tablet.sync()
    assert own_words() == ["look", "and talk goes on"]
    spent = TimeSpent.objects.get()
    assert (spent.used_ms >= 60_000, spent.extra_minutes) == (True, 0)
    assert tablet.about("stamps") == []  # a picture that the house cannot take holds up nothing
    assert read_setting("daily_minutes") == 45


def noise(seed: int, *, side: int = 1280) -> dict[str, object]:
    """A square picture that cannot be made much smaller."""
    data = io.BytesIO()
    Image.frombytes("L", (side, side), random.Random(seed).randbytes(side * side)).save(data, "PNG")
    return {"name": f"{seed}.png", "mimeType": "image/png", "buffer": data.getvalue()}


@pytest.mark.long
def test_a_full_tablet_says_so_and_loses_nothing(tablets: Any, house: House) -> None:
    tablet = tablets()
    control = tablet.context.new_cdp_session(tablet.page)
    quota = {"origin": house.address, "quotaSize": 2_500_000}
    control.send("Storage.overrideQuotaForOrigin", quota)
    tablet.paired()
    tablet.say("before it was full")
    tablet.sync()
    text = tablet.page.locator("#tell-text")
    for at in range(6):
        tablet.page.locator("#from-gallery").set_input_files([noise(at)])  # type: ignore[list-item]
        expect(tablet.page.locator(".chosen")).to_have_count(1)
        text.fill(f"picture {at}")
        tablet.page.keyboard.press("Enter")
        said = tablet.page.locator(".bubble.is-child", has_text=f"picture {at}")
        full = tablet.page.locator(".note", has_text="no room left")
        expect(said.or_(full).first).to_be_visible()
        expect(tablet.page.locator(".is-thinking")).to_have_count(0)
        if full.count():
            break
    expect(tablet.page.locator("#notes")).to_contain_text("no room left")
    expect(text).to_have_value(f"picture {at}")
    expect(tablet.page.locator(".chosen")).to_have_count(1)
    assert "before it was full" in tablet.kept()
    control.send("Storage.overrideQuotaForOrigin", {"origin": house.address})
    text.press("Enter")
    expect(tablet.page.locator(".bubble.is-child", has_text=f"picture {at}")).to_be_visible()
    tablet.sync()
    assert own_words() == ["before it was full", *(f"picture {number}" for number in range(at + 1))]
    assert Picture.objects.count() == at + 1


DATABASES = "() => indexedDB.databases().then((all) => all.map((one) => one.name))"
KEEP_A_SOUND = """async () => {
  const {KeptSpeech} = await import('/static/companion/face/kept_speech.js');
  await new KeptSpeech().open();
  return (await indexedDB.databases()).map((one) => one.name);
}"""


def test_digits_of_no_child_take_nothing_off_a_tablet_that_the_house_forgot(
    tablets: Any, house: House
) -> None:
    tablet = tablets().paired()
    tablet.say("told and heard")
    tablet.sync()
    tablet.context.set_offline(True)
    tablet.say("not heard yet")
    Device.objects.all().delete()  # as in a house restored from before it was paired
    tablet.context.set_offline(False)
    tablet.page.evaluate("dispatchEvent(new Event('online'))")
    expect(tablet.page.locator("#pair")).to_be_visible()
    cache.clear()
    now = timezone.now()
    with seen_by(house.ana, now=now):
        code = make_code(person=house.ana, child_id=None, now=now)
    tablet.page.locator("#pair-code").fill(code)
    tablet.page.locator("#pair-form .big").click()
    expect(tablet.page.locator("#pair-fault")).to_contain_text("for no child")
    assert "not heard yet" in tablet.kept()
    tablet.paired()
    tablet.sync()
    assert own_words() == ["told and heard", "not heard yet"]


def test_a_revoked_tablet_keeps_nothing(tablets: Any, house: House) -> None:
    tablet = tablets().paired()
    tablet.say("the narwhal song")
    tablet.keep("the narwhal song")
    tablet.sync()
    assert tablet.page.evaluate(KEEP_A_SOUND) == ["hearthbook-speech"]
    now = timezone.now()
    with seen_by(house.ana, now=now):
        revoke(person=house.ana, device=Device.objects.get().pk, now=now)
    tablet.page.evaluate("dispatchEvent(new Event('online'))")
    expect(tablet.page.locator("#pair-ended")).to_be_visible()
    assert "narwhal" not in tablet.kept()
    assert tablet.page.evaluate(DATABASES) == []
    assert tablet.about("token") is None
    tablet = tablet.reopened()
    expect(tablet.page.locator("#pair-ended")).to_be_visible()


@pytest.mark.long
def test_a_new_version_waits_until_the_child_wants_it(
    tablets: Any, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    tablet = tablets().paired()
    tablet.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    tablet = tablet.reopened()
    tablet.say("said before")
    tablet.page.locator("#tell-text").fill("half a sen")
    monkeypatch.setattr(companion, "version", lambda: "another")
    tablet.page.evaluate(
        "navigator.serviceWorker.getRegistration().then((one) => one.update()).then(() => true)"
    )
    note = tablet.page.locator(".note", has_text="learned something new")
    expect(note).to_be_visible()
    assert tablet.page.locator("html").get_attribute("data-version") != "another"
    note.locator("button").click()
    expect(tablet.page.locator("html[data-version=another]")).to_be_attached()
    expect(tablet.page.locator(".bubble.is-child", has_text="said before")).to_be_visible()
    expect(tablet.page.locator("#tell-text")).to_have_value("half a sen")
    assert tablet.page.evaluate("caches.keys()") == ["companion-another"]


def test_minutes_and_quiet_hours_hold_without_the_house(tablets: Any, house: House) -> None:
    change_settings({"daily_minutes": 0, "pin": hash_pin("4711")}, now=LONG_AGO)
    tablet = tablets()
    tablet.open()
    tablet.page.locator("#pair-code").fill(house.code())
    tablet.page.locator("#pair-form .big").click()
    expect(tablet.page.locator("#goodnight")).to_be_visible()
    shot(tablet.page, "companion-goodnight")
    assert "argon2" not in tablet.kept()  # what proves a PIN stays in the house
    tablet.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    tablet.context.set_offline(True)
    tablet = tablet.reopened()
    expect(tablet.page.locator("#goodnight")).to_be_visible()
    tablet.page.locator("#rest-more summary").click()
    pin, fault = tablet.page.locator("#rest-more input"), tablet.page.locator("#rest-more [role=alert]")
    for is_away, digits, said in ((True, "4711", "needs the house"), (False, "0000", "not the PIN")):
        tablet.context.set_offline(is_away)
        pin.fill(digits)
        tablet.page.keyboard.press("Enter")
        expect(fault).to_contain_text(said)
    pin.fill("4711")
    tablet.page.keyboard.press("Enter")
    expect(tablet.page.locator("#house")).to_be_visible()
    everyday = {"from": "00:00", "to": "23:59"}
    change_settings({"quiet": everyday}, now=timezone.now())
    tablet.page.evaluate("dispatchEvent(new Event('online'))")
    expect(tablet.page.locator("#goodnight")).to_be_visible()
    expect(tablet.page.locator("#rest-why")).to_contain_text("sleeping")


def test_the_window_opened_last_goes_on(tablets: Any, house: House) -> None:
    first = tablets().paired()
    second = Tablet(house, first.context, first.context.new_page()).open()
    expect(first.page.locator(".note")).to_contain_text("another window")
    assert first.page.evaluate("document.getElementById('house').inert")
    second.say("from the second window")
    second.sync()
    assert own_words() == ["from the second window"]
