"""Ranking: rare words count most, neighbours lend, occasions lift, and no order of input matters."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.rules.retrieval.ranking import BOTH, WORDS_ONLY, Candidate, Corpus, bm25, idf, rank

CORPUS = Corpus(100, {"ear": 40, "vacuum": 2, "door": 10})


def row(key, at=0.0, occasion="a", near=None, length=10.0, prior=0.0, **tf):
    return Candidate(key, occasion, at, tf, length, near, prior)


def order(*rows, by=BOTH):
    return [key for key, _score in rank(rows, CORPUS, by=by)]


def test_a_rare_word_beats_a_common_one():
    assert order(row("common", occasion="a", ear=1), row("rare", occasion="b", vacuum=1)) == [
        "rare",
        "common",
    ]


def test_a_short_row_beats_a_long_one_with_the_same_word():
    rows = row("long", occasion="a", length=80, vacuum=1), row("short", occasion="b", length=8, vacuum=1)
    assert order(*rows) == ["short", "long"]


def test_an_answer_is_found_by_the_question_before_it():
    rows = [row("q", 0, vacuum=1), row("answer", 60), row("far", 60_000), row("other", 0, "b")]
    assert order(*rows)[:2] == ["q", "answer"]


def test_meaning_alone_ranks_by_nearness_and_a_row_without_a_vector_is_no_hit_of_it():
    rows = [
        row("near", 0, "a", 0.9),
        row("far", 0, "b", 0.7),
        row("middle", 0, "c", 0.8),
        row("none", 0, "d"),
    ]
    assert order(*rows, by=("vector",))[:2] == ["near", "middle"]


def test_words_alone_take_no_notice_of_meaning():
    rows = [row("word", 0, "a", 0.1, vacuum=1), row("meaning", 0, "b", 0.99)]
    assert order(*rows, by=WORDS_ONLY) == ["word", "meaning"]


def test_what_is_known_of_a_row_beforehand_is_added():
    rows = [row("old", 0, "a", vacuum=1), row("fresh", 0, "b", prior=0.2, vacuum=1)]
    assert order(*rows) == ["fresh", "old"]


def test_nothing_ranks_as_nothing():
    assert rank([], Corpus(0, {})) == []
    assert order(row("alone")) == ["alone"]


@pytest.mark.parametrize(("df", "rows"), [(0, 0), (1, 1), (5, 3), (10, 1000)])
def test_a_term_is_never_worth_less_than_nothing(df, rows):
    assert idf(df, rows) >= 0


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3), st.floats(-1, 1)), max_size=12), st.randoms())
def test_the_order_of_the_input_changes_no_score(made, chance: random.Random):
    rows = [row(n, float(n * 60), f"o{o}", near, ear=tf) for n, (tf, o, near) in enumerate(made)]
    mixed = rows[:]
    chance.shuffle(mixed)
    assert dict(rank(rows, CORPUS)) == dict(rank(mixed, CORPUS))
    assert all(score == score for _key, score in rank(rows, CORPUS))


@given(st.floats(0, 50), st.floats(0, 50), st.floats(1, 200))
def test_more_of_a_word_never_counts_less(few, more, length):
    low, high = sorted((few, more))
    one, two = (bm25({"ear": count}, length, average=10, corpus=CORPUS) for count in (low, high))
    assert one <= two
