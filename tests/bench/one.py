"""One bench in a process of its own: `python -m tests.bench.one NAME FILE [--quick]` writes its samples."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path


def main(name: str, target: str, *, quick: bool) -> None:
    """Run one bench and leave its samples in a file."""
    samples = import_module(f"tests.bench.{name}").samples(quick=quick)
    Path(target).write_text(json.dumps(samples))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], quick="--quick" in sys.argv)
