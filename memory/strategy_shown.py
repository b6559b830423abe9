"""Strategies made ready for pages: how often they helped, in all and lately, and a drawing of their uses."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils import formats
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from household.access import visible
from household.rules.permissions import Resource
from household.services.together import fetch_together
from household.views.pages import Asked
from memory.models import Strategy, StrategyUse
from memory.rules.effectiveness import Tally, Use, change, earlier, recent, tally
from twin.services.days import day_of

LIFECYCLES: Mapping[str, Promise] = {
    "in_use": gettext_lazy("In use"),
    "proposed": gettext_lazy("Proposed"),
    "retired": gettext_lazy("Retired"),
}
OUTCOMES: Mapping[str, Promise] = {
    "success": gettext_lazy("Helped"),
    "partial": gettext_lazy("Partly"),
    "failure": gettext_lazy("No"),
    "unknown": gettext_lazy("Don't know"),
}
TONES = {"success": "normal", "partial": "unseen", "failure": "abnormal", "unknown": "unseen"}
ORDER = {"in_use": 0, "proposed": 1, "retired": 2}
WIDTH, HEIGHT, EDGE, RISE = 320, 72, 10, {"success": 14, "partial": 34, "failure": 54, "unknown": 34}
MOST_DOTS = 40


@dataclass(frozen=True)
class StrategyCard:
    """One strategy with its counts in words."""

    row: Strategy
    badge: str
    all_time: Tally
    recent: Tally
    count: str
    last: str
    lately: str
    trend: str
    percent: int | None
    at_least: int


def strategy_cards(request: Asked, subject_id: int) -> list[StrategyCard]:
    """The strategies of a subject, what helps most surely first; two queries in one."""
    rows, uses = fetch_together(
        visible(request.user, Resource.MEMORY, Strategy.objects.filter(subject_id=subject_id)),
        visible(request.user, Resource.MEMORY, StrategyUse.objects.filter(subject_id=subject_id)),
    )
    today = day_of(request.sight.subjects[subject_id].subject, request.now)
    cards = [strategy_card(row, [one for one in uses if one.strategy_id == row.pk], today) for row in rows]
    return sorted(cards, key=lambda one: (ORDER[one.row.lifecycle], -one.all_time.lower, one.row.name))


def used(rows: Iterable[StrategyUse]) -> list[Use]:
    """Uses as the rule counts them."""
    return [Use(row.on, row.outcome, row.outcome != "unknown" or row.follow_up_expired) for row in rows]


def strategy_card(row: Strategy, rows: Sequence[StrategyUse], today: dt.date) -> StrategyCard:
    """One strategy with its uses."""
    uses = used(rows)
    whole, lately = tally(uses), recent(uses, today)
    turn = change(earlier(uses, today), lately)
    return StrategyCard(
        row=row,
        badge=str(LIFECYCLES[row.lifecycle]),
        all_time=whole,
        recent=lately,
        count=times_words(whole),
        last=_("last on %(day)s") % {"day": formats.date_format(whole.last_on, "j F")}
        if whole.last_on
        else "",
        lately=_("in the last 8 weeks %(count)s") % {"count": times_words(lately)} if lately.uses else "",
        trend=_turn_words(turn),
        percent=None if whole.effectiveness is None else round(100 * whole.effectiveness),
        at_least=round(100 * whole.lower),
    )


def times_words(one: Tally) -> str:
    """How often it helped: "9 of 12 times", and how often partly."""
    if not one.uses:
        return str(_("not used yet"))
    helped = ngettext("%(n)d of %(uses)d time", "%(n)d of %(uses)d times", one.uses)
    said = helped % {"n": one.successes, "uses": one.uses}
    if one.partials:
        said += ", " + ngettext("%(n)d partly", "%(n)d partly", one.partials) % {"n": one.partials}
    return said


def _last_words(one: Tally) -> str:
    if one.last_on is None:
        return ""
    return str(_("last on %(day)s") % {"day": formats.date_format(one.last_on, "j F")})


def _turn_words(turn: int) -> str:
    if turn > 0:
        return str(_("Helps more than it used to"))
    return str(_("Helps less than it used to")) if turn < 0 else ""


@dataclass(frozen=True)
class UseDot:
    """One use in the drawing."""

    x: str  # a number as SVG writes it, whatever the language
    y: int
    tone: str
    title: str


@dataclass(frozen=True)
class UseChart:
    """The uses of a strategy from left to right: helped above, partly between, no below."""

    dots: list[UseDot]
    text: str
    recent_x: str
    width: int = WIDTH
    height: int = HEIGHT


def use_chart(rows: Sequence[StrategyUse], today: dt.date) -> UseChart | None:
    """The drawing of the last uses, oldest first, and the same in words; None without uses."""
    shown = sorted(rows, key=lambda row: (row.on, row.pk))[-MOST_DOTS:]
    if not shown:
        return None
    first = shown[0].on
    span = max((today - first).days, 1)
    said = [f"{formats.date_format(row.on, 'j M')} {str(OUTCOMES[row.outcome]).lower()}" for row in shown]
    dots = [
        UseDot(_across((row.on - first).days / span), RISE[row.outcome], TONES[row.outcome], title)
        for row, title in zip(shown, said, strict=True)
    ]
    words = ", ".join(said)
    eight_weeks = today - dt.timedelta(days=56)
    recent_x = _across((eight_weeks - first).days / span) if first < eight_weeks else ""
    return UseChart(dots, str(_("Uses, oldest first: %(uses)s") % {"uses": words}), recent_x)


def _across(share: float) -> str:
    return f"{EDGE + (WIDTH - 2 * EDGE) * share:.1f}"


def outcome_taps(*, with_unknown: bool = True) -> list[tuple[str, str]]:
    """The one-tap answers to how it went."""
    return [(key, str(label)) for key, label in OUTCOMES.items() if with_unknown or key != "unknown"]


def use_rows(rows: Iterable[Any]) -> list[dict[str, Any]]:
    """The uses of a strategy as a list, latest first."""
    return [
        {
            "row": row,
            "outcome": str(OUTCOMES[row.outcome]),
            "tone": {"success": "is-normal", "failure": "is-abnormal"}.get(row.outcome, "is-bare"),
            "waits": row.outcome == "unknown" and not row.follow_up_expired,
        }
        for row in rows
    ]
