"""The child's memories as cards, and one of them with its days and its older words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from household.access import Denied, require_parent
from household.rules.permissions import Resource, Role
from household.views.pages import Asked, for_members
from memory import models
from memory.journal_shown import moment
from memory.services.memories import (
    MOST_TEXT,
    UNDO_WINDOW_MS,
    After,
    NoWords,
    Refused,
    cards,
    children_with_memories,
    edit_memory,
    held_pictures,
    put_memory_away,
    read_picture,
    restore_memory,
    seen_memories,
    undo_put_away,
)
from twin.cards import held_back
from twin.views.subject_nav import note_professional_look

DAYS_SHOWN = 4
ICONS = frozenset({"star", "cat", "dog", "bird", "rabbit", "food", "water", "moon", "sun", "camera", "bulb"})


@dataclass(frozen=True)
class Card:
    """One memory as it is shown."""

    row: models.Memory
    icon: str
    picture: str
    days: list[Any]
    tellings: int
    is_starred: bool
    is_parents: bool

    @property
    def more_days(self) -> int:
        """Days it was told on beyond those shown."""
        return max(0, len(self.days) - DAYS_SHOWN)


@for_members
def memory_list(request: Asked) -> HttpResponse:
    """Cards of what the children told, a page at a time."""
    children = children_with_memories(request.user)
    if not children and not request.sight.is_parent():
        raise Denied
    child = _chosen(request, children)
    is_hidden = request.GET.get("show") == "away"
    rows, more = cards(request.user, child=child, is_hidden=is_hidden, after=_after(request))
    for pk in {row.subject_id for row in rows}:
        note_professional_look(request, pk, Resource.MEMORY)
    query = f"{'show=away&' if is_hidden else ''}{f'child={child}&' if child else ''}"
    base = reverse("memory:memory-list")
    context = {
        "cards": _cards(request, rows),
        "children": children if len(children) > 1 else {},
        "child": child,
        "is_hidden": is_hidden,
        "more_url": f"{base}?{query}after={more.learned_at_ms}.{more.pk}" if more else "",
    }
    return render(request, "memory/memory_list.html", context)


def _chosen(request: Asked, children: dict[int, str]) -> int | None:
    asked = request.GET.get("child", "")
    chosen = int(asked) if asked.isdecimal() and len(asked) < 10 else None
    return chosen if chosen in children else None


def _after(request: Asked) -> After | None:
    at, _, pk = request.GET.get("after", "").partition(".")
    is_place = at.isdecimal() and pk.isdecimal() and len(at) < 17 and len(pk) < 17
    return After(int(at), int(pk)) if is_place else None


def _cards(request: Asked, rows: Iterable[models.Memory]) -> list[Card]:
    found = list(rows)
    names = [link.picture for row in found for link in row.pictures.all()]
    there = held_pictures(request.user, names) if names else set()
    return [_card(request, row, there) for row in found]


def _card(request: Asked, row: models.Memory, there: set[str]) -> Card:
    tellings = sorted(row.mentions.all(), key=lambda one: one.at_ms)
    shown = [one.picture for one in sorted(row.pictures.all(), key=lambda one: one.position)]
    ordered = [row.cover_picture, *shown] if row.cover_picture else shown
    days = sorted({timezone.localdate(moment(one.at_ms)) for one in tellings}, reverse=True)
    return Card(
        row,
        row.icon if row.icon in ICONS else "memory",
        next((name for name in ordered if name in there), ""),
        days,
        len(tellings),
        row.cover_picture is not None,
        Role.PARENT in request.sight.subjects[row.subject_id].roles,
    )


@for_members
def memory_show(request: Asked, pk: int) -> HttpResponse:
    """One memory: its words, the days it was told on, and for parents the words it had before."""
    row = _seen(request, pk)
    note_professional_look(request, row.subject_id, Resource.MEMORY)
    return _shown(request, row)


def _shown(request: Asked, row: models.Memory, *, error: str = "", typed: str = "") -> HttpResponse:
    card = _cards(request, [row])[0]
    revisions = row.revisions.order_by("-at_ms", "-pk") if card.is_parents else []
    context = {
        "card": card,
        "tellings": [
            {"at": moment(one.at_ms), "day": timezone.localdate(moment(one.at_ms))}
            for one in sorted(row.mentions.all(), key=lambda one: -one.at_ms)
        ],
        "revisions": [{"text": one.text, "until": moment(one.at_ms)} for one in revisions],
        "error": error,
        "typed": typed or row.text,
        "most": MOST_TEXT,
    }
    return render(request, "memory/memory_show.html", context, status=422 if error else 200)


def _seen(request: Asked, pk: int) -> models.Memory:
    rows = seen_memories(request.user).select_related("subject").prefetch_related("mentions", "pictures")
    row = rows.filter(pk=pk).first()
    if row is None:
        raise Denied
    return row


@for_members
def picture_show(request: Asked, name: str) -> HttpResponse:
    """A picture of a memory."""
    data, kind = read_picture(request.user, name)
    return HttpResponse(data, kind, headers={"Cache-Control": "private, no-store"})


@require_POST
@for_members
def memory_put_away(request: Asked, pk: int) -> HttpResponse:
    """Put a memory away; for eight seconds the same place takes it back."""
    action = put_memory_away(person=request.user, memory_id=pk, now=request.now)
    if not request.htmx:
        messages.success(request, _("Put away. You find it under “those put away”."))
        return redirect("memory:memory-list")
    context = {"pk": pk, "action": action, "seconds": UNDO_WINDOW_MS // 1000}
    return render(request, "memory/memory_away.html", context)


@require_POST
@for_members
def memory_undo(request: Asked, pk: int, action: str) -> HttpResponse:
    """Take a putting away back."""
    try:
        was_held = bool(held_back(request.POST))
        undo_put_away(person=request.user, memory_id=pk, action=action, now=request.now, was_held=was_held)
    except Refused:
        text = _("It is too late to undo that. Bring it back from “those put away”.")
        if request.htmx:
            context = {"pk": pk, "text": text}
            return render(request, "memory/memory_late.html", context, status=409)
        messages.error(request, text)
        return redirect("memory:memory-list")
    return _card_or_list(request, pk)


@require_POST
@for_members
def memory_restore(request: Asked, pk: int) -> HttpResponse:
    """Bring a memory back."""
    restore_memory(person=request.user, memory_id=pk, now=request.now)
    messages.success(request, _("It is back."))
    return redirect("memory:memory-show", pk)


@require_POST
@for_members
def memory_edit(request: Asked, pk: int) -> HttpResponse:
    """Put a memory in other words."""
    row = _seen(request, pk)
    require_parent(request.user, row.subject_id)
    words = request.POST.get("text", "")
    try:
        edit_memory(person=request.user, memory_id=pk, text=words, now=request.now)
    except NoWords:
        error = _("Write some words, at most %(most)d letters.") % {"most": MOST_TEXT}
        return _shown(request, row, error=error, typed=words)
    messages.success(request, _("Saved. The older words are kept below."))
    return redirect("memory:memory-show", pk)


def _card_or_list(request: Asked, pk: int) -> HttpResponse:
    if not request.htmx:
        messages.success(request, _("It is back."))
        return redirect("memory:memory-list")
    return render(request, "memory/_memory_card.html", {"card": _cards(request, [_seen(request, pk)])[0]})
