"""`manage.py bench_recall FILE`: how much of the evidence is among the first 5, 10 and 20 rows found."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from memory.clients.embedder import BUNDLED, EmbedderFailed
from memory.services.recall import WAYS, BadTalks, measure


class Command(BaseCommand):
    """Measure evidence recall by words, by meaning and by both, with the bundled embedder and no model."""

    help = (
        "FILE holds conversations: [{speakers, sessions: [{date, turns: [[id, who, text]]}], qa: [{q, ev}]}]"
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The file, and how to print."""
        parser.add_argument("file")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        """Read, measure, print."""
        try:
            talks = json.loads(Path(options["file"]).read_text("utf-8"))
            if not isinstance(talks, list):
                raise BadTalks("the file is no list of conversations")
            found = measure(talks, embedder=BUNDLED)
        except OSError as error:
            raise CommandError(f"Cannot read {options['file']}: {error.strerror}.") from None
        except (BadTalks, EmbedderFailed, ValueError) as error:
            raise CommandError(f"Cannot measure {options['file']}: {error}.") from None
        self.stdout.write(json.dumps(found) if options["json"] else _as_text(found))


def _as_text(found: dict[str, Any]) -> str:
    rows = [(way, found[way], "") for way in WAYS]
    rows += [
        (f"category {name}", one["hybrid"], f"  ({one['questions']} questions)")
        for name, one in found["by_category"].items()
    ]
    lines = [f"{'':12} {'@5':>6} {'@10':>6} {'@20':>6}"]
    lines += [f"{name:12} {s['5']:6.3f} {s['10']:6.3f} {s['20']:6.3f}{more}" for name, s, more in rows]
    return "\n".join(lines)
