"""Charts as numbers for SVG: where the points of a line lie. Drawn by templates, with a text beside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from household.dates import day_in_words
from twin.labels import SEVERITY_LABELS
from twin.models import CourseDay

WIDTH, HEIGHT, EDGE = 240, 48, 6
STEP_PX = 18


@dataclass(frozen=True)
class Dot:
    """One day of a line; `tone` is abnormal, normal or unseen."""

    x: float
    y: float
    tone: str
    title: str = ""


@dataclass(frozen=True)
class Spark:
    """A small line of severities: its dots, its path, and the same in words."""

    dots: list[Dot]
    path: str
    text: str
    width: int = WIDTH
    height: int = HEIGHT


def sparkline(points: Sequence[CourseDay | None]) -> Spark:
    """The line of a course's last days; a day nobody looked is a hollow dot and breaks nothing."""
    room = WIDTH - 2 * EDGE
    step = min(room / max(len(points) - 1, 1), STEP_PX * 3)
    dots, line, words = [], [], []
    last_y = float(HEIGHT - EDGE)
    for n, point in enumerate(points):
        x = round(EDGE + n * step, 1)
        if point is None:
            dots.append(Dot(x, last_y, "unseen", _("not looked")))
            words.append(_("not looked"))
            continue
        last_y = round(HEIGHT - EDGE - point.severity * (HEIGHT - 2 * EDGE) / 3, 1)
        title = f"{day_in_words(point.day, 'j F')}: {SEVERITY_LABELS[point.severity]}"
        dots.append(Dot(x, last_y, "normal" if point.polarity == "normal" else "abnormal", title))
        line.append(f"{x} {last_y}")
        words.append(str(SEVERITY_LABELS[point.severity]))
    path = "M" + " L".join(line) if line else ""
    return Spark(dots, path, _("By day: %(days)s") % {"days": ", ".join(words)})
