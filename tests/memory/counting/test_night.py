"""The nightly count against a fresh one: late words, corrections, hands and forgettings, in the database."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

from household.models import Person
from memory.models import Counting, DayLevels, PairCount, Pattern, PatternEvidence, PatternMove
from memory.services.counting.catalogue import built_in
from memory.services.counting.night import count_day, recount
from tests.makers import a_child, a_person
from tests.slices import IS_LONG
from twin.models import Event, FormFill, Subject
from twin.services.trackables import define_trackable, log_entry

START = dt.date(2026, 1, 5)
DAYS = 150 if IS_LONG else 36
SEEDS = range(8) if IS_LONG else range(1)

pytestmark = pytest.mark.django_db


def day(number: int) -> dt.date:
    return START + dt.timedelta(days=number)


def at(number: int) -> dt.datetime:
    return dt.datetime.combine(day(number), dt.time(18), tzinfo=dt.UTC)


def a_family() -> tuple[Person, Subject]:
    ana = a_person("Ana")
    leo = a_child(ana)
    Subject.objects.filter(pk=leo.pk).update(created_at=at(0) - dt.timedelta(days=1), time_zone="UTC")
    leo.refresh_from_db()
    return ana, leo


def fill(ana: Person, leo: Subject, number: int, name: str = "a", **levels: str) -> FormFill:
    return FormFill.objects.create(
        subject=leo,
        author=ana,
        client_id=f"{name}-{number}",
        turn=f"{name}-{number}",
        at=at(number),
        local_day=day(number),
        levels=levels,
    )


def an_event(ana: Person, leo: Subject, number: int, kind: str = "outing") -> Event:
    return Event.objects.create(
        subject=leo,
        author=ana,
        client_id=f"event-{number}",
        turn=f"event-{number}",
        kind=kind,
        at=at(number),
        local_day=day(number),
    )


def a_diary(ana: Person, leo: Subject, days: Iterable[int], seed: int) -> None:
    """A diary in which a bad night makes a meltdown of the next day likelier; some days nobody kept."""
    random = Random(f"diary {seed}")
    bad = False
    for number in days:
        chance, bad = (0.8 if bad else 0.15), random.random() < 0.35
        levels = {
            "sleep": "bad" if bad else "good",
            "regulation": "meltdown" if random.random() < chance else "steady",
            "arousal": random.choice(["right", "high", "low"]),
            "environment": random.choice(["calm", "calm", "busy", "changed"]),
        }
        if random.random() < 0.9:
            fill(ana, leo, number, **levels)
        if random.random() < 0.2:
            an_event(ana, leo, number)


def everything(leo: Subject) -> dict[str, Any]:
    """All that counting keeps, by what it means and not by its row numbers."""
    patterns = Pattern.objects.filter(subject=leo)
    names = [
        field.name
        for field in Pattern._meta.concrete_fields
        if field.name not in ("id", "subject", "created_at", "changed_at")
    ]
    key = ("pattern__antecedent", "pattern__outcome", "pattern__lag")
    return {
        "days": sorted(DayLevels.objects.filter(subject=leo).values_list("day", "levels"), key=str),
        "through": list(Counting.objects.filter(subject=leo).values_list("through", flat=True)),
        "counts": sorted(
            tuple(getattr(row, field.name) for field in PairCount._meta.concrete_fields[2:])
            for row in PairCount.objects.filter(subject=leo)
        ),
        "patterns": sorted(str(row) for row in patterns.values_list(*names)),
        "moves": sorted(
            PatternMove.objects.filter(subject=leo).values_list(*key, "day", "was", "became", "by_hand")
        ),
        "evidence": sorted(
            map(
                str,
                PatternEvidence.objects.filter(subject=leo).values_list(
                    *key, "day", "is_for", "side", "fill", "event", "record", "entry"
                ),
            )
        ),
    }


def count_all(leo: Subject, days: Iterable[int]) -> None:
    for number in days:
        count_day(leo, day(number))


def forget_counts(leo: Subject) -> None:
    for model in (DayLevels, Counting, PairCount, Pattern):
        model.objects.filter(subject=leo).delete()


@pytest.mark.parametrize("seed", SEEDS)
def test_night_by_night_equals_a_count_from_nothing(seed: int) -> None:
    ana, leo = a_family()
    a_diary(ana, leo, range(DAYS), seed)
    count_all(leo, range(DAYS))
    by_night = everything(leo)
    assert by_night["moves"] and by_night["evidence"]
    Counting.objects.filter(subject=leo).update(through=day(DAYS - 1))
    DayLevels.objects.filter(subject=leo, day=day(0)).delete()  # so that the very first day has changed
    PairCount.objects.filter(subject=leo).update(both=0, antecedent_days=0, outcome_days=0, days=0)
    fill(ana, leo, 0, name="b", nutrition="less")
    recount(leo.pk, [day(0)])
    again = everything(leo)
    forget_counts(leo)
    count_all(leo, range(DAYS))
    assert again == everything(leo)
    assert [row[3:] for row in again["moves"]] != []


@pytest.mark.parametrize("seed", SEEDS)
def test_late_words_and_a_forgetting_leave_what_nights_that_knew_it_all_along_would(seed: int) -> None:
    ana, leo = a_family()
    a_diary(ana, leo, range(DAYS), seed)
    count_all(leo, range(DAYS))
    random = Random(f"late {seed}")
    gone = [row for row in FormFill.objects.filter(subject=leo) if random.random() < 0.15]
    days = [row.local_day for row in gone]
    FormFill.objects.filter(pk__in=[row.pk for row in gone]).delete()
    for number in (7, 20, DAYS - 2):
        fill(ana, leo, number, name="late", sleep="bad", regulation="meltdown")
        days.append(day(number))
    recount(leo.pk, days)
    corrected = everything(leo)
    forget_counts(leo)
    count_all(leo, range(DAYS))
    assert corrected == everything(leo)


def test_a_late_day_counted_by_its_round_equals_one_that_was_never_late() -> None:
    ana, leo = a_family()
    a_diary(ana, leo, range(26), 3)
    count_all(leo, range(26))
    fill(ana, leo, 10, name="late", sleep="bad", regulation="meltdown")
    count_all(leo, range(10, 26))
    late = everything(leo)
    forget_counts(leo)
    count_all(leo, range(26))
    assert late == everything(leo)


def test_counting_a_day_again_changes_nothing() -> None:
    ana, leo = a_family()
    a_diary(ana, leo, range(26), 1)
    count_all(leo, range(26))
    before, rows = everything(leo), set(PatternEvidence.objects.values_list("pk", flat=True))
    count_all(leo, range(24, 26))
    recount(leo.pk, [day(n) for n in range(30)])
    assert everything(leo) == before
    assert set(PatternEvidence.objects.values_list("pk", flat=True)) == rows


def test_a_day_nobody_kept_counts_for_nothing() -> None:
    ana, leo = a_family()
    fill(ana, leo, 0, sleep="bad", regulation="meltdown")
    an_event(ana, leo, 1)
    count_all(leo, range(3))
    assert set(DayLevels.objects.values_list("day", flat=True)) == {day(0), day(1)}
    kept = DayLevels.objects.get(day=day(1)).levels
    assert set(kept) == {"outing"}, "an outing was told; of all else nothing is known"
    pair = PairCount.objects.get(antecedent="sleep_bad", outcome="meltdown", lag=1)
    assert (pair.days, pair.both) == (0, 0)
    same_day = PairCount.objects.get(antecedent="sleep_bad", outcome="meltdown", lag=0)
    assert (same_day.days, same_day.both) == (1, 1)


def test_a_days_row_takes_its_evidence_with_it() -> None:
    ana, leo = a_family()
    for number in range(12):
        fill(
            ana,
            leo,
            number,
            sleep="bad" if number % 2 else "good",
            regulation="meltdown" if number % 2 else "steady",
        )
    count_all(leo, range(12))
    pattern = Pattern.objects.get(antecedent="sleep_bad", outcome="meltdown", lag=0)
    assert (pattern.both, pattern.antecedent_days) == (6, 6)
    assert pattern.evidence.filter(is_for=True, side="outcome").count() == 6
    FormFill.objects.get(local_day=day(1)).delete()
    assert pattern.evidence.filter(side="outcome").count() == 5
    recount(leo.pk, [day(1)])
    pattern.refresh_from_db()
    assert (pattern.both, pattern.days) == (5, 11)


def test_every_list_of_pairs_leaves_room_for_a_familys_own_trackables() -> None:
    for name in ("person", "cat", "dog", "animal"):
        assert len(built_in(name).pairs) <= 92
        assert len({level.key for level in built_in(name).levels}) == len(built_in(name).levels)


def test_an_ordinary_night_asks_as_much_after_a_year_as_after_a_month(
    django_assert_max_num_queries: Any,
) -> None:
    ana, leo = a_family()
    a_diary(ana, leo, range(32), 5)
    count_all(leo, range(30))
    with django_assert_max_num_queries(30):
        count_day(leo, day(30))


def test_a_familys_own_trackable_enters_the_count() -> None:
    ana, leo = a_family()
    a_diary(ana, leo, range(30), 6)
    count_all(leo, range(20))
    field = {"key": "pills", "name": "Pills", "kind": "count"}
    own = define_trackable(
        person=ana,
        subject_ids=[leo.pk],
        client_id="own",
        name="Pills",
        icon="check",
        fields=[field],
        now=at(20),
    )
    level = f"t{own.pk}.0"
    for number in range(20, 30, 2):
        log_entry(
            person=ana,
            trackable_id=own.pk,
            subject_id=leo.pk,
            client_id=f"pill-{number}",
            at=at(number),
            values={"pills": 1},
        )
    count_all(leo, range(20, 30))
    row = PairCount.objects.get(antecedent=level, outcome="meltdown", lag=0)
    assert 0 < row.antecedent_days == row.days <= 5
    by_night = everything(leo)
    forget_counts(leo)
    count_all(leo, range(30))
    assert everything(leo)["counts"] == by_night["counts"]
