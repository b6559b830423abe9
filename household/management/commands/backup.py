"""`manage.py backup [PATH]`: one file that holds the whole household."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from household.box.vault import make_key
from household.management.passphrases import add_passphrase_file, read_passphrase
from household.services.backups.keys import kept_key
from household.services.backups.making import make_backup
from household.services.backups.reading import Source, check


class Command(BaseCommand):
    """Writes a backup while everybody goes on writing, and checks the file it wrote."""

    help = "Write one file with everything the household keeps."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Where to, and under which passphrase."""
        parser.add_argument("path", nargs="?", type=Path, help="the file; default: the box's backups folder")
        add_passphrase_file(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Make it, read it back, and say what it is."""
        given = read_passphrase(options["passphrase_file"])
        key = make_key(given) if given else kept_key()
        path = make_backup(now=timezone.now(), path=options["path"], key=key)
        contents = check(Source(path, key=key))
        sealed = (
            "sealed with a passphrase" if contents.is_sealed else "not sealed: keep it where nobody reads it"
        )
        self.stdout.write(f"{path} ({path.stat().st_size / 2**20:.1f} MB, {sealed})")
