"""Quick logs: making and ending them, and the address a button posts to without signing in."""

from __future__ import annotations

import json
import uuid
from typing import Any

import segno
from django.contrib import messages
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from household.access import require, require_parent, seen_by, visible
from household.connections import as_owner
from household.rules.permissions import Action, Resource
from household.views.pages import Asked, for_members
from twin.daily_shown import clock_words
from twin.models import QuickLog
from twin.quick_choices import quick_choices
from twin.rules.trackables import InvalidTrackable
from twin.services.doses import DoseTooSoon, Stopped
from twin.services.forms import UnknownTap
from twin.services.quicklog import (
    Revoked,
    UnknownAction,
    hash_of,
    make_quick_log,
    revoke_quick_log,
    run_quick_log,
    standing_quick_log,
)
from twin.services.trackables import NotFor, PutAway
from twin.trackable_forms import QuickLogForm
from twin.views.subject_nav import subject_page

PRESSES_A_MINUTE = 30  # of one token
WRONG_A_MINUTE = 30  # unknown tokens from one address
LONGEST_BODY = 4096


@for_members
def quicklog_list(request: Asked, pk: int) -> HttpResponse:
    """The buttons made for one subject, and making another. For parents."""
    require_parent(request.user, pk)
    subject = request.sight.subjects[pk].subject
    choices = quick_choices(request.user, subject)
    form = QuickLogForm(request.POST or None, choices=choices.grouped, initial={"client_id": uuid.uuid4()})
    made = None
    if form.is_bound and form.is_valid():
        key = form.cleaned_data["action"]
        try:
            made = make_quick_log(
                person=request.user,
                subject_id=pk,
                client_id=form.cleaned_data["client_id"],
                label=form.cleaned_data["label"] or choices.labels[key][:60],
                action=choices.actions[key],
                now=request.now,
            )
        except (UnknownAction, UnknownTap, InvalidTrackable):
            form.add_error("action", _("That cannot be logged any more. Choose something else."))
        except Revoked:
            form.add_error(None, _("This button was ended meanwhile. Make a new one."))
    rows = QuickLog.objects.filter(subject_id=pk, revoked_at=None).select_related("author")
    context = {
        **subject_page(request, pk, at="twin:quicklog-list"),
        "form": form,
        "rows": visible(request.user, Resource.OBSERVATION, rows).order_by("label", "pk"),
        "can_make": bool(choices.grouped),
    }
    if made is not None:
        url = request.build_absolute_uri(reverse("twin:quicklog-press", args=[made.token]))
        context |= {"made": made.row, "url": url, "qr": qr_of(url)}
        return render(request, "twin/quicklog_made.html", context)
    return render(request, "twin/quicklog_list.html", context, status=422 if form.is_bound else 200)


def qr_of(url: str) -> SafeString:
    """An address as an inline SVG of a QR code."""
    code = segno.make(url, micro=False, error="m")
    return mark_safe(code.svg_inline(border=2, svgclass="qr", lineclass=None, omitsize=True))  # noqa: S308


@require_POST
@for_members
def quicklog_revoke(request: Asked, pk: int) -> HttpResponse:
    """End a button at once. For parents."""
    rows = visible(request.user, Resource.OBSERVATION, QuickLog.objects.all())
    row = rows.filter(pk=pk).first()
    if row is None:
        raise Http404
    require_parent(request.user, row.subject_id)
    revoke_quick_log(quick_log_id=pk, now=request.now)
    words = {"label": row.label}
    messages.success(request, _("%(label)s is ended. Its address does nothing any more.") % words)
    return redirect("twin:quicklog-list", row.subject_id)


@csrf_exempt
@require_http_methods(["GET", "POST"])
def quicklog_press(request: HttpRequest, token: str) -> HttpResponse:
    """What a button posts to; opened in a browser it asks first. No session: the address is the secret."""
    address = f"quick-wrong-{request.META.get('REMOTE_ADDR', '')}"
    if _count(address) > WRONG_A_MINUTE:
        return _too_many()
    with as_owner():
        row = standing_quick_log(token)
    if row is None or row.author is None:
        _count(address, more=1)
        raise Http404
    if _count(f"quick-{hash_of(token)}", more=1) > PRESSES_A_MINUTE:
        return _too_many()
    with translation.override(row.author.language):
        return _press(request, row, token)


def _count(key: str, *, more: int = 0) -> int:
    """How often this happened within a minute, with `more` of it now."""
    cache.add(key, 0, timeout=60)
    try:
        return int(cache.incr(key, more))
    except ValueError:  # it ran out between the two
        return more


def _too_many() -> HttpResponse:
    return HttpResponse("too many\n", status=429, content_type="text/plain", headers={"Retry-After": "60"})


def _press(request: HttpRequest, row: QuickLog, token: str) -> HttpResponse:
    now = timezone.now()
    assert row.author is not None
    with seen_by(row.author, now=now):
        require(row.author, Action.ADD, Resource.OBSERVATION, row.subject_id)
        if request.method == "GET":
            return _page(request, row, {"client_id": str(uuid.uuid4())}, status=200)
        sent = _sent(request)
        client_id = sent.get("client_id") or f"second-{int(now.timestamp())}"
        despite = sent.get("despite", "")
        try:
            run_quick_log(
                row=row,
                client_id=client_id[:64],
                now=now,
                despite=int(despite) if despite.isdecimal() and len(despite) < 18 else None,
            )
        except DoseTooSoon as soon:
            return _answer(request, row, _soon_words(row, soon, now), status=409, soon=soon)
        except (Stopped, PutAway, NotFor):
            return _answer(request, row, _("That is not logged any more."), status=409)
        return _answer(request, row, _("Logged: %(label)s") % {"label": row.label}, status=200)


def _sent(request: HttpRequest) -> dict[str, str]:
    """What came with a press: form fields, a JSON object, or an Idempotency-Key; anything else is nothing."""
    sent: dict[str, Any] = dict(request.POST.items())
    if request.content_type == "application/json" and len(request.body) <= LONGEST_BODY:
        try:
            read = json.loads(request.body or b"{}")
        except ValueError:
            read = {}
        sent = read if isinstance(read, dict) else {}
    sent.setdefault("client_id", request.headers.get("Idempotency-Key", ""))
    return {name: str(value).replace("\x00", "").strip() for name, value in sent.items()}


def _soon_words(row: QuickLog, soon: DoseTooSoon, now: Any) -> str:
    zone = row.subject.time_zone
    words = {
        "given": clock_words(soon.last.at, zone=zone, now=now),
        "name": soon.last.author.name if soon.last.author else "?",
        "next": clock_words(soon.allowed_at, zone=zone, now=now),
    }
    return _("Not saved, too soon: given at %(given)s by %(name)s. From %(next)s on it may be given.") % words


def _answer(
    request: HttpRequest, row: QuickLog, text: str, *, status: int, soon: DoseTooSoon | None = None
) -> HttpResponse:
    """The outcome as the caller reads it: a page, plain words, or JSON."""
    accepts = request.headers.get("Accept", "")
    if "text/html" in accepts:
        context = {"text": text, "despite": soon.last.pk if soon else None, "client_id": str(uuid.uuid4())}
        return _page(request, row, context, status=status)
    if accepts.startswith("text/plain"):
        return HttpResponse(f"{text}\n", status=status, content_type="text/plain; charset=utf-8")
    answer: dict[str, Any] = {"ok": status == 200, "text": text, "label": row.label}
    if soon is not None:
        answer |= {
            "code": "too_soon",
            "despite": soon.last.pk,
            "last_at": soon.last.at.isoformat(),
            "allowed_at": soon.allowed_at.isoformat(),
        }
    return JsonResponse(answer, status=status)


def _page(request: HttpRequest, row: QuickLog, context: dict[str, Any], *, status: int) -> HttpResponse:
    shown = {**context, "row": row, "subject": row.subject, "status": status, "done": "text" in context}
    response = render(request, "twin/quicklog_press.html", shown, status=status)
    response["Referrer-Policy"] = "no-referrer"
    return response
