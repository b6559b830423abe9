"""When each character is heard."""

from __future__ import annotations

import struct
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voice.rules.spans import fits, matched, pack, shifted, spoken_times, text_spans, unpack, word_bounds
from voice.rules.speakable import speakable

TEXTS = st.text(alphabet="ab cde.,!? 12'[E]😀\n", max_size=60)
GROUPS = st.lists(
    st.tuples(st.integers(1, 9), st.floats(0, 300), st.floats(20, 300)), min_size=1, max_size=12
)  # phonemes, gap before, length


def as_groups(steps: list[tuple[int, float, float]]) -> list[tuple[int, float, float]]:
    groups, at = [], 0.0
    for phonemes, gap, length in steps:
        groups.append((phonemes, at + gap, at + gap + length))
        at += gap + length
    return groups


@given(text=TEXTS, duration=st.integers(1, 60_000))
def test_without_the_voices_times_spans_cover_the_text_in_order(text: str, duration: int) -> None:
    spoken = speakable(text, "en")
    times = spoken_times(spoken.words, duration)
    assert len(times) == len(spoken.words)
    spans = text_spans(spoken, times)
    assert len(spans) == len(text)
    at = 0
    for start, end in spans:
        assert at <= start <= end <= duration
        at = start


@given(text=TEXTS, steps=GROUPS)
def test_with_the_voices_times_spans_cover_the_text_in_order(text: str, steps: list) -> None:
    groups = as_groups(steps)
    duration = groups[-1][2] + 100
    spoken = speakable(text, "en")
    spans = text_spans(spoken, spoken_times(spoken.words, duration, groups))
    assert len(spans) == len(text)
    assert all(start <= end <= duration for start, end in spans)
    assert all(a[0] <= b[0] for a, b in pairwise(spans))


def test_each_word_gets_the_times_of_its_own_phonemes() -> None:
    said = "She drinks well."
    times = spoken_times(said, 1000, [(2, 0, 200), (6, 250, 600), (3, 700, 950)])
    assert times[0][0] == 0 and times[2][1] == 200
    assert times[4][0] == 250 and times[9][1] == 600
    assert times[11][0] == 700 and times[15][1] == 950


def test_a_rewritten_part_is_marked_as_a_whole() -> None:
    spoken = speakable("5 kg today", "en")
    times = spoken_times(spoken.words, 1000, [(3, 0, 200), (8, 200, 600), (5, 700, 1000)])
    spans = text_spans(spoken, times)
    assert spans[0][0] == 0
    assert spans[3][1] == 600
    assert spans[5][0] == 700


def test_a_dropped_mark_has_no_time_of_its_own() -> None:
    spoken = speakable("well [E1].", "en")
    spans = text_spans(spoken, spoken_times(spoken.words, 500))
    assert all(start == end for start, end in spans[4:9])


@given(text=TEXTS, cut=st.integers(0, 200))
def test_the_spans_of_a_beginning_are_the_beginning_of_the_spans(text: str, cut: int) -> None:
    spoken = speakable(text, "en")
    times = spoken_times(spoken.words, 1000)
    whole = text_spans(spoken, times)
    begun = text_spans(spoken, times[:cut])
    assert whole[: len(begun)] == begun


@given(
    words=st.lists(st.integers(1, 12), min_size=1, max_size=12),
    groups=st.lists(st.integers(1, 12), min_size=1, max_size=12),
)
def test_matching_uses_every_word_and_every_group_once(words: list[int], groups: list[int]) -> None:
    pairs = matched(words, groups)
    assert [i for took, _ in pairs for i in took] == list(range(len(words)))
    assert [j for _, held in pairs for j in held] == list(range(len(groups)))
    assert all(len(took) == 1 or len(held) == 1 for took, held in pairs)


def test_words_that_a_voice_runs_together_share_its_time() -> None:
    # "of the house" said as two groups, the first for two words
    assert matched([2, 3, 5], [4, 4]) == [(range(0, 2), range(0, 1)), (range(2, 3), range(1, 2))]


def test_a_lone_mark_is_no_word() -> None:
    assert word_bounds("one - two") == [(0, 3), (6, 9)]


@given(st.lists(st.tuples(st.integers(0, 2**31 - 1), st.integers(0, 2**31 - 1)), max_size=20))
def test_packing_and_unpacking_give_the_same(spans: list[tuple[int, int]]) -> None:
    raw = pack(spans)
    assert len(raw) == 8 * len(spans)
    assert list(unpack(raw)) == spans


def test_spans_are_stored_as_32_bit_little_endian() -> None:
    assert pack([(1, 258)]) == b"\x01\x00\x00\x00\x02\x01\x00\x00"


GOOD = pack([(0, 100), (100, 200), (200, 300)])


@pytest.mark.parametrize(
    ("raw", "text", "duration", "does_fit"),
    [
        (GOOD, "abc", 300, True),
        (GOOD, "abcd", 300, False),
        (GOOD, "ab", 300, False),
        (GOOD, "abc", 299, False),
        (GOOD[:-1], "abc", 300, False),
        (pack([(0, 100), (50, 40), (200, 300)]), "abc", 300, False),
        (pack([(100, 200), (0, 100), (200, 300)]), "abc", 300, False),
        (pack([(-5, 100), (100, 200), (200, 300)]), "abc", 300, False),
        (pack([(0, 0)] * 3), "abc", 300, False),
        (b"", "", 300, False),
    ],
)
def test_only_spans_of_this_line_fit(raw: bytes, text: str, duration: int, does_fit: bool) -> None:
    assert fits(raw, text, duration) is does_fit


def test_half_a_span_is_no_span() -> None:
    with pytest.raises(ValueError):
        unpack(struct.pack("<i", 1))


def test_shifted_spans_begin_later() -> None:
    assert shifted([(0, 10), (10, 20)], 5) == [(5, 15), (15, 25)]
