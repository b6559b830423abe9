"""Serve the house's voices over the Wyoming protocol, for Home Assistant."""

from __future__ import annotations

import asyncio
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser


class Command(BaseCommand):
    """`manage.py wyoming --uri tcp://0.0.0.0:10200`."""

    help = "Serve the house's voices over the Wyoming protocol, for Home Assistant."

    def add_arguments(self, parser: CommandParser) -> None:
        """The address to listen on."""
        parser.add_argument("--uri", default="tcp://0.0.0.0:10200", help="tcp://HOST:PORT or unix://PATH")

    def handle(self, *args: Any, uri: str, **options: Any) -> None:
        """Serve until stopped."""
        from voice.wyoming import serve

        self.stdout.write(f"The voices of this house answer on {uri}. Stop with Ctrl-C.")
        self.stdout.flush()
        try:
            asyncio.run(serve(uri))
        except (ValueError, OSError) as error:
            raise CommandError(f"Cannot listen on {uri}: {error}") from error
        except KeyboardInterrupt:
            self.stdout.write("Stopped.")
