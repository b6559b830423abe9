"""Documents of a body: read by the rules' own reader, bounded, refused with the path of the field."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from household.wire import invalid, list_of
from memory.rules.merge import ChatSession, Invalid, Memory, SoftAction, Tombstone, from_json
from memory.rules.merge.bounds import check_memory, check_session, check_tombstone

T = TypeVar("T")
MOST_ITEMS = 500


def memories_in(sent: Mapping[str, Any]) -> tuple[Memory, ...]:
    """The memories of a body. Raises Problem."""
    return _read(sent, "memories", Memory, check_memory)


def tombstones_in(sent: Mapping[str, Any]) -> tuple[Tombstone, ...]:
    """The tombstones of a body. Raises Problem."""
    return _read(sent, "tombstones", Tombstone, check_tombstone)


def soft_actions_in(sent: Mapping[str, Any]) -> tuple[SoftAction, ...]:
    """The soft actions of a body. Raises Problem."""
    return _read(sent, "soft_actions", SoftAction, lambda _one, _path: None)


def sessions_in(sent: Mapping[str, Any]) -> tuple[ChatSession, ...]:
    """The conversations of a body. Raises Problem."""
    return _read(sent, "sessions", ChatSession, check_session)


def _read(
    sent: Mapping[str, Any], name: str, kind: type[T], check: Callable[[T, str], None]
) -> tuple[T, ...]:
    found = []
    for at, item in enumerate(list_of(sent, name, most=MOST_ITEMS)):
        path = f"{name}[{at}]"
        try:
            document = from_json(kind, item, path)
            check(document, path)
        except Invalid as error:
            raise invalid(error.path, error.why) from None
        found.append(document)
    return tuple(found)
