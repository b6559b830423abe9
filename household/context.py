"""What every page knows: where one can go, and how it should look."""

from __future__ import annotations

import uuid
from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from household.access import current, seen_by
from household.views.pages import lives_by_caseload

# URL name, label, icon, only for parents
PLACES: tuple[tuple[str, Any, str, bool], ...] = (
    ("twin:today-show", lambda: _("Today"), "today", False),
    ("twin:subject-list", lambda: _("Book"), "journal", False),
    ("memory:ask-show", lambda: _("Ask"), "ask", False),
    ("memory:memory-list", lambda: _("Memories"), "memory", True),
    ("memory:search-show", lambda: _("Search"), "search", False),
    ("memory:journal-list", lambda: _("Journal"), "history", True),
    ("memory:insight-show", lambda: _("Insights"), "insights", True),
    ("household:settings-show", lambda: _("Household"), "settings", True),
)

# The second key of "g" and a letter, by URL name.
KEYS = {
    "twin:today-show": "t",
    "twin:caseload-show": "t",
    "twin:subject-list": "b",
    "memory:ask-show": "a",
    "memory:memory-list": "m",
    "memory:search-show": "s",
    "memory:journal-list": "j",
    "memory:insight-show": "i",
    "household:settings-show": "h",
}

# The home of somebody who is there by their work stands in the place of Today.
CASELOAD: tuple[str, Any, str, bool] = ("twin:caseload-show", lambda: _("Caseload"), "caseload", False)

# Pages that belong to a place of another name.
BELONGS = {
    "twin:record": "twin:subject",
    "twin:profile": "twin:subject",
    "twin:event": "twin:subject",
    "twin:medicine": "twin:subject",
    "twin:dose": "twin:subject",
    "twin:trackable": "twin:subject",
    "twin:quicklog": "twin:subject",
    "twin:course": "twin:subject",
    "memory:fact": "twin:subject",
    "memory:topic": "twin:subject",
    "twin:frame": "twin:subject",
    "twin:assessment": "twin:subject",
    "twin:night": "twin:subject",
    "twin:month": "twin:subject",
    "twin:print": "twin:subject",
    "memory:document": "twin:subject",
    "memory:pattern": "twin:subject",
    "memory:strategy": "twin:subject",
    "household:matrix": "household:settings",
    "memory:device": "household:settings",
    "household:invitation": "household:settings",
    "twin:school": "twin:caseload",
    "household:secondstep": "household:account",
    "household:recovery": "household:settings",
    "household:membership": "twin:subject",
    "household:accesslog": "twin:subject",
}


# Where a page without a number in its address lies: the same as long as the program runs.
address = cache(reverse)


def page(request: HttpRequest) -> dict[str, Any]:
    """Navigation with its current place, theme, version, and a fresh id for a form that is posted once."""
    return {**_page(request), "worker_url": "" if settings.DEBUG else address("household:worker-show")}


def _page(request: HttpRequest) -> dict[str, Any]:
    sight = getattr(request, "sight", None) or current()
    person = getattr(request, "user", None)
    if person is None or not person.is_authenticated or getattr(request, "is_preview", False):
        return {"nav": [], "theme": "auto", "version": settings.VERSION, "fresh_id": uuid.uuid4()}
    match = request.resolver_match
    here = (match.view_name if match else "").split("-")[0]
    here = BELONGS.get(here, here)
    if sight is None:  # a page of somebody else's app, about one's account
        with seen_by(person, now=timezone.now()) as sight:
            pass
    is_parent = sight.is_parent()
    is_caseload = lives_by_caseload(sight)
    nav = [
        {
            "url": address(name),
            "label": label(),
            "icon": icon,
            "key": KEYS[name],
            "current": here == name.split("-")[0],
        }
        for name, label, icon, parents_only in ((CASELOAD, *PLACES[1:]) if is_caseload else PLACES)
        if is_parent or not parents_only
    ]
    return {"nav": nav, "theme": person.theme, "version": settings.VERSION, "fresh_id": uuid.uuid4()}
