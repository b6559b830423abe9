"""`manage.py ask_cases FILE`: how well the built-in composer answers labelled questions about the demo."""

from __future__ import annotations

import datetime as dt
import json
import os
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from household.management.cases import add_file, printed, read_cases
from memory.services.asking.scoring import BadCase, NoDemo, Score, find_demo, run_case

OTHERS = ("DATABASE_URL", "OWNER_DATABASE_URL", "HEARTHBOOK_BORROWED")


class Command(BaseCommand):
    """Ask every question of a file and judge the answers."""

    help = "Score labelled questions about the demo household (docs/asking.md says what a line holds)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The file, how to print, and which demo to make where the book holds none."""
        add_file(parser)
        parser.add_argument(
            "--seed", type=int, default=1, help="of the demo that is made where there is none"
        )
        parser.add_argument("--today", type=dt.date.fromisoformat, help="its last day, YYYY-MM-DD")
        parser.add_argument("--show", action="store_true", help="print the answers of the cases that fail")

    def handle(self, *args: Any, **options: Any) -> None:
        """Read, ask, print."""
        cases = read_cases(options["file"])
        try:
            report = self._asked(cases, options)
        except NoDemo:
            report = self._in_scratch(cases, options)
        except BadCase as error:
            raise CommandError(f"A case lacks what it needs: {error}.") from None
        self.stdout.write(printed(report, as_json=options["json"], as_text=as_text))

    def _asked(self, cases: list[dict[str, Any]], options: Mapping[str, Any]) -> dict[str, Any]:
        demo, score = find_demo(), Score()
        for case in cases:
            outcome = run_case(case, demo)
            score.add(outcome)
            if outcome.faults and options["show"]:
                self.stderr.write(f"--- {outcome.id}: {outcome.question}\n{outcome.text}\n")
        return score.as_json()

    def _in_scratch(self, cases: list[dict[str, Any]], options: Mapping[str, Any]) -> dict[str, Any]:
        """Make a demo for each language of the file in a folder of its own, and ask there."""
        reports = []
        for language in sorted({_language(case) for case in cases}):
            mine = [case for case in cases if _language(case) == language]
            self.stderr.write(f"No demo in this book: making one in a scratch database ({language}) …")
            reports.append(_scored_in_scratch(mine, language, options))
        return merged(reports)


def _language(case: Mapping[str, Any]) -> str:
    return "tr" if str(case.get("lang", "en")).startswith("tr") else "en"


def _scored_in_scratch(
    cases: list[dict[str, Any]], language: str, options: Mapping[str, Any]
) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="hearthbook-") as folder:
        Path(folder).chmod(0o755)  # the database server runs as another user
        file = Path(folder) / "cases.jsonl"
        file.write_text("\n".join(json.dumps(case, ensure_ascii=False) for case in cases), "utf-8")
        env = {key: value for key, value in os.environ.items() if key not in OTHERS}
        env["HEARTHBOOK_HOME"] = str(Path(folder) / "home")
        Path(env["HEARTHBOOK_HOME"]).mkdir(mode=0o755)
        today = ["--today", options["today"].isoformat()] if options["today"] else []
        _run(["demo", "--seed", str(options["seed"]), "--language", language, *today], env)
        said: dict[str, Any] = json.loads(_run(["ask_cases", str(file), "--json"], env).splitlines()[-1])
        return said


def _run(arguments: list[str], env: Mapping[str, str]) -> str:
    manage = Path(settings.BASE_DIR) / "manage.py"
    done = subprocess.run(  # noqa: S603 - our own command
        [sys.executable, str(manage), *arguments], env=dict(env), capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise CommandError(f"The scratch demo failed: {done.stderr.strip().splitlines()[-1:] or 'no word'}")
    return done.stdout


def merged(reports: list[dict[str, Any]]) -> dict[str, Any]:
    """Several reports as one."""
    whole: dict[str, Any] = {"cases": 0, "held": 0, "failures": []}
    for report in reports:
        whole["cases"] += report["cases"]
        whole["held"] += report["held"]
        whole["failures"] += report["failures"]
        whole |= {lang: report[lang] for lang in ("en", "tr") if lang in report}
    whole["score"] = round(whole["held"] / whole["cases"], 4) if whole["cases"] else 0.0
    return whole


def as_text(report: Mapping[str, Any]) -> str:
    """A report for people."""
    lines = [f"{report['held']} of {report['cases']} cases hold: {report['score']:.3f}"]
    for lang in ("en", "tr"):
        if lang in report:
            one = report[lang]
            lines.append(f"  {lang}: {one['held']} of {one['cases']}: {one['score']:.3f}")
    lines += [f"  {one['id']}: {one['question']} — {'; '.join(one['faults'])}" for one in report["failures"]]
    return "\n".join(lines)
