"""The pages of a turn: tell, answer, say whom it was about, take it back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from household.access import Denied, visible
from household.models import Person
from household.rules.permissions import Resource, Role
from household.views.pages import Asked, for_members
from memory.cards import open_question_card
from memory.models import OpenQuestion
from memory.services.open_questions import answer_open, questions_of_turn
from memory.services.turns import Turn, answer, choose_subject, known_to, tell, undo
from twin.cards import TAP_WORDS, EntryCard, entry_card, held_back, seconds_to_undo
from twin.models import LedgerEntry, Statement
from twin.rules.routing import AT_MOST_ASKED
from twin.services.agenda import UnknownChoice
from twin.services.filing import TooLate
from twin.services.flags import flags_of_turn
from twin.services.statements import Empty, TooLong
from twin.views.subject_nav import note_professional_look


@require_POST
@login_required
def turn_tell(request: HttpRequest) -> HttpResponse:
    """Take in one statement and show what became of it."""
    chosen = request.POST.get("subject", "")
    try:
        turn = tell(
            person=cast(Person, request.user),
            text=request.POST.get("words", ""),
            client_id=_client_id(request),
            subject_id=int(chosen) if chosen.isdigit() else None,
            now=timezone.now(),
        )
    except (Empty, TooLong) as error:
        return _refused(request, error)
    return _told(request, turn)


@require_POST
@login_required
def question_answer(request: HttpRequest, pk: int) -> HttpResponse:
    """Answer a clarifying question by one tap or in words."""
    tapped = TAP_WORDS.get(request.POST.get("answer", ""))
    try:
        turn = answer(
            person=cast(Person, request.user),
            question_id=pk,
            text=tapped() if tapped else request.POST.get("words", ""),
            client_id=_client_id(request),
            now=timezone.now(),
        )
    except (Empty, TooLong) as error:
        return _refused(request, error)
    return _told(request, turn)


@require_POST
@login_required
def statement_choose(request: HttpRequest, pk: int) -> HttpResponse:
    """Say whom a kept statement was about."""
    chosen = request.POST.get("subject", "")
    if not chosen.isdigit():
        raise Denied
    turn = choose_subject(
        person=cast(Person, request.user), statement_id=pk, subject_id=int(chosen), now=timezone.now()
    )
    return _told(request, turn)


@require_POST
@login_required
def turn_undo(request: HttpRequest, turn: str) -> HttpResponse:
    """Take back what a turn filed, within its minute."""
    try:
        held = held_back(request.POST)
        count = undo(person=cast(Person, request.user), turn=turn, now=timezone.now(), held=held)
    except TooLate:
        text = _("The minute to undo is over. Open the record to correct it.")
        return _message(request, text, status=409)
    if not count:
        raise Denied
    response = _message(request, _("Taken back. Your words are still in the journal."), status=200)
    response["HX-Trigger"] = "told"
    return response


@for_members
def turn_show(request: Asked, turn: str) -> HttpResponse:
    """One turn and what became of it, as a page of its own."""
    context = turn_page(request, turn)
    for pk in {one.subject_id for one in context["statements"] if one.subject_id is not None}:
        note_professional_look(request, pk, Resource.OBSERVATION)
    return render(request, "memory/turn_page.html", context)


def turn_page(request: Asked, turn: str) -> dict[str, Any]:
    """What a turn's fragment and page show. Raises Denied where nothing of it may be seen."""
    statements = list(
        visible(request.user, Resource.OBSERVATION, Statement.objects.filter(turn=turn))
        .select_related("subject")
        .order_by("id")
    ) or list(Statement.objects.filter(turn=turn, author=request.user, subject=None))
    if not statements:
        raise Denied
    rows = (
        visible(request.user, Resource.OBSERVATION, LedgerEntry.objects.filter(turn=turn))
        .select_related("record", "question", "subject")
        .order_by("statement_id", "position")
    )
    shown = list(rows)
    unread = statements[0].read_at is None
    language = request.user.language
    filed = [row.filed_at for row in shown if row.filed_at and row.state == "filed"]
    cards = capped([entry_card(row) for row in shown])
    owners = sorted({one.subject_id for one in statements if one.subject_id is not None})
    taken = sum(card.question is not None for card in cards)
    return {
        "turn": turn,
        "statements": statements,
        "entries": cards,
        "asks": [
            open_question_card(one)
            for one in questions_of_turn(request.user, turn, owners, taken=taken, now=request.now)
        ],
        "flags": [
            {"title": flag.title(language), "text": flag.text(language)}
            for flag in flags_of_turn(statements, shown)
        ],
        "undo_left": seconds_to_undo(max(filed, default=None), now=request.now),
        "choose": known_to(request.user) if unread and statements[0].subject_id is None else [],
        "may_forget": any(
            one.subject_id in request.sight.subjects
            and Role.PARENT in request.sight.subjects[one.subject_id].roles
            for one in statements
        ),
        "is_unread": unread,
        "kinds": statements[0].kinds,
    }


def capped(cards: list[EntryCard]) -> list[EntryCard]:
    """The cards with at most two clarifying questions; the others wait on Today for these to be answered."""
    left, shown = AT_MOST_ASKED, []
    for card in cards:
        is_asked = card.question is not None
        shown.append(replace(card, question=None) if is_asked and left == 0 else card)
        left -= is_asked and left > 0
    return shown


@for_members
def _show_told(request: Asked, turn: Turn) -> HttpResponse:
    page = turn_page(request, turn.turn)
    page |= {"answered": turn.told.answered, "is_again": not turn.is_new}
    response = render(request, "memory/turn_page.html#told", page)
    response["HX-Trigger"] = "told"
    return response


def _told(request: HttpRequest, turn: Turn) -> HttpResponse:
    if getattr(request, "htmx", False):
        return _show_told(request, turn)
    return redirect("memory:turn-show", turn=turn.turn)


def _client_id(request: HttpRequest) -> str:
    return request.POST.get("client_id", "").strip()[:64] or _server_id()


def _server_id() -> str:
    import uuid

    return f"house-{uuid.uuid4()}"


def _refused(request: HttpRequest, error: Exception) -> HttpResponse:
    text = (
        _("That is too long: 10,000 characters at most. Nothing was lost, it is still in the box.")
        if isinstance(error, TooLong)
        else _("Write a few words first.")
    )
    return _message(request, text, status=422)


def _message(request: HttpRequest, text: str, *, status: int) -> HttpResponse:
    template = "memory/turn_message.html" + ("#message" if getattr(request, "htmx", False) else "")
    context = {"text": text, "status": status, "words": request.POST.get("words", "")}
    return render(request, template, context, status=status)


@require_POST
@for_members
def openquestion_answer(request: Asked, pk: int) -> HttpResponse:
    """Answer a question of the memory by one tap or in words."""
    rows = visible(request.user, Resource.CONVERSATION, OpenQuestion.objects.filter(pk=pk))
    question = rows.select_related("subject").first()
    if question is None or not question.category:
        raise Denied
    card = open_question_card(question)
    choice, typed = request.POST.get("answer", ""), request.POST.get("words", "").strip()[:200]
    try:
        answer_open(
            person=request.user,
            question_id=pk,
            answer=choice,
            typed=typed,
            said=f"{card.text} {dict(card.taps).get(choice, typed)}",
            client_id=_client_id(request),
            now=request.now,
        )
    except UnknownChoice:
        text = _("That is no answer to this question. Tap one of the choices, or write it in a few words.")
        return _message(request, text, status=422)
    if not request.htmx:
        return redirect("twin:today-show")
    text = (
        _("Fine. It will be asked again another day.")
        if choice == "unseen"
        else _("Thank you, that is filed")
    )
    response = _message(request, text, status=200)
    response["HX-Trigger"] = "told"
    return response
