"""The journal's vocabulary: what each event holds, which of it are words, and a line split by that."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any

from household.rules.canonical import canonical
from household.rules.text import sanitise
from memory.rules.merge.wire import IDENTITY, MOST, Invalid

Json = Mapping[str, Any]
Reader = Callable[[Any, str], Any]  # a field's value and its path
CODE = re.compile(r"[a-z_]{1,32}")


class Event(StrEnum):
    """What a line says happened."""

    HEARD = "Heard"
    SAID = "Said"
    MODEL_WROTE = "ModelWrote"
    REMEMBERED = "Remembered"
    RECALLED = "Recalled"
    PUT_AWAY = "PutAway"
    RESTORED = "Restored"
    PICTURE_SEEN = "PictureSeen"
    NOT_REMEMBERED = "NotRemembered"
    FORGOT = "Forgot"
    CLEARED = "Cleared"
    EXPIRED = "Expired"
    TURN_ENDED = "TurnEnded"


class Part(StrEnum):
    """What one field of an event holds; only `words` and the facts of `entries` are words."""

    WORDS = "words"
    IDENTITY = "identity"
    IDENTITIES = "identities"
    ENTRIES = "entries"
    COUNT = "count"
    CODE = "code"


EVENTS: Mapping[Event, Mapping[str, Part]] = {
    Event.HEARD: {"text": Part.WORDS, "pictures": Part.IDENTITIES},
    Event.SAID: {"text": Part.WORDS},
    Event.MODEL_WROTE: {"text": Part.WORDS},
    Event.REMEMBERED: {"gid": Part.IDENTITY, "fact": Part.WORDS},
    Event.RECALLED: {"entries": Part.ENTRIES},
    Event.PUT_AWAY: {"gid": Part.IDENTITY, "fact": Part.WORDS},
    Event.RESTORED: {"gid": Part.IDENTITY, "fact": Part.WORDS},
    Event.PICTURE_SEEN: {"picture": Part.IDENTITY, "description": Part.WORDS},
    Event.NOT_REMEMBERED: {"fact": Part.WORDS, "why": Part.WORDS},
    Event.FORGOT: {"gid": Part.IDENTITY},
    Event.CLEARED: {"lines": Part.COUNT, "older_than_ms": Part.COUNT},
    Event.EXPIRED: {},
    Event.TURN_ENDED: {"how": Part.CODE},
}
WORDED = frozenset(e for e, parts in EVENTS.items() if {Part.WORDS, Part.ENTRIES} & set(parts.values()))
COMMON = frozenset({"event", "at_ms", "turn", "emptied"})
NAMED: Mapping[Any, Event] = {event.value: event for event in Event}


@dataclass(frozen=True)
class Line:
    """One line as it is stored: an envelope without a word, and the words beside it.

    `words` is None for an event that has none and for a line that was emptied.
    """

    envelope: Json
    words: Json | None = None

    @cached_property
    def event(self) -> Event:
        """What happened."""
        return NAMED[self.envelope["event"]]

    @property
    def at_ms(self) -> int:
        """When it happened, by its writer's stamp."""
        return int(self.envelope["at_ms"])

    @property
    def turn(self) -> str:
        """The conversation turn it belongs to, empty for none."""
        return str(self.envelope.get("turn", ""))

    @property
    def is_live(self) -> bool:
        """Whether it still says what happened: all but an expired line do."""
        return self.event != Event.EXPIRED

    @property
    def is_emptied(self) -> bool:
        """Whether it once had words and lost them."""
        return self.event in WORDED and self.words is None

    def is_same(self, other: "Line") -> bool:
        """Whether two lines say the very same."""
        return canonical([self.envelope, self.words]) == canonical([other.envelope, other.words])


def split(value: Any, path: str = "line") -> tuple[dict[str, Any], dict[str, Any] | None]:
    """A line from the wire as its wordless envelope and its words, both sanitised. Raises Invalid."""
    try:
        return _split(value)
    except Invalid as error:  # paths are spelled only where something is wrong
        raise Invalid(f"{path}{error.path}", error.why) from None


def _split(value: Any) -> tuple[dict[str, Any], dict[str, Any] | None]:
    shape = _shape_of(value)
    if not shape.needed <= value.keys() <= shape.known:
        _check_fields(value, shape)
    turn = value.get("turn", "")
    envelope: dict[str, Any] = {
        "event": shape.event,
        "at_ms": _count(value["at_ms"], ".at_ms"),
        "turn": _identity(turn, ".turn") if turn != "" else "",
    }
    words: dict[str, Any] = {}
    for name, path, read, is_words in shape.parts:
        if read is not None:
            (words if is_words else envelope)[name] = read(value[name], path)
        else:
            envelope[name], words[name] = _entries(value[name], path)
    return envelope, words if shape.has_words else None


def read_line(value: Any, path: str = "line") -> Line:
    """A line from the wire. Raises Invalid."""
    return Line(*split(value, path))


def join(line: Line) -> dict[str, Any]:
    """A line as it travels; one that lost its words says so instead."""
    if line.event not in WORDED:
        return dict(line.envelope)
    if line.words is None:
        return {**line.envelope, "emptied": True}
    wire = {**line.envelope, **line.words}
    if "entries" in wire:
        pairs = zip(line.envelope["entries"], line.words["entries"], strict=True)
        wire["entries"] = [{"gid": gid, "fact": fact} for gid, fact in pairs]
    return wire


@dataclass(frozen=True)
class _Shape:
    """What a line of an event holds: the fields it may have and must, and how each of its own is read.

    A part is its name, its path, its reader (none for entries, which are both) and whether it holds words.
    """

    event: str
    known: frozenset[str]
    needed: frozenset[str]
    parts: tuple[tuple[str, str, Reader | None, bool], ...]
    has_words: bool


def _shape(event: Event, parts: Mapping[str, Part], *, has_words: bool) -> _Shape:
    read = [(name, f".{name}", READERS[part], part == Part.WORDS) for name, part in parts.items()]
    return _Shape(
        event.value, COMMON | parts.keys(), frozenset({"at_ms"} | parts.keys()), tuple(read), has_words
    )


def _emptied_parts(event: Event) -> dict[str, Part]:
    """What an emptied line still holds: identities."""
    kept = {name: part for name, part in EVENTS[event].items() if part != Part.WORDS}
    return {name: Part.IDENTITIES if part == Part.ENTRIES else part for name, part in kept.items()}


def _shape_of(value: Any) -> _Shape:
    if not isinstance(value, dict):
        raise Invalid("", "an object is expected")
    name = value.get("event")
    if not isinstance(name, str) or name not in SHAPES:
        raise Invalid(".event", "an unknown event")
    emptied = value.get("emptied", False)
    if emptied is False:
        return SHAPES[name]
    if emptied is not True or name not in EMPTIED_SHAPES:
        raise Invalid(".emptied", "only an event with words can be emptied")
    return EMPTIED_SHAPES[name]


def _check_fields(value: Json, shape: _Shape) -> None:
    if not value.keys() <= shape.known:
        name = next(one for one in value if one not in shape.known)
        raise Invalid(f".{sanitise(str(name))[:64]}", "an unknown field")
    raise Invalid(f".{min(shape.needed - value.keys())}", "a missing field")


def _entries(value: Any, path: str) -> tuple[list[str], list[str]]:
    """The identities and the facts of recalled entries; an emptied line has the identities alone."""
    gids, facts = [], []
    for at, entry in enumerate(_list(value, path)):
        if not isinstance(entry, dict) or entry.keys() != {"gid", "fact"}:
            raise Invalid(f"{path}[{at}]", "an entry of gid and fact is expected")
        gids.append(_identity(entry["gid"], f"{path}[{at}].gid"))
        facts.append(_text(entry["fact"], f"{path}[{at}].fact"))
    return gids, facts


def _identities(value: Any, path: str) -> list[str]:
    return [_identity(item, f"{path}[{at}]") for at, item in enumerate(_list(value, path))]


def _list(value: Any, path: str) -> list[Any]:
    if not isinstance(value, list):
        raise Invalid(path, "a list is expected")
    return value


def _text(value: Any, path: str) -> str:
    if not isinstance(value, str):
        raise Invalid(path, "a text is expected")
    return sanitise(value)


def _count(value: Any, path: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MOST:
        raise Invalid(path, "a whole number from 0 to 2^53 - 1 is expected")
    return value


def _identity(value: Any, path: str) -> str:
    return _matching(IDENTITY, value, path)


def _code(value: Any, path: str) -> str:
    return _matching(CODE, value, path)


def _matching(pattern: re.Pattern[str], value: Any, path: str) -> str:
    if not isinstance(value, str) or pattern.fullmatch(value) is None:
        raise Invalid(path, "an identity without words is expected")
    return value


READERS: Mapping[Part, Reader | None] = {
    Part.WORDS: _text,
    Part.IDENTITY: _identity,
    Part.IDENTITIES: _identities,
    Part.ENTRIES: None,
    Part.COUNT: _count,
    Part.CODE: _code,
}
SHAPES: Mapping[str, _Shape] = {
    event.value: _shape(event, parts, has_words=event in WORDED) for event, parts in EVENTS.items()
}
EMPTIED_SHAPES: Mapping[str, _Shape] = {
    event.value: _shape(event, _emptied_parts(event), has_words=False) for event in WORDED
}
