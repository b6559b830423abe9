"""One page of a subject's timeline, by the last row shown and not by counting."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import F, Prefetch, Q, QuerySet, prefetch_related_objects

from twin.models import CourseDay, LedgerEntry, Record
from twin.rules.cursor import Cursor

PAGE_SIZE = 30
COURSES_SHOWN = 12
STRETCH = dt.timedelta(weeks=8)


@dataclass(frozen=True)
class TimelineFilter:
    """What of the timeline is asked for; empty is all of it."""

    show: str = ""  # abnormal, normal, courses
    category: str = ""
    kind: str = ""

    @property
    def is_on(self) -> bool:
        """Whether anything is asked for in particular."""
        return bool(self.show or self.category or self.kind)

    def applied(self, rows: QuerySet[Record]) -> QuerySet[Record]:
        """The rows that were asked for."""
        if self.show in {"abnormal", "normal"}:
            rows = rows.filter(polarity=self.show)
        if self.show == "courses":
            rows = rows.filter(kind="symptom").exclude(lifecycle="day")
        if self.category:
            rows = rows.filter(category=self.category)
        return rows.filter(kind=self.kind) if self.kind else rows


def timeline_page(
    rows: QuerySet[Record],
    sources: QuerySet[LedgerEntry],
    *,
    after: Cursor | None = None,
    size: int = PAGE_SIZE,
    today: dt.date | None = None,
) -> tuple[list[Record], Cursor | None]:
    """The next rows, newest first and the undated last, with the `sources` behind them; where to go on.

    With `today`, rows of several subjects, which no index holds in one order: some weeks are looked at first,
    and all of the past only where they do not fill a page.
    """
    dated = rows.filter(sort_on__isnull=False).order_by("-sort_on", "-id")
    undated = rows.filter(sort_on=None).order_by("-id")
    if after and after.on:
        dated = dated.filter(Q(sort_on__lt=after.on) | Q(sort_on=after.on, id__lt=after.number))
    elif after:
        dated, undated = dated.none(), undated.filter(id__lt=after.number)
    begins = (after.on if after else today) if today else None
    found = list(dated.filter(sort_on__gte=begins - STRETCH)[: size + 1]) if begins else []
    if len(found) <= size:
        found = sorted(dated[: size + 1].union(undated[: size + 1], all=True), key=_place)[: size + 1]
    page = found[:size]
    prefetch_related_objects(page, Prefetch("sources", queryset=sources, to_attr="said"))
    return page, Cursor(page[-1].sort_on, page[-1].pk) if len(found) > size else None


def _place(row: Record) -> tuple[bool, int, int]:
    return row.sort_on is None, -row.sort_on.toordinal() if row.sort_on else 0, -row.pk


def courses_of(rows: QuerySet[Record], days: QuerySet[CourseDay]) -> list[Record]:
    """A subject's courses, the open ones first and with their `seen_days`."""
    in_turn = F("ended_on").desc(nulls_first=True), F("started_on").desc(nulls_last=True), "-id"
    found = list(
        rows.filter(kind="symptom", superseded_by=None)
        .exclude(Q(lifecycle="day") | Q(closed_reason="withdrawn"))
        .order_by(*in_turn)[:COURSES_SHOWN]
    )
    attach_days([one for one in found if one.lifecycle != "closed"], days)
    return found


def attach_days(courses: Iterable[Record], days: QuerySet[CourseDay]) -> None:
    """Give every course its observed days in order, as `seen_days`."""
    prefetch_related_objects(
        list(courses), Prefetch("days", queryset=days.order_by("day"), to_attr="seen_days")
    )
