"""Patterns made ready for pages: the claim, the count beside it, what would confirm it, every row of it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from household.access import visible
from household.models import Person
from household.rules.permissions import Resource
from household.services.together import fetch_together
from memory.level_names import LIFECYCLES, count_words, level_name, pattern_title, trackable_of
from memory.models import PairCount, Pattern, PatternEvidence
from memory.rules.counting.patterns import LEAST_TOGETHER, days_to_confirm, is_hypothesis
from memory.rules.counting.patterns import Q as BELIEVED_AT
from memory.rules.counting.tables import Table
from twin.daily_shown import event_card
from twin.labels import title_of
from twin.models import Event, FormFill, Record, Trackable, TrackableEntry
from twin.rules.form_fields import fields_for

SOURCES: Mapping[str, Any] = {"fill": FormFill, "record": Record, "event": Event, "entry": TrackableEntry}
TONES = {
    "supported": "is-normal",
    "hypothesis": "is-question",
    "weakening": "is-bare",
    "retired": "is-bare",
}
ORDER = {"supported": 0, "hypothesis": 1, "weakening": 2, "retired": 3}


@dataclass(frozen=True)
class PatternCard:
    """One pattern in a list."""

    row: Pattern
    title: str
    badge: str
    tone: str
    count: str
    both: int
    times: int
    share: int
    base: int
    at_least: int


def tracked_names(person: Person, patterns: Iterable[Pattern]) -> dict[int, Trackable]:
    """The trackables that patterns speak of, as far as they may be seen; no query where none does."""
    wanted = {pk for row in patterns for key in (row.antecedent, row.outcome) if (pk := trackable_of(key))}
    if not wanted:
        return {}
    return {row.pk: row for row in Trackable.objects.filter(pk__in=wanted)}


def seen_counts(person: Person, patterns: Sequence[Pattern]) -> dict[int, tuple[int, int]]:
    """Of each pattern how many days held and how many could have, over the evidence this person may see."""
    rows = visible(
        person, Resource.MEMORY, PatternEvidence.objects.filter(pattern__in=[p.pk for p in patterns])
    )
    rows = visible_sources(person, rows).filter(side="outcome").order_by().values("pattern_id")
    found = rows.annotate(
        both=Count("day", filter=Q(is_for=True), distinct=True), times=Count("day", distinct=True)
    )
    return {row["pattern_id"]: (row["both"], row["times"]) for row in found}


def visible_sources(person: Person, rows: Any) -> Any:
    """Those links whose row this person may see."""
    allowed = Q()
    for name, model in (("fill", FormFill), ("record", Record), ("event", Event), ("entry", TrackableEntry)):
        allowed |= Q(
            **{
                f"{name}__in": visible(person, Resource.OBSERVATION, model._default_manager.all()).values(
                    "pk"
                )
            }
        )
    return rows.filter(allowed)


def pattern_cards(person: Person, patterns: Sequence[Pattern], *, sees_all: bool) -> list[PatternCard]:
    """The cards of patterns with evidence this person may see, the surest first."""
    seen = {row.pk: (row.both, row.antecedent_days) for row in patterns}
    if not sees_all:
        seen = seen_counts(person, patterns)
    names = tracked_names(person, patterns)
    shown = [pattern_card(row, *seen[row.pk], names) for row in patterns if seen.get(row.pk, (0, 0))[0]]
    return sorted(shown, key=lambda card: (ORDER[card.row.lifecycle], -card.row.lower, card.row.pk))


def pattern_card(row: Pattern, both: int, times: int, names: Mapping[int, Trackable]) -> PatternCard:
    """One pattern with its count over what may be seen."""
    return PatternCard(
        row=row,
        title=pattern_title(row.antecedent, row.outcome, row.lag, names),
        badge=str(LIFECYCLES[row.lifecycle]),
        tone=TONES[row.lifecycle],
        count=count_words(row.antecedent, both, times),
        both=both,
        times=times,
        share=round(100 * both / times) if times else 0,
        base=round(100 * row.base_rate),
        at_least=round(100 * row.lower),
    )


@dataclass
class EvidenceDay:
    """One day on which the antecedent held: whether the outcome followed, and the rows that say so."""

    day: dt.date
    outcome_day: dt.date
    is_for: bool
    before: list[dict[str, str]] = field(default_factory=list)
    after: list[dict[str, str]] = field(default_factory=list)


def evidence_days(
    person: Person, pattern: Pattern, links: Sequence[PatternEvidence], *, zone: str, kind: str
) -> list[EvidenceDay]:
    """Every day of evidence and counter-evidence of which both sides may be seen, latest first."""
    ids: dict[str, set[int]] = {name: set() for name in SOURCES}
    for link in links:
        for name, wanted in ids.items():
            if (pk := getattr(link, f"{name}_id")) is not None:
                wanted.add(pk)
    found = fetch_together(
        *(
            visible(person, Resource.OBSERVATION, model._default_manager.filter(pk__in=ids[name]))
            for name, model in SOURCES.items()
        )
    )
    rows = {name: {row.pk: row for row in some} for name, some in zip(SOURCES, found, strict=True)}
    days: dict[dt.date, EvidenceDay] = {}
    for link in sorted(links, key=lambda one: one.pk):
        said = _said(link, rows, pattern, zone=zone, kind=kind)
        if said is None:
            continue
        lag = dt.timedelta(days=pattern.lag)
        one = days.setdefault(link.day, EvidenceDay(link.day, link.day + lag, link.is_for))
        (one.before if link.side == "antecedent" else one.after).append(said)
    whole = [one for one in days.values() if one.before and one.after]
    return sorted(whole, key=lambda one: one.day, reverse=True)


def _said(
    link: PatternEvidence, rows: Mapping[str, Mapping[int, Any]], pattern: Pattern, *, zone: str, kind: str
) -> dict[str, str] | None:
    """What one row says, and where it stands; None where it may not be seen."""
    name = next(one for one in SOURCES if getattr(link, f"{one}_id") is not None)
    row = rows[name].get(getattr(link, f"{name}_id"))
    if row is None:
        return None
    match name:
        case "fill":
            return {"text": _taps(row, kind), "url": "", "icon": "check-circle"}
        case "record":
            title = title_of(row.kind, row.category, row.signs)
            return {"text": title, "url": reverse("twin:record-show", args=[row.rec_id]), "icon": "journal"}
        case "event":
            title = event_card(row, zone=zone).title
            return {"text": title, "url": reverse("twin:event-show", args=[row.pk]), "icon": "event"}
    url = reverse("twin:trackable-show", args=[row.trackable_id])
    return {"text": _("logged"), "url": url, "icon": "measurement"}


def _taps(fill: FormFill, kind: str) -> str:
    """What a fill of the form says, in the words of its taps."""
    fields = fields_for(kind)
    said = [
        str(_(level.label))
        for key, tapped in fill.levels.items()
        if key in fields and (level := fields[key].level(tapped)) is not None and level.rank > 0
    ]
    return ", ".join(said) or str(_("nothing of concern"))


def confirming(pattern: Pattern, counts: Sequence[PairCount]) -> list[str]:
    """What would confirm a pattern, or what holds it back, in sentences."""
    table = Table(pattern.both, pattern.antecedent_days, pattern.outcome_days, pattern.days)
    tests = max(1, sum(1 for one in counts if one.days))
    before = level_name(pattern.antecedent)
    match pattern.lifecycle:
        case "supported":
            return [
                _("It passes a test against chance, held beside all %(n)d pairs that are counted.")
                % {"n": tests},
                _("It weakens when the last eight weeks, with eight such days or more, show it no longer."),
            ]
        case "weakening":
            return [
                _("The last eight weeks alone no longer show it. Eight more such weeks and it is retired.")
            ]
        case "retired":
            return [_("It counts for nothing now.")]
    more = days_to_confirm(table, needed=BELIEVED_AT / tests)
    if not is_hypothesis(table):
        return [_("It needs at least %(n)d days on which both hold.") % {"n": LEAST_TOGETHER}]
    if more is None:
        return [_("It would take very many more days to tell it from chance.")]
    return [
        ngettext(
            "%(n)d more time that %(before)s is followed by it, without one that is not, would confirm it.",
            "%(n)d more times in a row that %(before)s is followed by it would confirm it.",
            more,
        )
        % {"n": more, "before": before},
        _("Until then it may well be chance: of %(n)d pairs that are counted, some meet by luck.")
        % {"n": tests},
    ]
