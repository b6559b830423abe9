"""Which rows answer a question best: words by BM25, meaning by the embedder, and context from neighbours.

What was said just before and after lends a row its words (an answer is understood by its question), near
rows lend each other their scores, and a good row lifts the others of its occasion. The weights were chosen
on long dated conversations; `manage.py bench_recall` measures them again.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from types import MappingProxyType
from typing import NamedTuple

K1, B = 1.2, 0.6
BEFORE, AFTER = 0.6, 0.35  # of a neighbour's words count as a row's own
NEAR_S = 900.0  # rows of one occasion closer than this are neighbours
REACH, LENT = 2, 0.2  # scores are lent over this many neighbours, LENT at the first, LENT^2 at the second
OCCASION = 0.4  # of its occasion's best score is given to each row
MEANING = 1.1  # weight of the embedder beside the words
WORDS_ONLY: tuple[str, ...] = ("text",)
BOTH: tuple[str, ...] = ("text", "vector")


NO_TERMS: Mapping[str, float] = MappingProxyType({})


class Candidate(NamedTuple):
    """One row that may answer: its occasion, its moment in it, which terms it has, how near it is in meaning.

    `near` is a cosine, None where no embedder has seen the row; `prior` is added to its score.
    """

    key: Hashable
    occasion: Hashable
    at_s: float
    tf: Mapping[str, float] = NO_TERMS
    length: float = 0.0
    near: float | None = None
    prior: float = 0.0


@dataclass(frozen=True)
class Corpus:
    """What is known of all rows that were searched: how many, and how many have each term."""

    rows: int
    df: Mapping[str, int]


def rank(
    candidates: Sequence[Candidate], corpus: Corpus, *, by: Sequence[str] = BOTH
) -> list[tuple[Hashable, float]]:
    """The candidates' keys with their scores, best first; equal ones keep the order of time."""
    rows = sorted(candidates, key=lambda one: (str(one.occasion), one.at_s))
    links = _links(rows)
    total = [0.0] * len(rows)
    if "text" in by:
        total = _added(total, _by_words(rows, links, corpus), 1.0)
    if "vector" in by:
        total = _added(total, _by_meaning(rows), MEANING if "text" in by else 1.0)
    total = _lifted(rows, _lent(total, links))
    scored = [(one.key, score + one.prior) for one, score in zip(rows, total, strict=True)]
    return sorted(scored, key=lambda pair: -pair[1])


def _links(rows: Sequence[Candidate]) -> list[bool]:
    """For each row whether the one before it is its neighbour."""
    return [
        at > 0 and rows[at - 1].occasion == one.occasion and one.at_s - rows[at - 1].at_s <= NEAR_S
        for at, one in enumerate(rows)
    ]


def _with_context(
    rows: Sequence[Candidate], links: Sequence[bool]
) -> list[tuple[Mapping[str, float], float]]:
    """The terms and the length of each row, with what its neighbours lend it."""
    made: list[tuple[Mapping[str, float], float]] = []
    for at, one in enumerate(rows):
        lenders = []
        if links[at]:
            lenders.append((rows[at - 1], BEFORE))
        if at + 1 < len(rows) and links[at + 1]:
            lenders.append((rows[at + 1], AFTER))
        made.append(_lent_words(one, lenders) if lenders else (one.tf, one.length))
    return made


def _lent_words(
    one: Candidate, lenders: Sequence[tuple[Candidate, float]]
) -> tuple[Mapping[str, float], float]:
    tf, length = dict(one.tf), one.length
    for lender, share in lenders:
        length += share * lender.length
        for term, count in lender.tf.items():
            tf[term] = tf.get(term, 0.0) + share * count
    return tf, length


def _by_words(rows: Sequence[Candidate], links: Sequence[bool], corpus: Corpus) -> list[float]:
    """BM25 (Robertson and Zaragoza 2009), the best row as 1."""
    full = _with_context(rows, links)
    average = sum(length for _tf, length in full) / len(full) if full else 0.0
    worth = {term: idf(df, corpus.rows) for term, df in corpus.df.items() if df > 0}
    scores = [_weighed(tf, length, average, worth) for tf, length in full]
    best = max(scores, default=0.0)
    return [score / best for score in scores] if best > 0 else scores


def bm25(tf: Mapping[str, float], length: float, *, average: float, corpus: Corpus) -> float:
    """How well a row's terms fit, rare terms counting most and long rows least."""
    worth = {term: idf(corpus.df[term], corpus.rows) for term in tf if corpus.df.get(term, 0) > 0}
    return _weighed(tf, length, average, worth)


def _weighed(tf: Mapping[str, float], length: float, average: float, worth: Mapping[str, float]) -> float:
    if not tf:
        return 0.0
    room = K1 * (1 - B + B * length / average) if average > 0 else K1
    return sum(
        worth[term] * count * (K1 + 1) / (count + room)
        for term, count in tf.items()
        if count > 0 and term in worth
    )


def idf(df: int, rows: int) -> float:
    """What a term of `df` rows among `rows` is worth; never less than nothing."""
    return math.log(1 + max(0.0, rows - df + 0.5) / (df + 0.5))


def _by_meaning(rows: Sequence[Candidate]) -> list[float]:
    """Cosines, from the middle one as 0 to the best as 1; embedders crowd theirs into a narrow band."""
    seen = [one.near for one in rows if one.near is not None]
    if not seen:
        return [0.0] * len(rows)
    floor, best = median(seen), max(seen)
    width = best - floor
    if width <= 0:
        return [0.0 if one.near is None else 1.0 for one in rows]
    return [0.0 if one.near is None else (one.near - floor) / width for one in rows]


def _added(left: Sequence[float], right: Sequence[float], weight: float) -> list[float]:
    return [a + weight * b for a, b in zip(left, right, strict=True)]


def _lent(scores: Sequence[float], links: Sequence[bool]) -> list[float]:
    made = list(scores)
    for at in range(len(scores)):
        for step in range(1, REACH + 1):
            if at - step < 0 or not all(links[at - step + 1 : at + 1]):
                break
            made[at] += LENT**step * scores[at - step]
            made[at - step] += LENT**step * scores[at]
    return made


def _lifted(rows: Sequence[Candidate], scores: Sequence[float]) -> list[float]:
    best: dict[Hashable, float] = {}
    for one, score in zip(rows, scores, strict=True):
        best[one.occasion] = max(score, best.get(one.occasion, score))
    return [score + OCCASION * best[one.occasion] for one, score in zip(rows, scores, strict=True)]
