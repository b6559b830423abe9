"""What every night's round did, in human words, newest first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import ngettext

from household.access import require, visible
from household.rules.permissions import Action, Resource
from household.views.pages import Asked, for_members
from twin.models import RoundRun
from twin.views.subject_nav import note_professional_look, subject_page

PAGE_SIZE = 30
Words = Callable[[int], str]

# (step, count) -> what it says in words; counts of zero are not said, nor those without an entry.
LINES: Mapping[tuple[str, str], Words] = {
    ("deadlines", "expired"): lambda n: ngettext(
        "%(n)d question nobody answered was filed without a date",
        "%(n)d questions nobody answered were filed without a date",
        n,
    ),
    ("courses", "opened"): lambda n: ngettext("%(n)d course began", "%(n)d courses began", n),
    ("courses", "joined"): lambda n: ngettext(
        "%(n)d note joined a course", "%(n)d notes joined their courses", n
    ),
    ("adjudication", "joined"): lambda n: ngettext(
        "%(n)d undated note was put beside what was seen nearby",
        "%(n)d undated notes were put beside what was seen nearby",
        n,
    ),
    ("adjudication", "undated"): lambda n: ngettext(
        "%(n)d note stays undated", "%(n)d notes stay undated", n
    ),
    ("lifecycle", "active"): lambda n: ngettext(
        "%(n)d course is open again", "%(n)d courses are open again", n
    ),
    ("lifecycle", "passive"): lambda n: ngettext("%(n)d course settles", "%(n)d courses settle", n),
    ("lifecycle", "dormant"): lambda n: ngettext(
        "nobody spoke of %(n)d course for two weeks", "nobody spoke of %(n)d courses for two weeks", n
    ),
    ("lifecycle", "closed"): lambda n: ngettext("%(n)d course is over", "%(n)d courses are over", n),
    ("patterns", "moved"): lambda n: ngettext(
        "%(n)d pattern counts for more or less than before",
        "%(n)d patterns count for more or less than before",
        n,
    ),
    ("strategies", "expired"): lambda n: ngettext(
        "how it went was not told of %(n)d thing tried",
        "how it went was not told of %(n)d things tried",
        n,
    ),
    ("agenda", "asked"): lambda n: ngettext(
        "%(n)d thing to look at the day after", "%(n)d things to look at the day after", n
    ),
    ("ageing", "aged"): lambda n: ngettext(
        "%(n)d follow-up was not answered and rests", "%(n)d follow-ups were not answered and rest", n
    ),
}


def night_lines(counts: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """What a round's counts say, in the order of its steps."""
    return [
        words(int(counts[step][name])) % {"n": int(counts[step][name])}
        for (step, name), words in LINES.items()
        if counts.get(step, {}).get(name)
    ]


@for_members
def night_list(request: Asked, pk: int) -> HttpResponse:
    """The report of each night."""
    require(request.user, Action.VIEW, Resource.OBSERVATION, pk)
    note_professional_look(request, pk, Resource.OBSERVATION)
    rows = visible(request.user, Resource.OBSERVATION, RoundRun.objects.filter(subject_id=pk))
    nights = Paginator(rows.order_by("-day"), PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        **subject_page(request, pk, at="twin:night-list"),
        "nights": [(run, night_lines(run.counts)) for run in nights],
        "page_obj": nights,
    }
    return render(request, "twin/night_list.html", context)
