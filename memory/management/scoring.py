"""What the commands that score labelled cases share: the file, the way to print, the errors."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from memory.rules.case_scores import BadCase, as_text


class ScoringCommand(BaseCommand):
    """Score every case of a file, overall and by language."""

    help = "Score labelled cases (docs/asking-cases.md says what a line holds)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The file, and how to print."""
        parser.add_argument("file", help="one JSON object a line")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        """Read, score, print."""
        try:
            lines = Path(options["file"]).read_text("utf-8").splitlines()
            report = self.scored([json.loads(line) for line in lines if line.strip()])
        except OSError as error:
            raise CommandError(f"Cannot read {options['file']}: {error.strerror}.") from None
        except BadCase as error:
            raise CommandError(f"A case lacks what it needs: {error}.") from None
        except ValueError as error:
            raise CommandError(f"{options['file']} is not one JSON object a line: {error}.") from None
        self.stdout.write(json.dumps(report, ensure_ascii=False) if options["json"] else as_text(report))

    def scored(self, cases: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """The report of these cases. Raises BadCase."""
        raise NotImplementedError
