"""Columns of a table that letter reading took apart stand in their rows again; prose stays as it is."""

from __future__ import annotations

import pytest

from memory.rules.documents.cells import Line, Seen, in_rows, lying

HIGH = 20.0


def a_line(block: int, x: float, y: float, text: str, *, sinks: float = 0.0) -> Line:
    """A line whose words stand ten units a letter apart, sinking to the right."""
    words, at = [], x
    for number, word in enumerate(text.split()):
        wide, top = 10.0 * len(word), y + sinks * at
        words.append(Seen(word, 95, at, top, at + wide, top + HIGH, " " if number else ""))
        at += wide + 10
    return Line(block, 1, tuple(words))


def said(lines: list[Line]) -> list[str]:
    return ["".join(word.before + word.text for word in line.words) for line in in_rows(lines)]


NAMES = ["Hemoglobin 10.4 g/dL", "Ferritin 6 ng/mL", "Glucose 88 mg/dL", "Sodium 139 mmol/L"]
RANGES = ["11.5 - 15.5", "7 - 140", "70 - 100", "136 - 145"]
PROSE = ["The child plays with joy", "and builds long train tracks", "by herself for many hours"]
MORE = ["Sleep is calm most nights", "though on Mondays she wakes", "and asks for her mother"]


@pytest.mark.parametrize("sinks", [0.0, 0.03, -0.03])
def test_a_column_torn_off_is_put_back_however_the_page_lies(sinks: float) -> None:
    lines = [a_line(1, 50, 40 * n, text, sinks=sinks) for n, text in enumerate(NAMES)]
    lines += [a_line(2, 700, 40 * n, text, sinks=sinks) for n, text in enumerate(RANGES)]
    assert said(lines) == [f"{name}  {bounds}" for name, bounds in zip(NAMES, RANGES, strict=True)]


def test_the_left_column_stands_left_whichever_was_read_first() -> None:
    lines = [a_line(1, 700, 40 * n, text) for n, text in enumerate(RANGES)]
    lines += [a_line(2, 50, 40 * n, text) for n, text in enumerate(NAMES)]
    assert said(lines)[0] == "Hemoglobin 10.4 g/dL  11.5 - 15.5"


def test_two_columns_of_prose_stay_one_after_the_other() -> None:
    lines = [a_line(1, 50, 40 * n, text) for n, text in enumerate(PROSE)]
    lines += [a_line(2, 700, 40 * n, text) for n, text in enumerate(MORE)]
    assert said(lines) == [*PROSE, *MORE]


def test_a_block_below_stays_below() -> None:
    lines = [a_line(1, 50, 40 * n, text) for n, text in enumerate(NAMES)]
    lines += [a_line(2, 700, 400 + 40 * n, text) for n, text in enumerate(RANGES)]
    assert said(lines) == [*NAMES, *RANGES]


def test_no_word_is_lost_or_doubled() -> None:
    lines = [
        a_line(n % 3, 50 + 300 * (n % 3), 25.0 * n, text) for n, text in enumerate(NAMES + RANGES + MORE)
    ]
    before = sorted(word.text for line in lines for word in line.words)
    assert sorted(word.text for line in in_rows(lines) for word in line.words) == before


@pytest.mark.parametrize("turned, degrees", [((1, 0), 0), ((0, -1), 90), ((0, 1), 270)])
def test_a_page_whose_lines_run_up_or_down_must_be_turned(turned: tuple[int, int], degrees: int) -> None:
    across, down = turned
    words = [
        Seen(
            word, 90, 50.0 + 60 * n * across, 900.0 + 60 * n * down, 90 + 60 * n * across, 920 + 60 * n * down
        )
        for n, word in enumerate("Chronic otitis externa of the left ear".split())
    ]
    assert lying([Line(1, 1, tuple(words))]) == degrees
    assert lying([]) == 0
