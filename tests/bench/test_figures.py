"""The bench's own arithmetic: medians, verdicts, what counts as a change, the table."""

from __future__ import annotations

import json
import statistics
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.bench import one as one_bench
from tests.bench.comparing import Change, as_text, compare
from tests.bench.figures import Figure, figure, from_json, to_json
from tests.bench.load import astray
from tests.bench.measures import MEASURES, Measure, Verdict, line, lines
from tests.bench.tables import is_busy, markdown

MACHINE = {
    "date": "2026-11-30",
    "processor": "Some CPU",
    "cores": 2,
    "memory_gb": 4.0,
    "load_per_core": 0.1,
    "python": "3.11.9",
    "postgres": "18.4",
    "quick": False,
}


def one(median: float, half: float = 0.0, n: int = 9) -> Figure:
    return Figure(n, median, median - half, median + half)


@given(st.lists(st.floats(0.001, 1e6), min_size=1, max_size=30))
def test_a_figure_is_the_median_between_its_quartiles_and_survives_the_file(samples: list[float]) -> None:
    found = figure(samples)
    assert found.median == pytest.approx(statistics.median(samples))
    assert found.low <= found.median * (1 + 1e-9) and found.median <= found.high * (1 + 1e-9)
    assert from_json(json.loads(json.dumps(to_json({"a": found})))) == {"a": found}


@pytest.mark.parametrize(
    ("before", "after", "key", "change"),
    [
        (one(100, 5), one(120, 5), "tell.wall", Change.WORSE),
        (one(100, 5), one(80, 5), "tell.wall", Change.BETTER),
        (one(100, 15), one(120, 15), "tell.wall", Change.NOISE),  # quartiles touch
        (one(100, 0.1), one(104, 0.1), "tell.wall", Change.NOISE),  # apart, and too little
        (one(100, 5), one(120, 5), "push.lines_s", Change.BETTER),  # more is better
        (one(100, 5), one(80, 5), "recall.10k", Change.WORSE),
        (one(100, n=1), one(120, n=1), "memory.rest.mb", Change.NOISE),  # single samples
        (one(100, n=1), one(130, n=1), "memory.rest.mb", Change.WORSE),
        (None, one(1), "tell.wall", Change.NEW),
        (one(1), None, "tell.wall", Change.GONE),
    ],
)
def test_only_what_leaves_the_noise_of_both_runs_is_a_change(before, after, key, change) -> None:
    sides = [{key: side} if side else {} for side in (before, after)]
    (found,) = compare(*sides)
    assert found.change is change
    assert ("1 figures within noise" in as_text([found])) == (change is Change.NOISE)


figures = st.builds(figure, st.lists(st.floats(0.01, 1e4), min_size=1, max_size=12))


@given(figures, figures)
def test_a_comparison_turned_round_says_the_opposite_and_a_run_beside_itself_nothing(one, other) -> None:
    opposite = {Change.BETTER: Change.WORSE, Change.WORSE: Change.BETTER, Change.NOISE: Change.NOISE}
    (there,), (back,) = (compare({"x": a}, {"x": b}) for a, b in ((one, other), (other, one)))
    if abs(there.before.median - there.after.median) > 0.4 * max(one.median, other.median):
        assert back.change is opposite[there.change]
    assert compare({"x": one}, {"x": one})[0].change is Change.NOISE


@pytest.mark.parametrize(
    ("measure", "found", "verdict", "ratio"),
    [
        (Measure("a", "b", "w", "ms", most=80), {"a": one(79)}, Verdict.MET, None),
        (Measure("a", "b", "w", "ms", most=80), {"a": one(81)}, Verdict.MISSED, None),
        (Measure("a", "b", "w", "ms", "f", "floor", 2), {"a": one(9), "f": one(5)}, Verdict.MET, 1.8),
        (Measure("a", "b", "w", "ms", "f", "floor", 2), {"a": one(11), "f": one(5)}, Verdict.MISSED, 2.2),
        (Measure("a", "b", "w", "ms", "f", "floor", 2), {"a": one(11)}, Verdict.ABSENT, None),
        (Measure("a", "b", "w", "/s", 4.0, "peer", least=3), {"a": one(12)}, Verdict.MET, 3.0),
        (Measure("a", "b", "w", "/s", 4.0, "peer", least=3), {"a": one(11)}, Verdict.MISSED, 2.75),
        (Measure("a", "b", "w", "ms"), {"a": one(1)}, Verdict.SHOWN, None),
        (Measure("a", "b", "w", "ms", most=1), {}, Verdict.ABSENT, None),
    ],
)
def test_a_goal_is_met_missed_or_not_measured(measure, found, verdict, ratio) -> None:
    judged = line(measure, found)
    assert (judged.verdict, judged.ratio) == (verdict, pytest.approx(ratio) if ratio else None)


def test_every_goal_is_of_one_side_and_every_ratio_names_what_it_stands_beside() -> None:
    for measure in MEASURES:
        assert measure.most is None or measure.least is None
        assert (measure.beside is None) == (not measure.floor), measure.what
        assert (measure.least is not None) == measure.more_is_better or measure.most is None


def test_a_bench_whose_figure_no_measure_names_is_refused(tmp_path, monkeypatch) -> None:
    found, target = {"round.years.cpu": [1.0], "round.month.cpu": [1.0]}, tmp_path / "samples.json"
    toy = SimpleNamespace(samples=lambda *, quick: found)
    monkeypatch.setattr(one_bench, "import_module", lambda _name: toy)
    one_bench.main("rounds", str(target), quick=True)
    assert json.loads(target.read_text()) == found
    target.unlink()
    found["round.fourth.cpu"] = [1.0]
    with pytest.raises(LookupError, match="fourth"):
        one_bench.main("rounds", str(target), quick=True)
    assert not target.exists()


def test_a_line_is_astray_where_it_is_missing_or_there_twice() -> None:
    assert astray({"a", "b", "c"}, {"a": 1, "b": 2, "late": 1}) == {"b", "c"}
    assert astray({"a"}, {"a": 1, "unacknowledged": 2}) == {"unacknowledged"}
    assert astray({"a"}, {"a": 1, "unacknowledged": 1}) == set()


def test_the_table_says_what_is_missed_what_was_not_measured_and_that_a_machine_was_busy() -> None:
    told = lines({"tell.wall": one(108, 3), "start.s": one(2.5)})
    quiet, busy = markdown(told, MACHINE), markdown(told, {**MACHINE, "load_per_core": 3.0})
    assert "Missed: tell, no model, over HTTP, p50." in quiet
    assert "| start to first page | 2.5 [2.5 .. 2.5] s |  |  | <= 3 s | met |" in quiet
    assert "Not measured in this run: Today, ten years, CPU" in quiet
    assert "busy" not in quiet and "The machine was busy" in busy
    assert is_busy({"load_per_core": 3.0}) and not is_busy({})
