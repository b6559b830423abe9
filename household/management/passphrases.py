"""How commands are given a passphrase: from a file or a hidden prompt, never as an argument."""

from __future__ import annotations

import getpass
import sys
from argparse import ArgumentParser
from pathlib import Path

from household.box.trouble import Trouble


def add_passphrase_file(parser: ArgumentParser) -> None:
    """Let a command take the file that holds the backup's passphrase."""
    parser.add_argument(
        "--passphrase-file",
        type=Path,
        metavar="FILE",
        help="a file whose first line is the backup's passphrase",
    )


def read_passphrase(path: Path | None) -> str | None:
    """The passphrase in a file; None without one. Raises Trouble."""
    if path is None:
        return None
    try:
        lines = path.read_text().splitlines()
    except (OSError, UnicodeDecodeError):
        raise Trouble(f"{path} cannot be read.") from None
    if not lines or not lines[0].strip():
        raise Trouble(f"{path} holds no passphrase.")
    return lines[0].strip()


def ask_passphrase() -> str | None:
    """The passphrase somebody types at the console; None where nobody is there."""
    return getpass.getpass("Passphrase of the backup: ") if sys.stdin.isatty() else None
