"""The book as an app on a home screen: installing, away from home, sharing, its badge, its updates."""

from __future__ import annotations

import base64
import io
from functools import cache
from typing import Any

import pytest
from django.utils import timezone
from PIL import Image
from playwright.sync_api import expect

from household.views import installed
from memory.models import Document
from tests.browser.conftest import shot
from tests.makers import a_record
from twin.models import AgendaItem, Statement
from twin.services.days import day_of

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.django_db(transaction=True)]
WORKED = """new Promise((done) => {
  const { serviceWorker } = navigator;
  if (serviceWorker.controller) done(true);
  serviceWorker.addEventListener("controllerchange", () => done(true));
})"""
ONE_SHELL = """new Promise((done) => {
  const look = async () => {
    const shells = (await caches.keys()).filter((one) => one.startsWith("hearthbook-shell"));
    if (shells.length === 1) done(shells[0]);
    else setTimeout(look, 50);
  };
  look();
})"""
SHARE = """async ([text, picture]) => {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = '/share';
  form.enctype = 'multipart/form-data';
  const words = document.createElement('textarea');
  words.name = 'text';
  words.value = text;
  const files = document.createElement('input');
  files.type = 'file';
  files.name = 'files';
  const carried = new DataTransfer();
  const bytes = Uint8Array.from(atob(picture), (one) => one.charCodeAt(0));
  carried.items.add(new File([bytes], 'paper.png', {type: 'image/png'}));
  files.files = carried.files;
  form.append(words, files);
  document.body.append(form);
  form.submit();
}"""
MOVING = """() => document.getAnimations().filter((one) =>
  !one.effect.target.closest(".spinner, .skeleton, .undo-bar")
  && one.effect.getComputedTiming().duration > 20).length"""
TOUCHED = (
    "button, summary, input, select, textarea, a.btn, a.tab, .chip, .tap-option, .btn-icon, a.list-row,"
    " a.menu-item, .subnav > a, .cover-link, .filters > a, .pager > a"
)
SMALL = """(touched) => [...document.querySelectorAll(touched)].filter((one) => {
    const box = one.getBoundingClientRect();
    return one.checkVisibility({visibilityProperty: true}) && box.width > 1
      && !one.parentElement.closest('label') && !one.closest('.visually-hidden')
      && (box.height < 43.5 || box.width < 43.5);
  }).map((one) => one.outerHTML.slice(0, 120))"""


def test_a_phone_may_install_it(windows: Any) -> None:
    window = windows()
    window.go()
    control = window.context.new_cdp_session(window.page)
    errors = control.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [one["errorId"] for one in errors] == ["in-incognito"]  # a window of a test, not of a phone
    told = control.send("Page.getAppManifest")
    assert told["errors"] == []
    assert told["url"].endswith("/app.webmanifest")


def test_away_from_home_it_says_so_and_goes_on_by_itself(windows: Any) -> None:
    window = windows()
    page = window.go()
    page.evaluate(WORKED)
    window.context.set_offline(True)
    page.goto(f"{window.address}/book/{window.leo.pk}")
    expect(page.get_by_role("heading", name="The house is not reachable")).to_be_visible()
    shot(page, "away-from-home")
    assert "Leo" not in page.content()
    kept = page.evaluate(
        "(async () => (await Promise.all((await caches.keys()).map(async (name) =>"
        " (await (await caches.open(name)).keys()).map((one) => new URL(one.url).pathname)))).flat())()"
    )
    assert kept
    assert all(path.startswith("/static/") or path in {"/offline", "/"} for path in kept)
    window.context.set_offline(False)
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.get_by_role("heading", name="Leo").first).to_be_visible()


def test_a_text_and_a_photo_are_shared_into_it(windows: Any) -> None:
    window = windows()
    page = window.go()
    page.evaluate(WORKED)
    picture = io.BytesIO()
    Image.new("RGB", (400, 300), (240, 240, 230)).save(picture, "PNG")
    words = "she scratches her left ear"
    page.evaluate(SHARE, [words, base64.b64encode(picture.getvalue()).decode()])
    expect(page.get_by_role("heading", name="Shared with the book")).to_be_visible()
    expect(page.locator("#tell")).to_have_value(words)
    assert page.evaluate("document.getElementById('share-files').files[0].name") == "paper.png"
    assert "scratches" not in page.url
    shot(page, "shared-into-it")
    assert not Statement.objects.exists()
    page.locator("form:has(#tell) button.btn").click()
    expect(page.locator("#turn")).to_be_visible()
    page.locator("[data-share-files] button.btn").click()
    page.wait_for_url("**/documents**")
    assert Statement.objects.get().text == words
    assert Document.objects.get().subject_id == window.leo.pk
    page.goto(f"{window.address}/share")  # what was shared is shown once
    expect(page.locator("#tell")).to_have_value("")


def test_its_badge_counts_what_waits_to_be_looked_at(windows: Any) -> None:
    window = windows()
    window.context.add_init_script(
        "window.badges = [];"
        "navigator.setAppBadge = async (many) => { window.badges.push(many); };"
        "navigator.clearAppBadge = async () => { window.badges.push(0); };"
    )
    now = timezone.now()
    day = day_of(window.leo, now)
    course = a_record(window.leo, started_on=day, lifecycle="active")
    for rank in (1, 2):
        AgendaItem.objects.create(
            subject=window.leo, day=day, rank=rank, key=f"course:{course.pk}", course=course, category="ears"
        )
    page = window.go()
    expect(page.locator("[data-waits]")).to_have_count(2)
    assert page.evaluate("window.badges") == [2]


def test_an_update_under_an_open_page_says_so_and_takes_no_word_away(
    windows: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = windows()
    page = window.go()
    page.evaluate(WORKED)
    page.reload()
    page.fill("#tell", "half a sentence")
    newer = installed._worker().replace("hearthbook-shell-", "hearthbook-shell-newer-", 1)
    renewed = cache(lambda: newer)
    monkeypatch.setattr(installed, "_worker", renewed)
    page.evaluate("navigator.serviceWorker.getRegistration('/').then((one) => one.update()).then(() => true)")
    expect(page.locator("#toasts")).to_contain_text("Hearthbook was updated")
    expect(page.locator("#tell")).to_have_value("half a sentence")
    assert "newer" in page.evaluate(ONE_SHELL)
    window.page.locator("form:has(#tell) button.btn").click()
    expect(page.locator("#turn")).to_be_visible()
    assert window.watched.faults == []


def test_every_shortcut_of_the_keyboard_page_leads_where_it_says(windows: Any) -> None:
    window = windows(viewport={"width": 1200, "height": 800})
    page = window.go()
    page.keyboard.press("?")
    expect(page.get_by_role("heading", name="Keyboard")).to_be_visible()
    shot(page, "keyboard")
    keys = page.locator("[data-key]").evaluate_all(
        "(all) => all.map((one) => [one.dataset.key, one.getAttribute('href')])"
    )
    assert len({key for key, _ in keys}) >= 5
    for key, href in {key: href for key, href in keys if href and key.startswith("g ")}.items():
        window.go("/help/keys")
        for one in key.split():
            page.keyboard.press(one)
        page.wait_for_url(window.address + href)
    window.go()
    page.keyboard.press("n")
    expect(page.locator("#tell")).to_be_focused()
    page.keyboard.type("g t")
    expect(page.locator("#tell")).to_have_value("g t")
    page.fill("#tell", "he slept well")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#turn")).to_be_visible()
    window.go("/help/keys")
    page.locator(".chip", has=page.locator("[data-keys-switch]")).click()
    page.locator("h1").click()
    page.keyboard.press("g")
    page.keyboard.press("t")
    expect(page.get_by_role("heading", name="Keyboard")).to_be_visible()
    page.locator(".chip", has=page.locator("[data-keys-switch]")).click()
    page.locator("h1").first.click()
    page.keyboard.press("/")
    expect(page.locator("#id_words")).to_be_visible()
    assert window.watched.faults == []


@pytest.mark.parametrize("width", [360, 1200])
def test_nothing_moves_for_whoever_wants_it_still_and_nothing_is_too_small_for_a_thumb(
    windows: Any, width: int
) -> None:
    window = windows(viewport={"width": width, "height": 740}, reduced_motion="reduce")
    pk = window.leo.pk
    for path in (
        "/",
        f"/book/{pk}",
        f"/book/{pk}/form",
        f"/book/{pk}/events/add",
        f"/book/{pk}/medicines",
        "/ask/",
        "/search/",
        "/memories/",
        "/journal/",
        "/devices/",
        "/help/keys",
        "/help",
        "/share",
    ):
        page = window.go(path)
        assert page.evaluate(MOVING) == 0, path
        assert page.evaluate(SMALL, TOUCHED) == [], path
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
    window.go()
    window.tell("he threw up twice this morning")
    assert window.page.evaluate(MOVING) == 0
    assert window.watched.faults == []
