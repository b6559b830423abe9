"""Episodes: written when something is told, kept true to their one telling, never merged."""

from __future__ import annotations

import datetime as dt

from memory.models import Episode, EpisodeRecord
from memory.rules.episodes import behaviour_of, impact_of
from twin.models import Event, LedgerEntry
from twin.rules.severity import severity


def keep_event(event: Event) -> None:
    """The episode of an event, as the event now says it."""
    Episode.objects.update_or_create(
        event=event,
        defaults={
            "subject_id": event.subject_id,
            "author_id": event.author_id,
            "turn": event.turn,
            "kind": event.kind[:20],
            "at": event.at,
            "day": event.local_day,
            "place": event.place,
            "antecedent": event.antecedent,
            "behaviour": event.behaviour,
            "tried": event.tried,
            "outcome": event.outcome,
            "minutes": event.minutes,
            "impact": event.impact,
            "created_at": event.created_at,
            "changed_at": event.created_at,
        },
    )


def keep_told(entry: LedgerEntry) -> None:
    """The episode of the statement an entry was told in, as its filed entries now say it."""
    if entry.category != "behaviour" or entry.statement_id is None or entry.statement is None:
        return
    told = entry.statement
    rows = LedgerEntry.objects.filter(statement=told, category="behaviour", state="filed")
    filed = [
        (row, kind, day)
        for row in rows.select_related("record").order_by("position", "id")
        if (kind := behaviour_of(row.category, row.signs)) and (day := _day(row))
    ]
    if not filed:
        Episode.objects.filter(statement=told).delete()
        return
    first, kind, day = filed[0]
    signs = first.signs
    minutes = signs.get("minutes")
    episode, _is_new = Episode.objects.update_or_create(
        statement=told,
        defaults={
            "subject_id": first.subject_id,
            "author_id": told.author_id,
            "turn": told.turn,
            "kind": kind,
            "at": told.said_at if day == told.local_day else None,
            "day": day,
            "place": str(signs.get("place", ""))[:120],
            "antecedent": str(signs.get("trigger", "")),
            "behaviour": told.text,
            "tried": str(signs.get("calmed_by", "")),
            "minutes": round(minutes) if isinstance(minutes, int | float) else None,
            "impact": impact_of(severity("behaviour", signs)),
            "created_at": told.said_at,
            "changed_at": told.said_at,
        },
    )
    wanted = {row.record_id for row, _kind, _day_of in filed if row.record_id}
    EpisodeRecord.objects.filter(episode=episode).exclude(record_id__in=wanted).delete()
    EpisodeRecord.objects.bulk_create(
        [EpisodeRecord(episode=episode, subject_id=first.subject_id, record_id=pk) for pk in sorted(wanted)],
        ignore_conflicts=True,
    )


def _day(row: LedgerEntry) -> dt.date | None:
    """The day an entry is about, None where nothing fixes one: a day is never made up."""
    if row.filed_day is not None:
        return row.filed_day
    return row.record.started_on if row.record else None
