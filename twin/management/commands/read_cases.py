"""`manage.py read_cases FILE`: how well a reader reads labelled statements."""

from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Mapping
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from household.management.cases import add_file, printed, read_cases
from twin import clients
from twin.reading import crossing, scoring
from twin.rules.entries import Reading


class Command(BaseCommand):
    """Read every case of a file and print each field's figure."""

    help = "Read labelled statements and print accuracy per field, overall and by language."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The file, the reader, and how to print."""
        add_file(parser)
        parser.add_argument("--reader", choices=("builtin", "model"), default="builtin")
        parser.add_argument(
            "--cross-validate", action="store_true", help="also score the bundled exemplars by fifths"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Read, score, print."""
        cases = read_cases(options["file"])
        readings = [_read(case, options["reader"]) for case in cases]
        report = scoring.score(cases, readings)
        report["readers"] = dict(Counter(reading.reader for reading in readings))
        if options["cross_validate"]:
            report["cross_validated"] = crossing.cross_validate()
        self.stdout.write(printed(report, as_json=options["json"], as_text=scoring.as_text))


def _read(case: Mapping[str, Any], reader: str) -> Reading:
    context = scoring.context_of(case)
    if reader == "model":
        return clients.read(case["text"], context=context, now=timezone.now())
    return clients.read_builtin(case["text"], context=context)
