"""The backups' passphrase: shown once on a recovery sheet, kept on the box only as the key made of it."""

from __future__ import annotations

import json
import os
import secrets
from pathlib import Path

from django.conf import settings

from household.box.vault import Key, make_key
from household.rules.backups import ALPHABET, GROUP_LETTERS, GROUPS, groups


def key_file() -> Path:
    """Where the box keeps the key of its nightly backups."""
    return settings.HOME / "backup.key"


def kept_key() -> Key | None:
    """The key nightly backups are sealed with; None until a parent has made a recovery sheet."""
    try:
        kept = json.loads(key_file().read_text())
    except FileNotFoundError:
        return None
    return Key(bytes.fromhex(kept["salt"]), bytes.fromhex(kept["secret"]))


def make_passphrase() -> str:
    """A new passphrase for the backups from here on; the caller shows it once. Older files keep theirs."""
    passphrase = groups("".join(secrets.choice(ALPHABET) for _ in range(GROUPS * GROUP_LETTERS)))
    keep_key(make_key(passphrase))
    return passphrase


def keep_key(key: Key) -> None:
    """Keep a key on the box, readable by its owner only."""
    part = key_file().with_suffix(f".{secrets.token_hex(4)}")
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        json.dump({"salt": key.salt.hex(), "secret": key.secret.hex()}, file)
        file.flush()
        os.fsync(file.fileno())
    part.replace(key_file())


def forget_key() -> None:
    """Seal no backup from here on."""
    key_file().unlink(missing_ok=True)
