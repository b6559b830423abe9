"""The one prompt a model is asked with: the rules, numbered evidence, the question. Pure."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

LANGUAGES = {"en": "English", "tr": "Turkish"}
WHOM = {
    ("en", True): "the vet",
    ("en", False): "the doctor or the emergency number",
    ("tr", True): "veteriner",
    ("tr", False): "doktor ya da acil numarası",
}
MOST_EVIDENCE = 24
MOST_CHARS = 600  # of one piece
CHARS_A_TOKEN = 3  # a careful guess, Turkish included
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
        return (len(self.system) + len(self.text)) // CHARS_A_TOKEN + self.max_tokens


@dataclass(frozen=True)
class Variant:
    """One text of the prompt and its share of the questions."""

    key: str
    text: str
    split: int


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
    evidence: Mapping[str, str],
    question: str,
    effort: str,
) -> Prompt:
    """The prompt: `evidence` is {marker: what the row says}."""
    system = (
        variant.replace("{name}", name)
        .replace("{language}", LANGUAGES[language])
        .replace("{whom}", WHOM[language, is_animal])
    )
    pieces = [f"[{mark}] {_quoted(text)}" for mark, text in list(evidence.items())[:MOST_EVIDENCE]]
    body = "\n".join(pieces) or "(no evidence)"
    text = f"<evidence>\n{body}\n</evidence>\n\n<question>\n{_quoted(question)}\n</question>"
    return Prompt(system, text, ANSWER_TOKENS[effort])


def _quoted(text: str) -> str:
    """Somebody's words as one line that cannot close the quotation."""
    return " ".join(text.split()).replace("<", "‹").replace(">", "›")[:MOST_CHARS]
