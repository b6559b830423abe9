"""Task memory at work: drawers found by topic, questions asked once, closed by evidence, aged by nights."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping, Sequence

from household.access import Denied, filing, may_do, require, visible
from household.models import Person
from household.rules.permissions import Action, Resource
from memory.models import Drawer, OpenQuestion
from memory.rules import drawers as rules
from memory.rules.topics import Language, intents_of
from memory.services.settled import settled_on
from twin.models import LedgerEntry, Record, Subject
from twin.rules.agenda import WaitingQuestion
from twin.rules.routing import AT_MOST_ASKED
from twin.services.agenda import file_sign
from twin.services.days import day_of
from twin.services.filing import lock_subject
from twin.services.rounds.night import Night
from twin.services.statements import Told

KNOWN_FOR = dt.timedelta(days=3)  # what was told so lately is not asked for

assert AT_MOST_ASKED == rules.AT_MOST


def touch(*, subject_id: int, intents: frozenset[str], now: dt.datetime, opens: bool = True) -> Drawer | None:
    """The drawer a turn is about, touched; dormant questions of its topic are open again.

    None where the turn is about nothing known, or no drawer fits and none is to be opened.
    """
    if not intents:
        return None
    known = list(Drawer.objects.filter(subject=subject_id).order_by("id"))
    found = rules.drawer_for(
        intents, [rules.Drawer(one.pk, frozenset(one.intents), one.touched_at) for one in known]
    )
    drawer = next((one for one in known if one.pk == found), None)
    if drawer is None:
        return _open(subject_id, intents, now) if opens else None
    if now > drawer.touched_at:
        drawer.touched_at = now
        drawer.save(update_fields=["touched_at"])
    asleep = OpenQuestion.objects.filter(drawer=drawer, state="dormant")
    asleep.filter(pk__in=rules.wakes([waiting_of(one) for one in asleep], drawer.pk)).update(
        state="open", revived_at=now
    )
    return drawer


def _open(subject_id: int, intents: frozenset[str], now: dt.datetime) -> Drawer:
    return Drawer.objects.get_or_create(
        subject_id=subject_id, intents=sorted(intents), defaults={"opened_at": now, "touched_at": now}
    )[0]


def waiting_of(row: OpenQuestion) -> rules.Waiting:
    """A stored question as the rules read it."""
    closes = rules.Closes(row.category, row.sign, row.profile_field)
    return rules.Waiting(row.pk, row.drawer_id, closes, row.state, row.asked_at, row.revived_at)  # type: ignore[arg-type]


def topic_of(
    *, subject_id: int, text: str, language: Language | None, now: dt.datetime, opens: bool = True
) -> Drawer | None:
    """The drawer that a text about a subject belongs into, touched."""
    return touch(subject_id=subject_id, intents=intents_of(text, language=language), now=now, opens=opens)


def ask(
    *,
    subject_id: int,
    closes: rules.Closes,
    drawer: Drawer,
    author_id: int | None,
    now: dt.datetime,
    entry_id: int | None = None,
) -> OpenQuestion | None:
    """Put a question into its drawer, once; None where it is settled already.

    With the entry that gave rise to it, it goes when that entry is forgotten.
    """
    subject = Subject.objects.get(pk=subject_id)
    if closes in settled_on(subject_id, day_of(subject, now)):
        return None
    asked = {"category": closes.category, "sign": closes.sign, "profile_field": closes.profile_field}
    held = OpenQuestion.objects.filter(subject=subject_id, **asked).exclude(state="closed").first()
    return held or OpenQuestion.objects.create(
        subject_id=subject_id,
        drawer=drawer,
        asked_of_id=entry_id,
        author_id=author_id,
        asked_at=now,
        revived_at=now,
        **asked,
    )


def follow_turn(*, person: Person, told: Told, now: dt.datetime) -> int:
    """Ask what is worth knowing after what a turn filed: one question a topic. Gives how many are new.

    Only where the person may read the conversation about the subject: the words of others open no drawer.
    """
    asked = 0
    for statement in told.statements:
        subject = statement.subject
        if subject is None or not may_do(person, Action.VIEW, Resource.CONVERSATION, subject.pk):
            continue
        rows = LedgerEntry.objects.filter(statement=statement, state="filed").order_by("position")
        for row in [row for row in rows if (row.resolved or {}).get("today", row.today) == "yes"]:
            drawer = touch(subject_id=subject.pk, intents=frozenset({row.category}), now=now)
            wanted = rules.follow_up(row.category, row.signs, _known(row, now))
            if drawer is None or wanted is None or _has_open(drawer):
                continue
            made = ask(
                subject_id=subject.pk,
                closes=wanted,
                drawer=drawer,
                author_id=person.pk,
                now=now,
                entry_id=row.pk,
            )
            asked += made is not None
    return asked


def _known(row: LedgerEntry, now: dt.datetime) -> Collection[str]:
    """The signs of a category that were told lately, by whomever."""
    lately = Record.objects.standing().filter(
        subject=row.subject_id, category=row.category, day__gte=row.local_day - KNOWN_FOR
    )
    return {
        name
        for signs in lately.values_list("signs", flat=True)
        for name, value in signs.items()
        if value != "not_observed"
    }


def _has_open(drawer: Drawer) -> bool:
    return OpenQuestion.objects.filter(drawer=drawer, state="open").exists()


def questions_for(
    person: Person, subject_id: int, *, drawer_id: int | None = None, taken: int = 0, now: dt.datetime
) -> list[OpenQuestion]:
    """The questions a response about a subject may carry beside `taken` others: two in all at most."""
    rows = OpenQuestion.objects.filter(subject=subject_id, state="open").select_related("subject")
    seen = list(visible(person, Resource.CONVERSATION, rows).order_by("id"))
    if not seen:
        return []
    settled = settled_on(subject_id, day_of(seen[0].subject, now))
    chosen = rules.to_show([waiting_of(one) for one in seen], drawer=drawer_id, settled=settled, taken=taken)
    by_id = {one.pk: one for one in seen}
    return [by_id[pk] for pk in chosen]


def questions_about(
    person: Person, subject_id: int, *, text: str, language: Language | None, now: dt.datetime
) -> list[OpenQuestion]:
    """The questions an answer to these words may carry: those of their drawer alone, two at most."""
    intents = intents_of(text, language=language)
    rows = visible(person, Resource.CONVERSATION, Drawer.objects.filter(subject=subject_id))
    known = [rules.Drawer(one.pk, frozenset(one.intents), one.touched_at) for one in rows.order_by("id")]
    drawer = rules.drawer_for(intents, known) if intents else None
    if drawer is None:
        return []
    chosen = questions_for(person, subject_id, drawer_id=drawer, now=now)
    return [one for one in chosen if one.drawer_id == drawer]


def questions_of_turn(
    person: Person, turn: str, subject_ids: Sequence[int], *, taken: int, now: dt.datetime
) -> list[OpenQuestion]:
    """The questions that a turn's response carries: those about what it filed, two at most with `taken`."""
    entries = LedgerEntry.objects.filter(turn=turn, state="filed", subject__in=subject_ids)
    spoken = set(entries.values_list("subject_id", "category"))
    rows = OpenQuestion.objects.filter(state="open", subject__in=subject_ids).select_related("subject")
    seen = [
        one
        for one in visible(person, Resource.CONVERSATION, rows).order_by("id")
        if (one.subject_id, one.category) in spoken
    ]
    settled = {
        pk: settled_on(pk, day_of(one.subject, now))
        for pk, one in {one.subject_id: one for one in seen}.items()
    }
    asked = [one for one in seen if waiting_of(one).closes not in settled[one.subject_id]]
    chosen = set(rules.to_show([waiting_of(one) for one in asked], taken=taken))
    return [one for one in asked if one.pk in chosen]


def answer_open(
    *,
    person: Person,
    question_id: int,
    answer: str,
    typed: str,
    said: str,
    client_id: str,
    now: dt.datetime,
) -> Told | None:
    """File what a tap or typed words answer; the evidence closes the question. Raises Denied, UnknownChoice.

    "Didn't look" leaves it open and asks again another day.
    """
    rows = visible(person, Resource.CONVERSATION, OpenQuestion.objects.filter(pk=question_id))
    question = rows.select_related("subject").first()
    if question is None or not question.category:
        raise Denied
    require(person, Action.ADD, Resource.OBSERVATION, question.subject_id)
    with filing([question.subject_id]):
        subject = lock_subject(question.subject_id)
        return file_sign(
            person,
            subject,
            question.category,
            question.sign,
            answer=answer,
            typed=typed,
            said=said,
            turn=f"question-{question.pk}-{int(now.timestamp())}",
            client_id=client_id,
            now=now,
        )


def waiting_questions(subject_id: int, day: dt.date, at: dt.datetime) -> list[WaitingQuestion]:
    """What waits for an answer when a day ends, for the morrow's agenda: two at most, by rule."""
    age_limit = at - dt.timedelta(days=rules.DORMANT_AFTER_DAYS)
    rows = OpenQuestion.objects.filter(
        subject=subject_id, state="open", asked_at__lt=at, revived_at__gt=age_limit
    )
    by_id = {one.pk: one for one in rows}
    young = [waiting_of(one) for one in by_id.values()]
    chosen = rules.to_show(young, settled=settled_on(subject_id, day + dt.timedelta(days=1)))
    return [
        WaitingQuestion(
            pk, by_id[pk].asked_at.date(), by_id[pk].category, by_id[pk].sign, by_id[pk].profile_field
        )
        for pk in chosen
    ]


def age(night: Night) -> Mapping[str, int]:
    """Let questions that nobody answered for a week sleep: kept, and woken when their topic returns."""
    rows = OpenQuestion.objects.filter(subject=night.subject, state="open", revived_at__lt=night.ended_at)
    old = rules.falls_asleep([waiting_of(one) for one in rows], night.ended_at)
    return {"dormant": OpenQuestion.objects.filter(pk__in=old).update(state="dormant")}
