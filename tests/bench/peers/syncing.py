"""Anki's rounds beside ours: rows it pushes and pulls again, in lines a second and CPU of its server."""

from __future__ import annotations

from tests.bench.figures import Samples
from tests.bench.peers.asking import Peer

# Rows with words, as our lines have them, and rows of numbers alone, which nothing of ours is like.
KINDS = {"notes": "anki", "reviews": "anki.reviews"}


def exchanged(anki: Peer | None, way: str, rows: int) -> Samples:
    """So many rows of each kind one `way`, `push` or `pull`: lines a second by the clock and of CPU of both
    sides, and microseconds of the server's CPU a line. Nothing where Anki is not there.
    """
    found: Samples = {}
    for kind, name in KINDS.items() if anki else ():
        took = anki.ask("exchanged", kind=kind, rows=rows)[way]
        found[f"{name}.{way}.lines_s"] = [rows / took["wall"]]
        found[f"{name}.{way}.lines_cpu_s"] = [rows / took["both"]]
        found[f"{name}.{way}.cpu_us"] = [took["server"] * 1e6 / rows]
    return found
