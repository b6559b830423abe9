"""The nightly count: one day's new rows, the pairs they touch, and what becomes of the patterns.

A night that follows the last one reads the day's rows, six kept days and the counts. A day that says
something else than it did (late words, a correction, a forgetting) is counted again, and every night from it
on is played again from the kept days.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from django.db import transaction

from memory.models import Counting, PairCount, Pattern, PatternMove
from memory.rules.counting.levels import Catalogue, Said
from memory.rules.counting.patterns import Lifecycle, Move, Replayed, Standing, p_of, replay
from memory.rules.counting.significance import wilson_lower
from memory.rules.counting.tables import WINDOW_DAYS, Counts, Pair, Table, counts_at, edges
from memory.services.counting.catalogue import catalogue_of, fingerprint
from memory.services.counting.days import keep_days, kept_between, kept_days, read_days, values_of
from memory.services.counting.evidence import renew_evidence, seen_between
from twin.models import Subject
from twin.rules.day import day_bounds
from twin.services.days import first_day
from twin.services.filing import lock_subject
from twin.services.rounds.night import Night

ONE_DAY = dt.timedelta(days=1)
COUNTED = ("both", "antecedent_days", "outcome_days", "days")


def consolidate(night: Night) -> Mapping[str, int]:
    """The round's step: count the day. A day that says what it said changes nothing."""
    count_day(night.subject, night.day)
    moves = PatternMove.objects.filter(subject=night.subject, day=night.day, by_hand=False)
    return {"moved": moves.count()}


@transaction.atomic
def recount(subject_id: int, days: Iterable[dt.date]) -> None:
    """Count these days again from what rows are left, and play every night from the first of them on.

    Afterwards levels, counts, patterns, their log and their evidence are those of a household in which the
    days always said what they say now. Days that no night has counted yet are left to theirs.
    """
    subject = lock_subject(subject_id)
    head = Counting.objects.filter(subject=subject).first()
    counted = sorted({day for day in days if head is not None and day <= head.through})
    if head is None or not counted:
        return
    catalogue = catalogue_of(subject)
    changed = keep_days(subject, read_days(subject, catalogue, counted))
    if changed:
        _Count(subject, catalogue, head).play(min(changed), head.through, touched=changed)


def count_day(subject: Subject, day: dt.date) -> int:
    """Count one closed day of a locked subject. Gives how many levels are known of it."""
    catalogue = catalogue_of(subject)
    head = Counting.objects.filter(subject=subject).first()
    wanted = [day]
    if head is None or head.catalogue != fingerprint(catalogue):
        wanted = _window(subject, max(day, head.through) if head else day)
        head = head or Counting(subject=subject, through=max(day - ONE_DAY, first_day(subject) - ONE_DAY))
    elif head.through < day:
        wanted = _days(head.through + ONE_DAY, day)
    read = read_days(subject, catalogue, wanted)
    changed = keep_days(subject, read)
    count = _Count(subject, catalogue, head)
    late = {one for one in changed if one <= head.through} if count.is_same else changed
    if head.through < day:
        first = min([*late, head.through + ONE_DAY]) if count.is_same else head.through + ONE_DAY
        count.play(first, day, touched=changed)
    elif late or not count.is_same:
        count.play(min([*late, day]), head.through, touched=changed)
    return len(read[day])


def _days(first: dt.date, last: dt.date) -> list[dt.date]:
    return [first + n * ONE_DAY for n in range((last - first).days + 1)]


def _window(subject: Subject, last: dt.date) -> list[dt.date]:
    return _days(max(last - WINDOW_DAYS * ONE_DAY, first_day(subject)), last)


@dataclass
class _Count:
    """One subject's count while nights are played."""

    subject: Subject
    catalogue: Catalogue
    head: Counting

    @property
    def is_same(self) -> bool:
        """Whether the same levels and pairs were counted last."""
        return self.head.catalogue == fingerprint(self.catalogue)

    def play(self, first: dt.date, last: dt.date, *, touched: Collection[dt.date]) -> None:
        """Play the nights from `first` to `last` and store what they came to."""
        goes_on = self.is_same and first > self.head.through
        held = {_pair(row): row for row in Pattern.objects.filter(subject=self.subject).order_by("pk")}
        kept = self._kept(first, last, goes_on=goes_on)
        counts = self._stored() if goes_on else {}
        values = values_of(kept)
        before = {
            pair: counts[pair] if pair in counts else counts_at(pair, values, first - ONE_DAY)
            for pair in self.catalogue.pairs
        }
        by_hand = _by_hand(self.subject)
        standings = _row_standings(held) if goes_on else _logged_standings(self.subject, before=first)
        played = replay(before, standings, values, first=first, last=last, by_hand=by_hand)
        self._store_counts(played.counts, counts)
        stands = _with_later_hands(played.standings, by_hand, after=last)
        made = self._store_patterns(played, stands, held, last)
        self._log(made, played.moves, first=None if goes_on else first)
        self._link(made, held, kept, touched=touched, first=first, last=last)
        self._close(last)

    def _kept(self, first: dt.date, last: dt.date, *, goes_on: bool) -> dict[dt.date, dict[str, Said]]:
        """The kept days these nights read: only the edges of each where the count goes on."""
        if not goes_on:
            return kept_between(self.subject, first - (WINDOW_DAYS + 2) * ONE_DAY, last)
        wanted = {one for day in _days(first, last) for one in edges(day, self.catalogue.pairs)}
        return kept_days(self.subject, wanted)

    def _stored(self) -> dict[Pair, Counts]:
        rows = PairCount.objects.filter(subject=self.subject)
        return {
            Pair(row.antecedent, row.outcome, row.lag): Counts(
                Table(*(getattr(row, name) for name in COUNTED)),
                Table(*(getattr(row, f"recent_{name}") for name in COUNTED)),
            )
            for row in rows
        }

    def _store_counts(self, counts: Mapping[Pair, Counts], stored: Mapping[Pair, Counts]) -> None:
        rows = [
            PairCount(subject=self.subject, **pair._asdict(), **_count_columns(one))
            for pair, one in counts.items()
            if stored.get(pair) != one
        ]
        if not stored:
            PairCount.objects.filter(subject=self.subject).delete()
        PairCount.objects.bulk_create(
            rows,
            update_conflicts=True,
            unique_fields=["subject", "antecedent", "outcome", "lag"],
            update_fields=[*COUNTED, *(f"recent_{name}" for name in COUNTED)],
        )

    def _store_patterns(
        self,
        played: Replayed,
        stands: Mapping[Pair, Standing],
        held: Mapping[Pair, Pattern],
        last: dt.date,
    ) -> dict[Pair, Pattern]:
        """Every pattern that stands, with tonight's counts; one that never came to be is gone."""
        gone = [row.pk for pair, row in held.items() if pair not in stands and pair in played.counts]
        if gone:
            Pattern.objects.filter(pk__in=gone).delete()
        rows = [
            self._pattern(pair, stands[pair], one, held.get(pair), last)
            for pair, one in played.counts.items()
            if pair in stands
        ]
        names = [field.name for field in Pattern._meta.concrete_fields if field.name not in _OF_THE_FIRST]
        Pattern.objects.bulk_create(
            rows,
            update_conflicts=True,
            unique_fields=["subject", "antecedent", "outcome", "lag"],
            update_fields=names,
        )
        return {_pair(row): row for row in Pattern.objects.filter(subject=self.subject).order_by("pk")}

    def _pattern(
        self, pair: Pair, stands: Standing, counts: Counts, held: Pattern | None, last: dt.date
    ) -> Pattern:
        table = counts.year
        return Pattern(
            subject=self.subject,
            **pair._asdict(),
            **_count_columns(counts),
            lifecycle=stands.lifecycle,
            since=stands.since,
            by_hand=stands.by_hand,
            retired_by_id=held.retired_by_id if held and stands.by_hand else None,
            reason=held.reason if held and stands.by_hand else "",
            window_from=last - (WINDOW_DAYS - 1) * ONE_DAY,
            window_to=last,
            lift=table.lift,
            base_rate=table.base_rate,
            lower=wilson_lower(table.both, table.antecedent_days),
            p=p_of(table) if table.days else 1.0,
            first_on=held.first_on if held else stands.since,
            last_on=held.last_on if held else stands.since,
            created_at=self._moment(stands.since),
            changed_at=self._moment(stands.since),
        )

    def _moment(self, day: dt.date) -> dt.datetime:
        subject = self.subject
        return day_bounds(day, zone=subject.time_zone, day_starts_at=subject.day_starts_at)[1]

    def _log(self, made: Mapping[Pair, Pattern], moves: Collection[Move], *, first: dt.date | None) -> None:
        """Write the nights' moves; played again from `first`, they replace what those nights wrote."""
        if first is not None:
            PatternMove.objects.filter(subject=self.subject, day__gte=first, by_hand=False).delete()
        PatternMove.objects.bulk_create(
            PatternMove(
                pattern=made[move.pair],
                subject=self.subject,
                day=move.day,
                was=move.was,
                became=move.became,
                reason=move.reason,
            )
            for move in moves
        )

    def _link(
        self,
        made: Mapping[Pair, Pattern],
        held: Mapping[Pair, Pattern],
        kept: dict[dt.date, dict[str, Said]],
        *,
        touched: Collection[dt.date],
        first: dt.date,
        last: dt.date,
    ) -> None:
        patterns = [row for pair, row in made.items() if pair in set(self.catalogue.pairs)]
        fresh = {made[pair].pk for pair in made.keys() - held.keys()}
        if fresh:
            kept = kept_between(self.subject, last - (WINDOW_DAYS + 2) * ONE_DAY, last)
        elif missing := {day - back * ONE_DAY for day in touched for back in (0, 1)} - kept.keys():
            kept = kept | kept_days(self.subject, missing | {day + ONE_DAY for day in missing})
        new_days = _days(first, last) if first > self.head.through else []
        renew_evidence(patterns, kept, touched={*touched, *new_days}, fresh=fresh, through=last)
        seen = seen_between(patterns)
        for row in patterns:
            row.first_on, row.last_on = seen.get(row.pk, (row.since, row.since))
        Pattern.objects.bulk_update(patterns, ["first_on", "last_on"])

    def _close(self, last: dt.date) -> None:
        Counting.objects.update_or_create(
            subject=self.subject, defaults={"through": last, "catalogue": fingerprint(self.catalogue)}
        )


_OF_THE_FIRST = frozenset({"id", "subject", "antecedent", "outcome", "lag", "created_at"})


def _pair(row: Pattern) -> Pair:
    return Pair(row.antecedent, row.outcome, row.lag)


def _count_columns(counts: Counts) -> dict[str, int]:
    year = {name: getattr(counts.year, name) for name in COUNTED}
    return year | {f"recent_{name}": getattr(counts.recent, name) for name in COUNTED}


def _row_standings(held: Mapping[Pair, Pattern]) -> dict[Pair, Standing]:
    return {pair: Standing(row.lifecycle, row.since, row.by_hand) for pair, row in held.items()}  # type: ignore[arg-type]


def _logged_standings(subject: Subject, *, before: dt.date) -> dict[Pair, Standing]:
    """What each pattern was on the evening before `before`, by its log."""
    rows = PatternMove.objects.filter(subject=subject, day__lt=before).order_by("day", "pk")
    return {
        _pair(row.pattern): Standing(row.became, row.day, row.by_hand and row.became == "retired")  # type: ignore[arg-type]
        for row in rows.select_related("pattern")
    }


def _by_hand(subject: Subject) -> dict[dt.date, dict[Pair, Lifecycle]]:
    rows = PatternMove.objects.filter(subject=subject, by_hand=True).order_by("day", "pk")
    found: dict[dt.date, dict[Pair, Lifecycle]] = {}
    for row in rows.select_related("pattern"):
        found.setdefault(row.day, {})[_pair(row.pattern)] = row.became  # type: ignore[assignment]
    return found


def _with_later_hands(
    standings: Mapping[Pair, Standing], by_hand: Mapping[dt.date, Mapping[Pair, Lifecycle]], *, after: dt.date
) -> dict[Pair, Standing]:
    """The standings with what people decided on days that are not closed yet."""
    stands = dict(standings)
    for day in sorted(by_hand):
        for pair, decided in by_hand[day].items():
            if day > after and pair in stands:
                stands[pair] = Standing(decided, day, decided == "retired")
    return stands
