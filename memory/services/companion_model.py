"""What a model says for the companion, sentence by sentence, and the built-in words wherever it fails.

No database is touched. A sentence is said only after the guard has passed it; at the first odd one, or when
the endpoint fails, is slow or breaks off, the built-in reply goes on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from household.clients import ChatModel, Completion, ModelFailed
from household.models import Endpoint
from household.services.thinking import Reservation
from memory.rules.companion.composing import Spoken, Talk
from memory.rules.companion.guarding import LONGEST, MOST_SENTENCES, problem_with, sentences
from memory.rules.companion.prompting import Prompt, memories_for

LONGEST_S = 20.0  # a child waits no longer for a model


@dataclass(frozen=True)
class Thought:
    """What a model is asked, the tokens set aside and the digests of what it said this week."""

    endpoint: Endpoint
    prompt: Prompt
    reservation: Reservation
    digests: frozenset[str] = frozenset()


@dataclass
class Thinking:
    """How it went: tokens to settle (None gives them back), whether the words are a model's, and why not."""

    tokens: int | None = None
    is_own: bool = False
    why_composed: str = ""
    said: list[str] = field(default_factory=list)


def think(
    thought: Thought,
    talk: Talk,
    spoken: Spoken,
    thinking: Thinking,
    *,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[str]:
    """The sentences of the answer, a model's as long as they pass."""
    try:
        for sentence in _sentences(thought, thinking, ends_at=clock() + LONGEST_S, clock=clock):
            problem = _problem(sentence, thought, talk, thinking)
            if problem:
                thinking.why_composed = problem
                break
            thinking.said.append(sentence)
            thinking.is_own = True
            yield sentence
    except ModelFailed as failure:
        thinking.why_composed = failure.code
    if not thinking.said:
        yield from spoken.sentences
    elif thinking.why_composed and len(spoken.sentences) > 1 and "?" not in "".join(thinking.said):
        yield spoken.sentences[-1]


def _problem(sentence: str, thought: Thought, talk: Talk, thinking: Thinking) -> str:
    if len(thinking.said) >= MOST_SENTENCES or sum(map(len, thinking.said)) + len(sentence) > LONGEST:
        return "too_long"
    known = [talk.text, *memories_for(talk)]
    return problem_with(sentence, language=talk.language, known=known, said=thought.digests)


def _sentences(
    thought: Thought, thinking: Thinking, *, ends_at: float, clock: Callable[[], float]
) -> Iterator[str]:
    """Whole sentences as they come; the last one when the stream has ended well."""
    prompt, waiting = thought.prompt, ""
    pieces = ChatModel(thought.endpoint).stream_text(
        system=prompt.system, text=prompt.text, max_tokens=prompt.max_tokens, effort="minimal"
    )
    for piece in pieces:
        if isinstance(piece, Completion):
            thinking.tokens = piece.tokens
            continue
        thinking.tokens = thinking.tokens or 0  # it answered: the estimate is what it cost at most
        waiting += piece
        *whole, waiting = _split(waiting)
        yield from whole
        if clock() > ends_at:
            raise ModelFailed("timeout")
    yield from sentences(waiting)


def _split(text: str) -> list[str]:
    """The sentences that are certainly whole, and what may go on."""
    found = sentences(text)
    if not found:
        return [text]
    return [*found[:-1], text[text.rfind(found[-1]) :]]


__all__ = ["Thinking", "Thought", "think"]
