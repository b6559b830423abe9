"""The three questions Today answers at a glance, in words: who is all right, what is next, what to say."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from twin.daily_shown import MedicineCard
from twin.rules.glance import Condition, Next, Waiting, condition_of, next_of
from twin.services.today import SubjectToday

# condition: words, icon, tone
CONDITIONS: Mapping[Condition, tuple[Any, str, str]] = {
    Condition.WORSE: (gettext_lazy("needs a look"), "trend-up", "is-abnormal"),
    Condition.GOING_ON: (gettext_lazy("something goes on"), "trend-flat", "is-question"),
    Condition.BETTER: (gettext_lazy("getting better"), "trend-down", "is-normal"),
    Condition.NOTED: (gettext_lazy("something noted today"), "eye", "is-question"),
    Condition.QUIET: (gettext_lazy("all quiet"), "check-circle", "is-normal"),
    Condition.UNSEEN: (gettext_lazy("nobody looked today"), "eye-off", ""),
}


@dataclass(frozen=True)
class SubjectGlance:
    """One subject in a few words."""

    name: str
    url: str
    words: str
    icon: str
    tone: str
    is_calm: bool  # its icon says enough for the eye


@dataclass(frozen=True)
class Glance:
    """The strip at the top of Today."""

    subjects: Sequence[SubjectGlance]
    next_words: str
    next_url: str


def glance_of(
    subjects: Sequence[SubjectToday],
    medicines: Sequence[tuple[MedicineCard, bool]],
    *,
    questions: int,
    agenda: int,
    opens: Collection[int],
    now: dt.datetime,
) -> Glance:
    """What the strip says, from what the page holds anyway; of whom only whose pages open to the reader."""
    mine = [card for card, may_add in medicines if may_add]
    due = sorted(card.sort_at for card in mine if card.sort_at and not card.is_overdue)
    unnoted = [one for one in subjects if one.may_add and not _is_looked(one)]
    waiting = Waiting(
        questions=questions,
        agenda=agenda,
        late_doses=sum(card.is_overdue for card in mine),
        next_dose_at=due[0] if due and due[0] <= now + dt.timedelta(hours=12) else None,
        unnoted=len(unnoted),
    )
    first = next((card for card in mine if card.sort_at == waiting.next_dose_at), None)
    words, url = _next_words(next_of(waiting), waiting, first, unnoted)
    return Glance([_subject(one) for one in subjects if one.subject.pk in opens], words, url)


def _is_looked(one: SubjectToday) -> bool:
    return bool(one.noted or one.events or one.entries or any(fill.levels for fill in one.fills))


def _subject(one: SubjectToday) -> SubjectGlance:
    condition = condition_of(
        [course.last_trajectory for course in one.courses],
        noted=[row.polarity for row in one.noted],
        is_looked=_is_looked(one),
    )
    words, icon, tone = CONDITIONS[condition]
    url = reverse("twin:subject-show", args=[one.subject.pk])
    is_calm = condition in {Condition.QUIET, Condition.UNSEEN, Condition.BETTER}
    return SubjectGlance(one.subject.name, url, str(words), icon, tone, is_calm)


def _next_words(
    what: Next, waiting: Waiting, first: MedicineCard | None, unnoted: Sequence[SubjectToday]
) -> tuple[str, str]:
    """The next thing in words, and where on this page or the next it is done."""
    if what == Next.LATE_DOSE:
        late = ngettext("%(n)d dose is overdue", "%(n)d doses are overdue", waiting.late_doses)
        return late % {"n": waiting.late_doses}, "#medicines-title"
    if what == Next.QUESTION:
        asked = ngettext("Answer %(n)d question", "Answer %(n)d questions", waiting.questions)
        return asked % {"n": waiting.questions}, "#questions-title"
    if what == Next.AGENDA:
        look = ngettext("Look at %(n)d thing", "Look at %(n)d things", waiting.agenda)
        return look % {"n": waiting.agenda}, "#agenda-title"
    if what == Next.DOSE and first is not None:
        return f"{first.subject.name}: {first.medicine.name}, {first.due_text}", "#medicines-title"
    if what == Next.NOTE and unnoted:
        name = unnoted[0].subject.name
        return _("Note how %(name)s is") % {"name": name}, reverse(
            "twin:form-show", args=[unnoted[0].subject.pk]
        )
    return _("Nothing. Have a cup of tea."), "#tell"
