"""A worker dies in the middle of a night: the night is closed by the next one as if nothing had happened."""

from __future__ import annotations

import datetime as dt
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import product
from typing import Any

import pytest
from django.db import connection, transaction

from household.box import places
from tests.makers import a_cat
from tests.slices import DAYS, IS_LONG, SLICE, is_turn
from tests.snapshots import content_snapshot, differences
from tests.twin.stories import MONDAY, at, day_number, ear, run_until, since, tell, unsure
from twin.models import Lease, Question, RoundRun, Subject
from twin.rules.entries import Entry
from twin.services.rounds import run
from twin.services.rounds.leases import LeaseHeld
from twin.services.rounds.night import Night
from twin.services.rounds.run import catch_up

STEPS = [name for name, _step in run.STEPS]
NIGHT = day_number(6)
DIES_AT = at(NIGHT + dt.timedelta(days=1), 4)
LEASE_IS_OVER_AT = DIES_AT + dt.timedelta(minutes=11)
WRITES = ("INSERT", "UPDATE", "DELETE")


class Died(BaseException):
    """The worker is gone; nothing of ours may catch this."""


def vomits(**more: Any) -> Entry:
    return Entry("upper_digestive", model_read="abnormal", signs={"vomiting": True}, today="yes", **more)


def a_night_with_work_for_every_step() -> Subject:
    """Everything up to the night before is closed; the night itself has something for each step."""
    cat = a_cat(now=at(MONDAY, 5))
    for n in (0, 1):
        tell(cat, at(day_number(n)), ear())
    for n in (2, 3, 4):
        tell(cat, at(day_number(n)), ear(bad=False))
    tell(cat, at(day_number(5)), vomits())
    run_until(cat, day_number(5))
    tell(cat, at(NIGHT), vomits())
    tell(cat, at(NIGHT, 13), Entry("eyes", signs={"discharge": True, "side": "right"}, today="yes"))
    tell(cat, at(NIGHT, 14), unsure(signs={"redness": True}))
    nausea = Entry("upper_digestive", signs={"nausea": True}, today="unknown", phrase="at some point")
    tell(cat, at(NIGHT, 15), nausea)
    return cat


def a_week_that_late_words_open_again() -> Subject:
    """The week is closed; words about its second day arrived afterwards."""
    cat = a_night_with_work_for_every_step()
    run_until(cat, NIGHT)
    tell(
        cat, at(day_number(1), 20), ear(signs={"pain": True}, since=since(day_number(-4))), arrived_at=DIES_AT
    )
    return cat


STORIES: list[Callable[[], Subject]] = [
    a_night_with_work_for_every_step,
    a_week_that_late_words_open_again,
]


def outcome() -> dict[str, list[str]]:
    """The whole database, but for the clock's reading when a round ran."""
    return content_snapshot(columns=frozenset({"twin_roundrun.ran_at"}))


@contextmanager
def taken_back() -> Iterator[None]:
    """Let a block have no effect."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def undisturbed(subject: Subject) -> dict[str, list[str]]:
    with taken_back():
        list(catch_up(subject, now=DIES_AT))
        return outcome()


def run_again(subject: Subject) -> dict[str, list[str]]:
    list(catch_up(subject, now=LEASE_IS_OVER_AT))
    return outcome()


@contextmanager
def counting_writes(*, dies_at: int = 0) -> Iterator[list[str]]:
    """The SQL of every write in the block; the worker dies in place of the one of this number."""
    seen: list[str] = []

    def watch(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.lstrip().startswith(WRITES):
            seen.append(sql.lstrip()[:60])
            if len(seen) == dies_at:
                raise Died
        return execute(sql, params, many, context)

    with connection.execute_wrapper(watch):
        yield seen


def with_step(name: str, replaced: Callable[[Callable[[Night], Any]], Callable[[Night], Any]]) -> list[Any]:
    """The round's steps, one of them replaced."""
    return [(one, replaced(step) if one == name else step) for one, step in run.STEPS]


def dies_before(_step: Callable[[Night], Any]) -> Callable[[Night], Any]:
    def die(_night: Night) -> Any:
        raise Died

    return die


def dies_after(step: Callable[[Night], Any]) -> Callable[[Night], Any]:
    def work_and_die(night: Night) -> Any:
        step(night)
        raise Died

    return work_and_die


def dies_halfway(step: Callable[[Night], Any]) -> Callable[[Night], Any]:
    """Die in place of the middle one of the step's writes."""

    def work_until_it_dies(night: Night) -> Any:
        with taken_back(), counting_writes() as writes:
            step(Night(night.subject, night.day, {k: dict(v) for k, v in night.pool.items()}, night.closings))
        with counting_writes(dies_at=(len(writes) + 1) // 2):
            step(night)
        raise Died

    return work_until_it_dies


@pytest.mark.django_db
def test_the_night_of_these_tests_gives_every_step_something_to_do() -> None:
    cat = a_night_with_work_for_every_step()
    assert Question.objects.filter(state="open").count() == 2
    run_until(cat, NIGHT)
    counts = RoundRun.objects.get(subject=cat, day=NIGHT).counts
    twins = ("deadlines", "courses", "adjudication", "lifecycle", "frame", "agenda", "ageing")
    assert [name for name in twins if not any(counts[name].values())] == []
    assert counts["adjudication"] == {"joined": 1, "undated": 1}


@pytest.mark.django_db
def test_a_worker_that_dies_at_any_step_leaves_no_trace_and_the_next_finishes_the_night(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In a short run each step in one of the three ways, by turns."""
    cat = a_night_with_work_for_every_step()
    before, wanted = outcome(), undisturbed(cat)
    for number, (step, fault) in enumerate(product(STEPS, [dies_before, dies_halfway, dies_after])):
        if not is_turn(number + number // 3, one_in=3):
            continue
        with taken_back():
            with monkeypatch.context() as patch, pytest.raises(Died):
                patch.setattr(run, "STEPS", with_step(step, fault))
                list(catch_up(cat, now=DIES_AT))
            assert differences(before, outcome()) == [], (step, fault.__name__)
            assert differences(wanted, run_again(cat)) == [], (step, fault.__name__)


@pytest.mark.django_db
@pytest.mark.parametrize("story", STORIES)
def test_a_worker_that_dies_at_any_write_of_the_night_leaves_it_to_be_done_once(
    story: Callable[[], Subject],
) -> None:
    """The lease's own writes, every step's, the run's row and the giving back of the lease among them."""
    cat = story()
    wanted = undisturbed(cat)
    with taken_back(), counting_writes() as writes:
        list(catch_up(cat, now=DIES_AT))
    assert len(writes) > 20
    stride = 1 if IS_LONG else max(1, len(writes) // 3)
    first = 1 + SLICE // DAYS % stride  # another each time it is this test's turn
    for number in sorted({*range(first, len(writes) + 1, stride), len(writes) - 1, len(writes)}):
        with taken_back():
            with pytest.raises(Died), counting_writes(dies_at=number):
                list(catch_up(cat, now=DIES_AT))
            transaction.set_rollback(False)  # the write was never sent: the test's own transaction is whole
            assert differences(wanted, run_again(cat)) == [], f"write {number}: {writes[number - 1]}"


@pytest.mark.django_db
def test_a_worker_that_dies_on_the_third_of_five_missed_days_leaves_three_to_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cat = a_cat(now=at(MONDAY, 5))
    for n in range(5):
        tell(cat, at(day_number(n)), ear(bad=n < 3))
    now = at(day_number(5), 4)
    with taken_back():
        list(catch_up(cat, now=now))
        wanted = outcome()

    def dies_on_the_third(step: Any) -> Any:
        return lambda night: dies_after(step)(night) if night.day == day_number(2) else step(night)

    with monkeypatch.context() as patch:
        patch.setattr(run, "STEPS", with_step("ageing", dies_on_the_third))
        with pytest.raises(Died):
            list(catch_up(cat, now=now))
    assert list(RoundRun.objects.order_by("day").values_list("day", flat=True)) == [MONDAY, day_number(1)]
    finished = list(catch_up(cat, now=now + dt.timedelta(minutes=11)))
    assert [one.day for one in finished] == [day_number(n) for n in (2, 3, 4)]
    assert differences(wanted, outcome()) == []


POWER_CUT = """
import datetime, os, sys
import django
django.setup()
from twin.models import Subject
from twin.services.rounds import run
place, subject, now = int(sys.argv[1]), int(sys.argv[2]), datetime.datetime.fromisoformat(sys.argv[3])
steps = list(run.STEPS)
def cut(night):
    if place < len(steps):
        steps[place][1](night)
    os._exit(9)
run.STEPS[place:place + 1] = [("cut", cut)]
list(run.catch_up(Subject.objects.get(pk=subject), now=now))
"""


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("place", [1, len(STEPS)])
@pytest.mark.parametrize("story", STORIES)
def test_a_process_that_ends_within_a_night_keeps_only_a_lease_that_runs_out(
    story: Callable[[], Subject], place: int
) -> None:
    """Ended by the system: no clean-up runs. The last place is after every step, before the commit."""
    cat = story()
    before, wanted = outcome(), undisturbed(cat)
    env = {**os.environ, "DJANGO_SETTINGS_MODULE": "household.settings"}
    command = [sys.executable, "-c", POWER_CUT, str(place), str(cat.pk), DIES_AT.isoformat()]
    cut = subprocess.run(command, cwd=places.CHECKOUT, env=env, capture_output=True, text=True, check=False)
    assert cut.returncode == 9, cut.stderr
    assert Lease.objects.filter(subject=cat).count() == 1
    assert differences({**before, "twin_lease": []}, {**outcome(), "twin_lease": []}) == []
    with pytest.raises(LeaseHeld):
        list(catch_up(cat, now=DIES_AT + dt.timedelta(minutes=9)))
    assert differences(wanted, run_again(cat)) == []
    assert not Lease.objects.exists()
