"""The house's voice over the Wyoming protocol beside wyoming-piper: `python -m tests.bench voice_served`.

Alternates A-B-A-B: a short line, a paragraph, one long sentence, each heard to its end. Then a line that the
house keeps, its database included, in turn with an espeak-ng process that says the same into a file.
"""

from __future__ import annotations

import datetime as dt
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.bench.bases import cloned, web_role
from tests.bench.figures import Samples
from tests.bench.peers.speaking import Server, our_wyoming, wyoming_piper
from tests.bench.voice import JOE, LONG, MODEL, PARAGRAPH, SHORT

TEXTS = {"short": SHORT, "paragraph": PARAGRAPH, "long": LONG}
ROUNDS, QUICK_ROUNDS, KEPT_ROUNDS = 10, 1, 30


def samples(*, quick: bool) -> Samples:
    """Times and memory of both servers; ours alone where wyoming-piper is not installed."""
    found: Samples = {}
    with cloned() as database, wyoming_piper(Path(MODEL)) as theirs:
        from tests import makers

        makers.a_household()
        with our_wyoming(database) as ours:
            sides = {"served": ours, **({"wyoming": theirs} if theirs else {})}
            for server in sides.values():
                server.speak(JOE, SHORT if quick else PARAGRAPH)
            for _ in range(QUICK_ROUNDS if quick else ROUNDS):
                for name, text in TEXTS.items():
                    for side, server in sides.items():
                        told(found, side, name, server, text)
            found |= {f"{side}.mb": [server.pss_mb()] for side, server in sides.items()}
        found |= kept()
    return found


def told(found: Samples, side: str, name: str, server: Server, text: str) -> None:
    """One text of one server; the paragraph gives the seconds for a second of sound."""
    spent = server.speak(JOE, text)
    found.setdefault(f"{side}.first.{name}", []).append(spent["first_ms"])
    if name == "paragraph":
        for what in ("rtf", "cpu_rtf"):
            found.setdefault(f"{side}.{what}", []).append(spent[what])


def kept() -> Samples:
    """Ms of a kept line through the whole service, and of espeak-ng where it is installed."""
    from voice.lines import SAMPLE
    from voice.services.speaking import speak

    found: Samples = {"served.kept": [], "espeak.wall": []}
    program = shutil.which("espeak-ng")
    with web_role(), tempfile.TemporaryDirectory() as folder:
        argv = [program, "-w", str(Path(folder) / "out.wav"), SAMPLE]
        for number in range(KEPT_ROUNDS + 2):  # the first makes the sound and keeps it
            now = dt.datetime.now(dt.UTC)
            ours, said = timed(lambda now=now: speak(SAMPLE, JOE, fixed=True, language="en", now=now))  # type: ignore[misc]
            assert said.is_kept or not number, "the line was not kept"
            if number > 1:
                found["served.kept"].append(ours)
            if program and number > 1:
                took, _ = timed(lambda: subprocess.run(argv, check=True, capture_output=True))
                found["espeak.wall"].append(took)
    return found


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Milliseconds of one call, and what it gave."""
    began = time.perf_counter()
    given = work()
    return (time.perf_counter() - began) * 1000, given
