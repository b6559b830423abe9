"""The one prompt a model is asked with: the rules, numbered evidence, the question. Pure."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from household.rules.tokens import tokens_of
from memory.rules.catalogue import Card, catalogue, expand
from memory.rules.working_set import Stub

LANGUAGES = {"en": "English", "tr": "Turkish"}
WHOM = {
    ("en", True): "the vet",
    ("en", False): "the doctor or the emergency number",
    ("tr", True): "veteriner",
    ("tr", False): "doktor ya da acil numarası",
}
MOST_CHARS = 600  # of one piece
MOST_SET_DOWN = 8
CATALOGUE_TOKENS, EVIDENCE_TOKENS = 900, 3_600  # what the lines of all rows, and rows in full, may take
ANSWER_TOKENS = {"minimal": 300, "low": 700, "medium": 1_000, "high": 1_400}


@dataclass(frozen=True)
class Prompt:
    """What a model is sent, and about how many tokens the whole call takes."""

    system: str
    text: str
    max_tokens: int

    @property
    def estimate(self) -> int:
        """Tokens to set aside before the call."""
        return tokens_of(self.system, self.text) + self.max_tokens


@dataclass(frozen=True)
class Variant:
    """One text of the prompt and its share of the questions."""

    key: str
    text: str
    split: int


@dataclass(frozen=True)
class Supplied:
    """One row an answer may cite: its line (by its marker), and what it says in full."""

    card: Card
    text: str


@cache
def bundled() -> tuple[Variant, ...]:
    """The prompts that come with the house."""
    raw = tomllib.loads(files("memory.data").joinpath("prompts.toml").read_text("utf-8"))
    return tuple(Variant(one["key"], one["text"].strip(), int(one["split"])) for one in raw["variant"])


def chosen(variants: Sequence[Variant], number: int) -> Variant | None:
    """The variant of the question with this number: each gets its share, the same number always the same."""
    total = sum(one.split for one in variants)
    if not total:
        return variants[0] if variants else None
    place = number * 61 % total  # coprime to 100, so that neighbours fall apart
    for one in variants:
        if place < one.split:
            return one
        place -= one.split
    return variants[-1]


def prompt_for(
    variant: str,
    *,
    name: str,
    language: str,
    is_animal: bool,
    supplied: Sequence[Supplied],
    question: str,
    effort: str,
    before: Sequence[str] = (),
    set_down: Sequence[Stub] = (),
) -> Prompt:
    """The prompt, put together anew for each turn: a line for each row, the first rows in full, the question.

    `before` are the questions before it, newest first; `set_down` what the conversation no longer holds.
    """
    system = (
        variant.replace("{name}", name)
        .replace("{language}", LANGUAGES[language])
        .replace("{whom}", WHOM[language, is_animal])
    )
    parts = [
        _part("catalogue", [*catalogue([one.card for one in supplied], budget=CATALOGUE_TOKENS)]),
        _part("set-down", [_stub(one) for one in set_down[-MOST_SET_DOWN:]]),
        _part("evidence", _opened(supplied) or ["(no evidence)"]),
        _part("asked-before", [_quoted(text) for text in reversed(before)]),
        _part("question", [_quoted(question)]),
    ]
    return Prompt(system, "\n\n".join(part for part in parts if part), ANSWER_TOKENS[effort])


def _part(name: str, lines: Sequence[str]) -> str:
    return "\n".join([f"<{name}>", *lines, f"</{name}>"]) if lines else ""


def _opened(supplied: Sequence[Supplied]) -> list[str]:
    """The rows in full, as far as the budget holds them; the others stand in the catalogue alone."""
    full = {one.card.ref: _quoted(one.text) for one in supplied}
    return [f"[{mark}] {text}" for mark, text in expand(full, full, budget=EVIDENCE_TOKENS).texts]


def _stub(stub: Stub) -> str:
    when = f", {stub.on.isoformat()}" if stub.on else ""
    return f"{stub.ref} ({stub.about}{when}) was set down"


def _quoted(text: str) -> str:
    """Somebody's words as one line that cannot close the quotation."""
    return " ".join(text.split()).replace("<", "‹").replace(">", "›")[:MOST_CHARS]
