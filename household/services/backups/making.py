"""Making a backup: one file of dump, media and checksums, written beside everybody else's work."""

from __future__ import annotations

import datetime as dt
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.storage import Storage, default_storage
from django.db import connection, connections
from django.db.migrations.recorder import MigrationRecorder

from household.box.trouble import Trouble, of_disk
from household.box.vault import CHUNK, Key, Writer
from household.models import Backup
from household.rules.backups import Kept, made_at_of, name_of, to_drop
from household.services.backups import tools
from household.services.backups.keys import kept_key
from household.services.backups.turns import alone

DUMP = "database.dump"
MEDIA = "media/"
SECRET = "secret.key"  # noqa: S105 - a name, not a secret
PART = ".part"


def folder() -> Path:
    """Where the box keeps its backups."""
    return settings.HOME / "backups"


def make_backup(*, now: dt.datetime, path: Path | None = None, key: Key | None = None) -> Path:
    """Write one backup and return where; sealed with the box's own key unless one is given.

    Without a path it goes into the backups folder and rotation follows. Raises Trouble; what was begun is
    taken away again.
    """
    target = path or folder() / name_of(now)
    key = key or kept_key()
    part = target.with_name(f".{target.name}{PART}")
    try:
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with alone(), os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            _write(Writer(file, head(now), key), is_sealed=key is not None)
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
        _sync_folder(target.parent)
    except OSError as error:
        raise of_disk(error, target.parent) from None
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
    if path is None:
        _note(target, now=now, is_sealed=key is not None)
        rotate()
    return target


def head(now: dt.datetime) -> dict[str, Any]:
    """What anybody who has the file may read of it: when and by which build it was made."""
    return {"made_at": now.isoformat(), "version": settings.VERSION, "schema": applied_migrations()}


def applied_migrations() -> Mapping[str, list[str]]:
    """The migrations of every app this database has."""
    found: dict[str, list[str]] = {}
    for app, name in sorted(MigrationRecorder(connection).applied_migrations()):
        found.setdefault(app, []).append(name)
    return found


def _write(writer: Writer, *, is_sealed: bool) -> None:
    writer.add("about.json", iter([json.dumps({"media": "media/"}).encode()]))
    writer.add(DUMP, tools.dump(connections["owner"].settings_dict))
    for name in media_names():
        writer.add(f"{MEDIA}{name}", _file(name))
    if is_sealed and (secret := settings.HOME / SECRET).exists():
        writer.add(SECRET, iter([secret.read_bytes()]))
    writer.close()


def media_names(storage: Storage | None = None, under: str = "") -> Iterator[str]:
    """The name of every media file, folder by folder."""
    place = storage or default_storage
    try:
        folders, files = place.listdir(under)
    except FileNotFoundError:
        return
    for name in sorted(files):
        yield f"{under}{name}"
    for name in sorted(folders):
        yield from media_names(place, f"{under}{name}/")


def _file(name: str) -> Iterator[bytes]:
    """The content of one media file; one deleted while we write is left out."""
    with suppress(FileNotFoundError), default_storage.open(name, "rb") as file:
        while piece := file.read(CHUNK):
            yield piece


def _sync_folder(place: Path) -> None:
    descriptor = os.open(place, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _note(target: Path, *, now: dt.datetime, is_sealed: bool) -> None:
    Backup.objects.update_or_create(
        name=target.name,
        defaults={"made_at": now, "size_bytes": target.stat().st_size, "is_sealed": is_sealed},
    )


def kept_backups() -> list[Kept]:
    """Every backup file in the backups folder, newest first."""
    with suppress(FileNotFoundError):
        found = [(path.name, made_at_of(path.name)) for path in folder().iterdir()]
        kept = [Kept(name, at) for name, at in found if at is not None]
        return sorted(kept, key=lambda one: one.made_at, reverse=True)
    return []


def rotate() -> tuple[str, ...]:
    """Delete the backups rotation lets go, and what a killed backup left; the names that went."""
    gone = tuple(one.name for one in to_drop(kept_backups()))
    for name in gone:
        delete_backup(name)
    for left in folder().glob(f".*{PART}"):
        left.unlink(missing_ok=True)
    return gone


def delete_backup(name: str) -> None:
    """Delete one backup file of ours and its row. Raises Trouble where the name is not one of ours."""
    if made_at_of(name) is None:
        raise Trouble("There is no such backup.")
    (folder() / name).unlink(missing_ok=True)
    Backup.objects.filter(name=name).delete()
