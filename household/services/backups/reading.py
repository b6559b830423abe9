"""Reading a backup: is it whole, may this build restore it, what does it hold."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.db.migrations.loader import MigrationLoader

from household.box.trouble import Trouble
from household.box.vault import Key, Reader
from household.rules.backups import unknown_migrations
from household.services.backups.keys import kept_key
from household.services.backups.making import DUMP, MEDIA, SECRET


class MadeByNewer(Trouble):
    """The backup was made by a newer build than this one."""


@dataclass(frozen=True)
class Contents:
    """What a whole backup holds."""

    made_at: dt.datetime
    version: str
    is_sealed: bool
    media: tuple[str, ...]
    has_secret: bool


@dataclass(frozen=True)
class Source:
    """A backup file and what opens it."""

    path: Path
    passphrase: str | None = None
    key: Key | None = None

    @contextmanager
    def reader(self) -> Iterator[Reader]:
        """The opened file. Raises Trouble where it cannot be read, Damaged, WrongPassphrase."""
        try:
            file = self.path.open("rb")
        except OSError as error:
            raise Trouble(f"{self.path} cannot be read ({error.strerror}).") from None
        with file:
            yield Reader(file, self.passphrase, key=self.key or kept_key())


def check(source: Source) -> Contents:
    """Read a backup to its end and check every byte. Raises Damaged, WrongPassphrase, MadeByNewer."""
    with source.reader() as reader:
        _refuse_newer(reader)
        names = [name for name, _content in reader.entries()]
        return Contents(
            made_at=dt.datetime.fromisoformat(reader.head["made_at"]),
            version=str(reader.head["version"]),
            is_sealed=bool(reader.head["sealed"]),
            media=tuple(name.removeprefix(MEDIA) for name in names if name.startswith(MEDIA)),
            has_secret=SECRET in names,
        )


def _refuse_newer(reader: Reader) -> None:
    loader = MigrationLoader(None, ignore_no_migrations=True)
    known: dict[str, list[str]] = {}
    for app, name in {*(loader.disk_migrations or ()), *loader.graph.nodes}:
        known.setdefault(app, []).append(name)
    for (app, _name), node in (loader.disk_migrations or {}).items():
        known[app] += [replaced for _app, replaced in node.replaces]
    unknown = unknown_migrations(reader.head["schema"], known)
    if unknown:
        raise MadeByNewer(
            f"This backup was made by a newer Hearthbook, {reader.head['version']} (it knows {unknown[-1]}):"
            " update this one first."
        )


def dump_of(source: Source) -> Iterator[bytes]:
    """The database's dump in a backup that was checked before, piece by piece."""
    with source.reader() as reader:
        for name, content in reader.entries():
            if name == DUMP:
                yield from content
                return
    raise Trouble("This backup holds no database.")


def files_of(source: Source) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Every media file in a backup that was checked before, and the secret key where it holds one."""
    with source.reader() as reader:
        for name, content in reader.entries():
            if name.startswith(MEDIA) or name == SECRET:
                yield name, content
