"""Documents as JSON and back: one spelling on the wire, strict about what comes in."""

import base64
import binascii
import re
import types
import typing
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
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
AS_THEY_ARE = frozenset({str, int, float, bool, type(None)})


class Invalid(ValueError):
    """Something on the wire is none of the documents; `path` names the field."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"{path}: {why}")
        self.path = path
        self.why = why


def to_json(document: Any) -> Any:
    """A document as JSON values: sets sorted, bytes as base64, days as ISO dates."""
    kind: Any = type(document)
    if kind in AS_THEY_ARE:
        return document
    names = _names(kind)
    if names and isinstance(document, Register):  # its value is JSON already, objects included
        return {name: getattr(document, name) for name in names}
    if names:
        return {name: to_json(getattr(document, name)) for name in names}
    if isinstance(document, Mapping):
        return [to_json(item) for _, item in sorted(document.items())]
    if isinstance(document, frozenset):
        return [to_json(item) for item in sorted(document)]
    if isinstance(document, tuple):
        return [to_json(item) for item in document]
    if isinstance(document, bytes):
        return base64.b64encode(document).decode()
    return document.isoformat() if isinstance(document, date) else document


@cache
def _names(kind: Any) -> tuple[str, ...]:
    """The fields of a kind of document, none where it is no document."""
    return tuple(one.name for one in fields(kind)) if is_dataclass(kind) else ()


def from_json(kind: type[T], value: Any, path: str = "") -> T:
    """The document `kind` that JSON values spell, in its normal form and sanitised. Raises Invalid."""
    found = _read(kind, value, path or kind.__name__.lower())
    return typing.cast(T, normal(found) if isinstance(found, Memory) else found)


@cache
def _shape(kind: type) -> tuple[dict[str, Any], tuple[str, ...]]:
    """What each field of a kind of document holds, and the fields that must be there."""
    hints = typing.get_type_hints(kind)
    needed = [f.name for f in fields(kind) if f.default is MISSING and f.default_factory is MISSING]
    return {f.name: hints[f.name] for f in fields(kind)}, tuple(needed)


@cache
def _form(kind: Any) -> tuple[Any, Any]:
    """How a kind is read: a union or a collection with what is in it, a document, or a value of its own."""
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in {types.UnionType, tuple, frozenset}:
        return origin, inner[0]
    return (dict, None) if is_dataclass(kind) else (None, None)


def _read(kind: Any, value: Any, path: str) -> Any:
    if kind is str and type(value) is str:
        return sanitise(value)
    if kind is Any:  # a setting's value, which the rules of settings check
        return value
    form, inner = _form(kind)
    if form is types.UnionType:
        return None if value is None else _read(inner, value, path)
    if form is dict:
        return _read_document(kind, value, path)
    if form is None:
        return _read_plain(kind, value, path)
    if not isinstance(value, list):
        raise Invalid(path, "a list is expected")
    return form(_read(inner, item, f"{path}[{at}]") for at, item in enumerate(value))


def _read_document(kind: Any, value: Any, path: str) -> Any:
    if not isinstance(value, dict):
        raise Invalid(path, "an object is expected")
    shape, needed = _shape(kind)
    for name in value:
        if name not in shape:
            raise Invalid(f"{path}.{sanitise(str(name))[:64]}", "an unknown field")
    for name in needed:
        if name not in value:
            raise Invalid(f"{path}.{name}", "a missing field")
    given = {name: _read(shape[name], item, f"{path}.{name}") for name, item in value.items()}
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
