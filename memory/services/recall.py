"""How much of the evidence is found: the very ranking of an answer over dated conversations, measured."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from memory.rules.retrieval.folding import asked_terms, terms
from memory.rules.retrieval.ranking import Candidate, Corpus, rank

CUTS = (5, 10, 20)
WAYS: Mapping[str, tuple[str, ...]] = {
    "hybrid": ("text", "vector"),
    "text": ("text",),
    "vector": ("vector",),
}
TURN_S = 60.0  # between two turns of a session
BATCH = 64
DATE = 0.5  # a word of a row's date counts half


class BadTalks(ValueError):
    """A file does not hold conversations with questions."""


class TextEmbedder(Protocol):
    """What is needed of an embedder here."""

    def queries(self, texts: Sequence[str]) -> list[list[float]]: ...
    def passages(self, texts: Sequence[str]) -> list[list[float]]: ...


@dataclass(frozen=True)
class Turn:
    """One turn of a conversation: its id, who spoke, what, what was shown, in which session, and when."""

    id: str
    speaker: str
    text: str
    session: int
    date: str
    at_s: float


@dataclass
class Shares:
    """Shares of evidence found, question by question, at each cut."""

    found: dict[int, list[float]] = field(default_factory=lambda: {k: [] for k in CUTS})

    def add(self, order: Sequence[str], evidence: Sequence[str]) -> None:
        """Note one question's evidence and what came first for it."""
        for k in CUTS:
            top = set(order[:k])
            self.found[k].append(sum(one in top for one in evidence) / len(evidence))

    def means(self) -> dict[str, float]:
        """The mean share at each cut."""
        return {str(k): round(sum(v) / len(v), 4) if v else 0.0 for k, v in self.found.items()}


def measure(talks: Iterable[Mapping[str, Any]], *, embedder: TextEmbedder) -> dict[str, Any]:
    """Evidence recall at 5, 10 and 20 by way of searching, and of the hybrid by category. Raises BadTalks."""
    overall = {way: Shares() for way in WAYS}
    by_category: dict[str, dict[str, Shares]] = {}
    for talk in talks:
        for category, evidence, orders in _answers(talk, embedder):
            for way, order in orders.items():
                overall[way].add(order, evidence)
                by_category.setdefault(category, {way: Shares() for way in WAYS})[way].add(order, evidence)
    return {way: shares.means() for way, shares in overall.items()} | {
        "by_category": {
            category: {way: shares.means() for way, shares in ways.items()}
            | {"questions": len(ways["hybrid"].found[CUTS[0]])}
            for category, ways in sorted(by_category.items())
        }
    }


def _answers(
    talk: Mapping[str, Any], embedder: TextEmbedder
) -> Iterator[tuple[str, list[str], dict[str, list[str]]]]:
    """For each question with evidence: its category, the evidence, and each way's order of turns."""
    try:
        speakers = [str(one) for one in talk["speakers"]]
        turns = _turns(talk)
        asked = [q for q in talk["qa"] if q.get("ev")]
    except (KeyError, TypeError, IndexError, ValueError):
        raise BadTalks("a conversation lacks speakers, sessions or qa") from None
    index = Index(turns, speakers, embedder)
    vectors = embedder.queries([swapped(str(q["q"]), speakers) for q in asked])
    for question, vector in zip(asked, vectors, strict=True):
        orders = index.orders(str(question["q"]), vector)
        yield str(question.get("cat", "")), [str(one) for one in question["ev"]], orders


def _turns(talk: Mapping[str, Any]) -> list[Turn]:
    made = []
    for number, session in enumerate(talk["sessions"]):
        for at, turn in enumerate(session["turns"]):
            shown = f" {turn[3]}" if len(turn) > 3 else ""
            made.append(
                Turn(
                    id=str(turn[0]),
                    speaker=str(turn[1]),
                    text=f"{turn[2]}{shown}",
                    session=number,
                    date=str(session["date"]),
                    at_s=at * TURN_S,
                )
            )
    return made


def swapped(text: str, speakers: Sequence[str]) -> str:
    """The text with each speaker's name as a role: names swamp short texts."""
    for name, role in zip(speakers, ("the child", "the friend"), strict=False):
        text = re.sub(rf"\b{re.escape(name)}\b", role, text)
    return text


class Index:
    """The turns of one conversation, as episodes that can be found."""

    def __init__(self, turns: Sequence[Turn], speakers: Sequence[str], embedder: TextEmbedder) -> None:
        self.turns = turns
        said = [swapped(f"{turn.speaker}: {turn.text}", speakers) for turn in turns]
        batches = (said[at : at + BATCH] for at in range(0, len(said), BATCH))
        self.vectors = np.array([vector for batch in batches for vector in embedder.passages(batch)])
        self.counts = [Counter(terms(f"{turn.speaker} {turn.text}", "en")) for turn in turns]
        self.dates = [frozenset(terms(turn.date, "en")) for turn in turns]
        self.df: Counter[str] = Counter()
        for counts, date in zip(self.counts, self.dates, strict=True):
            self.df.update({*counts, *date})

    def orders(self, question: str, vector: Sequence[float]) -> dict[str, list[str]]:
        """The ids of the turns, best first, by each way of searching."""
        wanted = asked_terms(question)
        aimed = np.array(vector) - self.vectors.mean(axis=0)  # as the search functions do
        nears = self.vectors @ aimed / (float(np.linalg.norm(aimed)) or 1.0)
        candidates = [self._candidate(at, wanted, float(near)) for at, near in enumerate(nears)]
        corpus = Corpus(len(self.turns), {term: self.df[term] for term in wanted if self.df[term]})
        return {
            way: [str(key) for key, _score in rank(candidates, corpus, by=by)] for way, by in WAYS.items()
        }

    def _candidate(self, at: int, wanted: Sequence[str], near: float) -> Candidate:
        turn, counts, date = self.turns[at], self.counts[at], self.dates[at]
        tf = {t: counts[t] + DATE * (t in date) for t in wanted if counts[t] or t in date}
        return Candidate(turn.id, turn.session, turn.at_s, tf, float(counts.total()), near)
