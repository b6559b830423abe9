"""How one is told that something waits, and the household's mail server."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from household.access import require_parent
from household.models import Channel, MailServer
from household.notice_forms import FeedForm, MailForm, MailServerForm, NtfyForm
from household.senders import NotSent
from household.services.notices.channels import (
    drop_channel,
    drop_mail_server,
    keep_channel,
    keep_mail_server,
    make_feed,
)
from household.services.notices.outbox import send_test
from household.views.pages import Asked, for_members

FORMS: dict[str, Any] = {"ntfy": NtfyForm, "email": MailForm, "calendar": FeedForm}


@for_members
def channel_list(request: Asked) -> HttpResponse:
    """The ways this person is told, each a card; a post keeps the card it names."""
    rows = {one.kind: one for one in Channel.objects.filter(person=request.user)}
    kind = request.POST.get("card", "")
    if request.method == "POST" and kind not in FORMS:
        raise Http404
    cards = {one: form(rows.get(one), request.POST if one == kind else None) for one, form in FORMS.items()}
    if kind and cards[kind].is_valid():
        return _keep(request, kind, cards[kind].cleaned_data)
    return _page(request, rows, cards, status=422 if kind else 200)


def _page(
    request: Asked,
    rows: dict[str, Channel],
    cards: dict[str, forms.Form],
    *,
    status: int = 200,
    feed: str = "",
) -> HttpResponse:
    context = {
        "cards": [{"kind": kind, "form": form, "row": rows.get(kind)} for kind, form in cards.items()],
        "has_server": MailServer.objects.exists(),
        "feed": feed,
    }
    return render(request, "household/channel_list.html", context, status=status)


def _keep(request: Asked, kind: str, said: dict[str, Any]) -> HttpResponse:
    shared = {"notices": said["notices"], "has_detail": said["has_detail"], "now": request.now}
    if kind == "calendar":
        token = make_feed(person=request.user, **shared)
        rows = {one.kind: one for one in Channel.objects.filter(person=request.user)}
        feed = request.build_absolute_uri(reverse("twin:feed-show", args=[token]))
        cards = {one: form(rows.get(one)) for one, form in FORMS.items()}
        return _page(request, rows, cards, feed=feed)
    secret = said.get("secret") or None
    keep_channel(person=request.user, kind=kind, address=said["address"], secret=secret, **shared)
    messages.success(request, _("Saved."))
    return redirect("household:channel-list")


@require_POST
@for_members
def channel_drop(request: Asked, kind: str) -> HttpResponse:
    """End one way of being told."""
    drop_channel(person=request.user, kind=kind)
    messages.success(request, _("You are not told this way any more."))
    return redirect("household:channel-list")


@require_POST
@for_members
def channel_try(request: Asked, kind: str) -> HttpResponse:
    """Send one word at once."""
    row = Channel.objects.filter(person=request.user, kind=kind).exclude(kind="calendar").first()
    if row is None:
        raise Http404
    try:
        send_test(channel=row)
        messages.success(request, _("Sent. It should be with you now."))
    except NotSent as error:
        messages.error(request, _("It could not be sent (%(code)s).") % {"code": error.code})
    return redirect("household:channel-list")


@for_members
def mail_show(request: Asked) -> HttpResponse:
    """The server the household's e-mails go through."""
    require_parent(request.user)
    server = MailServer.objects.first()
    form = MailServerForm(server, request.POST or None)
    if request.method == "POST" and "remove" in request.POST:
        drop_mail_server()
        messages.success(request, _("The house sends no e-mails any more."))
        return redirect("household:mail-show")
    if form.is_bound and form.is_valid():
        said = form.cleaned_data
        keep_mail_server(**{**said, "password": said["password"] or None})
        messages.success(request, _("Saved."))
        return redirect("household:mail-show")
    context = {"form": form, "server": server}
    return render(request, "household/mail_show.html", context, status=422 if form.is_bound else 200)
