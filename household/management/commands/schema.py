"""`manage.py schema`: whether this build can read the database as it is."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from household.box.prepare import refuse_newer


class Command(BaseCommand):
    """Ends well where the database was written by this build or an older one."""

    help = "Say whether this build can read the database; ends with an error where a newer one wrote it."

    def handle(self, *args: Any, **options: Any) -> None:
        """Look, and say so. Raises Trouble."""
        refuse_newer(MigrationExecutor(connection))
        self.stdout.write("This build can read the database.")
