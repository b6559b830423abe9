"""Putting a backup in place of what the box holds; forgetting again is the caller's part."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from django.conf import settings
from django.core.files.storage import default_storage
from django.db import connections

from household.box import places
from household.box.trouble import Trouble
from household.services.backups import scratch, tools
from household.services.backups.making import MEDIA, SECRET, media_names
from household.services.backups.reading import Contents, Source, check, dump_of, files_of
from household.services.backups.tools import Database


def put_in_place(source: Source) -> Contents:
    """Replace database and media by those of a backup, which is checked whole before. Raises Trouble.

    Nothing is changed where the file is damaged, sealed with another passphrase or made by a newer build; a
    stop half-way leaves the household that was there. The caller has the box to itself.
    """
    contents = check(source)
    _write_files(source)
    if scratch.is_embedded():
        with scratch.scratch_database() as database:
            tools.load(database, dump_of(source))
            _bring_up_to_date(database)
            scratch.take_place(str(database["NAME"]))
    else:
        tools.replace(scratch.owner_database(), dump_of(source), drops=scratch.drops())
        connections.close_all()
        _bring_up_to_date(scratch.owner_database())
    _drop_other_media(contents)
    return contents


def _write_files(source: Source) -> None:
    """Put the backup's media beside what is there: names are never reused, so nothing is overwritten."""
    for name, content in files_of(source):
        if name == SECRET:
            _keep_secret(b"".join(content))
        else:
            _write_media(name.removeprefix(MEDIA), content)


def _write_media(name: str, content: Iterator[bytes]) -> None:
    body = b"".join(content)
    if default_storage.exists(name):
        with default_storage.open(name, "rb") as held:
            if held.read() == body:
                return
        default_storage.delete(name)
    written = default_storage.save(name, BytesIO(body))
    if written != name:
        default_storage.delete(written)
        raise Trouble("A media file of this backup has a name that cannot be written here.")


def _keep_secret(secret: bytes) -> None:
    path: Path = settings.HOME / SECRET
    part = path.with_suffix(".restored")
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(secret)
    part.replace(path)


def _drop_other_media(contents: Contents) -> None:
    for name in set(media_names()) - set(contents.media):
        default_storage.delete(name)


def _bring_up_to_date(database: Database) -> None:
    """Run `prepare` on a restored database, as every start does: migrations, policies, rights."""
    env = {**os.environ, "DJANGO_SETTINGS_MODULE": "household.settings", "HEARTHBOOK_ROLE": "owner"}
    if scratch.is_embedded():
        env["OWNER_DATABASE_URL"] = scratch.url_of(database, places.OWNER)
        env["DATABASE_URL"] = scratch.url_of(database, places.WEB)
    done = subprocess.run(
        [sys.executable, "-m", "household.box.prepare"],
        env=env,
        cwd=places.CHECKOUT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        lines = done.stderr.strip().splitlines()
        raise Trouble(lines[-1] if lines else "The restored database could not be brought up to date.")


def require_quiet() -> None:
    """Refuse to restore beside a running box. Raises Trouble."""
    if scratch.is_embedded() and os.environ.get(places.BORROWED) != "yes":
        raise Trouble("Hearthbook is running: stop it first, then restore.")
