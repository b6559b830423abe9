"""An import from the first upload to the moment it is asked for: files kept aside, choices remembered."""

from __future__ import annotations

import datetime as dt
import io
import uuid
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction

from household.models import Person
from household.services.jobs import ask_job
from twin.models import ImportBatch, ImportChild
from twin.rules.importing.babybuddy import Child, Found, Problem, Settings, read_table
from twin.rules.importing.bundle import Sheet, Upload, children_of, read_sheets, tag_names, unpack
from twin.rules.importing.mapping import ColumnMap, mapped, sheet_key
from twin.rules.importing.units import Units

FOLDER = "imports"
KIND = "import"  # of the job
LEFT_AFTER = dt.timedelta(days=1)  # files of an import nobody asked for are erased
NEW, LEAVE = "new", ""


class AlreadyAsked(ValueError):
    """The import was asked for, or is over: its choices stand."""


@dataclass(frozen=True)
class Contents:
    """What the files of an import say under its choices."""

    sheets: tuple[Sheet, ...]
    children: tuple[Child, ...]
    found: tuple[Found, ...]
    problems: tuple[Problem, ...]


def begin_import(*, person: Person, uploads: Sequence[Upload], kind: str, now: dt.datetime) -> ImportBatch:
    """Keep the files aside until the person has chosen. Raises bundle.Refused."""
    files = unpack(uploads)
    read_sheets(files)
    name = default_storage.save(f"{FOLDER}/{uuid.uuid4().hex}", ContentFile(_packed(files)))
    return ImportBatch.objects.create(author=person, kind=kind, stored=[name], created_at=now)


def sheets_of(batch: ImportBatch) -> tuple[Sheet, ...]:
    """The files of an import that is not over, as tables."""
    files: list[Upload] = []
    for name in batch.stored:
        with default_storage.open(name, "rb") as file:
            files.append(Upload(name, file.read()))
    said = batch.choices.get("tables", {})
    return tuple(
        mapped(one, ColumnMap(**said[sheet_key(one)])) if sheet_key(one) in said else one
        for one in read_sheets(unpack(files))
    )


def contents_of(batch: ImportBatch) -> Contents:
    """What the files say, in the zone and units that were chosen."""
    sheets = sheets_of(batch)
    children = children_of(sheets)
    settings = Settings(
        zone=batch.choices.get("zone", "UTC"),
        units=Units(**batch.choices.get("units", {})),
        tags=tag_names(sheets),
        children=children,
    )
    found: list[Found] = []
    problems: list[Problem] = []
    for sheet in sheets:
        if sheet.table is not None and sheet.table.name not in ("child", "tag"):
            rows, wrong = read_table(sheet.table.name, sheet.rows, file=sheet.file, settings=settings)
            found += rows
            problems += wrong
    return Contents(sheets, tuple(dict.fromkeys(children.values())), tuple(found), tuple(problems))


def remembered(person: Person, children: Sequence[Child]) -> Mapping[str, int]:
    """Which subjects these children were the last time this person said so."""
    rows = ImportChild.objects.filter(author=person, source__in=[one.source for one in children])
    return dict(rows.values_list("source", "subject_id"))


@transaction.atomic
def choose(*, batch_id: int, choices: Mapping[str, Any]) -> ImportBatch:
    """Remember the zone, the units and who is who. Raises AlreadyAsked."""
    batch = ImportBatch.objects.select_for_update(no_key=True).get(pk=batch_id)
    if batch.state != "open":
        raise AlreadyAsked
    batch.choices = {**batch.choices, **choices}
    batch.save(update_fields=["choices"])
    return batch


@transaction.atomic
def name_columns(*, batch_id: int, sheet: Sheet, said: ColumnMap) -> ImportBatch:
    """Remember what a table is and what its columns are; who is who is asked anew. Raises AlreadyAsked."""
    batch = ImportBatch.objects.select_for_update(no_key=True).get(pk=batch_id)
    if batch.state != "open":
        raise AlreadyAsked
    column_map = {"table": said.table, "columns": dict(said.columns), "order": said.order}
    batch.choices = {"tables": {**batch.choices.get("tables", {}), sheet_key(sheet): column_map}}
    batch.save(update_fields=["choices"])
    return batch


@transaction.atomic
def ask_import(*, batch_id: int, now: dt.datetime, wake: Any = None) -> ImportBatch:
    """Let the worker bring it in; asked twice it is one. Raises AlreadyAsked before anything was chosen."""
    batch = ImportBatch.objects.select_for_update(no_key=True).get(pk=batch_id)
    if batch.state == "open" and "zone" not in batch.choices:
        raise AlreadyAsked
    if batch.state == "open":
        batch.state = "waiting"
        batch.save(update_fields=["state"])
        ask_job(kind=KIND, target=str(batch.pk), now=now, wake=wake)
    return batch


def erase_files(batch: ImportBatch) -> None:
    """Erase the files kept aside; what could not be erased stays named, and is tried again by the sweep."""
    left = []
    for name in batch.stored:
        try:
            default_storage.delete(name)
        except OSError:
            left.append(name)
    batch.stored = left
    batch.save(update_fields=["stored"])


def sweep_imports(*, now: dt.datetime) -> int:
    """Drop imports that were begun and left, and files that outlived theirs. Gives how many."""
    count = 0
    for batch in ImportBatch.objects.exclude(state="waiting").exclude(stored=[]):
        if batch.state != "open" or batch.created_at < now - LEFT_AFTER:
            erase_files(batch)
            count += 1
            if batch.state == "open":
                batch.delete()
    return count


def _packed(files: Sequence[Upload]) -> bytes:
    """The files as one archive, each under a name of its own."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, one in enumerate(files):
            name = one.name.replace("\\", "/").rsplit("/", 1)[-1] or "table"
            archive.writestr(
                f"{number}/{name if name.casefold().endswith('.csv') else name + '.csv'}", one.content
            )
    return buffer.getvalue()
