"""Many rows at once: PostgreSQL's COPY with every trigger and constraint on."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.db import connection, models

from memory.models import JournalWriter
from memory.models.journal import HOME_DEVICE

IDS_AT_ONCE = 2_000


def copy_rows(model: type[models.Model], rows: Sequence[Mapping[str, Any]]) -> int:
    """Copy rows of {attribute: value} into the model's table, all with the attributes of the first."""
    if not rows:
        return 0
    fields = [_field(model, name) for name in rows[0]]
    columns = ", ".join(f'"{field.column}"' for field in fields)
    is_json = [isinstance(field, models.JSONField) for field in fields]
    with (
        connection.cursor() as cursor,
        cursor.copy(f'COPY "{model._meta.db_table}" ({columns}) FROM STDIN') as copy,
    ):
        for row in rows:
            copy.write_row([_text(value, one) for value, one in zip(row.values(), is_json, strict=True)])
    return len(rows)


def _field(model: type[models.Model], attribute: str) -> models.Field[Any, Any]:
    return next(field for field in model._meta.concrete_fields if field.attname == attribute)


def _text(value: Any, is_json: bool) -> Any:
    return json.dumps(value, ensure_ascii=False) if is_json and value is not None else value


def new_ids(model: type[models.Model]) -> Iterator[int]:
    """Numbers from the table's own sequence, taken some thousands at a time."""
    name = model._meta.pk.column if model._meta.pk else "id"
    while True:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT nextval(pg_get_serial_sequence(%s, %s)) FROM generate_series(1, %s)",
                [model._meta.db_table, name, IDS_AT_ONCE],
            )
            yield from [number for (number,) in cursor.fetchall()]


def take_seqs(count: int, *, device: str = HOME_DEVICE) -> range:
    """The writer's next numbers, `count` of them; its row stays locked to the end of the transaction."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {JournalWriter._meta.db_table} AS w (device, next_seq) VALUES (%s, %s)"  # noqa: S608
            " ON CONFLICT (device) DO UPDATE SET next_seq = w.next_seq + excluded.next_seq"
            " RETURNING next_seq",
            [device, count],
        )
        after = int(cursor.fetchone()[0])
    return range(after - count, after)


def make_partitions(days: Iterable[dt.date]) -> None:
    """Make the journal's partitions that hold these days."""
    with connection.cursor() as cursor:
        for month in sorted({day.replace(day=1) for day in days}):
            cursor.execute("SELECT memory_words_partition(%s::date)", [month])


def analyse(*tables: type[models.Model]) -> None:
    """Let the planner know what was copied."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE " + ", ".join(f'"{model._meta.db_table}"' for model in tables))
