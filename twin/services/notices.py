"""What of the book is told to people: the day's questions, doses that are overdue, red flags, closed days."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from household.services.notices.outbox import COLLECTORS, TELLERS, Thing
from twin.labels import category_label
from twin.models import AgendaItem, Medicine, Record, RoundRun, Subject
from twin.services.days import day_of
from twin.services.doses import standing, with_recent
from twin.services.flags import flags_of_day

Told = tuple[int | None, str] | None
RECENT = dt.timedelta(days=2)


def open_agendas(now: dt.datetime) -> list[Thing]:
    """Each subject whose questions of today wait for an answer."""
    rows = AgendaItem.objects.filter(state="open", day__gte=(now - RECENT).date()).select_related("subject")
    today = {(one.subject_id, one.day) for one in rows if one.day == day_of(one.subject, now)}
    return [Thing("agenda", f"{pk}:{day.isoformat()}", pk) for pk, day in sorted(today)]


def agenda_words(key: str, now: dt.datetime) -> Told:
    """How many questions of that day still wait."""
    pk, _colon, day = key.partition(":")
    count = AgendaItem.objects.filter(
        subject_id=int(pk), day=dt.date.fromisoformat(day), state="open"
    ).count()
    name = _name(int(pk))
    if not count or name is None:
        return None
    words = ngettext("%(count)d question about %(name)s", "%(count)d questions about %(name)s", count)
    return int(pk), words % {"count": count, "name": name}


def overdue_doses(now: dt.datetime) -> list[Thing]:
    """Each dose whose time passed half an hour ago or more."""
    rows = with_recent(Medicine.objects.filter(ended_at=None).select_related("subject"))
    found = [(row, standing(row, row.subject, now=now).due.overdue_at) for row in rows]
    return [
        Thing("medicine", f"{row.pk}:{at:%Y%m%dT%H%M}", row.subject_id) for row, at in found if at is not None
    ]


def dose_words(key: str, now: dt.datetime) -> Told:
    """Which medicine is overdue, None once it was given."""
    pk, _colon, at = key.partition(":")
    row = with_recent(Medicine.objects.filter(pk=int(pk)).select_related("subject")).first()
    overdue = standing(row, row.subject, now=now).due.overdue_at if row is not None else None
    if row is None or overdue is None or f"{overdue:%Y%m%dT%H%M}" != at:
        return None
    return row.subject_id, _("%(medicine)s is overdue for %(name)s.") % {
        "medicine": row.name,
        "name": row.subject.name,
    }


def _flagged(now: dt.datetime, **which: int) -> Iterable[tuple[Subject, str, Record]]:
    rows = Record.objects.standing().filter(day__gte=(now - RECENT).date(), polarity="abnormal", **which)
    for row in rows.select_related("subject"):
        for key, _rec_id in flags_of_day([row]):
            yield row.subject, key, row


def red_flags(now: dt.datetime) -> list[Thing]:
    """Each red flag that the records of these days raise, once a day and subject."""
    keys = {(one.pk, row.day, key) for one, key, row in _flagged(now) if row.day is not None}
    return [Thing("red_flag", f"{pk}:{day.isoformat()}:{key}"[:80], pk) for pk, day, key in sorted(keys)]


def flag_words(key: str, now: dt.datetime) -> Told:
    """What raised the flag."""
    pk, day, name = key.split(":", 2)
    for subject, flag, row in _flagged(now, subject_id=int(pk)):
        if row.day is not None and row.day.isoformat() == day and flag.startswith(name):
            words = _("A red flag for %(name)s: %(what)s")
            return subject.pk, words % {"name": subject.name, "what": category_label(row.category or "")}
    return None


def closed_days(now: dt.datetime) -> list[Thing]:
    """Each day that a round closed lately."""
    rows = RoundRun.objects.filter(ran_at__gte=now - dt.timedelta(hours=12), day__gte=(now - RECENT).date())
    return [
        Thing("round", f"{pk}:{day.isoformat()}", pk) for pk, day in rows.values_list("subject_id", "day")
    ]


def round_words(key: str, now: dt.datetime) -> Told:
    """Whose day was closed."""
    pk, _colon, _day = key.partition(":")
    name = _name(int(pk))
    return None if name is None else (int(pk), _("%(name)s’s day is closed.") % {"name": name})


def _name(pk: int) -> str | None:
    return Subject.objects.filter(pk=pk).values_list("name", flat=True).first()


def register() -> None:
    """Let the outbox ask this app for what it knows."""
    for kind, collector, teller in (
        ("agenda", open_agendas, agenda_words),
        ("medicine", overdue_doses, dose_words),
        ("red_flag", red_flags, flag_words),
        ("round", closed_days, round_words),
    ):
        COLLECTORS[kind], TELLERS[kind] = collector, teller
