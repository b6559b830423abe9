"""`manage.py round`: run the nightly round by hand."""

from __future__ import annotations

import datetime as dt
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from twin.models import RoundRun, Subject
from twin.services.days import UnknownSubject, day_of, subjects_named
from twin.services.rounds.leases import LeaseHeld
from twin.services.rounds.run import catch_up, due_days, run_round


class Command(BaseCommand):
    """Close one day, or every day that is due."""

    help = "Close subjects' days: those that are due, or one named day."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which subject, which day."""
        parser.add_argument("--subject", help="a subject's name or number; all without it")
        parser.add_argument("--day", type=dt.date.fromisoformat, help="one local day, YYYY-MM-DD")
        parser.add_argument("--catch-up", action="store_true", help="every day that is due (the default)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run and show how far it is."""
        now = timezone.now()
        try:
            subjects = subjects_named(options["subject"])
        except UnknownSubject as error:
            raise CommandError(str(error)) from None
        for subject in subjects:
            try:
                self._run(subject, options["day"], now)
            except LeaseHeld:
                raise CommandError(f"Another worker is closing a day of {subject} just now.") from None

    def _run(self, subject: Subject, day: dt.date | None, now: dt.datetime) -> None:
        if day is not None:
            if day > day_of(subject, now):
                raise CommandError(f"{day} has not begun for {subject}.")
            self._show(subject, run_round(subject_id=subject.pk, day=day, now=now), 1, 1)
            return
        total = len(due_days(subject, now=now))
        for done, run in enumerate(catch_up(subject, now=now), start=1):
            self._show(subject, run, done, max(total, done))
        if not total:
            self.stdout.write(f"{subject}: nothing is due.")

    def _show(self, subject: Subject, run: RoundRun, done: int, total: int) -> None:
        filled = round(24 * done / total)
        bar = "#" * filled + "." * (24 - filled)
        did = ", ".join(f"{key} {n}" for step in run.counts.values() for key, n in step.items() if n)
        end = "\r" if sys.stdout.isatty() and done < total else "\n"
        self.stdout.write(f"[{bar}] {subject} {run.day}: {did or 'nothing to do'}", ending=end)
