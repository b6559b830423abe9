"""Where things lie under the data folder, and the addresses of the embedded database."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from pathlib import Path
from urllib.parse import quote

from household.box import trouble

CHECKOUT = Path(__file__).resolve().parents[2]
DATABASE = "hearthbook"
SUPERUSER = "postgres"
OWNER = "owner"
WEB = "web"
SOCKET_PORT = 5432
# sockaddr_un holds 108 bytes with its closing zero; PostgreSQL appends this name to the folder.
SOCKET_NAME = f"/.s.PGSQL.{SOCKET_PORT}"
SOCKET_PATH_BYTES = 107
LEAST_FREE_MB = 150
# Set for a command that runs the database alone, with no `up` beside it.
BORROWED = "HEARTHBOOK_BORROWED"


def home() -> Path:
    """The data folder: HEARTHBOOK_HOME, or `var` in the checkout."""
    named = os.environ.get("HEARTHBOOK_HOME", "").strip()
    return Path(named or CHECKOUT / "var").expanduser().absolute()


def data_folder(house: Path) -> Path:
    """Where the embedded PostgreSQL keeps its files."""
    return house / "postgres"


def log_file(house: Path, name: str) -> Path:
    """The log of one child process."""
    return house / "log" / f"{name}.log"


def socket_folder(house: Path) -> Path:
    """Where the database's socket lies: in the data folder, or a short private one if that is too deep."""
    wished = house / "run"
    if len(os.fsencode(wished)) + len(SOCKET_NAME) <= SOCKET_PATH_BYTES:
        return wished
    digest = hashlib.sha256(os.fsencode(house)).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"hearthbook-{digest}"


def embedded_url(house: Path, role: str, database: str = DATABASE) -> str:
    """The address under which a role reaches the embedded database of this data folder."""
    folder = quote(str(socket_folder(house)), safe="/")
    return f"postgresql://{role}@/{database}?host={folder}&port={SOCKET_PORT}"


def open_home(house: Path, *, least_free_mb: int = LEAST_FREE_MB) -> None:
    """Make the data folder ready to be written. Raises Trouble where it cannot be, or the disk is full."""
    try:
        house.mkdir(parents=True, exist_ok=True, mode=0o700)
        (house / "log").mkdir(exist_ok=True, mode=0o700)
        probe = house / ".written"
        probe.write_bytes(b"x" * 4096)
        probe.unlink()
        free_mb = shutil.disk_usage(house).free // 2**20
    except OSError as error:
        raise trouble.of_disk(error, house) from None
    if free_mb < least_free_mb:
        raise trouble.Trouble(
            f"The disk under {house} is full: {free_mb} MB are free, {least_free_mb} MB are needed."
        )
