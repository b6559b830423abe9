"""The one-time code printed on the console that lets the first visitor make the household.

Only a slow hash of it is kept, in a file of the data folder that its owner alone reads.
"""

from __future__ import annotations

import fcntl
import hashlib
import hmac
import json
import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from household.box import places

ALPHABET = "ABCDEFGHJKMNPQRSTVWXYZ23456789"  # without I, L, O, U, 0, 1: read aloud from a console
LENGTH = 8
TRIES = 10
WINDOW_S = 600.0


def issue_code(house: Path | None = None) -> str:
    """A new code, like `K7QM-3XTD`; the one issued before is void."""
    code = "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))
    salt = secrets.token_hex(16)
    path = _file(house)
    part = path.with_suffix(f".{secrets.token_hex(4)}")
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        json.dump({"salt": salt, "hash": _hash(code, salt), "wrong_at": []}, file)
    part.replace(path)
    return f"{code[:4]}-{code[4:]}"


def is_waiting(house: Path | None = None) -> bool:
    """Whether a code was issued and not yet spent."""
    return _file(house).exists()


def check_code(text: str, house: Path | None = None) -> bool:
    """Whether this is the code. After ten wrong tries in ten minutes nothing is, until time has passed."""
    with _opened(house) as kept:
        if kept is None:
            return False
        now = time.time()
        kept["wrong_at"] = [at for at in kept["wrong_at"] if now - WINDOW_S < at <= now]
        if len(kept["wrong_at"]) >= TRIES:
            return False
        code = "".join(letter for letter in text.upper() if letter.isalnum())
        is_right = hmac.compare_digest(_hash(code, kept["salt"]), kept["hash"])
        if not is_right:
            kept["wrong_at"].append(now)
        return is_right


def spend(house: Path | None = None) -> None:
    """Void the code: the household is made. Spending twice is no mistake."""
    _file(house).unlink(missing_ok=True)


def _file(house: Path | None) -> Path:
    return (house or places.home()) / "first-run.json"


def _hash(code: str, salt: str) -> str:
    return hashlib.scrypt(code.encode(), salt=bytes.fromhex(salt), n=2**14, r=8, p=1).hex()


@contextmanager
def _opened(house: Path | None) -> Iterator[dict[str, Any] | None]:
    """What is kept of the code, for one reader at a time, written back after; None where there is none."""
    try:
        file = _file(house).open("r+")
    except FileNotFoundError:
        yield None
        return
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)
        kept = json.load(file)
        yield kept
        file.seek(0)
        json.dump(kept, file)
        file.truncate()
