"""What the companion heard that a parent should know of: a crisis card waits."""

from __future__ import annotations

import datetime as dt

from django.utils.translation import gettext as _

from household.services.notices.outbox import COLLECTORS, TELLERS, Thing
from memory.models import CrisisCard


def crisis_cards(now: dt.datetime) -> list[Thing]:
    """Each card that no parent has seen."""
    rows = CrisisCard.objects.filter(seen_at=None, raised_at__gte=now - dt.timedelta(days=2))
    return [Thing("crisis", f"card:{pk}", subject) for pk, subject in rows.values_list("pk", "subject_id")]


def crisis_words(key: str, now: dt.datetime) -> tuple[int | None, str] | None:
    """Whose card waits, None once it was seen."""
    row = (
        CrisisCard.objects.filter(pk=int(key.partition(":")[2]), seen_at=None)
        .select_related("subject")
        .first()
    )
    if row is None:
        return None
    return row.subject_id, _("%(name)s said something you should read.") % {"name": row.subject.name}


def register() -> None:
    """Let the outbox ask this app for what it knows."""
    COLLECTORS["crisis"], TELLERS["crisis"] = crisis_cards, crisis_words
