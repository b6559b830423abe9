"""What a page answers when what was sent does not fit: a whole page, or a notice where htmx asked."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _


def unfit(request: HttpRequest, text: str = "", *, status: int = 422) -> HttpResponse:
    """The 422 answer: what is wrong in `text`, and what to do next."""
    template = "422.html" + ("#message" if getattr(request, "htmx", False) else "")
    fallback = _("Something in what was sent does not fit. Look it over and try once more.")
    return render(request, template, {"text": text, "fallback": fallback}, status=status)
