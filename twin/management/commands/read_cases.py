"""`manage.py read_cases FILE`: how well a reader reads labelled statements."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from twin import clients
from twin.reading import crossing, scoring
from twin.rules.entries import Reading


class Command(BaseCommand):
    """Read every case of a file and print each field's figure."""

    help = "Read labelled statements and print accuracy per field, overall and by language."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The file, the reader, and how to print."""
        parser.add_argument("file", help="labelled statements, one JSON object a line")
        parser.add_argument("--reader", choices=("builtin", "model"), default="builtin")
        parser.add_argument("--json", action="store_true", help="print one JSON object")
        parser.add_argument(
            "--cross-validate", action="store_true", help="also score the bundled exemplars by fifths"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Read, score, print."""
        cases = _cases(Path(options["file"]))
        readings = [_read(case, options["reader"]) for case in cases]
        report = scoring.score(cases, readings)
        report["readers"] = dict(Counter(reading.reader for reading in readings))
        if options["cross_validate"]:
            report["cross_validated"] = crossing.cross_validate()
        self.stdout.write(
            json.dumps(report, ensure_ascii=False) if options["json"] else scoring.as_text(report)
        )


def _cases(path: Path) -> list[Mapping[str, Any]]:
    try:
        lines = path.read_text("utf-8").splitlines()
        return [json.loads(line) for line in lines if line.strip()]
    except OSError as error:
        raise CommandError(f"Cannot read {path}: {error.strerror}.") from None
    except ValueError as error:
        raise CommandError(f"{path} is not one JSON object a line: {error}.") from None


def _read(case: Mapping[str, Any], reader: str) -> Reading:
    context = scoring.context_of(case)
    if reader == "model":
        return clients.read(case["text"], context=context, now=timezone.now())
    return clients.read_builtin(case["text"], context=context)
