"""The engine: rules rewrite parts of a text, and each part remembers which characters it came from."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

# A rule's second half gives what is said for a match, "" to say nothing, None where it is not its business.
Say = Callable[[re.Match[str]], str | None]
Rule = tuple[re.Pattern[str], Say]


@dataclass(frozen=True)
class Piece:
    """The characters [start, end) of the text and what is said for them."""

    start: int
    end: int
    spoken: str
    is_same: bool  # said as written, so character by character


@dataclass(frozen=True)
class Spoken:
    """A whole text as it is said; its pieces cover every character of the text in order."""

    text: str
    pieces: tuple[Piece, ...]

    @property
    def words(self) -> str:
        """What is said."""
        return "".join(piece.spoken for piece in self.pieces)

    @property
    def has_words(self) -> bool:
        """Whether anything of it can be heard."""
        return any(letter.isalnum() for letter in self.words)


def rewrite(text: str, rules: Sequence[Rule]) -> Spoken:
    """The text with every rule applied; the leftmost match wins, at one place the earlier rule."""
    pieces: list[Piece] = []
    done = 0
    for match, said in _matches(text, rules):
        if match.start() > done:
            pieces.append(Piece(done, match.start(), text[done : match.start()], True))
        pieces.append(Piece(match.start(), match.end(), said, said == match[0]))
        done = match.end()
    if done < len(text):
        pieces.append(Piece(done, len(text), text[done:], True))
    return Spoken(text, tuple(_apart(pieces)))


def chained(text: str, steps: Sequence[Spoken]) -> Spoken:
    """The whole text of which `steps` are the parts, in order."""
    pieces: list[Piece] = []
    at = 0
    for step in steps:
        pieces += [replace(piece, start=piece.start + at, end=piece.end + at) for piece in step.pieces]
        at += len(step.text)
    return Spoken(text, tuple(_apart(pieces)))


def _matches(text: str, rules: Sequence[Rule]) -> Iterator[tuple[re.Match[str], str]]:
    ahead = [pattern.search(text) for pattern, _ in rules]
    while True:
        starts = [(found.start(), index) for index, found in enumerate(ahead) if found]
        if not starts:
            return
        start, index = min(starts)
        found = ahead[index]
        assert found is not None
        pattern, say = rules[index]
        said = say(found)
        if said is None:
            ahead[index] = pattern.search(text, start + 1)
            continue
        yield found, said
        end = max(found.end(), start + 1)
        ahead = [
            rules[i][0].search(text, end) if old and old.start() < end else old for i, old in enumerate(ahead)
        ]


def _apart(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """Keep words that were rewritten apart from the letters beside them."""
    before = ""
    for piece in pieces:
        spoken = piece.spoken
        if before.isalnum() and spoken[:1].isalnum():
            spoken = " " + spoken
        before = spoken[-1:] or before
        yield Piece(piece.start, piece.end, spoken, piece.is_same and spoken == piece.spoken)
