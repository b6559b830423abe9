"""The journal by day: which days there are, and what was said on one. For parents."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from household.access import require_parent
from household.rules.days import day_bounds_ms
from household.services.registers import read_setting
from household.views.pages import Asked, for_members
from memory.journal_shown import turns_of
from memory.rules.journal import Day
from memory.services.days import household_offset, lines_of, neighbours, newest_days
from memory.services.memories import held_pictures


@for_members
def journal_list(request: Asked) -> HttpResponse:
    """The days with conversations, newest first."""
    require_parent(request.user)
    before = request.GET.get("before", "")
    days, more = newest_days(
        request.user,
        before_ms=int(before) if before.isdecimal() and len(before) < 17 else None,
        offset=household_offset(),
    )
    context = {
        "days": days,
        "more_url": f"{reverse('memory:journal-list')}?before={more}" if more is not None else "",
        "retention": read_setting("log_retention_days"),
    }
    return render(request, "memory/journal_list.html", context)


@for_members
def journal_show(request: Asked, on: str) -> HttpResponse:
    """One day: each turn with its lines, in plain language."""
    require_parent(request.user)
    wanted = _day(on)
    lines, more = lines_of(request.user, wanted, after=_after(request))
    older, newer = neighbours(request.user, wanted)
    turns = turns_of(lines)
    names = [name for turn in turns for line in turn.lines for name in line.pictures]
    context: dict[str, Any] = {
        "day": wanted.day,
        "turns": turns,
        "pictures": held_pictures(request.user, names) if names else set(),
        "older": older,
        "newer": newer,
        "more_url": f"{reverse('memory:journal-show', args=[on])}?after={more[0]}.{more[1]}" if more else "",
        "forget_day": reverse("memory:forget-show", args=["day", on]),
    }
    return render(request, "memory/journal_show.html", context)


def _day(on: str) -> Day:
    try:
        day = dt.date.fromisoformat(on)
    except ValueError:
        raise Http404 from None
    return Day(day, *day_bounds_ms(day, household_offset()))


def _after(request: Asked) -> tuple[int, int]:
    at, _, position = request.GET.get("after", "").partition(".")
    if not (at.isdecimal() and position.isdecimal() and len(at) < 17 and len(position) < 17):
        return 0, 0
    return int(at), int(position)
