"""Reading aloud over HTTP, and the page on which parents choose how the house sounds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.signals import request_finished
from django.db import close_old_connections
from django.http import StreamingHttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from household.models import Register
from household.services.registers import change_settings
from tests.makers import a_child, a_membership, a_person, signed_in
from tests.voice.conftest import Use
from voice.clients.fake import ENGLISH, FakeSpeaker
from voice.clients.piper import Piper
from voice.clients.sound import decoded
from voice.lines import SAMPLE
from voice.models import SpeechCache, VoiceSettings, VoiceSpend
from voice.rules.choice import Voice
from voice.services.speaking import begin
from voice.stream import MEDIA_TYPE, MOST_STREAMS, Busy, SpeechStream

pytestmark = pytest.mark.django_db
SPEAK = "/voice/speak"
PAGE = "/household/voice"
TEXT = "She drank 20 ml of water. Then she slept, and later she ate."
TURKISH = Voice(id="tr_TR-fake-low", language="tr_TR", quality="low")


@pytest.fixture
def ana() -> Client:
    """A parent's browser."""
    person = a_person()
    a_child(person)
    return signed_in(person)


def frames(body: bytes) -> list[dict[str, Any]]:
    """The parts of a streamed answer, each with its sound under "audio"."""
    found = []
    while body:
        line, _, body = body.partition(b"\n")
        if not line:
            continue
        part = json.loads(line)
        size = part.get("audio_bytes", 0)
        part["audio"], body = body[:size], body[size:]
        found.append(part)
    return found


def hang_up(response: Any) -> None:
    """Close an answer as a server does when its browser goes away; the test keeps its connection."""
    response._iterator.close()
    request_finished.disconnect(close_old_connections)
    response.close()
    request_finished.connect(close_old_connections)


def read(response: Any) -> bytes:
    assert isinstance(response, StreamingHttpResponse)
    return b"".join(response.streaming_content)


# --- reading aloud


def test_a_text_comes_back_part_by_part_with_its_spans(ana: Client, fake: FakeSpeaker) -> None:
    response = ana.post(SPEAK, {"text": TEXT})
    assert (response.status_code, response["Content-Type"]) == (200, MEDIA_TYPE)
    parts = frames(read(response))
    assert len(parts) >= 2
    assert parts[0]["voice"] == ENGLISH.id and "voice" not in parts[1]
    assert [part["first"] for part in parts] == sorted(part["first"] for part in parts)
    assert sum(len(part["spans"]) for part in parts) == 2 * len(TEXT)
    lengths = [decoded(part["audio"]).duration_ms for part in parts]
    assert parts[1]["start_ms"] == pytest.approx(lengths[0], abs=1)
    assert parts[-1]["spans"][-1] <= sum(lengths)
    assert VoiceSpend.objects.get().chars == len(TEXT)


def test_the_real_voice_streams_sound(ana: Client, real: Piper) -> None:
    response = ana.post(SPEAK, {"text": TEXT})
    parts = frames(read(response))
    assert sum(decoded(part["audio"]).duration_ms for part in parts) > 3000
    assert all(part["media"] == "audio/wav" for part in parts)


@pytest.mark.parametrize(
    ("form", "media"), [("wav", "audio/wav"), ("mp3", "audio/mpeg"), ("opus", "audio/ogg")]
)
def test_a_whole_file_comes_where_a_form_is_asked_for(
    ana: Client, real: Piper, form: str, media: str
) -> None:
    response = ana.post(SPEAK, {"text": "Hello there.", "form": form})
    assert (response.status_code, response["Content-Type"]) == (200, media)
    assert 400 < decoded(response.content).duration_ms < 4000


def test_a_browser_that_goes_away_pays_for_what_it_heard(ana: Client, fake: FakeSpeaker) -> None:
    response = ana.post(SPEAK, {"text": TEXT})
    assert isinstance(response, StreamingHttpResponse)
    next(iter(response.streaming_content))
    hang_up(response)
    spend = VoiceSpend.objects.get()
    assert spend.reserved == 0
    assert 0 < spend.chars < len(TEXT)


def test_a_browser_that_never_listened_pays_nothing(ana: Client, fake: FakeSpeaker) -> None:
    hang_up(ana.post(SPEAK, {"text": TEXT}))
    assert (VoiceSpend.objects.get().chars, VoiceSpend.objects.get().reserved) == (0, 0)


def test_a_failure_on_the_way_is_told_in_the_last_line(ana: Client, use: Use) -> None:
    use(FakeSpeaker(left=1))
    response = ana.post(SPEAK, {"text": TEXT})
    parts = frames(read(response))
    assert parts[-1]["error"] == "voice_broken"
    assert parts[-1]["detail"]
    assert VoiceSpend.objects.get().reserved == 0


def test_the_house_reads_to_half_of_its_threads_at_once(ana: Client, fake: FakeSpeaker) -> None:
    open_now = [SpeechStream(begin(TEXT, language="en", now=timezone.now())) for _ in range(MOST_STREAMS)]
    response = ana.post(SPEAK, {"text": TEXT})
    assert response.status_code == 503
    assert response["Retry-After"]
    for stream in open_now:
        stream.close()
        stream.close()
    answer = ana.post(SPEAK, {"text": "Hello"})
    assert answer.status_code == 200
    assert VoiceSpend.objects.get().reserved == len("Hello")
    hang_up(answer)


def test_a_refused_stream_gives_its_characters_back(fake: FakeSpeaker) -> None:
    open_now = [SpeechStream(begin("Hi", language="en", now=timezone.now())) for _ in range(MOST_STREAMS)]
    with pytest.raises(Busy):
        SpeechStream(begin(TEXT, language="en", now=timezone.now()))
    for stream in open_now:
        stream.close()
    assert VoiceSpend.objects.get().reserved == 0


@pytest.mark.parametrize(
    ("fields", "status", "code"),
    [
        ({"text": ""}, 422, "nothing_to_say"),
        ({}, 422, "nothing_to_say"),
        ({"text": "😀"}, 422, "nothing_to_say"),
        ({"text": "漢字"}, 422, "unknown_script"),
        ({"text": "a" * 10_001}, 413, "too_long"),
        ({"text": "a" * 1_000_000}, 413, "too_long"),
        ({"text": "Merhaba", "language": "tr"}, 409, "no_voice"),
        ({"text": "Hello", "language": "x"}, 422, "invalid"),
        ({"text": "Hello", "speed": "900"}, 422, "invalid"),
        ({"text": "Hello", "form": "exe"}, 422, "invalid"),
        ({"text": "Hello", "voice": "../../etc/passwd"}, 422, "invalid"),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_reason(
    ana: Client, fake: FakeSpeaker, fields: dict[str, str], status: int, code: str
) -> None:
    response = ana.post(SPEAK, fields)
    assert (response.status_code, response.json()["code"]) == (status, code)
    assert response.json()["detail"]
    assert fake.said == []


def test_over_the_allowance_the_reason_says_when_it_resets(ana: Client, fake: FakeSpeaker) -> None:
    change_settings({"voice_daily_chars": 3}, now=timezone.now())
    response = ana.post(SPEAK, {"text": TEXT})
    assert (response.status_code, response.json()["code"]) == (409, "over_allowance")
    assert any(letter.isdigit() or letter == "m" for letter in response.json()["detail"])
    page = ana.get(PAGE).content.decode()
    assert "3 characters are left" in page


def test_a_silent_wyoming_server_is_a_clear_answer(
    ana: Client, use: Use, monkeypatch: pytest.MonkeyPatch
) -> None:
    from voice.clients.wyoming import WyomingSpeaker

    monkeypatch.setenv("WYOMING_TTS_URI", "tcp://127.0.0.1:9")
    use(WyomingSpeaker("tcp://127.0.0.1:9"))
    response = ana.post(SPEAK, {"text": TEXT})
    assert (response.status_code, response.json()["code"]) == (503, "server_silent")
    page = ana.get(PAGE).content.decode()
    assert "tcp://127.0.0.1:9" in page and "There is no voice at all" in page and "Folder" not in page


def test_words_come_in_the_body_only(ana: Client, fake: FakeSpeaker) -> None:
    assert ana.get(SPEAK, {"text": TEXT}).status_code == 405
    assert ana.post(f"{SPEAK}?text=hello", {}).json()["code"] == "nothing_to_say"


def test_a_guest_and_a_form_without_its_token_are_turned_away(fake: FakeSpeaker) -> None:
    person = a_person()
    assert Client().post(SPEAK, {"text": TEXT}).status_code == 302
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(person, backend="household.auth.NameBackend")
    assert strict.post(SPEAK, {"text": TEXT}).status_code == 403
    assert fake.said == []


def test_a_browser_cannot_declare_its_own_words_fixed(ana: Client, fake: FakeSpeaker) -> None:
    read(ana.post(SPEAK, {"text": TEXT, "fixed": "on"}))
    assert not SpeechCache.objects.exists()


def test_a_line_of_the_house_is_kept(ana: Client, fake: FakeSpeaker) -> None:
    for _ in range(2):
        read(ana.post(SPEAK, {"text": SAMPLE, "fixed": "on"}))
    assert SpeechCache.objects.count() == 1
    assert VoiceSpend.objects.get().hits == 1


# --- the page


def test_the_page_lists_the_voices_and_says_what_is_missing_and_where(ana: Client, fake: FakeSpeaker) -> None:
    page = ana.get(PAGE).content.decode()
    assert ENGLISH.id in page
    assert "There is no voice for Turkish yet" in page
    assert "tr_TR-dfki-medium.onnx" in page
    assert "voices" in page


def test_with_a_turkish_voice_nothing_is_missing(ana: Client, use: Use) -> None:
    use(FakeSpeaker([ENGLISH, TURKISH]))
    assert "There is no voice" not in ana.get(PAGE).content.decode()


def test_a_broken_voice_is_shown_with_what_to_do(ana: Client, use: Use) -> None:
    use(FakeSpeaker([ENGLISH, Voice(id="en_US-torn-low", language="en_US", problem="no_config")]))
    assert "put the .onnx.json file beside it" in ana.get(PAGE).content.decode()


def test_a_parent_chooses_voice_speed_and_a_characters_voice(ana: Client, use: Use) -> None:
    use(FakeSpeaker([ENGLISH, TURKISH]))
    fields = {"base_voice": ENGLISH.id, "speed": "85", "character:cat": TURKISH.id}
    for _ in range(2):
        assert ana.post(PAGE, fields).status_code == 302
    held = VoiceSettings.objects.get()
    assert (held.base_voice, held.speed) == (ENGLISH.id, 85)
    assert Register.objects.get(key="character_voice:cat").value == TURKISH.id
    page = ana.get(PAGE).content.decode()
    assert f'value="{ENGLISH.id}" selected' in page and f'value="{TURKISH.id}" selected' in page


@pytest.mark.parametrize(
    "fields", [{"base_voice": "nobody", "speed": "100"}, {"base_voice": "auto", "speed": "17"}, {}]
)
def test_a_bad_choice_is_refused_and_changes_nothing(
    ana: Client, fake: FakeSpeaker, fields: dict[str, str]
) -> None:
    response = ana.post(PAGE, fields)
    assert response.status_code == 422
    assert "errorlist" in response.content.decode()
    assert not VoiceSettings.objects.exists()


def test_a_voice_that_went_away_stays_chosen_and_the_page_says_so(ana: Client, fake: FakeSpeaker) -> None:
    VoiceSettings.objects.create(base_voice="en_US-gone-high")
    page = ana.get(PAGE).content.decode()
    assert "en_US-gone-high was chosen and is not there" in page
    assert (
        ana.post(PAGE, {"base_voice": "en_US-gone-high", "speed": "100", "character:cat": "auto"}).status_code
        == 302
    )


def test_a_sample_is_in_the_voices_own_language_and_kept(ana: Client, use: Use) -> None:
    speaker = FakeSpeaker([ENGLISH, TURKISH])
    use(speaker)
    response = ana.post(SPEAK, {"sample": "on", "voice": TURKISH.id, "form": "wav", "speed": "85"})
    assert (response.status_code, response["Content-Type"]) == (200, "audio/wav")
    assert {voice for voice, _ in speaker.said} == {TURKISH.id}
    assert SpeechCache.objects.count() == 1


def test_only_parents_reach_the_page(fake: FakeSpeaker) -> None:
    parent = a_person()
    child = a_child(parent)
    sitter, stranger = a_person("Mia"), a_person("Eve")
    a_membership(sitter, child, "family")
    assert Client().get(PAGE).status_code == 302
    for person in (sitter, stranger):
        assert signed_in(person).get(PAGE).status_code == 404
        assert signed_in(person).post(PAGE, {"base_voice": "auto", "speed": "100"}).status_code == 404
    assert not VoiceSettings.objects.exists()


def test_the_addresses_have_names() -> None:
    assert (reverse("voice:settings-show"), reverse("voice:text-speak")) == (PAGE, SPEAK)


def test_the_page_shows_the_folder_of_the_box(
    ana: Client, fake: FakeSpeaker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VOICES_FOLDER", str(tmp_path / "our voices"))
    assert f"<code>{tmp_path / 'our voices'}</code>" in ana.get(PAGE).content.decode()
