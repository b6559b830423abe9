"""Documents as JSON and back: one spelling on the wire, strict about what comes in."""

import base64
import binascii
import re
import types
import typing
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from datetime import date
from functools import cache
from typing import Any, TypeVar

from household.rules.registers import Register
from household.rules.text import sanitise
from memory.rules.merge.documents import Memory
from memory.rules.merge.memories import normal

T = TypeVar("T")
MOST = 2**53 - 1
IDENTITY = re.compile(r"[A-Za-z0-9._:-]{1,120}")
# Fields that hold identities, so no words can hide there; those of MAYBE_EMPTY may be empty.
IDENTITIES = frozenset(
    {"gid", "id", "name", "device", "turn", "turns", "pictures", "scrubbed", "cover_picture", "model"}
)
MAYBE_EMPTY = frozenset({"device", "turn"})


class Invalid(ValueError):
    """Something on the wire is none of the documents; `path` names the field."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"{path}: {why}")
        self.path = path
        self.why = why


def to_json(document: Any) -> Any:
    """A document as JSON values: sets sorted, bytes as base64, days as ISO dates."""
    if isinstance(document, Register):  # its value is JSON already, objects included
        return {f.name: getattr(document, f.name) for f in fields(document)}
    if is_dataclass(document):
        return {f.name: to_json(getattr(document, f.name)) for f in fields(document)}
    if isinstance(document, Mapping):
        return [to_json(item) for _, item in sorted(document.items())]
    if isinstance(document, frozenset):
        return [to_json(item) for item in sorted(document)]
    if isinstance(document, tuple):
        return [to_json(item) for item in document]
    if isinstance(document, bytes):
        return base64.b64encode(document).decode()
    return document.isoformat() if isinstance(document, date) else document


def from_json(kind: type[T], value: Any, path: str = "") -> T:
    """The document `kind` that JSON values spell, in its normal form and sanitised. Raises Invalid."""
    found = _read(kind, value, path or kind.__name__.lower())
    return typing.cast(T, normal(found) if isinstance(found, Memory) else found)


@cache
def _shape(kind: type) -> dict[str, tuple[Any, Field[Any]]]:
    hints = typing.get_type_hints(kind)
    return {f.name: (hints[f.name], f) for f in fields(kind)}


def _read(kind: Any, value: Any, path: str) -> Any:
    if kind is Any:  # a setting's value, which the rules of settings check
        return value
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin is types.UnionType:
        return None if value is None else _read(inner[0], value, path)
    if origin in {tuple, frozenset}:
        if not isinstance(value, list):
            raise Invalid(path, "a list is expected")
        return origin(_read(inner[0], item, f"{path}[{at}]") for at, item in enumerate(value))
    if is_dataclass(kind):
        return _read_document(kind, value, path)
    return _read_plain(kind, value, path)


def _read_document(kind: Any, value: Any, path: str) -> Any:
    if not isinstance(value, dict):
        raise Invalid(path, "an object is expected")
    shape = _shape(kind)
    for name in value:
        if name not in shape:
            raise Invalid(f"{path}.{sanitise(str(name))[:64]}", "an unknown field")
    for name, (_, spec) in shape.items():
        if name not in value and spec.default is MISSING and spec.default_factory is MISSING:
            raise Invalid(f"{path}.{name}", "a missing field")
    given = {name: _read(shape[name][0], item, f"{path}.{name}") for name, item in value.items()}
    for name in IDENTITIES & given.keys():
        _check_identity(name, given[name], f"{path}.{name}")
    try:
        return kind(**given)
    except ValueError as error:
        raise Invalid(path, str(error)) from None


def _check_identity(name: str, value: Any, path: str) -> None:
    texts = [value] if isinstance(value, str) else value or ()
    for text in texts:
        is_text = isinstance(text, str) and not (name in MAYBE_EMPTY and text == "")
        if is_text and IDENTITY.fullmatch(text) is None:
            raise Invalid(path, "an identity without words is expected")


def _read_plain(kind: Any, value: Any, path: str) -> Any:
    if kind is bool or kind is str:
        if not isinstance(value, kind):
            raise Invalid(path, "true or false is expected" if kind is bool else "a text is expected")
        return sanitise(value) if isinstance(value, str) else value
    if kind is int:
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MOST:
            raise Invalid(path, "a whole number from 0 to 2^53 - 1 is expected")
        return value
    try:
        if kind is bytes:
            return base64.b64decode(value, validate=True)
        return date.fromisoformat(value)
    except (TypeError, ValueError, binascii.Error):
        raise Invalid(path, f"{'base64' if kind is bytes else 'a date'} is expected") from None
