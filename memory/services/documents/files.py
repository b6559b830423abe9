"""The bytes of documents, in whatever storage the settings name; a name in it holds no word of anybody."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Iterable

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from memory.models import Document, OwedErasure

FOLDER = "documents"
ORPHAN_AFTER = dt.timedelta(days=1)  # an upload that is under way is no orphan


def keep_bytes(content: bytes) -> str:
    """Store some bytes; the name they can be asked for by."""
    return default_storage.save(f"{FOLDER}/{uuid.uuid4().hex}", ContentFile(content))


def bytes_of(name: str) -> bytes:
    """The bytes under a name. Raises FileNotFoundError."""
    with default_storage.open(name, "rb") as file:
        return bytes(file.read())


def erase(names: Iterable[str]) -> list[str]:
    """Erase what is stored under these names; those that could not be erased yet."""
    left = []
    for name in names:
        try:
            default_storage.delete(name)
        except OSError:
            left.append(name)
    return left


def erase_orphans(*, now: dt.datetime) -> int:
    """Erase files in our folder that no row names and that are a day old. Gives how many."""
    try:
        _folders, names = default_storage.listdir(FOLDER)
    except FileNotFoundError:
        return 0
    held = {
        name
        for row in Document.objects.values_list("stored", "unlocked", "thumbnail")
        for name in row
        if name
    }
    held |= {name for row in OwedErasure.objects.values_list("stored", flat=True) for name in row}
    old = [
        path
        for path in (f"{FOLDER}/{name}" for name in names)
        if path not in held and default_storage.get_modified_time(path) < now - ORPHAN_AFTER
    ]
    return len(old) - len(erase(old))
