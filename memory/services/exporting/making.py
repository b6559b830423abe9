"""Making an export: one ZIP with every row as JSON and as CSV, the files, and FHIR of each child."""

from __future__ import annotations

import csv
import datetime as dt
import hashlib
import io
import json
import tempfile
import uuid
import zipfile
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import IO, Any

from django.core.files import File
from django.core.files.storage import default_storage
from django.db import connection, transaction

from household.models import Export, Membership, Person
from household.services.jobs import ask_job
from memory.rules.exporting import FORMAT, PERSON_COLUMNS, TABLES, VERSION, Exported
from memory.rules.fhir import Measured, Patient, bundle
from memory.services.exporting.rows import as_json, columns_of, lines, model_of, plain, rows_of
from memory.services.exporting.withdrawing import OVERTAKEN
from twin.models import Record, Subject
from twin.models.triggers import FORGETTING_LOCK

FOLDER = "exports"
KIND = "export"  # of the job
KEPT_FOR = dt.timedelta(days=1)


class NoParent(ValueError):
    """Somebody who is no parent of a subject asked for it."""


@transaction.atomic
def ask_export(*, person: Person, subjects: Collection[int], now: dt.datetime, wake: Any = None) -> Export:
    """Let the worker make an export; while one of the same is under way it is that one."""
    wanted = sorted(set(subjects))
    row = Export.objects.filter(author=person, subjects=wanted, state="waiting").first()
    row = row or Export.objects.create(author=person, subjects=wanted, created_at=now, all_tables=len(TABLES))
    ask_job(kind=KIND, target=str(row.pk), now=now, wake=wake)
    return row


def make_export(export_id: int, *, now: dt.datetime) -> Export:
    """Make an export that waits. One that fails says so and leaves no file."""
    row = Export.objects.select_related("author").get(pk=export_id)
    if row.state != "waiting":
        return row
    try:
        while not _made(row, now=now):
            pass  # something was forgotten meanwhile: the file held it
    except Exception as error:
        row.state, row.error_code, row.ended_at = "failed", type(error).__name__[:60], now
        row.save(update_fields=["size_bytes", "stored", "state", "error_code", "ended_at"])
        raise
    return row


def _made(row: Export, *, now: dt.datetime) -> bool:
    """Write the file once; False where a forgetting overtook it, which leaves no file."""
    Export.objects.filter(pk=row.pk).update(error_code="")
    with tempfile.TemporaryFile() as file, _progress(row) as tell:
        _write(row, file, tell, now=now)
        size = file.tell()
        file.seek(0)
        stored = default_storage.save(f"{FOLDER}/{uuid.uuid4().hex}", File(file))
    try:
        is_whole = _keep(row, stored, size, now=now)
    except BaseException:
        default_storage.delete(stored)
        raise
    if not is_whole:
        default_storage.delete(stored)
    return is_whole


@transaction.atomic
def _keep(row: Export, stored: str, size: int, *, now: dt.datetime) -> bool:
    """Offer the file, unless a forgetting overtook it; forgetting comes wholly before this or after it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock_shared(%s)", [FORGETTING_LOCK])
    if Export.objects.filter(pk=row.pk, error_code=OVERTAKEN).exists():
        return False
    row.stored, row.size_bytes, row.state, row.error_code, row.ended_at = stored, size, "done", "", now
    row.save(update_fields=["size_bytes", "stored", "state", "error_code", "ended_at"])
    return True


def sweep_exports(*, now: dt.datetime) -> int:
    """Erase files of exports that nobody needs any more. Gives how many."""
    rows = list(Export.objects.filter(state="done", ended_at__lt=now - KEPT_FOR))
    for row in rows:
        default_storage.delete(row.stored)
        row.state, row.stored = "gone", ""
        row.save(update_fields=["state", "stored"])
    return len(rows)


@contextmanager
def _progress(row: Export) -> Iterator[Callable[[int], None]]:
    """Say how many tables are done, by a connection beside the snapshot that is only read."""
    beside = connection.copy()

    def tell(done: int) -> None:
        with beside.cursor() as cursor:
            cursor.execute("UPDATE household_export SET done_tables = %s WHERE id = %s", [done, row.pk])

    try:
        yield tell
    finally:
        beside.close()


def _write(row: Export, file: IO[bytes], tell: Callable[[int], None], *, now: dt.datetime) -> None:
    """Everything as of one instant: one snapshot for all tables. Raises NoParent."""
    with transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        fill(row, file, tell=tell, now=now)


def fill(
    row: Export, file: IO[bytes], *, now: dt.datetime, tell: Callable[[int], None] = lambda _done: None
) -> None:
    """Write the archive as the transaction sees the book. Raises NoParent."""
    _refuse_strangers(row, now)
    counts: dict[str, int] = {}
    files: dict[str, str] = {}
    people: set[int] = set()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for done, table in enumerate(TABLES, start=1):
            counts[table.label] = _write_table(archive, table, row, people, files)
            tell(done)
        archive.writestr("data/household.Person.json", "".join(lines(_people(people))))
        _write_fhir(archive, row.subjects)
        manifest = {
            "format": FORMAT,
            "version": VERSION,
            "made_at": plain(now),
            "subjects": row.subjects,
            "tables": counts,
            "files": files,
        }
        archive.writestr("manifest.json", json.dumps(manifest, indent=1, sort_keys=True))


def _refuse_strangers(row: Export, now: dt.datetime) -> None:
    held = Membership.objects.live(now).filter(person=row.author, role="parent")
    if not set(row.subjects) <= set(held.values_list("subject_id", flat=True)):
        raise NoParent


def _write_table(
    archive: zipfile.ZipFile, table: Exported, row: Export, people: set[int], files: dict[str, str]
) -> int:
    model = model_of(table)
    columns = columns_of(model)
    persons = [one.attname for one in columns if one.is_relation and one.related_model is Person]
    said = [as_json(one, columns) for one in rows_of(table, subjects=row.subjects, person=row.author)]
    for one in said:
        people.update(one[name] for name in persons if one[name] is not None)
        for name in filter(None, (one[column] for column in table.files)):
            _write_file(archive, name, files)
    archive.writestr(f"data/{table.label}.json", "".join(lines(iter(said))))
    archive.writestr(f"csv/{table.label}.csv", _csv(said, [one.attname for one in columns]))
    return len(said)


def _write_file(archive: zipfile.ZipFile, name: str, files: dict[str, str]) -> None:
    if name in files or not default_storage.exists(name):
        return
    with default_storage.open(name, "rb") as file:
        content = file.read()
    files[name] = hashlib.sha256(content).hexdigest()
    archive.writestr(f"files/{name}", content)


def _people(numbers: Collection[int]) -> Any:
    for one in Person.objects.filter(pk__in=sorted(numbers)).order_by("pk"):
        yield {name: plain(getattr(one, name)) for name in PERSON_COLUMNS}


def _csv(rows: list[dict[str, Any]], header: list[str]) -> str:
    """A table for a spreadsheet; a text it would take for a formula gets a quote before it."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer)
    writer.writerow(header)
    writer.writerows([_cell(row[name]) for name in header] for row in rows)
    return buffer.getvalue()


def _cell(value: Any) -> Any:
    if isinstance(value, (dict, list)):
        value = json.dumps(value, ensure_ascii=False, sort_keys=True)
    return f"'{value}" if isinstance(value, str) and value[:1] in "=+-@\t\r" and value else value


def _write_fhir(archive: zipfile.ZipFile, subjects: Collection[int]) -> None:
    for one in Subject.objects.filter(pk__in=list(subjects), species="person").order_by("pk"):
        archive.writestr(f"fhir/{one.gid}.json", json.dumps(fhir_of(one), ensure_ascii=False, indent=1))


def fhir_of(subject: Subject) -> dict[str, Any]:
    """A child's measurements and findings as a FHIR R4 Bundle."""
    patient = Patient(str(subject.gid), subject.name, subject.sex, subject.born_on, subject.born_precision)
    rows = Record.objects.standing().filter(subject=subject, kind__in=("measurement", "symptom"))
    return bundle(
        patient,
        [
            Measured(
                row.rec_id.replace("_", "-"),
                str(row.context.get("what", "")),
                row.context.get("value"),
                row.text or row.category or row.kind,
                row.day or row.started_on,
                row.category or "",
                row.polarity or "",
            )
            for row in rows.order_by("pk")
        ],
    )
