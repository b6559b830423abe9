"""A crisis card in plain language: what was heard, what to do now and whom to call."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from household.models import Person
from memory.models import CrisisCard
from memory.services.crises import Crisis, with_words

TITLES: Mapping[str, Any] = {
    "wish_to_die": gettext_lazy("%(name)s said something about not wanting to live"),
    "self_harm": gettext_lazy("%(name)s said something about hurting themselves"),
    "harmed": gettext_lazy("%(name)s said something about being hurt by somebody"),
    "despair": gettext_lazy("%(name)s said something very sad about themselves"),
}
FIRST: Mapping[str, Any] = {
    "wish_to_die": gettext_lazy(
        "Go to your child now and stay near. Ask calmly what they meant, and listen."
        " Asking does not make it worse."
    ),
    "self_harm": gettext_lazy(
        "Go to your child now and stay near. Look whether they are hurt, and put away what could hurt them."
    ),
    "harmed": gettext_lazy(
        "Listen, and say that it is good they told. Do not question them,"
        " and do not face whoever it may be alone."
    ),
    "despair": gettext_lazy(
        "Sit with your child today. Ask what made the day so hard, and listen without putting it right."
    ),
}


@dataclass(frozen=True)
class CrisisShown:
    """One card as a page shows it."""

    pk: int
    child: int
    title: str
    first: str
    words: str
    at: dt.datetime
    call_now: str
    call_talk: str
    seen_by: str
    seen_at: dt.datetime | None


def crisis_shown(crisis: Crisis) -> CrisisShown:
    """A card with its words."""
    card = crisis.card
    return CrisisShown(
        pk=card.pk,
        child=card.subject_id,
        title=str(TITLES[card.kind]) % {"name": card.subject.name},
        first=str(FIRST[card.kind]),
        words=crisis.words,
        at=crisis.at,
        call_now=_(
            "If anybody is in danger now, call the emergency number: 112 in Europe, 911 in North America."
        ),
        call_talk=_(
            "To talk to somebody who knows: your child’s doctor, or a helpline such as 116 111 for children"
            " in Europe, 988 in the United States and Canada, 0800 1111 in the United Kingdom."
        ),
        seen_by=card.seen_by.name if card.seen_by_id and card.seen_by else "",
        seen_at=card.seen_at,
    )


def crises_shown(crises: Iterable[Crisis]) -> list[CrisisShown]:
    """Several cards, as they come."""
    return [crisis_shown(one) for one in crises]


def crises_today(person: Person, rows: Sequence[CrisisCard]) -> list[CrisisShown]:
    """What stands on top of this person's Today. Inside `seen_by`."""
    return crises_shown(with_words(person, rows))
