"""An answer before it is text: sections of lines, each with what it rests on and what it counts. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

LETTERS: Mapping[str, str] = {
    "event": "E",
    "episode": "E",
    "strategy": "S",
    "pattern": "P",
    "passage": "D",
    "medicine": "M",
}
OTHER_LETTER = "O"


@dataclass(frozen=True)
class Count:
    """One number of a line that rows must bear out: `what` of the row `ref`, or of several."""

    what: str
    value: int
    refs: tuple[str, ...]


@dataclass(frozen=True)
class Line:
    """One sentence or two, without its markers; `cites` are public ids."""

    text: str
    cites: tuple[str, ...] = ()
    counts: tuple[Count, ...] = ()
    is_item: bool = True


@dataclass(frozen=True)
class Section:
    """Some lines under a heading; the first section may have none."""

    title: str
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Plan:
    """A whole answer. `says_nothing` where it says that nothing is recorded."""

    sections: tuple[Section, ...] = ()
    says_nothing: bool = False

    @property
    def lines(self) -> tuple[Line, ...]:
        """Every line in order."""
        return tuple(line for section in self.sections for line in section.lines)

    @property
    def cites(self) -> tuple[str, ...]:
        """Every public id it rests on, in the order of first mention."""
        return tuple(dict.fromkeys(ref for line in self.lines for ref in line.cites))


@dataclass
class Marking:
    """Gives each public id its marker, by kind and in the order of asking."""

    kinds: Mapping[str, str]  # public id: kind
    given: dict[str, str] = field(default_factory=dict)
    _next: dict[str, int] = field(default_factory=dict)

    def marker(self, ref: str) -> str:
        """The marker of a public id, such as `S2`."""
        if ref not in self.given:
            letter = LETTERS.get(self.kinds.get(ref, ""), OTHER_LETTER)
            self._next[letter] = self._next.get(letter, 0) + 1
            self.given[ref] = f"{letter}{self._next[letter]}"
        return self.given[ref]


def text_of(plan: Plan, marking: Marking) -> str:
    """The answer as text: `## ` headings, `- ` items, markers in square brackets."""
    return "\n\n".join(pieces_of(plan, marking))


def pieces_of(plan: Plan, marking: Marking) -> list[str]:
    """The answer section by section, as it is streamed."""
    return [_section(section, marking) for section in plan.sections if section.lines]


def _section(section: Section, marking: Marking) -> str:
    head = [f"## {section.title}"] if section.title else []
    return "\n".join([*head, *(_line(line, marking) for line in section.lines)])


def _line(line: Line, marking: Marking) -> str:
    marks = "".join(f"[{marking.marker(ref)}]" for ref in line.cites)
    bullet = "- " if line.is_item else ""
    return f"{bullet}{line.text}{' ' if marks else ''}{marks}"


def section(title: str, lines: Iterable[Line | None]) -> Section:
    """A section of those lines that are there."""
    return Section(title, tuple(line for line in lines if line is not None))
