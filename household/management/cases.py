"""What the commands share that score labelled cases: one JSON object a line in, a report out."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

Cases = list[dict[str, Any]]
Report = Mapping[str, Any]


def add_file(parser: ArgumentParser) -> None:
    """The file of cases, and how to print."""
    parser.add_argument("file", help="one JSON object a line")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def read_cases(path: str | Path) -> Cases:
    """The cases of a file. Raises CommandError with a sentence."""
    try:
        lines = Path(path).read_text("utf-8").splitlines()
        cases = [json.loads(line) for line in lines if line.strip()]
    except OSError as error:
        raise CommandError(f"Cannot read {path}: {error.strerror}.") from None
    except ValueError as error:
        raise CommandError(f"{path} is not one JSON object a line: {error}.") from None
    if not all(isinstance(case, dict) for case in cases):
        raise CommandError(f"{path} is not one JSON object a line.")
    return cases


def printed(report: Report, *, as_json: bool, as_text: Callable[[Report], str]) -> str:
    """A report as it was asked for."""
    return json.dumps(report, ensure_ascii=False) if as_json else as_text(report)
