"""A conversation from two holders; no copy that was not emptied for a forgetting survives one that was.

Sessions form a lattice: first by the set of forgettings a copy was emptied for, then by its content. To
empty a session for some forgettings is to merge it with an empty one that was emptied for exactly those.
"""

from collections.abc import Iterable
from dataclasses import replace

from household.rules.canonical import canonical_bytes
from household.rules.text import sanitise
from memory.rules.merge.documents import ChatSession, ChatTurn
from memory.rules.merge.wire import to_json


class ScrubbedMeanwhile(ValueError):
    """A turn or summary was made from words that were forgotten before it came back, so it is not kept."""


def merge_session(a: ChatSession, b: ChatSession) -> ChatSession:
    """One conversation from two copies; the last activity merges by itself. Raises ValueError for two."""
    if a.gid != b.gid:
        raise ValueError("two conversations do not merge")
    return replace(_content(a, b), last_activity_at_ms=max(a.last_activity_at_ms, b.last_activity_at_ms))


def scrub(session: ChatSession, forgotten: Iterable[str]) -> ChatSession:
    """The conversation emptied for these forgettings; one emptied for all of them already stays."""
    return merge_session(session, ChatSession(session.gid, 0, scrubbed=frozenset(forgotten)))


def new_session(gid: str, *, at_ms: int, forgotten: Iterable[str]) -> ChatSession:
    """A conversation begun now: what is forgotten already is not in it."""
    return ChatSession(gid, at_ms, scrubbed=frozenset(forgotten))


def add_turn(session: ChatSession, turn: ChatTurn, *, scrubbed: frozenset[str]) -> ChatSession:
    """The conversation with one turn more; `scrubbed` is what it was when the answer was begun.

    Raises ScrubbedMeanwhile.
    """
    _refuse_scrubbed(session, scrubbed)
    clean = replace(turn, text=sanitise(turn.text))
    return _advanced(session, at_ms=turn.at_ms, turns=(*session.turns, clean), summary=session.summary)


def fold(
    session: ChatSession, summary: str, *, leaving: int, at_ms: int, scrubbed: frozenset[str]
) -> ChatSession:
    """The conversation with its oldest `leaving` turns in a new summary instead. Raises ScrubbedMeanwhile."""
    _refuse_scrubbed(session, scrubbed)
    return _advanced(session, at_ms=at_ms, turns=session.turns[leaving:], summary=sanitise(summary))


def _refuse_scrubbed(session: ChatSession, scrubbed: frozenset[str]) -> None:
    if session.scrubbed != scrubbed:
        raise ScrubbedMeanwhile(session.gid)


def _advanced(session: ChatSession, *, at_ms: int, turns: tuple[ChatTurn, ...], summary: str) -> ChatSession:
    return replace(
        session,
        version=session.version + 1,
        stamp_ms=at_ms,
        last_activity_at_ms=max(session.last_activity_at_ms, at_ms),
        turns=turns,
        summary=summary,
    )


def _content(a: ChatSession, b: ChatSession) -> ChatSession:
    if a.scrubbed == b.scrubbed:
        return _greater(a, b)
    if a.scrubbed > b.scrubbed:
        return a
    if a.scrubbed < b.scrubbed:
        return b
    return ChatSession(a.gid, 0, scrubbed=a.scrubbed | b.scrubbed)


def _greater(a: ChatSession, b: ChatSession) -> ChatSession:
    if (a.version, a.stamp_ms) != (b.version, b.stamp_ms):
        return max(a, b, key=lambda side: (side.version, side.stamp_ms))
    return min(a, b, key=lambda side: canonical_bytes(to_json(replace(side, last_activity_at_ms=0))))
