"""A household's first day in a real browser, in both languages: from the code to a course."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Watched, first_run_code, shot
from tests.household.box.running import Box
from tests.housemate import PASSPHRASE

pytestmark = pytest.mark.browser


@dataclass(frozen=True)
class Script:
    """What is typed and what must be read, in one language."""

    locale: str
    language: str
    save: str
    write: str
    told: str
    abnormal: str
    normal: str
    stomach: str
    ears: str
    checked: str
    unsure: str
    when: str
    sunday: str
    filed_on: str
    lasting: str
    good_sleep: str
    scratching: str
    going_on: str


ENGLISH = Script(
    locale="en-GB",
    language="en",
    save="Add",
    write="Write it down",
    told="threw up twice this morning, ears look fine, no smell",
    abnormal="Not as usual",
    normal="Looks fine",
    stomach="Stomach",
    ears="Ears",
    checked="no smell",
    unsure="the sitter says he limped, no idea which day",
    when="when was that?",
    sunday="on Sunday",
    filed_on="Sunday",
    lasting="scratching her left ear since 4 days",
    good_sleep="Slept well",
    scratching="scratching",
    going_on="Still going on",
)
TURKISH = Script(
    locale="tr-TR",
    language="tr",
    save="Ekle",
    write="Yaz",
    told="bu sabah iki kez kustu, kulakları iyi görünüyor, koku yok",
    abnormal="Her zamanki gibi değil",
    normal="İyi görünüyor",
    stomach="Mide",
    ears="Kulak",
    checked="koku yok",
    unsure="bakıcı topalladığını söylüyor, hangi gün bilmiyor",
    when="ne zaman",
    sunday="pazar günü",
    filed_on="Pazar",
    lasting="4 gündür sol kulağını kaşıyor",
    good_sleep="İyi uyudu",
    scratching="kaşıma",
    going_on="Süren",
)


def set_up(page: Page, box: Box, script: Script) -> None:
    page.goto(f"http://127.0.0.1:{box.port}/")
    page.fill("[name=code]", first_run_code(box))
    page.fill("[name=household_name]", "Ev")
    page.select_option("[name=time_zone]", "Europe/Istanbul")
    page.select_option("[name=language]", script.language)
    page.fill("[name=parent_name]", "Ana")
    page.fill("[name=passphrase]", PASSPHRASE)
    page.fill("[name=again]", PASSPHRASE)
    page.locator("main form button").last.click()
    page.wait_for_url("**/book/add")


def add(page: Page, box: Box, species: str, name: str) -> None:
    page.goto(f"http://127.0.0.1:{box.port}/book/add")
    page.locator(f'a[href$="kind={species}"]').click()
    page.fill("[name=name]", name)
    page.locator("main form button").last.click()
    expect(page.get_by_role("heading", name=name).first).to_be_visible()


def tell(page: Page, box: Box, name: str, words: str) -> None:
    page.goto(f"http://127.0.0.1:{box.port}/")
    page.locator("form:has(#tell) .chip", has_text=name).click()
    page.fill("#tell", words)
    page.locator("form:has(#tell) button.btn").click()
    expect(page.locator("#turn")).to_be_visible()
    expect(page.locator("#tell")).to_have_value("")


def istanbul_day() -> dt.date:
    """Today in Istanbul, where a day starts at 03:00, which is midnight UTC."""
    return dt.datetime.now(dt.UTC).date()


@pytest.mark.parametrize(
    "script",
    [pytest.param(TURKISH, id="tr"), pytest.param(ENGLISH, id="en", marks=pytest.mark.long)],
)
def test_a_household_s_first_day(chromium: Browser, box: Box, script: Script) -> None:
    context = chromium.new_context(viewport={"width": 390, "height": 844}, locale=script.locale)
    page = context.new_page()
    watched = Watched(page)
    set_up(page, box, script)
    add(page, box, "cat", "Mavi")
    add(page, box, "person", "Leo")

    tell(page, box, "Mavi", script.told)
    stomach = page.locator("#turn .entry", has_text=script.stomach)
    ears = page.locator("#turn .entry", has_text=script.ears)
    expect(page.locator("#turn .entry")).to_have_count(2)
    expect(stomach).to_contain_text(script.abnormal)
    expect(ears).to_contain_text(script.normal)
    expect(ears).to_contain_text(script.checked)
    shot(page, f"told-{script.language}")

    tell(page, box, "Mavi", script.lasting)
    page.locator("#turn .undo button").click()
    expect(page.locator("#turn")).to_have_count(0)
    expect(page.locator("#day")).not_to_contain_text(script.scratching)

    tell(page, box, "Leo", script.unsure)
    expect(page.locator("#turn .ask")).to_have_count(1)
    expect(page.locator("#turn .ask")).to_contain_text(script.when)
    page.locator("#turn .ask input[name=words]").fill(script.sunday)
    page.locator("#turn .ask .ask-words button").click()
    expect(page.locator("#turn .ask")).to_have_count(0)
    page.goto(f"http://127.0.0.1:{box.port}/")
    expect(page.locator(".ask")).to_have_count(0)
    page.goto(f"http://127.0.0.1:{box.port}/book/2")
    expect(page.locator("main")).to_contain_text(script.filed_on)
    shot(page, f"timeline-{script.language}")

    page.goto(f"http://127.0.0.1:{box.port}/book/2/form")
    page.locator(".tap-option", has_text=script.good_sleep).click()
    expect(page.locator("#form-state")).to_contain_text("1")
    page.reload()
    shot(page, f"form-{script.language}")

    tell(page, box, "Mavi", script.lasting)
    box.manage("round", "--day", istanbul_day().isoformat()).check_returncode()
    page.goto(f"http://127.0.0.1:{box.port}/")
    expect(page.locator(".course")).to_have_count(1)
    expect(page.get_by_role("heading", name=script.going_on)).to_be_visible()
    shot(page, f"today-{script.language}")
    assert watched.faults == []
    context.close()
