"""The journal in plain language: what each line says, who spoke, which lines belong together."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from memory.models.journal import HOME_DEVICE
from memory.rules.journal import Event
from memory.services.days import HeardLine

# how a turn ended, where it is worth saying
ENDINGS: Mapping[str, Any] = {
    "failed": gettext_lazy("It broke off: the words were kept, the answer was not."),
    "stopped": gettext_lazy("It was stopped."),
    "goodnight": gettext_lazy("The day’s minutes were used up."),
    "quiet": gettext_lazy("It was quiet time."),
}
ICONS: Mapping[Event, str] = {
    Event.HEARD: "person",
    Event.SAID: "speaker",
    Event.MODEL_WROTE: "insights",
    Event.REMEMBERED: "memory",
    Event.RECALLED: "bulb",
    Event.PUT_AWAY: "eye-off",
    Event.RESTORED: "eye",
    Event.PICTURE_SEEN: "camera",
    Event.NOT_REMEMBERED: "close",
    Event.FORGOT: "trash",
    Event.CLEARED: "clock",
    Event.EXPIRED: "clock",
    Event.TURN_ENDED: "info",
}
SPOKEN = frozenset({Event.HEARD, Event.SAID, Event.MODEL_WROTE})


@dataclass(frozen=True)
class ShownLine:
    """One line as the page shows it: what happened, and its words where it has some."""

    icon: str
    what: str
    words: tuple[str, ...] = ()
    is_quote: bool = False
    is_gone: bool = False
    at: dt.datetime | None = None
    pictures: tuple[str, ...] = ()


@dataclass(frozen=True)
class Turn:
    """The lines of one turn, or one line that belongs to none; `turn` is empty where it cannot be named."""

    turn: str
    at: dt.datetime
    about: str
    lines: tuple[ShownLine, ...]


def moment(at_ms: int) -> dt.datetime:
    """A stamp as a moment."""
    return dt.datetime.fromtimestamp(at_ms / 1000, tz=dt.UTC)


def turns_of(lines: Iterable[HeardLine]) -> list[Turn]:
    """A day's lines, each turn whole at the place it began; expired lines side by side are told as one."""
    groups: dict[object, list[HeardLine]] = {}
    for number, line in enumerate(lines):
        groups.setdefault(_group_of(line, number), []).append(line)
    return [_turn(group) for group in _together(list(groups.values()))]


def _group_of(line: HeardLine, number: int) -> object:
    return line.turn or number


def _together(groups: list[list[HeardLine]]) -> list[list[HeardLine]]:
    """Neighbouring groups of expired lines as one."""
    found: list[list[HeardLine]] = []
    for group in groups:
        if found and group[0].event == Event.EXPIRED == found[-1][0].event:
            found[-1] = found[-1] + group
        else:
            found.append(group)
    return found


def _turn(group: list[HeardLine]) -> Turn:
    first = group[0]
    if first.event == Event.EXPIRED:
        shown: tuple[ShownLine, ...] = (_expired(len(group)),)
    else:
        shown = tuple(line for line in map(_shown, group) if line is not None)
    subject = next((g.row.subject for g in group if g.row and g.row.subject), None)
    return Turn(first.turn, moment(first.at_ms), subject.name if subject else "", shown)


def _expired(count: int) -> ShownLine:
    text = ngettext(
        "%(n)d line was cleared because of its age.", "%(n)d lines were cleared because of their age.", count
    )
    return ShownLine("clock", text % {"n": count}, is_gone=True)


def _shown(line: HeardLine) -> ShownLine | None:
    event = line.event
    if event == Event.TURN_ENDED and line.envelope["how"] not in ENDINGS:
        return None
    what = WHAT[event](line)
    gone = line.is_emptied
    return ShownLine(
        icon=ICONS[event],
        what=what,
        words=() if gone else tuple(text for text in _words(line) if text),
        is_quote=event in SPOKEN,
        is_gone=gone,
        at=moment(line.at_ms),
        pictures=() if gone else _pictures(line),
    )


def _words(line: HeardLine) -> Iterable[str]:
    words = line.words or {}
    yield str(words.get("text", ""))
    yield str(words.get("fact", ""))
    yield str(words.get("description", ""))
    yield str(words.get("why", ""))
    yield from map(str, words.get("entries", []))


def _pictures(line: HeardLine) -> tuple[str, ...]:
    shown = [*line.envelope.get("pictures", []), line.envelope.get("picture", "")]
    return tuple(str(name) for name in shown if name)


def _speaker(line: HeardLine) -> str:
    """Who spoke: the person who told it, else the child whose companion heard it."""
    row = line.row
    if row is not None and row.author is not None:
        return _("%(name)s said") % {"name": row.author.name}
    if row is not None and row.subject is not None and row.device != HOME_DEVICE:
        return _("%(name)s said to the companion") % {"name": row.subject.name}
    return _("Somebody said")


def _answered(line: HeardLine) -> str:
    is_home = line.row is None or line.row.device == HOME_DEVICE
    return _("The house answered") if is_home else _("The companion answered")


def _not_remembered(line: HeardLine) -> str:
    fact = (line.words or {}).get("fact")
    return (
        _("Did not keep") if fact or line.is_emptied else _("Did not keep something never to be remembered")
    )


def _cleared(line: HeardLine) -> str:
    count = int(line.envelope["lines"])
    day = date_format(timezone.localtime(moment(int(line.envelope["older_than_ms"]))), "j F Y")
    return ngettext(
        "%(n)d line from before %(day)s was cleared because of its age.",
        "%(n)d lines from before %(day)s were cleared because of their age.",
        count,
    ) % {"n": count, "day": day}


WHAT: Mapping[Event, Callable[[HeardLine], str]] = {
    Event.HEARD: _speaker,
    Event.SAID: _answered,
    Event.MODEL_WROTE: lambda line: _("A model wrote"),
    Event.REMEMBERED: lambda line: _("Kept as a memory"),
    Event.RECALLED: lambda line: _("Thought of what it remembers"),
    Event.PUT_AWAY: lambda line: _("A memory was put away"),
    Event.RESTORED: lambda line: _("A memory was brought back"),
    Event.PICTURE_SEEN: lambda line: _("Saw a picture"),
    Event.NOT_REMEMBERED: _not_remembered,
    Event.FORGOT: lambda line: _("A memory was forgotten"),
    Event.CLEARED: _cleared,
    Event.EXPIRED: lambda line: _expired(1).what,
    Event.TURN_ENDED: lambda line: str(ENDINGS.get(str(line.envelope["how"]), "")),
}
