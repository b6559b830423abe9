"""What the companion says: aloud, by itself while the house is away, and where words are too heavy for it."""

from __future__ import annotations

import re
from itertools import groupby
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from memory.models import CompanionTurn, CrisisCard, JournalWords, Memory
from memory.rules.companion.said_before import keys_in
from memory.rules.companion.sayings import sayings
from tests.browser.conftest import NOTE_MARKS
from tests.companion.conftest import House

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.long
def test_the_house_reads_an_answer_aloud_word_by_word(tablets: Any, house: House) -> None:
    tablet = tablets().paired()
    tablet.page.evaluate(NOTE_MARKS)
    tablet.say("I built a tower")
    said = tablet.page.locator(".bubble.is-companion .words").last
    expect(tablet.page.locator(".stage .figure")).to_have_class(re.compile("is-talking"), timeout=60_000)
    expect(tablet.page.locator(".stage .figure")).not_to_have_class(re.compile("is-talking"), timeout=60_000)
    marked = [word for word, _ in groupby(tablet.page.evaluate("window.marked"))]
    words = (said.text_content() or "").split()
    assert [word for word in words if word in marked] == marked
    assert len(marked) >= len(words) - 2
    assert tablet.page.evaluate("CSS.highlights.size") == 0
    tablet.context.set_offline(True)  # its own sentences were kept as sound
    tablet.page.evaluate("window.marked.length = 0")
    tablet.page.locator(".bubble.is-companion .mini").last.click()
    expect(tablet.page.locator(".stage .figure")).to_have_class(re.compile("is-talking"))
    expect(tablet.page.locator(".stage .figure")).not_to_have_class(re.compile("is-talking"), timeout=60_000)
    assert [word for word, _ in groupby(tablet.page.evaluate("window.marked"))] == marked


KEEP_SOUNDS = """async () => {
  const {KeptSpeech, ownSentences} = await import('/static/companion/face/kept_speech.js');
  const kept = new KeptSpeech();
  const part = (bytes) => ({first: 0, spans: [0, 1, 1, 2], audio_bytes: bytes, audio: new Uint8Array(bytes)});
  for (let at = 0; at < 20; at += 1) await kept.keep(`k${at}`, 'ab', [part(2 * 1024 * 1024)]);
  await kept.find('k6', 'ab');
  for (let at = 20; at < 25; at += 1) await kept.keep(`k${at}`, 'ab', [part(2 * 1024 * 1024)]);
  const held = [];
  for (let at = 0; at < 25; at += 1) if (await kept.find(`k${at}`, 'ab')) held.push(at);
  const misfit = [await kept.find('k24', 'a'), await kept.find('k24', 'ab')];
  await kept.keep('bad', 'a', [part(10)]);
  const texts = ['Meow! I like hearing that. What happened then?', 'You told me: \u201cx\u201d.'];
  const own = texts.map(ownSentences);
  return {held, misfit, bad: await kept.find('bad', 'a'), own};
}"""


@pytest.mark.long
def test_only_its_own_sentences_are_kept_as_sound_and_the_oldest_go(tablets: Any, house: House) -> None:
    found = tablets().open().page.evaluate(KEEP_SOUNDS)
    assert found["held"] == [6, *range(11, 25)]
    assert found["misfit"] == [None, None]
    assert found["bad"] is None
    assert found["own"] == [["Meow! I like hearing that.", "What happened then?"], None]


def test_heavy_words_without_the_house_get_one_kind_reply_and_a_card_when_it_is_back(
    tablets: Any, house: House
) -> None:
    tablet = tablets().paired()
    tablet.context.set_offline(True)
    tablet.say("i want to disappear and be dead")
    answer = tablet.page.locator(".bubble.is-companion .words").last
    expect(answer).to_have_text(sayings("en").fixed)
    expect(tablet.page.locator(".bubble.is-child .mini")).to_have_count(0)
    assert not CrisisCard.objects.exists()
    tablet.context.set_offline(False)
    tablet.sync()
    assert CrisisCard.objects.get().kind == "wish_to_die"
    assert not Memory.objects.exists()


def test_without_the_house_it_recalls_and_says_nothing_twice_in_a_week(tablets: Any, house: House) -> None:
    now_ms = int(timezone.now().timestamp() * 1000)
    Memory.objects.create(
        gid="m-dinosaur", subject=house.leo, text="I saw a big dinosaur", learned_at_ms=now_ms - 86_400_000
    )
    tablet = tablets().paired()
    tablet.say("my cake was good")
    tablet.context.set_offline(True)
    tablet.say("look a dinosaur")
    for number in range(4):
        tablet.say(f"the dinosaur ate {number} leaves")
    said = [one.text_content() or "" for one in tablet.page.locator(".bubble.is-companion .words").all()]
    assert sum("the big dinosaur" in one for one in said) == 1
    keys = [key for one in said for key in keys_in(one)]
    assert len(keys) == len(set(keys))
    tablet.context.set_offline(False)
    tablet.sync()
    lines = JournalWords.objects.filter(line__envelope__event="Recalled").values_list("body", flat=True)
    assert [body["entries"] for body in lines] == [["I saw a big dinosaur"]]
    rows = CompanionTurn.objects.filter(subject=house.leo)
    assert {key for row in rows for key in row.said} >= set(keys)
    assert [gid for row in rows for gid in row.recalled] == ["m-dinosaur"]


def test_the_square_opens_the_companion_with_its_code(tablets: Any, house: House) -> None:
    code = house.code()
    tablet = tablets()
    tablet.page.goto(f"{house.address}/companion/#code={code}")
    expect(tablet.page.locator("#pair-code")).to_have_value(code)
    assert tablet.page.url == f"{house.address}/companion/"
