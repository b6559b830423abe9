"""Gives each peer an environment of its own under .peers, with nothing but the standard library.

One that cannot be installed is named and left out; the others are measured. A stamp keeps the hash of the
lock that is installed. A lock is made by `uv pip compile tests/bench/peers/locks/NAME.in --universal
--python-version 3.11 --generate-hashes --no-emit-index-url --no-header -o tests/bench/peers/locks/NAME.txt`.
"""

from __future__ import annotations

import hashlib
import importlib.util
import subprocess
import sys
from pathlib import Path

LOCKS = Path(__file__).resolve().parent / "locks"
PLACE = Path(__file__).resolve().parents[3] / ".peers"
PEERS = {"anki": "Anki", "mem0": "mem0", "wyoming_piper": "wyoming-piper"}


def python(peer: str) -> Path:
    """The Python of one peer."""
    return PLACE / peer / "bin" / "python"


def is_installed(peer: str) -> bool:
    """Whether its very lock is what its environment was last given."""
    stamp = PLACE / peer / ".lock.sha256"
    return python(peer).exists() and stamp.exists() and stamp.read_text() == digest(peer)


def digest(peer: str) -> str:
    """The hash of its lock."""
    return hashlib.sha256((LOCKS / f"{peer}.txt").read_bytes()).hexdigest()


def quietly(*command: str) -> bool:
    """Whether a program ends well; what it prints is dropped."""
    return not subprocess.run(command, capture_output=True, check=False).returncode


def install(peer: str) -> bool:
    """Make its environment anew and install its lock; False where that cannot be done here."""
    here = str(python(peer))
    has_ensurepip = importlib.util.find_spec("ensurepip") is not None
    options = ["--clear"] if has_ensurepip else ["--clear", "--without-pip"]
    pip = [here, "-m", "pip"] if has_ensurepip else [sys.executable, "-m", "pip", "--python", here]
    wanted = ["--require-hashes", "--only-binary", ":all:", "-r", str(LOCKS / f"{peer}.txt")]
    is_done = quietly(sys.executable, "-m", "venv", *options, str(PLACE / peer)) and quietly(
        *pip, "--disable-pip-version-check", "install", "-qq", *wanted
    )
    if is_done:
        (PLACE / peer / ".lock.sha256").write_text(digest(peer))
    return is_done


def main() -> None:
    """Install what is not there; a peer that cannot be had is no failure."""
    for peer in [peer for peer in PEERS if not is_installed(peer)]:
        print(f"Installing {PEERS[peer]} to measure beside, into .peers (once).", flush=True)
        if not install(peer):
            print(
                f"{PEERS[peer]} could not be installed: what it was measured at on another day stands in.",
                file=sys.stderr,
            )


if __name__ == "__main__":
    main()
