"""A restore asked for on a page: the web writes the wish down, `up` stops everything and carries it out.

The wish is a folder with the backup, its passphrase and an empty file `wanted`, written last. What came of
it stands in `outcome.json` until the next wish.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from household.box import places


def folder(house: Path) -> Path:
    """Where a wish lies."""
    return house / "restore"


def backup_file(house: Path) -> Path:
    """The backup of a wish."""
    return folder(house) / "backup.hearthbook"


def wish(house: Path, *, passphrase: str | None) -> None:
    """Write the wish down; the backup lies there already. `up` is woken."""
    secret = folder(house) / "passphrase"
    with os.fdopen(os.open(secret, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(f"{passphrase or ''}\n")
    (folder(house) / "outcome.json").unlink(missing_ok=True)
    (folder(house) / "wanted").touch()
    wake(house)


def wake(house: Path) -> None:
    """Let `up` look for a wish now instead of within a minute."""
    with suppress(OSError, ValueError):
        os.kill(int((house / "up.lock").read_text()), signal.SIGUSR1)


def is_wanted(house: Path) -> bool:
    """Whether a wish waits."""
    return (folder(house) / "wanted").exists()


def outcome(house: Path) -> dict[str, str] | None:
    """What came of the last wish: its state (`restored` or `refused`) and a sentence; None while it waits."""
    with suppress(OSError, ValueError):
        found: dict[str, str] = json.loads((folder(house) / "outcome.json").read_text())
        return found
    return None


def carry_out(house: Path, env: Mapping[str, str]) -> None:
    """Restore as wished, with nothing else running; the backup and its passphrase are gone afterwards."""
    place = folder(house)
    secret = place / "passphrase"
    options = ["--passphrase-file", str(secret)] if secret.read_text().strip() else []
    command = [sys.executable, "manage.py", "restore", str(backup_file(house)), *options]
    done = subprocess.run(  # noqa: S603 - our own command
        command,
        cwd=places.CHECKOUT,
        env={**env, places.BORROWED: "yes"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    said = (done.stdout if done.returncode == 0 else done.stderr).strip().splitlines()
    told = {
        "state": "restored" if done.returncode == 0 else "refused",
        "sentence": said[-1].removeprefix("hearthbook: ") if said else "",
    }
    (place / "outcome.json").write_text(json.dumps(told))
    clear(house)


def clear(house: Path) -> None:
    """Take the backup, its passphrase and the wish away."""
    for path in (backup_file(house), folder(house) / "passphrase", folder(house) / "wanted"):
        path.unlink(missing_ok=True)


def take_upload(house: Path, upload: Path) -> None:
    """Put an uploaded file in the wish's place."""
    folder(house).mkdir(mode=0o700, exist_ok=True)
    shutil.move(upload, backup_file(house))
    backup_file(house).chmod(0o600)
