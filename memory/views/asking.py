"""The pages of asking: the box, the answer as it comes, the answer with what it rests on."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from typing import Any, cast

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from household.access import Denied, may_do
from household.models import Person
from household.rules.permissions import Action, Resource
from household.views.pages import Asked, for_members
from memory.answer_shown import Links, history_of, shown_answer, shown_blocks
from memory.cards import OpenQuestionCard, open_question_card
from memory.models import Question
from memory.rules.topics import Language
from memory.services.asking import (
    EmptyQuestion,
    EvidenceGone,
    Piece,
    Place,
    Prepared,
    QuestionTooLong,
    TooManyStreams,
    Written,
    ask,
    prepare,
    store,
    thumb,
    write,
)
from memory.services.asking.conversing import earlier_in
from memory.services.asking.streams import RETRY_AFTER_S
from memory.services.open_questions import questions_about
from twin.shown import hue_of

HISTORY = 20
THUMBS = {"up": True, "down": False, "none": None}


def ask_show(request: HttpRequest) -> HttpResponseBase:
    """The box, with one's own questions below; a post of it is answered as a page of its own."""
    return ask_plain(request) if request.method == "POST" else _box(request)


@for_members
def _box(request: Asked) -> HttpResponse:
    chosen = request.GET.get("subject", "")
    return render(request, "memory/ask_show.html", _page(request, chosen))


def _page(request: Asked, chosen: str) -> dict[str, Any]:
    sight = request.sight
    subjects = [
        {"subject": one.subject, "hue": hue_of(sight.subjects, pk), "is_chosen": str(pk) == chosen}
        for pk, one in sight.subjects.items()
    ]
    if len(subjects) == 1:
        subjects[0]["is_chosen"] = True
    return {"subjects": subjects, "history": history_of(request.user, most=HISTORY), "now": request.now}


@login_required
def ask_plain(request: HttpRequest) -> HttpResponse:
    """Ask and wait for the whole answer: the way without script."""
    if (refused := _second_step(request)) is not None:
        return refused
    person = cast(Person, request.user)
    try:
        pk = ask(
            person=person,
            subject_id=_subject_id(request),
            question=request.POST.get("words", ""),
            client_id=_client_id(request),
            follows=_follows(request),
            now=timezone.now(),
        )
    except (EmptyQuestion, QuestionTooLong, EvidenceGone, TooManyStreams) as error:
        return _refusal(request, error)
    return redirect("memory:ask-answer", pk=pk)


@require_POST
@login_required
def ask_stream(request: HttpRequest) -> HttpResponseBase:
    """Ask, and send the answer as it is written, as server-sent events."""
    if (refused := _second_step(request)) is not None:
        return refused
    person = cast(Person, request.user)
    try:
        place = Place()
    except TooManyStreams as error:
        return _refusal(request, error)
    try:
        prepared = prepare(
            person=person,
            subject_id=_subject_id(request),
            text=request.POST.get("words", ""),
            client_id=_client_id(request),
            follows=_follows(request),
            now=timezone.now(),
        )
    except (EmptyQuestion, QuestionTooLong) as error:
        place.leave()
        return _refusal(request, error)
    except BaseException:
        place.leave()
        raise
    language = translation.get_language()
    response = StreamingHttpResponse(
        _Stream(_events(person, prepared, language), place), content_type="text/event-stream; charset=utf-8"
    )
    response["Cache-Control"] = "no-store"
    response["X-Accel-Buffering"] = "no"
    return response


class _Stream:
    """The events of one answer; its place is given back however the stream ends."""

    def __init__(self, events: Iterator[bytes], place: Place) -> None:
        self._events, self._place = events, place

    def __iter__(self) -> Iterator[bytes]:
        try:
            yield from self._events
        finally:
            self._place.leave()

    def close(self) -> None:
        """Called when the response is closed, read or not."""
        self._place.leave()

    __del__ = close


def _events(person: Person, prepared: Prepared, language: str | None) -> Iterator[bytes]:
    if prepared.answer_id is not None:
        yield _event("done", {"url": f"/ask/{prepared.answer_id}"})
        return
    links = Links.of_given(prepared)
    written = Written()
    try:
        with translation.override(language):
            for piece in write(prepared, written):
                yield _piece(piece, links, language) if piece.text else b": still writing\n\n"
    finally:
        outcome = _stored(person, prepared, written)
    yield outcome


def _piece(piece: Piece, links: Links, language: str | None) -> bytes:
    with translation.override(language):
        context = {"blocks": shown_blocks(piece.text, links, is_judged=piece.is_judged)}
        html = render_to_string("memory/_answer_blocks.html", context)
    return _event("again" if piece.is_again else "piece", {"html": html})


def _stored(person: Person, prepared: Prepared, written: Written) -> bytes:
    """Keep what was written, also where nobody reads any more; an answer half-way is kept as failed."""
    try:
        answer = store(person=person, prepared=prepared, written=written, now=timezone.now())
    except (EvidenceGone, Denied):
        return _event("gone", {"text": gone_text()})
    return _event("done", {"url": f"/ask/{answer.pk}"})


def gone_text() -> str:
    """What is said where an answer's ground was taken away while it was written."""
    return _("Something this answer rests on was taken out of the book meanwhile. Please ask again.")


def _event(name: str, data: dict[str, str]) -> bytes:
    return f"event: {name}\ndata: {json.dumps(data)}\n\n".encode()


@for_members
def ask_answer(request: Asked, pk: int) -> HttpResponse:
    """One answer with its markers, and why it says what it says."""
    shown = shown_answer(request.user, request.sight, pk)
    template = "memory/ask_answer.html" + ("#answer" if request.htmx else "")
    context = {
        "one": shown,
        "asks": _waiting(request, shown.question) if shown.is_own else [],
        "earlier": earlier_in(request.user, shown.question) if shown.is_own and not request.htmx else [],
    }
    return render(request, template, context)


def _waiting(request: Asked, question: Question) -> list[OpenQuestionCard]:
    """What the house would like to know in return, of this topic first: two at most, by rule."""
    pk = question.subject_id
    if not may_do(request.user, Action.ADD, Resource.OBSERVATION, pk):
        return []
    language: Language = "tr" if question.language == "tr" else "en"
    asked = questions_about(request.user, pk, text=question.text, language=language, now=request.now)
    return [open_question_card(one) for one in asked if one.category]


@require_POST
@login_required
def ask_thumb(request: HttpRequest, pk: int) -> HttpResponse:
    """Say whether an answer helped."""
    said = request.POST.get("thumb", "")
    if said not in THUMBS:
        return HttpResponse(_("Say whether it helped or not."), status=422)
    thumb(person=cast(Person, request.user), answer_id=pk, up=THUMBS[said], now=timezone.now())
    if getattr(request, "htmx", False):
        return ask_answer(request, pk=pk)
    return redirect("memory:ask-answer", pk=pk)


@for_members
def _passes(request: Asked) -> HttpResponse:
    return HttpResponse(status=204)


def _second_step(request: HttpRequest) -> HttpResponse | None:
    """Where a professional has yet to set up a second step, the way there."""
    response = _passes(request)
    return None if response.status_code == 204 else response


def _subject_id(request: HttpRequest) -> int:
    chosen = request.POST.get("subject", "")
    if not chosen.isdigit() or len(chosen) > 18:
        raise EmptyQuestion("subject") if not chosen else Denied
    return int(chosen)


def _follows(request: HttpRequest) -> int | None:
    """The answer that a follow-up question goes on from; what is no number is a question of its own."""
    given = request.POST.get("follows", "")
    return int(given) if given.isdecimal() and len(given) < 18 else None


def _client_id(request: HttpRequest) -> str:
    return request.POST.get("client_id", "").strip()[:64] or f"house-{uuid.uuid4()}"


def _refusal(request: HttpRequest, error: Exception) -> HttpResponse:
    if isinstance(error, TooManyStreams):
        text, status = _("The house is answering others just now. Try again in a few seconds."), 503
    elif isinstance(error, EvidenceGone):
        text, status = gone_text(), 409
    elif isinstance(error, QuestionTooLong):
        text, status = _("That is too long: 2,000 characters at most. It is still in the box."), 422
    elif error.args:
        text, status = _("Choose whom the question is about."), 422
    else:
        text, status = _("Write your question first."), 422
    is_part = getattr(request, "htmx", False) or "text/event-stream" in request.headers.get("Accept", "")
    template = "memory/turn_message.html" + ("#message" if is_part else "")
    context = {"text": text, "status": status, "words": request.POST.get("words", "")}
    response = render(request, template, context, status=status)
    if status == 503:
        response["Retry-After"] = str(RETRY_AFTER_S)
    return response
