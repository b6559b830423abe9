"""The nights of bulk days, kept in memory: the rules of the round without its queries.

Every category of the bulk days has one site, so that one course at the most is open in each. A test runs the
real rounds over what this made and finds nothing to change.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from memory.services.demo.rows import Row
from twin.rules.courses import WINDOW_DAYS, should_open
from twin.rules.lifecycle import CourseState, ObservedDay, next_lifecycle
from twin.rules.severity import day_severity, quiet_days, trajectory


@dataclass
class DayRow:
    """One day's row of a category: the columns of its record, its polarity, and its ledger rows."""

    columns: Row
    polarity: str
    sources: list[Row]


@dataclass
class Course:
    """A course in memory: the columns of its record, and its observed days."""

    columns: Row
    days: list[ObservedDay] = field(default_factory=list)
    last_severity: int | None = None


@dataclass
class Nights:
    """The rounds of one subject: what they made so far."""

    subject_id: int
    new_record: Callable[..., Row]  # the columns of a record with a number of its own
    open: dict[str, Course] = field(default_factory=dict)
    recent: dict[str, list[DayRow]] = field(default_factory=dict)
    courses: list[Row] = field(default_factory=list)
    days: list[Row] = field(default_factory=list)
    moves: list[Row] = field(default_factory=list)
    statements: list[Row] = field(default_factory=list)
    rounds: list[Row] = field(default_factory=list)

    def close(
        self, day: dt.date, rows: Sequence[DayRow], *, ended_at: dt.datetime, ran_at: dt.datetime
    ) -> None:
        """Close one day: its rows join courses or open them, and every open course moves on."""
        opened = joined = 0
        for row in rows:
            category = row.columns["category"]
            self._remember(category, row, day)
            if category in self.open:
                self._join(row, self.open[category])
                joined += 1
            elif row.polarity == "abnormal":
                opened += self._open(category, day, ended_at)
        moved: dict[str, int] = {}
        for course in list(self.open.values()):
            became = self._move(course, day, ended_at)
            if became:
                moved[became] = moved.get(became, 0) + 1
        self.rounds.append(
            {
                "subject_id": self.subject_id,
                "day": day,
                "is_dirty": False,
                "counts": {
                    "deadlines": {"expired": 0},
                    "courses": {"opened": opened, "joined": joined},
                    "adjudication": {"joined": 0, "undated": 0},
                    "lifecycle": moved,
                },
                "ran_at": ran_at,
            }
        )

    def _remember(self, category: str, row: DayRow, day: dt.date) -> None:
        first = day - dt.timedelta(days=WINDOW_DAYS - 1)
        kept = [one for one in self.recent.get(category, []) if one.columns["day"] >= first]
        self.recent[category] = [*kept, row]

    def _open(self, category: str, day: dt.date, ended_at: dt.datetime) -> int:
        alike = [one for one in self.recent[category] if one.polarity == "abnormal"]
        row = alike[-1].columns
        abnormal = {one.columns["day"] for one in alike}
        reason = should_open(day, abnormal, severity=row["severity"])
        if reason is None:
            return 0
        columns = self.new_record(
            category=category,
            site=row["site"],
            lifecycle="active",
            opened_on=day,
            started_on=min(abnormal),
            precision="day",
            sort_on=min(abnormal),
            provenance="round",
            manner="inferred",
            created_at=ended_at,
            changed_at=ended_at,
        )
        course = self.open[category] = Course(columns)
        self.courses.append(columns)
        self._log(columns, day, was="day", became="active", reason=reason)
        for one in alike:
            self._join(one, course)
        return 1

    def _join(self, row: DayRow, course: Course) -> None:
        columns, record = course.columns, row.columns
        graded = day_severity(record["severity"], row.polarity)  # type: ignore[arg-type]
        self.days.append(
            {
                "course_id": columns["id"],
                "subject_id": self.subject_id,
                "day": record["day"],
                "trajectory": trajectory(course.last_severity, graded),
                "severity": graded,
                "polarity": row.polarity,
                "record_id": record["id"],
            }
        )
        course.last_severity = graded
        course.days.append(ObservedDay(record["day"], row.polarity))  # type: ignore[arg-type]
        record["course_id"] = columns["id"]
        self.statements.extend(self._statement(columns["id"], record["day"], one) for one in row.sources)
        for name in ("signs", "severity", "context", "asserted", "derived", "model_read"):
            columns[name] = record[name]
        columns["turns"] = list(dict.fromkeys([*columns["turns"], *record["turns"]]))

    def _statement(self, course_id: int, day: dt.date, entry: Row) -> Row:
        return {
            "course_id": course_id,
            "subject_id": self.subject_id,
            "entry_id": entry["id"],
            "day": day,
            "said_at": entry["said_at"],
            "words": entry["words"],
            "signs": entry["signs"],
        }

    def _move(self, course: Course, day: dt.date, ended_at: dt.datetime) -> str | None:
        columns = course.columns
        state = CourseState(columns["lifecycle"], course.days[0].day)
        change = next_lifecycle(state, course.days, quiet_days(columns["category"]), day)
        if not change.is_move:
            return None
        columns["lifecycle"], columns["changed_at"] = change.became, ended_at
        if change.became == "closed":
            columns["ended_on"] = max(change.ended_on or day, columns["started_on"])
            del self.open[columns["category"]]
        self._log(columns, day, was=change.was, became=change.became, reason=change.reason)
        return change.became

    def _log(self, columns: Row, day: dt.date, *, was: str, became: str, reason: str) -> None:
        self.moves.append(
            {
                "course_id": columns["id"],
                "subject_id": self.subject_id,
                "day": day,
                "was": was,
                "became": became,
                "reason": reason,
                "by_id": None,
            }
        )
