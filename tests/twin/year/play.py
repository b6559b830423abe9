"""Living a stretch of the script: every act at its moment, every night by the round itself."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from household.access import seen_by
from household.models import Person
from tests.twin.stories import tell
from tests.twin.year.acts import (
    Act,
    AnswerAgenda,
    Chronic,
    Close,
    Measure,
    Move,
    Propose,
    Say,
    Tap,
    Undo,
    date_of,
)
from twin.models import AgendaItem, Record, RoundRun, Subject
from twin.rules.day import from_local
from twin.services import forms
from twin.services.agenda import answer_item
from twin.services.closing import close_course, mark_chronic
from twin.services.filing import undo_turn
from twin.services.profiles import archive_profile
from twin.services.rounds.run import catch_up
from twin.services.subjects import change_subject

WORKER_WAKES_AT = dt.time(4)
ONE_DAY = dt.timedelta(days=1)
NEVER = dt.datetime(2000, 1, 1, tzinfo=dt.UTC)
TEN_MINUTES = dt.timedelta(minutes=10)


@dataclass
class Life:
    """One subject's script, lived from a first day to a last one."""

    subject: Subject
    person: Person
    acts: Sequence[Act]
    last_at: dt.datetime = NEVER
    last_turn: str = ""
    runs: list[RoundRun] = field(default_factory=list)

    def live(self, first: dt.date, last: dt.date, *, after_night: Callable[[dt.date], None]) -> None:
        """Everything from `first` to `last`; what was measured before stands already."""
        for act in self._measured_before(first):
            self.do(act)
        if first > self.subject.created_at.date():
            eve = first - ONE_DAY
            RoundRun.objects.create(subject=self.subject, day=eve, ran_at=self.subject.created_at)
        for day in days_between(first, last):
            for act in sorted(self._acts_of(day), key=lambda act: act.wall):
                self.do(act)
                self._run_again_if_late()
            self._sleep_over(day)
            after_night(day)

    def _measured_before(self, first: dt.date) -> list[Act]:
        measured = [act for act in self.acts if isinstance(act, Measure) and date_of(act.day) < first]
        return sorted(measured, key=lambda act: act.day)

    def _acts_of(self, day: dt.date) -> list[Act]:
        return [act for act in self.acts if date_of(act.day) == day]

    def _sleep_over(self, day: dt.date) -> None:
        """The worker wakes at four on the subject's clock, or after whatever happened last."""
        wakes = dt.datetime.combine(day + ONE_DAY, WORKER_WAKES_AT)
        now = max(from_local(wakes, zone=self.subject.time_zone), self.last_at + TEN_MINUTES)
        self.runs += catch_up(self.subject, now=now)

    def _run_again_if_late(self) -> None:
        if RoundRun.objects.filter(subject=self.subject, is_dirty=True).exists():
            self.runs += catch_up(self.subject, now=self.last_at + TEN_MINUTES)

    def at(self, act: Act) -> dt.datetime:
        """The instant of an act, by the clock that hangs there then."""
        return from_local(act.wall, zone=self.subject.time_zone)

    def do(self, act: Act) -> None:
        """Let one act happen."""
        now = self.last_at = self.at(act)
        match act:
            case Say():
                self._say(act, now)
            case Undo():
                undo_turn(turn=self.last_turn, person_id=self.person.pk, now=now)
            case Tap():
                forms.tap(
                    person=self.person,
                    subject_id=self.subject.pk,
                    client_id=f"{self.subject.name}-{act.day}",
                    field=act.field,
                    level=act.level,
                    now=now,
                )
            case AnswerAgenda():
                self._answer(act, now)
            case Move():
                self.subject = change_subject(subject=self.subject, time_zone=act.zone)
            case Measure():
                archive_profile(
                    person=self.person,
                    subject_id=self.subject.pk,
                    client_id=f"{self.subject.name}-{act.day}",
                    values=act.values,
                    measured_on=date_of(act.day),
                    now=now,
                )
            case Chronic():
                mark_chronic(course_id=self._open_course(act.category).pk, chronic=True, now=now)
            case Propose():
                horizons = {"to_passive": act.to_passive, "to_close": act.to_close, "source": "a model"}
                Record.objects.filter(pk=self._open_course(act.category).pk).update(horizons=horizons)
            case Close():
                course = self._open_course(act.category)
                close_course(person=self.person, course_id=course.pk, reason=act.reason, now=now)

    def _say(self, act: Say, now: dt.datetime) -> None:
        said_at = now
        if act.said:
            said_at = from_local(
                dt.datetime.combine(date_of(act.said), act.wall.time()), zone=self.subject.time_zone
            )
        told = tell(
            self.subject,
            said_at,
            *act.entries,
            text=act.text,
            kind="answer" if act.is_answer else "observation" if act.entries else "other",
            arrived_at=now,
            author_id=self.person.pk,
        )
        self.last_turn = told.statements[0].turn

    def _answer(self, act: AnswerAgenda, now: dt.datetime) -> None:
        item = AgendaItem.objects.get(subject=self.subject, day=date_of(act.day), category=act.category)
        with seen_by(self.person, now=now):
            answer_item(
                person=self.person,
                item_id=item.pk,
                choice=act.choice,
                words=act.choice,
                client_id=f"{self.subject.name}-{act.day}",
                now=now,
            )

    def _open_course(self, category: str) -> Record:
        return Record.objects.open_courses().get(subject=self.subject, category=category)


def days_between(first: dt.date, last: dt.date) -> Iterable[dt.date]:
    """Every day from the first to the last."""
    return (first + n * ONE_DAY for n in range((last - first).days + 1))
