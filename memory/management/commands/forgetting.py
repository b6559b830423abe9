"""`manage.py forgetting`: what is owed on disk, the rights that rewriting it needs, and doing it now."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from household.models import ForgetOwed
from household.services.erasing import grants, orphans, sweep
from household.services.erasing.connecting import owners_connection


class Command(BaseCommand):
    """Show what is owed; with --check the rights it needs, with --sweep do it."""

    help = "What forgetting still owes on disk. --check: the rights it needs. --sweep: rewrite it now."

    def add_arguments(self, parser: CommandParser) -> None:
        """Two switches."""
        parser.add_argument("--check", action="store_true", help="print the rights and settings it needs")
        parser.add_argument("--sweep", action="store_true", help="rewrite what is owed now")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print what is asked for. Exit 1 where something needed is missing or stays owed."""
        fine = True
        if options["check"]:
            fine = self._check()
        if options["sweep"]:
            outcome = sweep(now=timezone.now())
            fine = outcome.is_done and fine
            for one in outcome.waiting:
                self.stdout.write(f"Waits for: {one['what']} {one['number']}")
        self._owed()
        if not fine:
            raise SystemExit(1)

    def _check(self) -> bool:
        with owners_connection() as base:
            found = grants(base)
            self.stdout.write("What rewriting needs on this server, and whether it is there:\n\n")
            for one in found:
                mark = "there  " if one.is_there else "MISSING" if one.is_needed else "advised"
                self.stdout.write(f"  {mark}  {one.statement:<78} -- to {one.purpose}")
            missing = [one for one in found if one.is_needed and not one.is_there]
            if missing:
                self.stdout.write(
                    "\nUntil the server's operator has run what is missing, a forgetting rewrites the"
                    "\ntables and asks the server to write over its log; that it did cannot be seen."
                )
                return False
            left = orphans(base)
            self.stdout.write(f"\nAll that is needed is there. Files a crash left behind: {len(left)}.")
        return True

    def _owed(self) -> None:
        rows = ForgetOwed.objects.filter(state="owed").order_by("pk")
        if not rows:
            self.stdout.write("Nothing is owed on disk.")
        for row in rows:
            waits = ", ".join(one["what"] for one in row.waiting) or "nobody"
            tables = f"{len(row.left)} of {len(row.relations)} tables"
            self.stdout.write(f"Owed since {row.asked_at:%Y-%m-%d %H:%M} UTC: {tables}; waits for {waits}.")
