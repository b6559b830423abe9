"""Storing the demo's story: every act through the service a page would call, in the order of time."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from functools import singledispatchmethod

from django.db import transaction
from django.db.models import F
from django.utils import translation

from household.models import Membership, Person
from household.rules.names import name_key
from memory.models import Strategy, StrategyUse
from memory.services.demo.acts import (
    Act,
    Began,
    Being,
    Closed,
    Filled,
    Given,
    Happened,
    Measured,
    Said,
    Story,
    Used,
)
from memory.services.journal import write_line
from memory.services.turns import turn_id
from twin.cards import question_card
from twin.models import Event, Medicine, ProfileVersion, Question, Statement, Subject
from twin.rules.entries import Reading
from twin.rules.subjects import Known
from twin.services.days import day_of
from twin.services.doses import log_dose
from twin.services.events import add_event
from twin.services.forms import tap
from twin.services.medicines import define_medicine
from twin.services.rounds.run import run_round
from twin.services.statements import file_reading, keep_statement
from twin.services.subjects import add_subject, change_profile

CLIENT = "demo:"  # every row of the story has a client id of this and its label
READER = "demo"
Progress = Callable[[int, int, str], None]


class NotEmpty(ValueError):
    """The book already holds somebody."""


def client_of(label: str) -> str:
    """The client id of a row of the story."""
    return f"{CLIENT}{label}"


@transaction.atomic
def write_story(
    story: Story, *, parent: Person, passphrase: str, on_progress: Progress = lambda *_: None
) -> dict[str, Subject]:
    """Store the whole story with `parent` in the part of its first parent. Raises NotEmpty."""
    if Subject.objects.exists():
        raise NotEmpty
    writer = _Writer(story, _people(story, parent, passphrase))
    with translation.override(story.language):
        for number, act in enumerate(story.acts, start=1):
            writer.write(act)
            on_progress(number, len(story.acts), str(act.at.date()))
    _kept_when_said(writer.subjects)
    return writer.subjects


def _people(story: Story, parent: Person, passphrase: str) -> dict[str, Person]:
    people = {story.cast[0].key: parent}
    for one in story.cast[1:]:
        found = Person.objects.filter(name_key=name_key(one.name)).first()
        people[one.key] = found or Person.objects.create_user(
            one.name, passphrase, language=story.language, created_at=story.began_at
        )
    return people


def _kept_when_said(subjects: dict[str, Subject]) -> None:
    """The story is told in one go; its words were kept when they were said."""
    Statement.objects.filter(subject__in=subjects.values()).update(created_at=F("said_at"))


class _Writer:
    """The household's people and subjects, and one way to store each sort of act."""

    def __init__(self, story: Story, people: dict[str, Person]) -> None:
        self.story, self.people = story, people
        self.subjects = {being.key: self._add(being) for being in story.beings}
        self.known = [Known(one.pk, one.name, one.species) for one in self.subjects.values()]
        self.strategies: dict[str, Strategy] = {}
        self.medicines: dict[str, Medicine] = {}

    def _add(self, being: Being) -> Subject:
        cast = self.story.cast
        subject = add_subject(person=self.people[cast[0].key], now=being.created_at, **being.columns)
        if being.person:
            change_profile(profile=subject.person, now=being.created_at, **being.person)
        for one in cast[1:]:
            Membership.objects.create(
                person=self.people[one.key],
                subject=subject,
                role=one.role,
                starts_at=being.created_at,
                invited_by=self.people[cast[0].key],
            )
        return subject

    def day(self, act: Act) -> dt.date:
        """The subject's local day of an act."""
        return day_of(self.subjects[act.subject], act.at)

    @singledispatchmethod
    def write(self, act: Act) -> None:
        """Store one act."""
        raise NotImplementedError(type(act).__name__)

    @write.register
    def _(self, act: Said) -> None:
        author, subject = self.people[act.by], self.subjects[act.subject]
        client_id = client_of(act.label)
        turn = turn_id(act.at, client_id)
        statement, _is_new = keep_statement(
            author_id=author.pk,
            subject=subject,
            text=act.text,
            turn=turn,
            client_id=client_id,
            at=act.at,
            language=self.story.language,
        )
        write_line(
            event="Heard",
            at=act.at,
            turn=turn,
            fields={"text": act.text},
            subject_id=subject.pk,
            author_id=author.pk,
        )
        reading = Reading(act.kinds, act.entries, reader=READER)
        file_reading(statement, reading, known=self.known, now=act.at)
        self._end_turn(act, turn)

    def _end_turn(self, act: Said, turn: str) -> None:
        asked = Question.objects.filter(entry__turn=turn, state="open").select_related("entry__subject")
        ends = [("Said", {"text": question_card(one, one.entry).text}) for one in asked.order_by("id")]
        for event, fields in (*ends, ("TurnEnded", {"how": "done"})):
            write_line(
                event=event,
                at=act.at,
                turn=turn,
                fields=fields,
                subject_id=self.subjects[act.subject].pk,
                author_id=self.people[act.by].pk,
            )

    @write.register
    def _(self, act: Filled) -> None:
        for field, level in act.levels.items():
            tap(
                person=self.people[act.by],
                subject_id=self.subjects[act.subject].pk,
                client_id=client_of(act.label),
                field=field,
                level=level,
                now=act.at,
            )

    @write.register
    def _(self, act: Happened) -> None:
        event = add_event(
            person=self.people[act.by],
            subject_id=self.subjects[act.subject].pk,
            client_id=client_of(act.label),
            kind=act.kind,
            at=act.at,
            now=act.at,
            minutes=act.minutes,
            impact=act.impact,
            **act.words,
        )
        for strategy, outcome in act.uses.items():
            self._use(act, strategy, outcome, label=f"{act.label}.{strategy}", event=event)

    @write.register
    def _(self, act: Used) -> None:
        self._use(act, act.strategy, act.outcome, label=act.label)

    def _use(self, act: Act, strategy: str, outcome: str, *, label: str, event: Event | None = None) -> None:
        StrategyUse.objects.create(
            strategy=self.strategies[strategy],
            subject=self.subjects[act.subject],
            event=event,
            on=self.day(act),
            outcome=outcome,
            author=self.people[act.by],
            client_id=client_of(label),
            created_at=act.at,
        )

    @write.register
    def _(self, act: Began) -> None:
        author, subject, client_id = self.people[act.by], self.subjects[act.subject], client_of(act.label)
        if act.what == "medicine":
            self.medicines[act.label] = define_medicine(
                person=author, subject_id=subject.pk, client_id=client_id, now=act.at, **act.columns
            )
            return
        self.strategies[act.label] = Strategy.objects.create(
            changed_at=act.at,
            subject=subject,
            author=author,
            client_id=client_id,
            created_at=act.at,
            **act.columns,
        )

    @write.register
    def _(self, act: Given) -> None:
        log_dose(
            person=self.people[act.by],
            medicine_id=self.medicines[act.medicine].pk,
            client_id=client_of(act.label),
            at=act.at,
            now=act.at,
            outcome=act.outcome,
        )

    @write.register
    def _(self, act: Measured) -> None:
        ProfileVersion.objects.create(
            subject=self.subjects[act.subject],
            version=act.version,
            measured_on=self.day(act),
            values=dict(act.values),
            author=self.people[act.by],
            client_id=client_of(act.label),
            created_at=act.at,
        )

    @write.register
    def _(self, act: Closed) -> None:
        run_round(subject_id=self.subjects[act.subject].pk, day=act.day, now=act.at)
