"""`manage.py restore FILE`: a backup takes the place of what the box holds."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from household.management.passphrases import add_passphrase_file, ask_passphrase, read_passphrase
from household.services.backups.reading import Source
from household.services.backups.restoring import require_quiet
from household.services.people import is_set_up
from memory.services.restoring import restore


class Command(BaseCommand):
    """Restores into an empty box, or a confirmed one; what was forgotten here is forgotten again."""

    help = "Restore a backup. The file is checked whole before anything is touched."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which file, and whether what is there may be replaced."""
        parser.add_argument("path", type=Path)
        parser.add_argument("--replace", action="store_true", help="replace the household that is there")
        add_passphrase_file(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Restore, and say what came back and what was forgotten again."""
        require_quiet()
        if is_set_up() and not options["replace"]:
            raise CommandError(
                "There is a household here already: add --replace to put the backup in its place."
            )
        passphrase = read_passphrase(options["passphrase_file"]) or ask_passphrase()
        done = restore(Source(options["path"], passphrase), now=timezone.now())
        made = done.made_at.strftime("%Y-%m-%d %H:%M UTC")
        self.stdout.write(f"Restored: the household as it was at {made}.")
        if done.forgotten_again:
            self.stdout.write(f"Forgotten since then, and again now: {done.forgotten_again}.")
