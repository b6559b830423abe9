"""One bench in a process of its own: `python -m tests.bench.one NAME FILE [--quick]` writes its samples.

A figure without a line in the measures is refused: it would be measured and never read.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path

from tests.bench.measures import unlisted


def main(name: str, target: str, *, quick: bool) -> None:
    """Run one bench and leave its samples in a file."""
    samples = import_module(f"tests.bench.{name}").samples(quick=quick)
    if hidden := unlisted(samples, name):
        raise LookupError(f"the bench {name} gives figures that no measure names: {sorted(hidden)}")
    Path(target).write_text(json.dumps(samples))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], quick="--quick" in sys.argv)
