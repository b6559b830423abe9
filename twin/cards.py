"""Rows made ready for pages: titles, icons, signs in words. No queries, no decisions."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from twin.labels import (
    SignLabel,
    describe_signs,
    icon_of,
    sign_lines,
    title_of,
)
from twin.models import AgendaItem, LedgerEntry, Question, Record
from twin.rules.drift import FIELDS as PROFILE_FIELDS
from twin.rules.routing import HELD_AT_MOST, UNDO_FOR
from twin.sign_questions import sign_question


@dataclass(frozen=True)
class EntryCard:
    """One filed, waiting or discarded entry."""

    id: int
    subject: str
    title: str
    icon: str
    polarity: str | None
    found: list[SignLabel]
    checked: list[SignLabel]
    unseen: list[SignLabel]
    state: str
    phrase: str | None
    words: str
    day: dt.date | None
    record: Record | None
    question: QuestionCard | None = None


@dataclass(frozen=True)
class QuestionCard:
    """The one clarifying question about an entry."""

    id: int
    text: str
    words: str
    subject: str
    deadline_at: dt.datetime


def entry_card(row: LedgerEntry) -> EntryCard:
    """The card of one ledger row whose record, question and subject are loaded."""
    question = getattr(row, "question", None)
    kind = row.record.kind if row.record else "symptom"
    return EntryCard(
        id=row.pk,
        subject=row.subject.name,
        title=title_of(kind, row.category, row.signs),
        icon=icon_of(kind, row.category),
        polarity=row.record.polarity if row.record else None,
        **sign_lines(row.category, row.signs),
        state=row.state,
        phrase=(row.resolved or {}).get("phrase") or row.phrase,
        words=row.words,
        day=row.filed_day,
        record=row.record,
        question=question_card(question, row) if question is not None and question.state == "open" else None,
    )


def question_card(question: Question, row: LedgerEntry) -> QuestionCard:
    """The card of an open question whose entry and subject are loaded."""
    signs = describe_signs(row.category, row.signs)
    what = ", ".join(sign.text for sign in signs[:3]) or title_of("symptom", row.category, row.signs)
    return QuestionCard(
        id=question.pk,
        text=_("%(name)s: when was that? (%(what)s)") % {"name": row.subject.name, "what": what},
        words=row.words,
        subject=row.subject.name,
        deadline_at=question.deadline_at,
    )


def seconds_to_undo(filed_at: dt.datetime | None, *, now: dt.datetime) -> int:
    """How long "undo" still stands, in whole seconds, 0 when it is over."""
    if filed_at is None:
        return 0
    return max(0, int((filed_at + UNDO_FOR - now).total_seconds()))


def held_back(posted: Mapping[str, str]) -> dt.timedelta:
    """How long the page says "undo" was held for whoever stood at it; nothing where it says no number."""
    said = posted.get("held_s", "")
    most = int(HELD_AT_MOST.total_seconds())
    return dt.timedelta(seconds=min(int(said), most) if said.isascii() and said.isdigit() else 0)


def note_card(record: Record) -> dict[str, Any]:
    """One row of a day in a line: title, what was found, what was checked."""
    return {
        "record": record,
        "title": title_of(record.kind, record.category, record.signs),
        "icon": icon_of(record.kind, record.category),
        **sign_lines(record.category, record.signs),
    }


@dataclass(frozen=True)
class AgendaCard:
    """One follow-up question of the day, with its one-tap answers or the page it leads to."""

    id: int
    state: str
    icon: str
    text: str
    taps: list[tuple[str, str]]
    url: str = ""
    action: str = ""
    wants_words: bool = False


def agenda_card(item: AgendaItem, *, may_measure: bool = False) -> AgendaCard:
    """The card of an agenda item whose subject and course are loaded; who may measure is led to it."""
    if item.key.startswith("question:"):
        return _question_item(item)
    if item.key.startswith("use:"):
        named = {"name": item.subject.name, "what": getattr(item, "tried", "")}
        text = _("%(name)s, %(what)s: how did it go?") % named
        return AgendaCard(item.pk, item.state, "bulb", text, tried_taps())
    if item.course is None:
        text = _("%(name)s: it is time to measure the usual again.") % {"name": item.subject.name}
        url = reverse("twin:profile-measure", args=[item.subject_id]) if may_measure else ""
        return AgendaCard(item.pk, item.state, "measurement", text, [], url, _("Measure") if url else "")
    category = item.category
    asked = {
        name: item.course.signs[name] for name in item.asks.get("signs", []) if name in item.course.signs
    }
    what = ", ".join(sign.text for sign in describe_signs(category, asked)[:3])
    title = title_of("symptom", category, item.course.signs)
    text = f"{item.subject.name}, {title}: " + (
        _("still %(what)s?") % {"what": what} if what else _("how is it today?")
    )
    taps = [("still", str(_("Still there"))), ("gone", str(_("Gone"))), ("unseen", str(_("Didn't look")))]
    return AgendaCard(item.pk, item.state, icon_of("symptom", category), text, taps)


def tried_taps() -> list[tuple[str, str]]:
    """The answers to how something that was tried went."""
    return [
        ("success", str(_("Helped"))),
        ("partial", str(_("Partly"))),
        ("failure", str(_("No"))),
        ("unknown", str(_("Don't know"))),
    ]


def _question_item(item: AgendaItem) -> AgendaCard:
    """A question of the family's memory; one of the profile is answered on its page."""
    sign = next(iter(item.asks.get("signs", [])), "")
    if not item.category:
        what = {"name": item.subject.name, "what": _(PROFILE_FIELDS[sign].label)}
        url = reverse("twin:profile-measure", args=[item.subject_id])
        text = _("%(name)s: what is usual for “%(what)s”?") % what
        return AgendaCard(item.pk, item.state, "question", text, [], url, _("Measure"))
    asked = sign_question(item.subject.name, item.category, sign)
    icon = icon_of("symptom", item.category)
    return AgendaCard(item.pk, item.state, icon, asked.text, asked.taps, wants_words=len(asked.taps) == 1)


TAP_WORDS = {
    "today": lambda: pgettext("the answer to: when was that?", "today"),
    "yesterday": lambda: pgettext("the answer to: when was that?", "yesterday"),
    "unknown": lambda: pgettext("the answer to: when was that?", "not sure"),
}
