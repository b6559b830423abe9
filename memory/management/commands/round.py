"""`manage.py round`: run the nightly round by hand."""

from __future__ import annotations

import datetime as dt
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from memory.services.nights import NIGHT_STEPS, run_night
from twin.models import RoundRun, Subject
from twin.services.days import day_of
from twin.services.rounds.leases import LeaseHeld
from twin.services.rounds.run import catch_up, due_days


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
        for subject in subjects_named(options["subject"]):
            try:
                self._run(subject, options["day"], now)
            except LeaseHeld:
                raise CommandError(f"Another worker is closing a day of {subject} just now.") from None

    def _run(self, subject: Subject, day: dt.date | None, now: dt.datetime) -> None:
        if day is not None:
            if day > day_of(subject, now):
                raise CommandError(f"{day} has not begun for {subject}.")
            self._show(subject, run_night(subject_id=subject.pk, day=day, now=now), 1, 1)
            return
        total = len(due_days(subject, now=now))
        for done, run in enumerate(catch_up(subject, now=now, steps=NIGHT_STEPS), start=1):
            self._show(subject, run, done, max(total, done))
        if not total:
            self.stdout.write(f"{subject}: nothing is due.")

    def _show(self, subject: Subject, run: RoundRun, done: int, total: int) -> None:
        filled = round(24 * done / total)
        bar = "#" * filled + "." * (24 - filled)
        did = ", ".join(f"{key} {n}" for step in run.counts.values() for key, n in step.items() if n)
        end = "\r" if sys.stdout.isatty() and done < total else "\n"
        self.stdout.write(f"[{bar}] {subject} {run.day}: {did or 'nothing to do'}", ending=end)


def subjects_named(text: str | None) -> list[Subject]:
    """The subjects a command line names. Raises CommandError where there is none or more than one."""
    everyone = Subject.objects.order_by("id")
    if text is None:
        return list(everyone)
    found = [one for one in everyone if one.name.casefold() == text.casefold() or str(one.pk) == text]
    if len(found) != 1:
        names = ", ".join(one.name for one in everyone) or "nobody yet"
        raise CommandError(f"No single subject is called {text!r}. The book holds: {names}.")
    return found
