"""Writes an answer, piece by piece, without touching the database: a model's words, else the composer's.

A piece comes at least every second; an empty one only says that somebody is still writing. Whatever a model
does, the whole of the composer's answer stands ready: a failure half-way replaces what came so far.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from queue import Empty, Queue
from threading import Thread

from household.clients import ChatModel, Completion, ModelFailed
from memory.rules.asking.markers import MOST_CHARS, resolve, unsupported
from memory.services.asking.prepared import Prepared, Thought

BEAT_S = 0.8
LONGEST_S = 300


@dataclass(frozen=True)
class Piece:
    """Some lines of the answer; `is_again` where it begins anew, `text` empty where it is only a beat."""

    text: str
    is_again: bool = False
    is_judged: bool = False  # claims without a marker are to be marked


@dataclass
class Written:
    """What was written in the end."""

    text: str = ""
    source: str = "composer"
    model: str = ""
    tokens: int = 0
    used: int | None = None  # tokens to settle; None gives the reservation back
    unresolved: int = 0
    unsupported: int = 0
    why_composed: str = ""
    is_whole: bool = False
    latency_ms: int = 0
    marks: tuple[str, ...] = field(default_factory=tuple)


Clock = Callable[[], float]


def write(prepared: Prepared, into: Written, *, clock: Clock = time.monotonic) -> Iterator[Piece]:
    """The pieces of the answer; `into` is filled as they come and whole after the last one."""
    began = clock()
    into.why_composed = prepared.why_composed
    if prepared.cached is not None:
        into.source, into.model = "cache", prepared.cached_model
        yield from _given(prepared, into, [prepared.cached], is_judged=True)
    elif prepared.thought is not None:
        yield from _thought(prepared, prepared.thought, into, clock)
    else:
        yield from _composed(prepared, into)
    into.latency_ms = int((clock() - began) * 1000)
    into.is_whole = True


def _composed(prepared: Prepared, into: Written, *, is_again: bool = False) -> Iterator[Piece]:
    into.source, into.model = "composer", ""
    yield from _given(prepared, into, prepared.composed, is_again=is_again)


def _given(
    prepared: Prepared, into: Written, pieces: list[str], *, is_again: bool = False, is_judged: bool = False
) -> Iterator[Piece]:
    whole = resolve("\n\n".join(pieces), prepared.supplied)
    into.text, into.marks = whole.text, whole.marks
    into.unsupported = unsupported(whole.text) if is_judged else 0
    for number, piece in enumerate(pieces):
        text = resolve(piece, prepared.supplied).text
        yield Piece(text, is_again=is_again and not number, is_judged=is_judged)


def _thought(prepared: Prepared, thought: Thought, into: Written, clock: Clock) -> Iterator[Piece]:
    into.source, into.model = "model", thought.endpoint.model
    written, sent = "", 0
    try:
        for part in _parts(thought, prepared.effort, clock):
            if isinstance(part, Completion):
                written, into.tokens, into.used = part.text, part.tokens, part.tokens
                break
            written += part
            if len(written) > MOST_CHARS:
                raise ModelFailed("too_long")
            upto = written.rfind("\n") + 1
            if not part or upto <= sent:
                yield Piece("")
                continue
            yield Piece(resolve(written[sent:upto], prepared.supplied).text, is_judged=True)
            sent = upto
    except ModelFailed as error:
        into.used, into.tokens, into.why_composed = None, 0, error.code[:20]
        yield from _composed(prepared, into, is_again=True)
        return
    whole = resolve(written, prepared.supplied)
    into.text, into.marks, into.unresolved = whole.text, whole.marks, whole.removed
    into.unsupported = unsupported(whole.text)
    if written[sent:].strip():
        yield Piece(resolve(written[sent:], prepared.supplied).text, is_judged=True)


def _parts(thought: Thought, effort: str, clock: Clock) -> Iterator[str | Completion]:
    """What the model says as it says it, an empty part for each beat of silence. Raises ModelFailed."""
    queue: Queue[str | Completion | ModelFailed] = Queue()
    Thread(target=_ask, args=(thought, effort, queue), daemon=True).start()
    until = clock() + min(LONGEST_S, 2 * thought.endpoint.timeout_s)
    while True:
        try:
            part = queue.get(timeout=BEAT_S)
        except Empty:
            if clock() > until:
                raise ModelFailed("timeout") from None
            yield ""
            continue
        if isinstance(part, ModelFailed):
            raise part
        yield part
        if isinstance(part, Completion):
            return


def _ask(thought: Thought, effort: str, queue: Queue[str | Completion | ModelFailed]) -> None:
    """Ask the model in a thread of its own, so that a silent one holds nobody."""
    prompt = thought.prompt
    try:
        parts = ChatModel(thought.endpoint).stream_text(
            system=prompt.system, text=prompt.text, max_tokens=prompt.max_tokens, effort=effort
        )
        for part in parts:
            queue.put(part)
    except ModelFailed as error:
        queue.put(error)
    except Exception as error:  # whatever a client library may raise: the composer answers
        queue.put(ModelFailed(type(error).__name__[:20]))
