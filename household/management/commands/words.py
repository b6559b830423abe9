"""`manage.py words`: keep the translations complete."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from household.words import faults_of, messages_in, update_catalogue


class Command(BaseCommand):
    """Update or check the catalogues of words."""

    help = "Find every translatable message; update the .po files, or say what they lack."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Whether to change or only to look."""
        parser.add_argument(
            "--check", action="store_true", help="change nothing; fail where words are missing"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Go through every language but the source's."""
        found = messages_in(settings.BASE_DIR)
        for path in sorted((settings.BASE_DIR / "locale").glob("*/LC_MESSAGES/django.po")):
            language = path.parent.parent.name
            if options["check"]:
                faults = faults_of(path, found)
                if faults:
                    lines = "\n".join(faults[:200])
                    raise CommandError(f"{language}: {len(faults)} faults\n{lines}")
                self.stdout.write(f"{language}: {len(found)} messages, all there.")
            else:
                new, gone = update_catalogue(path, found)
                self.stdout.write(f"{language}: {new} new, {gone} gone, {len(found)} in all.")
