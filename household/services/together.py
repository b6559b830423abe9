"""Several small lists in one round trip: each queryset becomes one JSON array of the same statement.

A page that shows a little of everything would otherwise wait for the database a dozen times.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db import connection, models
from django.db.models import QuerySet

from household.prepared import Given

SHAPES = 16


@dataclass(frozen=True)
class Part:
    """A queryset with its SQL, made once; a `Given` among its parameters is still to be filled."""

    queryset: QuerySet[Any]
    sql: str
    params: tuple[Any, ...]

    def filled(self, values: dict[str, Any]) -> Part:
        """The same with these values."""
        params = tuple(values[one.name] if isinstance(one, Given) else one for one in self.params)
        return Part(self.queryset, self.sql, params)


class MadeOnce:
    """Lists of a function from values to querysets, whose SQL is made at its first use."""

    def __init__(self, build: Callable[..., Sequence[QuerySet[Any]]]) -> None:
        self.build = build
        self.made = lru_cache(SHAPES)(self._make)

    def parts(self, **values: Any) -> list[Part]:
        """What `fetch_together` takes, with these values."""
        return [one.filled(values) for one in self.made(frozenset(values))]

    def _make(self, names: frozenset[str]) -> list[Part]:
        return [_part(one) for one in self.build(**{name: Given(name) for name in names})]


def made_once(build: Callable[..., Sequence[QuerySet[Any]]]) -> MadeOnce:
    """Make the SQL of querysets once, with a `Given` for each value by name."""
    return MadeOnce(build)


def fetch_together(*lists: QuerySet[Any] | Part) -> list[list[Any]]:
    """The rows of each queryset, in its order, as model instances with their annotations.

    Querysets are of whole rows: no `values`, `only` or `select_related`. Row-level security sees each one as
    it would alone.
    """
    parts = [one if isinstance(one, Part) else _part(one) for one in lists]
    arrays = [f"(SELECT coalesce(jsonb_agg(to_jsonb(row)), '[]') FROM ({one.sql}) row)" for one in parts]  # noqa: S608
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(arrays)}", [value for one in parts for value in one.params])
        found = cursor.fetchone()
    return [
        [_instance(part.queryset, row) for row in _read(rows)]
        for part, rows in zip(parts, found, strict=True)
    ]


def _part(queryset: QuerySet[Any]) -> Part:
    try:
        sql, params = queryset.query.sql_with_params()
    except EmptyResultSet:
        sql, params = "SELECT 1 WHERE false", ()
    return Part(queryset, sql, tuple(params))


def _read(rows: Any) -> Any:
    """Django hands jsonb over as text, so that each field may choose its decoder."""
    return json.loads(rows) if isinstance(rows, str) else rows


def _instance(queryset: QuerySet[Any], row: dict[str, Any]) -> models.Model:
    fields = queryset.model._meta.concrete_fields
    values = [_python(field, row[field.column]) for field in fields]
    made: models.Model = queryset.model.from_db(queryset.db, [field.attname for field in fields], values)
    for name in queryset.query.annotation_select:
        setattr(made, name, row[name])
    return made


def _python(field: Any, value: Any) -> Any:
    return None if value is None else getattr(field, "output_field", field).to_python(value)
