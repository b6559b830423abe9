"""`manage.py complexity_cases FILE`: how well questions are told apart by the thought they need."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from household.management.cases import add_file, printed, read_cases
from memory.rules.case_scores import BadCase, as_text, score_complexity


class Command(BaseCommand):
    """Score every case of a file, overall and by language."""

    help = "Score labelled cases (docs/asking-cases.md says what a line holds)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The file, and how to print."""
        add_file(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Read, score, print."""
        try:
            report = score_complexity(read_cases(options["file"]))
        except BadCase as error:
            raise CommandError(f"A case lacks what it needs: {error}.") from None
        self.stdout.write(printed(report, as_json=options["json"], as_text=as_text))
