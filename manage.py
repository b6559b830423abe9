#!/usr/bin/env python3
"""Hearthbook's command line."""

import os
import sys


def main() -> None:
    """Run one management command; a bad setting ends in one sentence."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "household.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    from household.box.borrowed import database_for
    from household.box.trouble import Trouble

    try:
        with database_for(sys.argv[1:]):
            execute_from_command_line(sys.argv)
    except (ImproperlyConfigured, Trouble) as error:
        sys.exit(f"hearthbook: {error}")


if __name__ == "__main__":
    main()
