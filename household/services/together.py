"""Several small lists in one round trip: each queryset becomes one JSON array of the same statement.

A page that shows a little of everything would otherwise wait for the database a dozen times.
"""

from __future__ import annotations

import json
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db import connection, models
from django.db.models import QuerySet


def fetch_together(*querysets: QuerySet[Any]) -> list[list[Any]]:
    """The rows of each queryset, in its order, as model instances with their annotations.

    Querysets are of whole rows: no `values`, `only` or `select_related`. Row-level security sees each one as
    it would alone.
    """
    parts: list[str] = []
    params: list[Any] = []
    for queryset in querysets:
        try:
            sql, its_params = queryset.query.sql_with_params()
        except EmptyResultSet:
            sql, its_params = "SELECT 1 WHERE false", ()
        parts.append(f"(SELECT coalesce(jsonb_agg(to_jsonb(row)), '[]') FROM ({sql}) row)")  # noqa: S608
        params += its_params
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(parts)}", params)
        found = cursor.fetchone()
    return [
        [_instance(queryset, row) for row in _read(rows)]
        for queryset, rows in zip(querysets, found, strict=True)
    ]


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
