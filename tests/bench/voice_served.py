"""The house's voice over the Wyoming protocol beside wyoming-piper: `python -m tests.bench voice_served`.

Alternates A-B-A-B: a short line, a paragraph, one long sentence, each heard to its end.
"""

from __future__ import annotations

from pathlib import Path

from tests.bench.bases import cloned
from tests.bench.figures import Samples
from tests.bench.peers.speaking import Server, our_wyoming, wyoming_piper
from tests.bench.voice import JOE, LONG, MODEL, PARAGRAPH, SHORT

TEXTS = {"short": SHORT, "paragraph": PARAGRAPH, "long": LONG}
ROUNDS, QUICK_ROUNDS = 10, 3


def samples(*, quick: bool) -> Samples:
    """Times and memory of both servers; ours alone where wyoming-piper is not installed."""
    found: Samples = {}
    with cloned() as database, wyoming_piper(Path(MODEL)) as theirs:
        from tests import makers

        makers.a_household()
        with our_wyoming(database) as ours:
            sides = {"served": ours, **({"wyoming": theirs} if theirs else {})}
            for server in sides.values():
                server.speak(JOE, PARAGRAPH)
            for _ in range(QUICK_ROUNDS if quick else ROUNDS):
                for name, text in TEXTS.items():
                    for side, server in sides.items():
                        told(found, side, name, server, text)
            found |= {f"{side}.mb": [server.pss_mb()] for side, server in sides.items()}
    return found


def told(found: Samples, side: str, name: str, server: Server, text: str) -> None:
    """One text of one server; the paragraph gives the seconds for a second of sound."""
    spent = server.speak(JOE, text)
    found.setdefault(f"{side}.first.{name}", []).append(spent["first_ms"])
    if name == "paragraph":
        for what in ("rtf", "cpu_rtf"):
            found.setdefault(f"{side}.{what}", []).append(spent[what])
