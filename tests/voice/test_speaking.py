"""Speaking a text: what it costs, which voice, what is kept, what is refused."""

from __future__ import annotations

import ast
import datetime as dt
from contextlib import suppress
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given
from hypothesis import settings as effort
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from household.services.registers import change_settings
from tests.voice.conftest import Use
from tests.voice.sounds import clipped, envelope
from voice import clients
from voice.clients.fake import ENGLISH, LETTER_MS, FakeSpeaker
from voice.clients.piper import Piper
from voice.clients.sound import decoded
from voice.lines import SAMPLE, is_own, own_lines, sample
from voice.models import SpeechCache, VoiceSpend
from voice.rules.choice import Voice
from voice.rules.refusals import (
    NothingToSay,
    NotSpoken,
    NoVoice,
    OverAllowance,
    TooLong,
    UnknownScript,
    VoiceBroken,
)
from voice.rules.spans import pack
from voice.services import cache
from voice.services.choices import BadSpeed, UnknownVoice, change_manner, character_voices, manner
from voice.services.speaking import begin, speak

pytestmark = pytest.mark.django_db
NOON = dt.datetime(2025, 3, 1, 12, tzinfo=dt.UTC)
TEXT = "She drank 20 ml of water. Then she slept, and later she ate."
ROOT = Path(__file__).resolve().parents[2]
OTHER = Voice(id="en_GB-other-low", language="en_GB", quality="low")
TURKISH = Voice(id="tr_TR-fake-low", language="tr_TR", quality="low")


def counts() -> tuple[int, int, int, int]:
    rows = VoiceSpend.objects.values_list("chars", "reserved", "hits", "saved_chars")
    return rows.get() if rows else (0, 0, 0, 0)


# --- sound and spans


def test_a_text_gives_its_sound_and_a_span_for_each_character(fake: FakeSpeaker) -> None:
    said = speak(TEXT, language="en", now=NOON)
    assert len(said.spans) == len(TEXT)
    assert decoded(said.audio).duration_ms == pytest.approx(said.duration_ms, abs=1)
    assert said.spans[-1][1] <= said.duration_ms
    heard = " ".join(" ".join(words.split()) for _, words in fake.said)
    assert heard == "She drank twenty milliliters of water. Then she slept, and later she ate."


def test_the_real_voice_speaks_a_whole_text(real: Piper) -> None:
    said = speak(TEXT, language="en", now=NOON)
    clip = decoded(said.audio)
    assert said.voice.id == "en_US-joe-medium"
    assert len(said.spans) == len(TEXT)
    assert 3000 < clip.duration_ms < 12_000
    assert envelope(clip).max() > 0.05
    assert clipped(clip) == 0
    start, end = said.spans[TEXT.index("water")]
    assert 0 < start <= end < clip.duration_ms


def test_the_first_part_is_ready_before_the_rest_is_made(fake: FakeSpeaker) -> None:
    speech = begin(TEXT * 5, language="en", now=NOON)
    parts = speech.parts()
    first = next(parts)
    assert first is not None and first.first == 0 and first.start_ms == 0
    assert len(fake.said) <= 2  # this one, and the next in the making
    rest = [part for part in parts if part]
    assert [part.first for part in rest] == sorted({part.first for part in rest})
    assert sum(len(part.spans) for part in [first, *rest]) == len(TEXT * 5)


def test_parts_follow_one_another_without_a_gap(fake: FakeSpeaker) -> None:
    at, first = 0.0, 0
    for part in begin(TEXT * 3, language="en", now=NOON).parts():
        assert part is not None
        assert (part.start_ms, part.first) == (int(at), first)
        at, first = at + part.clip.duration_ms, first + len(part.spans)


# --- what it costs


def test_a_reading_costs_its_characters(fake: FakeSpeaker) -> None:
    speak(TEXT, language="en", now=NOON)
    assert counts() == (len(TEXT), 0, 0, 0)


def test_a_reading_that_fails_costs_nothing(use: Use) -> None:
    use(FakeSpeaker(left=1))
    with pytest.raises(VoiceBroken):
        speak(TEXT, language="en", now=NOON)
    assert counts() == (0, 0, 0, 0)


def test_a_stream_that_breaks_off_costs_what_was_heard(use: Use) -> None:
    use(FakeSpeaker(left=1))
    speech = begin(TEXT, language="en", now=NOON)
    heard = []
    with pytest.raises(VoiceBroken):
        heard += [part for part in speech.parts() if part]
    assert counts() == (len(speech.spans), 0, 0, 0)
    assert 0 < len(speech.spans) < len(TEXT)


def test_a_stream_that_nobody_takes_costs_nothing(fake: FakeSpeaker) -> None:
    speech = begin(TEXT, language="en", now=NOON)
    assert counts()[1] == len(TEXT)
    speech.close()
    speech.close()
    assert counts() == (0, 0, 0, 0)


def test_over_the_allowance_nothing_is_made(fake: FakeSpeaker) -> None:
    change_settings({"voice_daily_chars": len(TEXT) - 1}, now=NOON)
    with pytest.raises(OverAllowance):
        speak(TEXT, language="en", now=NOON)
    assert fake.said == []


# --- what is refused


@pytest.mark.parametrize(
    ("text", "language", "refusal"),
    [
        ("", "en", NothingToSay),
        ("   \n ", "en", NothingToSay),
        ("😀🐈‍⬛ 👩‍👧", "en", NothingToSay),
        ("[E1] [E2]", "en", NothingToSay),
        ("...!?", "tr", NothingToSay),
        ("漢字だけ", "en", UnknownScript),
        ("Привет", "tr", UnknownScript),
        ("a" * 10_001, "en", TooLong),
        ("a " * 500_000, "en", TooLong),
        ("Merhaba", "tr", NoVoice),
    ],
)
def test_what_cannot_be_spoken_is_refused_with_a_clear_reason(
    fake: FakeSpeaker, text: str, language: str, refusal: type[NotSpoken]
) -> None:
    with pytest.raises(refusal) as refused:
        speak(text, language=language, now=NOON)
    assert refused.value.code
    assert fake.said == []
    assert counts() == (0, 0, 0, 0)


def test_a_text_of_the_longest_kind_is_read(fake: FakeSpeaker) -> None:
    text = ("word " * 2000).strip()
    assert len(speak(text, language="en", now=NOON).spans) == len(text)


def test_signs_that_no_table_can_hold_are_read_over(fake: FakeSpeaker) -> None:
    assert len(speak("well\x00 \ud800 done", language="en", now=NOON).spans) == len("well\x00 \ud800 done")


# --- which voice


def test_with_a_turkish_voice_turkish_is_read(use: Use) -> None:
    speaker = FakeSpeaker([ENGLISH, TURKISH])
    use(speaker)
    said = speak("Boncuk saat 5'te uyandı.", language="tr", now=NOON)
    assert said.voice == TURKISH
    assert [words for _, words in speaker.said] == ["Boncuk saat beşte uyandı."]


def test_a_character_speaks_in_its_own_voice(use: Use) -> None:
    use(FakeSpeaker([ENGLISH, OTHER]))
    change_settings({"character_voice:dragon": OTHER.id}, now=NOON)
    assert speak("Hello", language="en", now=NOON, character="dragon").voice == OTHER
    assert speak("Hello", language="en", now=NOON, character="cat").missing == ""


def test_a_characters_missing_voice_falls_back_to_the_base_and_says_so(use: Use) -> None:
    use(FakeSpeaker([ENGLISH, OTHER]))
    change_manner(base_voice=ENGLISH.id, speed=100, characters={}, now=NOON)
    change_settings({"character_voice:dragon": "en_US-gone-high"}, now=NOON)
    said = speak("Hello", language="en", now=NOON, character="dragon")
    assert (said.voice, said.missing) == (ENGLISH, "en_US-gone-high")


def test_a_voice_that_turns_out_broken_gives_way_to_another(use: Use, empty_folder: Path) -> None:
    (empty_folder / "en_US-torn-medium.onnx").write_bytes(b"half a copy")
    bundled = Path(clients.piper._bundled()[0])  # type: ignore[attr-defined]
    settings_of = Path(f"{bundled}.json").read_text(encoding="utf-8")
    (empty_folder / "en_US-torn-medium.onnx.json").write_text(settings_of, encoding="utf-8")
    use(Piper(empty_folder))
    said = speak("Hello there.", "en_US-torn-medium", language="en", now=NOON)
    assert (said.voice.id, said.missing) == ("en_US-joe-medium", "en_US-torn-medium")
    assert counts() == (len("Hello there."), 0, 0, 0)


def test_the_households_speed_is_heard(fake: FakeSpeaker) -> None:
    usual = speak("Hello", language="en", now=NOON).duration_ms
    change_manner(base_voice="", speed=70, characters={}, now=NOON)
    assert usual == 5 * LETTER_MS
    assert speak("Hello", language="en", now=NOON).duration_ms == pytest.approx(usual / 0.7, abs=2)


def test_choices_are_remembered_and_bad_ones_refused(use: Use) -> None:
    use(FakeSpeaker([ENGLISH, OTHER]))
    change_manner(base_voice=OTHER.id, speed=85, characters={"cat": ENGLISH.id}, now=NOON)
    assert (manner().base_voice, manner().speed) == (OTHER.id, 85)
    assert character_voices() == {"cat": ENGLISH.id}
    with pytest.raises(UnknownVoice):
        change_manner(base_voice="nobody", speed=85, characters={}, now=NOON)
    with pytest.raises(BadSpeed):
        change_manner(base_voice=OTHER.id, speed=500, characters={}, now=NOON)
    change_manner(base_voice=OTHER.id, speed=85, characters={"cat": ""}, now=NOON + dt.timedelta(seconds=1))
    assert character_voices() == {"cat": ""}


# --- what is kept


def test_a_fixed_line_is_made_once(fake: FakeSpeaker) -> None:
    first = speak(SAMPLE, language="en", now=NOON, fixed=True)
    made = len(fake.said)
    second = speak(SAMPLE, language="en", now=NOON, fixed=True)
    assert len(fake.said) == made
    assert (first.is_kept, second.is_kept) == (False, True)
    assert second.spans == first.spans
    assert decoded(second.audio) == decoded(first.audio)
    assert counts() == (len(SAMPLE), 0, 1, len(SAMPLE))


def test_another_voice_or_speed_is_another_line(use: Use) -> None:
    use(FakeSpeaker([ENGLISH, OTHER]))
    speak(SAMPLE, ENGLISH.id, language="en", now=NOON, fixed=True)
    speak(SAMPLE, OTHER.id, language="en", now=NOON, fixed=True)
    speak(SAMPLE, OTHER.id, language="en", now=NOON, fixed=True, speed=85)
    assert SpeechCache.objects.count() == 3


def test_a_line_nobody_declared_fixed_is_not_kept(fake: FakeSpeaker) -> None:
    speak(SAMPLE, language="en", now=NOON)
    assert not SpeechCache.objects.exists()


def test_a_line_that_failed_is_not_kept(use: Use) -> None:
    use(FakeSpeaker(left=1))
    with pytest.raises(VoiceBroken):
        speak(SAMPLE, language="en", now=NOON, fixed=True)
    assert not SpeechCache.objects.exists()


class WordsOfAFamilyTest(TestCase):
    """What a memory or a model says cannot reach the table, even where a caller calls it fixed."""

    @given(st.text(min_size=1, max_size=60).filter(lambda text: not is_own(text)))
    @effort(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
    def test_words_outside_the_catalogues_are_never_kept(self, text: str) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(clients, "speaker", FakeSpeaker)
            for words in (text, SAMPLE + text, "Leo likes dinosaurs. " + text):
                with suppress(NotSpoken):
                    speak(words, language="en", now=NOON, fixed=True)
        assert not SpeechCache.objects.exists()


def calls(name: str) -> set[str]:
    """The files of the product in which something of this name is called or made."""
    found = set()
    for app in ("household", "twin", "memory", "voice"):
        for path in (ROOT / app).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                called = node.func if isinstance(node, ast.Call) else None
                if getattr(called, "id", getattr(called, "attr", "")) == name:
                    found.add(str(path.relative_to(ROOT)))
    return found


def test_one_place_writes_the_table_and_one_place_asks_for_it() -> None:
    writers = {
        str(path.relative_to(ROOT))
        for app in ("household", "twin", "memory", "voice")
        for path in (ROOT / app).rglob("*.py")
        if "INTO voice_speechcache" in (text := path.read_text(encoding="utf-8"))
        or "SpeechCache.objects.c" in text
    }
    assert writers == {"voice/services/cache.py"}
    assert calls("keep_line") == {"voice/services/speaking.py"}


def test_the_table_has_no_column_for_words() -> None:
    assert {field.name for field in SpeechCache._meta.fields} == {"key", "audio", "spans", "used", "weight"}


def test_a_line_with_a_gap_for_a_name_is_no_line_of_the_house() -> None:
    assert not [line for line in own_lines() if "%(" in line or "{" in line]
    assert is_own(sample("tr_TR")) and is_own(sample("en"))
    assert sample("de_DE") == SAMPLE


def keep(text: str, used_voice: str = "v", *, cap: int = 10**9) -> bool:
    clip = FakeSpeaker().say(ENGLISH.id, text)
    step = int(clip.duration_ms / len(text))
    return cache.keep_line(
        used_voice, text, clip, [(i * step, (i + 1) * step) for i in range(len(text))], cap=cap
    )


def test_the_least_recently_used_go_first_and_the_cap_holds() -> None:
    for text in ("aaaa", "bbbb", "cccc"):
        assert keep(text)
    weight = SpeechCache.objects.values_list("weight", flat=True)[0]
    assert cache.find_line("v", "aaaa") is not None  # so b is the oldest now
    assert keep("dddd", cap=3 * weight)
    assert [bool(cache.find_line("v", text)) for text in ("aaaa", "bbbb", "cccc", "dddd")] == [
        True,
        False,
        True,
        True,
    ]
    assert sum(SpeechCache.objects.values_list("weight", flat=True)) <= 3 * weight


def test_a_line_heavier_than_the_cap_is_not_kept_and_displaces_nothing() -> None:
    keep("aaaa")
    weight = SpeechCache.objects.values_list("weight", flat=True)[0]
    assert not keep("b" * 50, cap=weight)
    assert cache.find_line("v", "aaaa") is not None


def test_the_use_counter_only_rises() -> None:
    keep("aaaa")
    seen = []
    for _ in range(3):
        cache.find_line("v", "aaaa")
        seen.append(SpeechCache.objects.get().used)
    assert seen == sorted(set(seen))


@pytest.mark.parametrize(
    "spans", [b"", b"123", pack([(0, 10)] * 3), pack([(0, 10**6)] * 4), pack([(9, 1)] * 4)]
)
def test_a_line_whose_spans_do_not_fit_is_deleted(spans: bytes) -> None:
    keep("aaaa")
    SpeechCache.objects.update(spans=spans)
    assert cache.find_line("v", "aaaa") is None
    assert not SpeechCache.objects.exists()


def test_a_line_whose_sound_is_no_sound_is_deleted() -> None:
    keep("aaaa")
    SpeechCache.objects.update(audio=b"nothing to hear")
    assert cache.find_line("v", "aaaa") is None
    assert not SpeechCache.objects.exists()


def test_adding_and_letting_go_are_one_transaction(monkeypatch: pytest.MonkeyPatch) -> None:
    keep("aaaa")
    monkeypatch.setattr(cache, "TRIM", "SELECT 1/0 WHERE %s > 0")
    with pytest.raises(Exception, match="division by zero"):
        keep("bbbb")
    assert SpeechCache.objects.count() == 1


# --- no transaction while it speaks


@pytest.mark.django_db(transaction=True)
def test_no_transaction_is_open_and_no_query_runs_while_it_speaks(fake: FakeSpeaker) -> None:
    speech = begin(TEXT * 4, language="en", now=NOON)
    parts = speech.parts()
    next(parts)
    with CaptureQueriesContext(connection) as queries:
        for _ in range(3):
            assert next(parts)
            assert not connection.in_atomic_block
    assert len(queries) == 0
    parts.close()
    assert counts() == (len(speech.spans), 0, 0, 0)
