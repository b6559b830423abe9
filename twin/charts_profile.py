"""The drift chart: one bar a field, as long as its change against what counts as clear. SVG by templates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from twin.rules.drift import CONTINUOUS_THRESHOLD, DRIFT_RANKS, FIELDS, THRESHOLDS, Drift

WIDTH = 340
ROW, BAR = 40, 12
TOP, EDGE = 20, 10
FULL = 2.0  # a bar is full at twice the change that counts as clear

MARK_LABELS: dict[str, Any] = {
    "same": gettext_lazy("steady"),
    "noted": gettext_lazy("slightly changed"),
    "drift": gettext_lazy("clearly changed"),
    "missing": gettext_lazy("measured only once"),
}


@dataclass(frozen=True)
class Bar:
    """One field's bar: where it starts, how wide it is, its words."""

    x: float
    y: float
    width: float
    label: str
    text: str
    tone: str
    label_y: float
    text_x: float


@dataclass(frozen=True)
class DriftChart:
    """Every bar, the line of no change and the two of a clear one; and the same in words."""

    bars: list[Bar]
    middle: float
    less: float
    more: float
    width: int
    height: int
    text: str


def change_text(change: Drift) -> str:
    """How much a field changed, in words."""
    if change.mark == "missing":
        return str(MARK_LABELS["missing"])
    if change.change is None:
        return _("more than none now") if change.new else _("no change")
    if round(change.change, 9) == 0:
        return _("no change")
    if FIELDS[change.field].kind == "ordinal":
        ranks = int(abs(change.change))
        if change.change > 0:
            return ngettext("%(ranks)d step up", "%(ranks)d steps up", ranks) % {"ranks": ranks}
        return ngettext("%(ranks)d step down", "%(ranks)d steps down", ranks) % {"ranks": ranks}
    percent = abs(change.change) * 100
    shown = {"percent": number_format(percent, decimal_pos=0 if percent >= 1 else 1)}
    return _("up by %(percent)s %%") % shown if change.change > 0 else _("down by %(percent)s %%") % shown


def drift_chart(changes: Sequence[Drift]) -> DriftChart | None:
    """The bars of every field that both versions have; None where there is none."""
    both = [change for change in changes if change.mark != "missing"]
    if not both:
        return None
    middle, half = WIDTH / 2, WIDTH / 2 - EDGE
    bars = [_bar(change, n, middle, half) for n, change in enumerate(both)]
    words = ", ".join(f"{bar.label}: {bar.text}" for bar in bars)
    return DriftChart(
        bars=bars,
        middle=middle,
        less=round(middle - half / FULL, 1),
        more=round(middle + half / FULL, 1),
        width=WIDTH,
        height=TOP + ROW * len(both) + 6,
        text=_("Change of each field: %(fields)s") % {"fields": words},
    )


def share_of_clear(change: Drift) -> float:
    """A change as a multiple of what counts as clear for its field, with its sign, within the chart."""
    if change.change is None:
        return FULL if change.new else 0.0
    if FIELDS[change.field].kind == "ordinal":
        limit: float = DRIFT_RANKS
    else:
        limit = THRESHOLDS.get(change.field, CONTINUOUS_THRESHOLD)
    return max(-FULL, min(FULL, change.change / limit))


def _bar(change: Drift, n: int, middle: float, half: float) -> Bar:
    length = share_of_clear(change) * half / FULL
    top = TOP + n * ROW
    return Bar(
        x=round(min(middle, middle + length), 1),
        y=top + 20,
        width=round(max(abs(length), 2), 1),
        label=_(FIELDS[change.field].label),
        text=change_text(change),
        tone={"drift": "is-abnormal", "noted": "is-noted"}.get(change.mark, "is-normal"),
        label_y=top + 14,
        text_x=WIDTH - EDGE,
    )
