"""What the steps of one round share: whose day it is, and when it ended."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from twin.models import Subject
from twin.rules.day import day_bounds, round_due_at


@dataclass
class Night:
    """One subject's local day that is being closed.

    `pool` holds the courses that a re-run took back, by (category, site): opening one again finds the same
    row, so that no record changes its id because late words came.
    """

    subject: Subject
    day: dt.date
    pool: dict[tuple[str, str], list[int]] = field(default_factory=dict)

    @property
    def ended_at(self) -> dt.datetime:
        """The first instant after the day."""
        return day_bounds(self.day, zone=self.subject.time_zone, day_starts_at=self.subject.day_starts_at)[1]

    @property
    def due_at(self) -> dt.datetime:
        """When the round may run."""
        return round_due_at(self.day, zone=self.subject.time_zone, day_starts_at=self.subject.day_starts_at)


Step = Callable[[Night], Mapping[str, int]]
