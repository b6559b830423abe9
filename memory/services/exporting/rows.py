"""Rows of any table as JSON, and back: what the database makes itself is left out."""

from __future__ import annotations

import datetime as dt
import decimal
import json
import uuid
from collections.abc import Collection, Iterator
from typing import Any

from django.apps import apps
from django.db import models
from django.db.models import Q

from household.models import Person
from memory.rules.exporting import Exported


def model_of(table: Exported) -> type[models.Model]:
    """The model of a table's label."""
    return apps.get_model(table.label)


def columns_of(model: type[models.Model]) -> list[Any]:
    """The columns of a model that a family's rows fill."""
    return [one for one in model._meta.concrete_fields if not one.generated]


def rows_of(table: Exported, *, subjects: Collection[int], person: Person) -> models.QuerySet[models.Model]:
    """The rows of these subjects, other people's private ones left out, in a settled order."""
    model = model_of(table)
    rows = model._base_manager.filter(**{f"{table.subject}__in": sorted(subjects)})
    if any(one.name == "is_private" for one in model._meta.concrete_fields):
        rows = rows.filter(Q(is_private=False) | Q(author=person))
    if table.label == "household.Register":
        rows = rows.exclude(key="pin")
    return rows.order_by("pk").distinct() if "__" in table.subject else rows.order_by("pk")


def as_json(row: models.Model, columns: Collection[Any]) -> dict[str, Any]:
    """One row by its columns."""
    return {one.attname: plain(getattr(row, one.attname)) for one in columns}


def plain(value: Any) -> Any:
    """A value as JSON says it."""
    if isinstance(value, dt.datetime):
        return value.astimezone(dt.UTC).isoformat()
    if isinstance(value, (dt.date, dt.time)):
        return value.isoformat()
    if isinstance(value, (uuid.UUID, decimal.Decimal)):
        return str(value)
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    return getattr(value, "name", value) if isinstance(value, models.fields.files.FieldFile) else value


def read_back(model: type[models.Model], said: dict[str, Any]) -> models.Model:
    """A row of what an export says; columns this house does not know are left out."""
    values = {one.attname: _value(one, said[one.attname]) for one in columns_of(model) if one.attname in said}
    return model(**values)


def _value(column: Any, value: Any) -> Any:
    if value is None or isinstance(column, (models.JSONField, models.FileField)):
        return value
    if column.is_relation:
        return column.target_field.to_python(value)
    return column.to_python(value)


def lines(rows: Iterator[dict[str, Any]]) -> Iterator[str]:
    """A JSON list, a row a line."""
    before = "[\n"
    for row in rows:
        yield before + json.dumps(row, ensure_ascii=False, sort_keys=True)
        before = ",\n"
    yield "[]\n" if before == "[\n" else "\n]\n"
