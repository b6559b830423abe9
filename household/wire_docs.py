"""How the wire's bodies and answers look in OpenAPI, made from the documents themselves."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import date
from typing import Any

MOST = 2**53 - 1
IDENTITY = {"type": "string", "pattern": "^[A-Za-z0-9._:-]{1,120}$"}
MAYBE_IDENTITY = {"type": "string", "pattern": "^[A-Za-z0-9._:-]{0,120}$"}
COUNT = {"type": "integer", "minimum": 0, "maximum": MOST}
TEXT = {"type": "string"}
PLAIN: Mapping[Any, dict[str, Any]] = {
    int: COUNT,
    bool: {"type": "boolean"},
    bytes: {"type": "string", "format": "byte"},
    date: {"type": "string", "format": "date"},
}
PROBLEM = {
    "type": "object",
    "required": ["type", "title", "status", "code", "detail", "server_ms"],
    "properties": {
        "type": TEXT,
        "title": TEXT,
        "status": {"type": "integer"},
        "code": TEXT,
        "detail": TEXT,
        "path": TEXT,
        "server_ms": COUNT,
    },
}


def schema_of(kind: Any, identities: frozenset[str], maybe_empty: frozenset[str]) -> dict[str, Any]:
    """The JSON schema of a document; fields named in `identities` hold identities."""
    hints = typing.get_type_hints(kind)
    properties, required = {}, []
    for one in fields(kind):
        if one.name in identities:
            item: dict[str, Any] = MAYBE_IDENTITY if one.name in maybe_empty else IDENTITY
        else:
            item = {}
        properties[one.name] = _schema(hints[one.name], item, identities, maybe_empty)
        if one.default is MISSING and one.default_factory is MISSING:
            required.append(one.name)
    return record(properties, required)


def _schema(
    kind: Any, item: dict[str, Any], identities: frozenset[str], maybe: frozenset[str]
) -> dict[str, Any]:
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin is types.UnionType:
        return {"anyOf": [_schema(inner[0], item, identities, maybe), {"type": "null"}]}
    if origin in {tuple, frozenset}:
        return {"type": "array", "items": _schema(inner[0], item, identities, maybe)}
    if is_dataclass(kind):
        return schema_of(kind, identities, maybe)
    if kind is str:
        return item or TEXT
    return dict(PLAIN.get(kind, {}))


def record(properties: Mapping[str, Any], required: typing.Sequence[str] = ()) -> dict[str, Any]:
    """The schema of an object of these fields and no others."""
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": dict(properties),
        "required": list(required),
    }


def listed(item: Any, most: int | None = None) -> dict[str, Any]:
    """The schema of a list."""
    return {"type": "array", "items": item, **({"maxItems": most} if most else {})}


def described(
    *,
    body: dict[str, Any] | None = None,
    gives: dict[str, Any] | None = None,
    media: str = "application/json",
    takes: str = "application/json",
    status: int = 200,
) -> dict[str, Any]:
    """What an operation takes and gives, for ninja's `openapi_extra`; refusals are problem JSON."""
    success: dict[str, Any] = {"description": "Done"}
    if gives is not None:
        opened = {**gives, "properties": {**gives.get("properties", {}), "server_ms": COUNT}}
        success["content"] = {media: {"schema": opened if gives.get("type") == "object" else gives}}
    said: dict[str, Any] = {
        "responses": {
            status: success,
            "default": {
                "description": "Refused",
                "content": {"application/problem+json": {"schema": PROBLEM}},
            },
        }
    }
    if body is not None:
        said["requestBody"] = {"required": True, "content": {takes: {"schema": body}}}
    return said
