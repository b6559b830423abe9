"""`manage.py verify FILE`: the rehearsal of a restore."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from household.box.vault import WrongPassphrase
from household.management.passphrases import add_passphrase_file, ask_passphrase, read_passphrase
from household.services.backups.proving import Proof, prove
from household.services.backups.reading import Source


class Command(BaseCommand):
    """Checks every byte of a backup and loads it into a scratch database, which is thrown away."""

    help = "Rehearse the restore of a backup; nothing of the household is touched."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which file."""
        parser.add_argument("path", type=Path)
        add_passphrase_file(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Rehearse, and say what the file holds."""
        proof = self._prove(options["path"], read_passphrase(options["passphrase_file"]))
        made = proof.contents.made_at.strftime("%Y-%m-%d %H:%M UTC")
        files = len(proof.contents.media)
        self.stdout.write(f"Whole: made {made} by Hearthbook {proof.contents.version}, {files} media files.")
        if proof.rows is None:
            self.stdout.write(
                "The server lets us make no second database, so the dump itself was not loaded."
            )
        else:
            self.stdout.write(
                f"Restored in rehearsal: {sum(proof.rows.values())} rows in {len(proof.rows)} tables."
            )

    def _prove(self, path: Path, passphrase: str | None) -> Proof:
        try:
            return prove(Source(path, passphrase))
        except WrongPassphrase:
            asked = None if passphrase else ask_passphrase()
            if asked is None:
                raise
            return prove(Source(path, asked))
