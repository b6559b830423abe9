"""What is settled about a subject, and what is never to be learned: a page for parents."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from household.access import require_parent, visible
from household.rules.permissions import Resource
from household.views.pages import Asked, for_members
from memory.forms import FactForm, TopicForm
from memory.models import NeverTopic, SettledFact
from memory.rules.settled import InvalidFact, holds
from memory.services.never import NoTopic, add_topic, remove_topic
from memory.services.settled import fact_of, retire, settle
from twin.views.subject_nav import subject_page

MOST_SHOWN = 200


def _page(request: Asked, pk: int, form: FactForm, topic_form: TopicForm) -> dict[str, Any]:
    page = subject_page(request, pk, at="memory:fact-list")
    rows = SettledFact.objects.filter(subject=pk).select_related(
        "record", "retired_by", "author", "contradicts"
    )
    facts = list(visible(request.user, Resource.MEMORY, rows).order_by("-valid_from", "-id")[:MOST_SHOWN])
    topics = visible(request.user, Resource.CONVERSATION, NeverTopic.objects.filter(subject=pk))
    return page | {
        "form": form,
        "topic_form": topic_form,
        "standing": [one for one in facts if holds(fact_of(one), page["today"])],
        "over": [one for one in facts if not holds(fact_of(one), page["today"])],
        "topics": list(topics.order_by("topic")),
    }


def _show(
    request: Asked,
    pk: int,
    *,
    form: FactForm | None = None,
    topic_form: TopicForm | None = None,
    status: int = 200,
) -> HttpResponse:
    require_parent(request.user, pk)
    fresh = {"client_id": str(uuid.uuid4())}
    page = _page(request, pk, form or FactForm(initial=fresh), topic_form or TopicForm(initial=fresh))
    return render(request, "memory/fact_list.html", page, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def fact_list(request: HttpRequest, pk: int) -> HttpResponse:
    """What is settled and what is never to be learned; a post settles something."""
    return _add(request, pk) if request.method == "POST" else _list(request, pk)


@for_members
def _list(request: Asked, pk: int) -> HttpResponse:
    return _show(request, pk)


@for_members
def _add(request: Asked, pk: int) -> HttpResponse:
    require_parent(request.user, pk)
    form = FactForm(request.POST)
    if not form.is_valid():
        return _show(request, pk, form=form, status=422)
    try:
        settle(person=request.user, subject_id=pk, now=request.now, **form.settled())
    except InvalidFact as error:
        form.refuse(str(error))
        return _show(request, pk, form=form, status=422)
    return redirect("memory:fact-list", pk)


@require_POST
@for_members
def fact_retire(request: Asked, pk: int) -> HttpResponse:
    """Take a fact out of force: it was wrong, or it is over."""
    row = retire(person=request.user, fact_id=pk, now=request.now)
    return redirect("memory:fact-list", row.subject_id)


@require_POST
@for_members
def topic_add(request: Asked, pk: int) -> HttpResponse:
    """List a topic that is never to be learned."""
    require_parent(request.user, pk)
    form = TopicForm(request.POST)
    if form.is_valid():
        try:
            add_topic(
                person=request.user,
                subject_id=pk,
                topic=form.cleaned_data["topic"],
                client_id=form.cleaned_data["client_id"] or f"topic-{request.now.timestamp()}",
                now=request.now,
            )
            return redirect("memory:fact-list", pk)
        except NoTopic:
            form.add_error("topic", _("Write a few words first."))
    return _show(request, pk, topic_form=form, status=422)


@require_POST
@for_members
def topic_remove(request: Asked, pk: int) -> HttpResponse:
    """Strike a topic from the list."""
    return redirect("memory:fact-list", remove_topic(person=request.user, topic_id=pk))
