"""What the steps of one round share: whose day it is, and when it ended."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from twin.models import CourseMove, Subject
from twin.rules.day import day_bounds, round_due_at


@dataclass
class Night:
    """One subject's local day that is being closed.

    `pool` holds the courses that a re-run took back, by (category, site), each with the day it was opened
    on: opening one again finds the same row, so that no record changes its id because late words came.
    `closings` are the courses that a person closed on the days that run again.
    """

    subject: Subject
    day: dt.date
    pool: dict[tuple[str, str], dict[int, dt.date]] = field(default_factory=dict)
    closings: list[CourseMove] = field(default_factory=list)

    @property
    def ended_at(self) -> dt.datetime:
        """The first instant after the day."""
        return day_bounds(self.day, zone=self.subject.time_zone, day_starts_at=self.subject.day_starts_at)[1]

    @property
    def due_at(self) -> dt.datetime:
        """When the round may run."""
        return round_due_at(self.day, zone=self.subject.time_zone, day_starts_at=self.subject.day_starts_at)

    def pooled(self, category: str, site: str) -> int | None:
        """Take out of the pool the course that was opened nearest to this day; None where there is none."""
        waiting = self.pool.get((category, site), {})
        nearest = min(waiting, key=lambda pk: (abs((waiting[pk] - self.day).days), pk), default=None)
        if nearest is not None:
            del waiting[nearest]
        return nearest


Step = Callable[[Night], Mapping[str, int]]
