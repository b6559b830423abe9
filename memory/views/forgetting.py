"""Forgetting from a page: what would be reached, doing it, and the proof."""

from __future__ import annotations

import uuid
from typing import Any, cast

from django.contrib.auth.decorators import login_required
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from household.access import Denied, require_parent, seen_by
from household.connections import as_owner
from household.models import Person
from household.views.pages import Asked, for_members
from memory.forgetting_words import amounts, kind_title, waits
from memory.models import Forgetting
from memory.rules.forgetting import Kind, NotYours, Target, Unknown
from memory.services.forgetting import Busy, asker_seen, follow_up, forget, look


def forget_show(request: HttpRequest, kind: str, key: str) -> HttpResponse:
    """What a forgetting would reach; posted, it happens."""
    return _do(request, kind, key) if request.method == "POST" else _ask(request, kind, key)


@for_members
def _ask(request: Asked, kind: str, key: str) -> HttpResponse:
    require_parent(request.user)
    return _page(request, _target(kind, key))


def _page(request: HttpRequest, target: Target, *, text: str = "", status: int = 200) -> HttpResponse:
    try:
        found = look(target, asker_seen(cast(Person, request.user)))
    except Unknown:
        raise Denied from None
    except NotYours:
        return _refused(request, _not_yours(), status=409)
    context: dict[str, Any] = {
        "target": target,
        "title": kind_title(target.kind),
        "amounts": amounts(found.counts.by_label),
        "subjects": found.subjects,
        "client_id": uuid.uuid4(),
        "has_devices": target.kind in ("memory", "turn", "day", "subject"),
        "text": text,
    }
    return render(request, "memory/forget_show.html", context, status=status)


@login_required
def _do(request: HttpRequest, kind: str, key: str) -> HttpResponse:
    person, now, target = cast(Person, request.user), timezone.now(), _target(kind, key)
    client_id = request.POST.get("client_id", "").strip()[:64]
    with seen_by(person, now=now):
        require_parent(person)
        if not client_id or request.POST.get("sure") != "yes":
            text = _("Tick the box first: this cannot be taken back.")
            return _page(request, target, text=text, status=422)
    try:
        with as_owner():
            done = forget(target, person=person, client_id=client_id, now=now)
            gid = done.gid
    except Unknown:
        raise Denied from None
    except NotYours:
        return _refused(request, _not_yours(), status=409)
    except Busy:
        text = _("Others kept writing, so nothing was forgotten. Try again in a moment.")
        return _refused(request, text, status=409)
    follow_up(now=now)
    return redirect("memory:forgetting-show", gid)


@for_members
def forgetting_show(request: Asked, gid: uuid.UUID) -> HttpResponse:
    """The proof: what was emptied, and when the bytes were gone or for whom they wait."""
    require_parent(request.user)
    mine = Q(subject__in=_parent_of(request)) | Q(subject=None, author=request.user)
    done = Forgetting.objects.filter(mine, gid=gid).select_related("owed", "author").first()
    if done is None:
        raise Denied
    owed = done.owed
    context = {
        "done": done,
        "amounts": amounts(done.counts),
        "owed": owed,
        "waits": waits(owed.waiting) if owed else [],
        "left": len(owed.left) if owed else 0,
        "relations": len(owed.relations) if owed else 0,
    }
    template = "memory/forgetting_show.html" + ("#bytes" if request.htmx else "")
    return render(request, template, context)


def _parent_of(request: Asked) -> list[int]:
    return [pk for pk, one in request.sight.subjects.items() if "parent" in one.roles]


def _target(kind: str, key: str) -> Target:
    try:
        return Target(cast(Kind, kind), key)
    except Unknown:
        raise Denied from None


def _not_yours() -> str:
    return _("This also speaks of somebody whose parent you are not. Ask their parent to forget it with you.")


def _refused(request: HttpRequest, text: str, *, status: int) -> HttpResponse:
    return render(request, "memory/forget_refused.html", {"text": text}, status=status)
