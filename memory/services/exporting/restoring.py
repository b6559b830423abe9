"""Reading an export back into a household: every subject whole, or nothing at all."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import uuid
import zipfile
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import IO, Any, cast

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import connection, models, transaction

from household.models import Membership, Person
from household.rules.names import name_key
from memory.models import JournalLine, JournalWriter
from memory.rules.exporting import FORMAT, TABLES, VERSION, Exported
from memory.services.exporting.rows import model_of, read_back
from memory.services.journal import make_partitions_ahead
from twin.models import Subject

MOST_BYTES = 4 * 1024 * 1024 * 1024  # of one member, unpacked
BATCH = 500


class NotAnExport(ValueError):
    """The file is no export of this house's kind; `code` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class AlreadyHere(ValueError):
    """A subject of the export is in this household."""


@dataclass
class Numbers:
    """Which number a row has here, by table and by the number it had."""

    known: dict[str, dict[Any, Any]] = field(default_factory=dict)

    def here(self, label: str, old: Any) -> Any:
        """The number here; of a table that is not in the export there is none."""
        return None if old is None else self.known.get(label, {}).get(old)


@transaction.atomic
def restore_export(file: IO[bytes], *, person: Person, now: dt.datetime) -> list[Subject]:
    """Read an export back, with `person` as a parent of every subject. Raises NotAnExport, AlreadyHere."""
    try:
        with zipfile.ZipFile(file) as archive:
            manifest = _manifest(archive)
            stored = _write_files(archive, manifest)
            try:
                return _restore(archive, person, now=now)
            except BaseException:
                for name in stored:
                    default_storage.delete(name)
                raise
    except (zipfile.BadZipFile, KeyError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise NotAnExport(type(error).__name__) from None


def _manifest(archive: zipfile.ZipFile) -> dict[str, Any]:
    said = json.loads(archive.read("manifest.json"))
    if not isinstance(said, dict) or said.get("format") != FORMAT:
        raise NotAnExport("other_format")
    if said.get("version") != VERSION:
        raise NotAnExport("newer_version")
    return said


def _write_files(archive: zipfile.ZipFile, manifest: Mapping[str, Any]) -> list[str]:
    """The original files under their names; those that are here already stay. Raises NotAnExport."""
    written = []
    for name, digest in manifest["files"].items():
        if not _is_plain(name):
            raise NotAnExport("bad_name")
        content = archive.read(f"files/{name}")
        if hashlib.sha256(content).hexdigest() != digest:
            raise NotAnExport("broken_file")
        if not default_storage.exists(name):
            written.append(default_storage.save(name, ContentFile(content)))
    return written


def _is_plain(name: str) -> bool:
    parts = name.split("/")
    return 1 <= len(parts) <= 3 and all(
        part and part not in (".", "..") and part.replace("-", "").replace("_", "").replace(".", "").isalnum()
        for part in parts
    )


def _restore(archive: zipfile.ZipFile, person: Person, *, now: dt.datetime) -> list[Subject]:
    said = {table.label: _rows(archive, table.label) for table in TABLES}
    if Subject.objects.filter(gid__in=[one["gid"] for one in said["twin.Subject"]]).exists():
        raise AlreadyHere
    numbers = Numbers({"household.Person": _people(_rows(archive, "household.Person"))})
    for table in TABLES:
        numbers.known[table.label] = _numbers(model_of(table), said[table.label], numbers)
    _make_partitions(said["memory.JournalWords"], now)
    for table in TABLES:
        if table.label == "memory.JournalLine":
            _insert_lines(said[table.label], numbers)
        else:
            _insert(table, said[table.label], numbers)
    subjects = list(Subject.objects.filter(pk__in=numbers.known["twin.Subject"].values()).order_by("pk"))
    for one in subjects:
        if not Membership.objects.live(now).filter(subject=one, person=person, role="parent").exists():
            Membership.objects.create(person=person, subject=one, role="parent", starts_at=now)
    return subjects


def _rows(archive: zipfile.ZipFile, label: str) -> list[dict[str, Any]]:
    info = archive.getinfo(f"data/{label}.json")
    if info.file_size > MOST_BYTES:
        raise NotAnExport("too_large")
    rows = json.loads(archive.read(info))
    if not isinstance(rows, list) or not all(isinstance(one, dict) for one in rows):
        raise NotAnExport("not_rows")
    return rows


def _people(rows: Collection[Mapping[str, Any]]) -> dict[Any, Any]:
    """Who lives here by the same identity, else by the same name; others become names that cannot enter."""
    found: dict[Any, Any] = {}
    for row in rows:
        same = Person.objects.filter(gid=row["gid"]).first()
        same = same or Person.objects.filter(name_key=name_key(row["name"])).first()
        if same is None:
            same = Person.objects.create_user(row["name"], None, gid=row["gid"], language=row["language"])
        found[row["id"]] = same.pk
    return found


def _numbers(
    model: type[models.Model], rows: Collection[Mapping[str, Any]], numbers: Numbers
) -> dict[Any, Any]:
    """The number each row gets: its own where no other row has one of them, else new ones."""
    key = _key(model)
    old = [row[key.attname] for row in rows]
    if key.is_relation:
        label: str = key.related_model._meta.label
        return {one: numbers.here(label, one) for one in old}
    if not model._base_manager.filter(pk__in=old).exists():
        return {one: one for one in old}
    if not isinstance(key, (models.AutoField, models.BigAutoField)):
        raise AlreadyHere
    return dict(zip(old, _new_numbers(model, len(old)), strict=True))


def _target(column: Any) -> str:
    return str(column.related_model._meta.label)


def _key(model: type[models.Model]) -> Any:
    return model._meta.pk


def _new_numbers(model: type[models.Model], count: int) -> list[int]:
    table, column = model._meta.db_table, _key(model).column
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT nextval(pg_get_serial_sequence(%s, %s)) FROM generate_series(1, %s)",
            [table, column, count],
        )
        return [int(one) for (one,) in cursor.fetchall()]


def _insert(table: Exported, rows: Collection[dict[str, Any]], numbers: Numbers) -> None:
    model = model_of(table)
    made = [read_back(model, dict(_moved(model, row, numbers))) for row in rows]
    model._base_manager.bulk_create(made, batch_size=BATCH)
    _move_sequence(model)


def _insert_lines(rows: Collection[dict[str, Any]], numbers: Numbers) -> None:
    """Lines of the journal, in the order they came; their positions are this house's.

    A writer whose name writes here already gets another name, so that no two lines are one.
    """
    ordered = sorted(rows, key=lambda row: int(row["position"]))
    writers = {str(row["device"]) for row in ordered}
    taken = set(JournalWriter.objects.filter(device__in=writers).values_list("device", flat=True))
    taken |= set(JournalLine.objects.filter(device__in=writers).values_list("device", flat=True))
    names = {one: f"{one[:100]}~{uuid.uuid4().hex[:8]}" if one in taken else one for one in writers}
    made: list[JournalLine] = []
    next_seq: Counter[str] = Counter()
    for row in ordered:
        values = {**dict(_moved(JournalLine, row, numbers)), "device": names[row["device"]]}
        del values["position"]
        made.append(cast(JournalLine, read_back(JournalLine, values)))
        next_seq[values["device"]] = max(next_seq[values["device"]], int(row["seq"]) + 1)
    JournalLine.objects.bulk_create(made, batch_size=BATCH)
    old = [row["position"] for row in ordered]
    numbers.known["memory.JournalLine"] = dict(zip(old, (one.pk for one in made), strict=True))
    JournalWriter.objects.bulk_create(
        JournalWriter(device=device, next_seq=seq) for device, seq in sorted(next_seq.items())
    )


def _moved(model: type[models.Model], row: Mapping[str, Any], numbers: Numbers) -> Iterator[tuple[str, Any]]:
    """A row with the numbers of this house."""
    for one in model._meta.concrete_fields:
        if one.attname not in row:
            continue
        value = row[one.attname]
        if one.is_relation:
            value = numbers.here(_target(one), value)
        elif one.primary_key:
            value = numbers.here(model._meta.label, value)
        yield one.attname, value


def _move_sequence(model: type[models.Model]) -> None:
    """Let the next new row come after those that were read back."""
    key = _key(model)
    if not isinstance(key, (models.AutoField, models.BigAutoField)):
        return
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT setval(pg_get_serial_sequence(%s, %s), greatest("  # noqa: S608 - names of our own
            f"(SELECT max({key.column}) FROM {model._meta.db_table}),"
            f" nextval(pg_get_serial_sequence(%s, %s))))",
            [model._meta.db_table, key.column] * 2,
        )


def _make_partitions(rows: Collection[Mapping[str, Any]], now: dt.datetime) -> None:
    """The journal's words lie by the month they arrived in."""
    months = {str(row["arrived_on"])[:7] for row in rows}
    for month in sorted(months):
        make_partitions_ahead(now=dt.datetime.fromisoformat(f"{month}-01T12:00:00+00:00"), months=0)
