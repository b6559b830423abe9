"""`manage.py reset_passphrase NAME`: a one-time code for whom nobody else can help."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from household.models import Person
from household.services.recovery import LASTS, issue_code


class Command(BaseCommand):
    """Prints a code; whoever has it chooses the passphrase at /recover."""

    help = "Print a one-time code by which a person chooses a new passphrase."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Whose passphrase."""
        parser.add_argument("name", help="the name the person signs in with")

    def handle(self, *args: Any, **options: Any) -> None:
        """Issue the code and say where to use it."""
        try:
            person = Person.objects.get_by_natural_key(options["name"])
        except Person.DoesNotExist:
            raise CommandError(f"Nobody here is called {options['name']}.") from None
        code = issue_code(person, now=timezone.now())
        minutes = int(LASTS.total_seconds() // 60)
        self.stdout.write(f"Code for {person.name}: {code}")
        self.stdout.write(f"Open /recover on the house's address within {minutes} minutes. It works once.")
