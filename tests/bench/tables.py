"""A run as a table of Markdown: the machine, every line, and which goals are met. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.bench.measures import Line, Measure, Verdict

BUSY_LOAD = 0.5  # of a core's worth of other work at the start


def number(value: float) -> str:
    """Three figures that count, thousands apart."""
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def wanted(measure: Measure) -> str:
    """The goal in words."""
    sign = "<=" if measure.most is not None else ">="
    bound = measure.most if measure.most is not None else measure.least
    if bound is None:
        return "none"
    return f"{sign} {number(bound)}{'x' if measure.beside is not None else f' {measure.unit}'.rstrip()}"


def is_busy(machine: Mapping[str, Any]) -> bool:
    """Whether other work ran beside: times are then worse than the box's own, ratios stay near."""
    return float(machine.get("load_per_core", 0)) > BUSY_LOAD


def counted(lines: Sequence[Line]) -> dict[Verdict, int]:
    """How many lines came to each verdict."""
    return {verdict: sum(one.verdict is verdict for one in lines) for verdict in Verdict}


def markdown(lines: Sequence[Line], machine: Mapping[str, Any]) -> str:
    """The whole table, with what stands above it."""
    return "\n".join(
        [*_head(lines, machine), "", *_table(lines), "", *_missed(lines), *_absent(lines), *_earlier(lines)]
    ).rstrip()


def _head(lines: Sequence[Line], machine: Mapping[str, Any]) -> list[str]:
    counts = counted(lines)
    busy = (
        " **The machine was busy with other work (load"
        f" {machine['load_per_core']:.1f} a core): times and ratios to earlier runs"
        " are too high, ratios to floors of the same run nearly right.**"
        if is_busy(machine)
        else ""
    )
    form = "quick run (half a year stands for ten, smaller journals)" if machine.get("quick") else "full run"
    return [
        f"{machine['date']}, {machine['cores']} cores of {machine['processor']}, "
        f"{machine['memory_gb']:.0f} GB, Python {machine['python']},"
        f" PostgreSQL {machine['postgres']}, {form}.{busy}",
        "",
        f"{counts[Verdict.MET]} goals met, {counts[Verdict.MISSED]} missed,"
        f" {counts[Verdict.ABSENT]} not measured in this run.",
    ]


def _table(lines: Sequence[Line]) -> list[str]:
    rows = [
        "| what | median [quartiles] | beside | ratio | goal | |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for one in lines:
        if one.found is None:
            continue
        spread = f" [{number(one.found.low)} .. {number(one.found.high)}]" if one.found.n > 1 else ""
        found = f"{number(one.found.median)}{spread} {one.measure.unit}".rstrip()
        floor = f"{one.measure.floor} (earlier run)" if one.is_earlier else one.measure.floor
        beside = f"{floor}: {number(one.beside)}" if one.beside else floor
        ratio = "" if one.ratio is None else f"{one.ratio:.2f}x"
        rows.append(
            f"| {one.measure.what} | {found} | {beside} | {ratio} | {wanted(one.measure)} | {_word(one)} |"
        )
    return rows


def _word(one: Line) -> str:
    return {Verdict.MISSED: "**missed**", Verdict.SHOWN: ""}.get(one.verdict, one.verdict.value)


def _missed(lines: Sequence[Line]) -> list[str]:
    missed = [one.measure.what for one in lines if one.verdict is Verdict.MISSED]
    return [f"Missed: {'; '.join(missed)}.", ""] if missed else ["No goal is missed.", ""]


def _absent(lines: Sequence[Line]) -> list[str]:
    absent = [one.measure.what for one in lines if one.verdict is Verdict.ABSENT]
    return [f"Not measured in this run: {'; '.join(absent)}.", ""] if absent else []


def _earlier(lines: Sequence[Line]) -> list[str]:
    peers = dict.fromkeys(one.measure.floor for one in lines if one.is_earlier and one.found is not None)
    said = "Peers not measured in this run, their figures of an earlier one in their place"
    return [f"{said}: {'; '.join(peers)}."] if peers else []
