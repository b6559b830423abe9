"""`manage.py drawer_cases FILE`: whether paraphrases land in one drawer of task memory."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from household.management.cases import add_file, printed, read_cases
from memory.rules.case_scores import BadCase, as_text, score_drawers


class Command(BaseCommand):
    """Score every case of a file, overall and by language."""

    help = "Score labelled cases (docs/asking-cases.md says what a line holds)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The file, and how to print."""
        add_file(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Read, score, print."""
        try:
            report = score_drawers(read_cases(options["file"]))
        except BadCase as error:
            raise CommandError(f"A case lacks what it needs: {error}.") from None
        self.stdout.write(printed(report, as_json=options["json"], as_text=as_text))
