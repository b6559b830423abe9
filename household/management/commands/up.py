"""Start the whole box: database, web server, worker, announcement."""

from __future__ import annotations

import os
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from household.box.places import CHECKOUT, home


class Command(BaseCommand):
    """Becomes the supervisor, which needs no Django and so stays small."""

    help = "Start the whole box: database, web server, worker, and its name on the home network."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Host and port may stand on the command line instead of HOST and PORT."""
        parser.add_argument("--host", help="address to listen on (default: HOST, or every address)")
        parser.add_argument("--https", action="store_true", help="serve TLS with a certificate of our own")
        parser.add_argument("--port", help="port to listen on (default: PORT, or 8000)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Replace this process by the supervisor."""
        https = "yes" if options["https"] else ""
        given = (("HOST", options["host"]), ("PORT", options["port"]), ("HEARTHBOOK_HTTPS", https))
        for variable, value in given:
            if value:
                os.environ[variable] = value
        os.environ["HEARTHBOOK_HOME"] = str(home())
        sys.stdout.flush()
        os.chdir(CHECKOUT)
        os.execv(sys.executable, [sys.executable, "-m", "household.box"])  # noqa: S606 - ourselves
