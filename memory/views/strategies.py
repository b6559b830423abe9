"""The pages of strategies: what helps, how it is done, every use, and a tap on how it went."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from household.access import Denied, filing, may_do, require, visible
from household.rules.permissions import Action, Resource
from household.views.pages import Asked, for_members
from household.views.refusals import unfit
from memory.level_names import pattern_title
from memory.models import Pattern, Strategy, StrategyPattern, StrategyUse
from memory.pattern_shown import tracked_names
from memory.services import strategies as services
from memory.strategy_forms import StrategyForm
from memory.strategy_shown import LIFECYCLES, outcome_taps, strategy_card, strategy_cards, use_chart, use_rows
from memory.views.patterns import row_of
from twin.cards import held_back, seconds_to_undo
from twin.models import Event
from twin.services.days import day_of
from twin.services.filing import TooLate
from twin.shown import hue_of
from twin.views.subject_nav import note_professional_look, subject_page

USES_SHOWN = 60


def _strategy(request: Asked, ref: str, *, to_change: bool = False) -> Strategy:
    """The strategy, if this person may see it, or change it. Raises Http404, Denied."""
    rows = visible(request.user, Resource.MEMORY, Strategy.objects.filter(pk=row_of(ref, "str")))
    found = rows.select_related("subject", "retired_by").first()
    if found is None:
        raise Http404
    if to_change:
        require(request.user, Action.ADD, Resource.MEMORY, found.subject_id)
    return found


@for_members
def strategy_list(request: Asked, pk: int) -> HttpResponse:
    """Every strategy of a subject, what helps most surely first."""
    require(request.user, Action.VIEW, Resource.MEMORY, pk)
    note_professional_look(request, pk, Resource.MEMORY)
    cards = strategy_cards(request, pk)
    context = {
        **subject_page(request, pk, at="memory:pattern-list"),
        "groups": [
            (label, [one for one in cards if one.row.lifecycle == key]) for key, label in LIFECYCLES.items()
        ],
        "has_any": bool(cards),
        "may_add": may_do(request.user, Action.ADD, Resource.MEMORY, pk),
    }
    return render(request, "memory/strategy_list.html", context)


@for_members
def strategy_show(request: Asked, ref: str) -> HttpResponse:
    """One strategy: how it is done, how often it helped and lately, every use."""
    row = _strategy(request, ref)
    subject = row.subject
    note_professional_look(request, subject.pk, Resource.MEMORY, row.ref)
    uses = list(
        visible(request.user, Resource.MEMORY, StrategyUse.objects.filter(strategy=row))
        .select_related("event", "author")
        .order_by("-on", "-pk")
    )
    links = visible(request.user, Resource.MEMORY, StrategyPattern.objects.filter(strategy=row))
    patterns = [link.pattern for link in links.select_related("pattern")]
    names = tracked_names(request.user, patterns)
    today = day_of(subject, request.now)
    context = {
        "strategy": row,
        "subject": subject,
        "hue": hue_of(request.sight.subjects, subject.pk),
        "card": strategy_card(row, uses, today),
        "chart": use_chart(uses, today),
        "uses": use_rows(uses[:USES_SHOWN]),
        "patterns": [(one, pattern_title(one.antecedent, one.outcome, one.lag, names)) for one in patterns],
        "taps": outcome_taps(with_unknown=False),
        "may_change": may_do(request.user, Action.ADD, Resource.MEMORY, subject.pk),
    }
    return render(request, "memory/strategy_show.html", context)


@for_members
def strategy_add(request: Asked, pk: int) -> HttpResponse:
    """Write down something that may help."""
    require(request.user, Action.ADD, Resource.MEMORY, pk)
    form = StrategyForm(
        request.POST or None, patterns=_choices(request, pk), initial={"client_id": uuid.uuid4()}
    )
    if form.is_bound and form.is_valid():
        said = form.cleaned_data
        try:
            row = services.propose_strategy(
                person=request.user,
                subject_id=pk,
                client_id=said["client_id"],
                name=said["name"],
                how=said["how"],
                patterns=map(int, said["patterns"]),
                now=request.now,
            )
        except services.NameTaken:
            form.add_error("name", _("Another strategy has this name."))
        else:
            messages.success(request, _("Kept."))
            return redirect("memory:strategy-show", row.ref)
    return _form_page(request, form, pk, None)


@for_members
def strategy_change(request: Asked, ref: str) -> HttpResponse:
    """Say a strategy otherwise; its uses stay."""
    row = _strategy(request, ref, to_change=True)
    chosen = list(StrategyPattern.objects.filter(strategy=row).values_list("pattern_id", flat=True))
    initial = {"client_id": uuid.uuid4(), "name": row.name, "how": row.how, "patterns": chosen}
    form = StrategyForm(request.POST or None, patterns=_choices(request, row.subject_id), initial=initial)
    if form.is_bound and form.is_valid():
        said = form.cleaned_data
        try:
            services.change_strategy(
                strategy_id=row.pk,
                name=said["name"],
                how=said["how"],
                patterns=map(int, said["patterns"]),
                now=request.now,
            )
        except services.NameTaken:
            form.add_error("name", _("Another strategy has this name."))
        else:
            messages.success(request, _("Saved."))
            return redirect("memory:strategy-show", ref)
    return _form_page(request, form, row.subject_id, row)


def _choices(request: Asked, pk: int) -> list[tuple[int, str]]:
    """The patterns a strategy may be for: those that stand."""
    rows = Pattern.objects.filter(subject_id=pk).exclude(lifecycle="retired").order_by("lifecycle", "-lower")
    found = list(visible(request.user, Resource.MEMORY, rows))
    names = tracked_names(request.user, found)
    return [(one.pk, pattern_title(one.antecedent, one.outcome, one.lag, names)) for one in found]


def _form_page(request: Asked, form: StrategyForm, pk: int, row: Strategy | None) -> HttpResponse:
    context = {
        "form": form,
        "strategy": row,
        "subject": request.sight.subjects[pk].subject,
        "hue": hue_of(request.sight.subjects, pk),
        "url": request.path,
    }
    return render(request, "memory/strategy_form.html", context, status=422 if form.is_bound else 200)


@require_POST
@for_members
def strategy_adopt(request: Asked, ref: str) -> HttpResponse:
    """Take a strategy into use."""
    row = _strategy(request, ref, to_change=True)
    services.adopt_strategy(strategy_id=row.pk, now=request.now)
    return redirect("memory:strategy-show", ref)


@require_POST
@for_members
def strategy_retire(request: Asked, ref: str) -> HttpResponse:
    """Use a strategy no more."""
    row = _strategy(request, ref, to_change=True)
    services.retire_strategy(
        person=request.user, strategy_id=row.pk, reason=request.POST.get("reason", ""), now=request.now
    )
    return redirect("memory:strategy-show", ref)


@require_POST
@for_members
def strategy_use(request: Asked, ref: str) -> HttpResponse:
    """One use today, by a tap on how it went."""
    row = _strategy(request, ref, to_change=True)
    return _record(request, row, None, reverse("memory:strategy-show", args=[ref]))


@for_members
def event_tried(request: Asked, pk: int) -> HttpResponse:
    """What was tried in an event: each strategy with a tap on how it went."""
    rows = visible(request.user, Resource.OBSERVATION, Event.objects.select_related("subject"))
    event = rows.filter(pk=pk).first()
    if event is None:
        raise Http404
    require(request.user, Action.VIEW, Resource.MEMORY, event.subject_id)
    may_add = may_do(request.user, Action.ADD, Resource.MEMORY, event.subject_id)
    if request.method == "POST":
        require(request.user, Action.ADD, Resource.MEMORY, event.subject_id)
        wanted = request.POST.get("strategy", "")
        number = int(wanted) if wanted.isdecimal() and len(wanted) < 18 else 0
        row = visible(request.user, Resource.MEMORY, Strategy.objects.filter(pk=number)).first()
        if row is None or row.subject_id != event.subject_id:
            raise Denied
        return _record(request, row, event, reverse("memory:event-tried", args=[pk]))
    return render(request, "memory/event_tried.html", _tried_page(request, event, may_add=may_add))


def _tried_page(request: Asked, event: Event, *, may_add: bool) -> dict[str, Any]:
    uses = visible(request.user, Resource.MEMORY, StrategyUse.objects.filter(event=event))
    by_strategy = {one.strategy_id: one for one in uses}
    offered = [
        (card, by_strategy.get(card.row.pk), _undo_left(by_strategy.get(card.row.pk), request.now))
        for card in strategy_cards(request, event.subject_id)
        if card.row.lifecycle != "retired" or card.row.pk in by_strategy
    ]
    return {
        "event": event,
        "subject": event.subject,
        "hue": hue_of(request.sight.subjects, event.subject_id),
        "offered": [one for one in offered if may_add or one[1] is not None],
        "taps": outcome_taps(),
        "may_add": may_add,
    }


def _undo_left(use: StrategyUse | None, now: dt.datetime) -> int:
    return seconds_to_undo(use.created_at, now=now) if use is not None else 0


def _record(request: Asked, row: Strategy, event: Event | None, back: str) -> HttpResponse:
    """Keep one use; a page that sent a tap of no outcome is answered 422, a retired strategy 409."""
    client_id = request.POST.get("client_id", "").strip()[:64]
    if not client_id:
        return unfit(request)
    try:
        with filing([row.subject_id]):
            services.record_use(
                person=request.user,
                strategy_id=row.pk,
                client_id=client_id,
                on=day_of(request.sight.subjects[row.subject_id].subject, request.now),
                outcome=request.POST.get("outcome", ""),
                event_id=event.pk if event else None,
                now=request.now,
            )
    except services.UnknownOutcome:
        return unfit(request, _("Say how it went by one of the taps."))
    except services.Retired:
        text = _("This strategy is retired. Take it into use again first.")
        return _refused(request, text, back)
    if event is not None and request.htmx:
        return render(request, "memory/event_tried.html#tried", _tried_page(request, event, may_add=True))
    return redirect(back)


def _refused(request: Asked, text: str, url: str) -> HttpResponse:
    context = {"text": text, "url": url, "status": 409}
    return render(request, "twin/daily_refused.html", context, status=409)


@require_POST
@for_members
def use_answer(request: Asked, pk: int) -> HttpResponse:
    """How one use went, said afterwards."""
    row = _use(request, pk)
    try:
        services.answer_use(
            person=request.user, use_id=row.pk, outcome=request.POST.get("outcome", ""), now=request.now
        )
    except services.UnknownOutcome:
        return unfit(request, _("Say how it went by one of the taps."))
    return redirect("memory:strategy-show", row.strategy.ref)


@require_POST
@for_members
def use_undo(request: Asked, pk: int) -> HttpResponse:
    """Take a use back within its minute."""
    row = _use(request, pk)
    back = reverse("memory:strategy-show", args=[row.strategy.ref])
    try:
        services.undo_use(use_id=row.pk, now=request.now, held=held_back(request.POST))
    except TooLate:
        text = _("The minute to undo is over. You can say anew how it went.")
        return _refused(request, text, back)
    if request.htmx:
        response = HttpResponse(status=204)
        response["HX-Redirect"] = reverse("memory:event-tried", args=[row.event_id]) if row.event_id else back
        return response
    return redirect(back)


def _use(request: Asked, pk: int) -> StrategyUse:
    rows = visible(request.user, Resource.MEMORY, StrategyUse.objects.filter(pk=pk))
    found = rows.select_related("strategy").first()
    if found is None:
        raise Http404
    require(request.user, Action.ADD, Resource.MEMORY, found.subject_id)
    return found
