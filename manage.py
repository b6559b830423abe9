#!/usr/bin/env python3
"""Hearthbook's command line."""

import os
import sys


def main() -> None:
    """Run one management command; a bad setting ends in one sentence."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "household.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"hearthbook: {error}")


if __name__ == "__main__":
    main()
