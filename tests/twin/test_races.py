"""Several at once, with threads and connections of their own: rounds, tells and answers stay one each."""

from __future__ import annotations

import datetime as dt
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection, transaction

from tests import shared_cluster
from tests.makers import a_cat, a_person
from tests.snapshots import content_snapshot, differences
from tests.twin.stories import MONDAY, at, day_number, ear, run_until, tell, unsure
from twin.models import AgendaItem, CourseDay, CourseMove, FrameLog, LedgerEntry, Question, Record, RoundRun
from twin.rules.entries import Entry
from twin.services.agenda import answer_item
from twin.services.filing import lock_subject, undo_turn
from twin.services.rounds.leases import LeaseHeld
from twin.services.rounds.run import catch_up, run_due, run_round

pytestmark = pytest.mark.django_db(transaction=True)
CHANCE = frozenset(
    {
        "twin_roundrun.ran_at",
        "twin_statement.gid",
        "twin_statement.created_at",
        "twin_subject.gid",
        "household_membership.gid",
    }
)
Work = Callable[[], Any]


class Racer(threading.Thread):
    """Does its work on a connection of its own, from the moment all racers are ready."""

    def __init__(self, work: Work, start: threading.Barrier) -> None:
        super().__init__()
        self.work, self.ready = work, start
        self.gave: Any = None
        self.raised: BaseException | None = None
        self.backend = threading.Event()
        self.pid = 0

    def run(self) -> None:
        try:
            connection.ensure_connection()
            self.pid = connection.connection.info.backend_pid
            self.backend.set()
            self.ready.wait()
            self.gave = self.work()
        except BaseException as error:
            self.raised = error
        finally:
            connection.close()


def race(*works: Work) -> list[Racer]:
    """Every work at once, each in its thread; what any raised beside LeaseHeld is raised here."""
    barrier = threading.Barrier(len(works))
    racers = [Racer(work, barrier) for work in works]
    for racer in racers:
        racer.start()
    for racer in racers:
        racer.join()
    for racer in racers:
        if racer.raised is not None and not isinstance(racer.raised, LeaseHeld):
            raise racer.raised
    return racers


@contextmanager
def waiting_for_us(work: Work, *, then: Work | None = None) -> Iterator[None]:
    """A block inside our transaction that ends once `work`, on another connection, waits for our lock.

    With `then`, we go on with that while it waits.
    """
    racer = Racer(work, threading.Barrier(1))
    with transaction.atomic():
        yield
        racer.start()
        racer.backend.wait()
        with shared_cluster.owner() as watcher:
            blocked = "SELECT cardinality(pg_blocking_pids(%s)) > 0"
            while racer.is_alive() and watcher.execute(blocked, [racer.pid]).fetchone() != (True,):
                watcher.rollback()
        assert racer.is_alive(), f"it never waited: {racer.raised!r}"
        if then is not None:
            then()
    racer.join()
    if racer.raised is not None:
        raise racer.raised


def outcome() -> dict[str, list[str]]:
    """The whole database, but for chance and the clock."""
    return content_snapshot(columns=CHANCE)


def test_two_workers_after_the_same_nights_close_each_day_once() -> None:
    cat = a_cat(now=at(MONDAY, 5))
    for n in range(4):
        tell(cat, at(day_number(n)), ear(bad=n < 2))
    now = at(day_number(10), 4)
    with transaction.atomic():
        list(catch_up(cat, now=now))
        wanted = outcome()
        transaction.set_rollback(True)
    racers = race(*[lambda: len(list(catch_up(cat, now=now)))] * 4)
    assert sum(racer.gave or 0 for racer in racers) == 10
    assert differences(wanted, outcome()) == []


def test_workers_after_several_subjects_share_the_nights_among_them() -> None:
    cats = [a_cat(name=name, now=at(MONDAY, 5)) for name in ("Mavi", "Pamuk", "Duman")]
    for cat in cats:
        for n in range(2):
            tell(cat, at(day_number(n)), ear())
    now = at(day_number(5), 4)
    racers = race(*[lambda: run_due(now=now)] * 3)
    assert sum(racer.gave for racer in racers) == 15
    assert Record.objects.courses().count() == 3
    assert set(Counter(RoundRun.objects.values_list("subject", "day")).values()) == {1}
    assert set(Counter(FrameLog.objects.values_list("subject", "day")).values()) == {1}
    assert AgendaItem.objects.filter(course__isnull=False, day=day_number(2)).count() == 3


def test_one_day_run_by_two_hands_at_once_is_run_once() -> None:
    cat = a_cat(now=at(MONDAY, 5))
    tell(cat, at(MONDAY), ear(signs={"pain": True}))
    now = at(day_number(1), 4)
    race(*[lambda: run_round(subject_id=cat.pk, day=MONDAY, now=now)] * 3)
    assert (RoundRun.objects.count(), FrameLog.objects.count()) == (1, 1)


@pytest.mark.parametrize("turn", range(3))
def test_words_that_race_the_round_of_their_day_end_like_words_before_it(turn: int) -> None:
    """Whoever is first: the words are in the day, and the round has seen them or will."""
    cat = a_cat(now=at(MONDAY, 5))
    tell(cat, at(MONDAY), ear())
    run_until(cat, MONDAY)
    now = at(day_number(2), 4)
    with transaction.atomic():
        tell(cat, at(day_number(1), 20), ear(), arrived_at=now)
        list(catch_up(cat, now=now))
        wanted = outcome()
        transaction.set_rollback(True)
    works = [
        lambda: tell(cat, at(day_number(1), 20), ear(), arrived_at=now),
        lambda: list(catch_up(cat, now=now)),
    ]
    race(*works[:: 1 if turn % 2 else -1])
    list(catch_up(cat, now=now))
    assert not RoundRun.objects.filter(is_dirty=True).exists()
    assert same_courses(wanted, outcome()) == []


def same_courses(wanted: dict[str, list[str]], got: dict[str, list[str]]) -> list[str]:
    """Differences but for the log of frames, which keeps what stood before late words came."""
    return differences({**wanted, "twin_framelog": []}, {**got, "twin_framelog": []})


def test_words_that_wait_for_a_closing_round_find_the_day_closed_and_open_it_again() -> None:
    cat = a_cat(now=at(MONDAY, 5))
    tell(cat, at(MONDAY), ear())
    run_until(cat, MONDAY)
    now = at(day_number(2), 4)
    with waiting_for_us(lambda: tell(cat, at(day_number(1), 20), ear(), arrived_at=now)):
        list(catch_up(cat, now=now))
    assert RoundRun.objects.get(day=day_number(1)).is_dirty
    assert not Record.objects.courses().exists()
    list(catch_up(cat, now=now))
    assert Record.objects.courses().get().opened_on == day_number(1)


def test_a_round_that_waits_for_words_counts_them() -> None:
    cat = a_cat(now=at(MONDAY, 5))
    tell(cat, at(MONDAY), ear())
    now = at(day_number(2), 4)
    with waiting_for_us(lambda: list(catch_up(cat, now=now))):
        tell(cat, at(day_number(1), 20), ear())
    assert Record.objects.courses().get().opened_on == day_number(1)
    assert not RoundRun.objects.filter(is_dirty=True).exists()


def test_many_tells_about_one_ear_at_once_are_one_row_with_all_of_them() -> None:
    cat = a_cat(now=at(MONDAY, 5))
    signs = ["odour", "discharge", "scratching", "head_shaking", "pain", "swelling"]
    race(
        *[
            lambda n=n, sign=sign: tell(cat, at(MONDAY, 9, n), ear(signs={sign: True}))
            for n, sign in enumerate(signs)
        ]
    )
    row = Record.objects.get()
    assert row.signs == {"redness": True, "side": "left", **dict.fromkeys(signs, True)}
    assert row.sources.filter(state="filed").count() == len(signs)
    assert row.turns == [entry.turn for entry in row.sources.order_by("said_at")]


def test_one_statement_filed_by_two_requests_at_once_is_filed_once() -> None:
    cat = a_cat(now=at(MONDAY, 5))
    race(*[lambda: tell(cat, at(MONDAY), ear())] * 4)
    assert (LedgerEntry.objects.count(), Record.objects.count()) == (1, 1)


def test_an_answer_that_waits_for_the_round_finds_its_question_closed_and_files_nothing_twice() -> None:
    cat = a_cat(now=at(MONDAY, 5))
    tell(cat, at(MONDAY), unsure())
    question = Question.objects.get()
    now = at(day_number(1), 4)

    def late_answer() -> Any:
        return tell(cat, at(day_number(1), 2), kind="answer", text="yes, this morning", answers=question.pk)

    with waiting_for_us(late_answer):
        list(catch_up(cat, now=now))
    question.refresh_from_db()
    entry = LedgerEntry.objects.get()
    assert (question.state, question.answered_by, entry.state, entry.resolved) == (
        "expired",
        None,
        "filed",
        None,
    )
    assert Record.objects.get().kind == "history"


def test_two_answers_to_one_question_at_once_are_one_answer() -> None:
    cat = a_cat(now=at(MONDAY, 5))
    tell(cat, at(MONDAY), unsure())
    question = Question.objects.get()
    told = race(
        *[
            lambda n=n: tell(cat, at(MONDAY, 13, n), kind="answer", text="yes", answers=question.pk)
            for n in range(3)
        ]
    )
    assert [racer.gave.answered for racer in told].count(question.pk) == 1
    assert LedgerEntry.objects.get().state == "filed"
    assert Record.objects.get().day == MONDAY


def test_a_tap_on_the_agenda_and_a_round_that_replaces_it_do_not_wait_for_each_other() -> None:
    ana = a_person()
    cat = a_cat(ana, now=at(MONDAY, 5))
    for n in range(2):
        tell(cat, at(day_number(n)), ear())
    run_until(cat, day_number(1))
    item = AgendaItem.objects.get(day=day_number(2), course__isnull=False)
    tell(cat, at(day_number(1), 20), ear(signs={"pain": True}), arrived_at=at(day_number(2), 8))
    now = at(day_number(2), 9)

    def tap() -> Any:
        from household.access import seen_by

        with seen_by(ana, now=now):
            return answer_item(
                person=ana, item_id=item.pk, choice="gone", words="Left ear: gone", client_id="tap", now=now
            )

    with waiting_for_us(tap, then=lambda: list(catch_up(cat, now=now))):
        lock_subject(cat.pk)  # as the round does before it touches the agenda
    item.refresh_from_db()  # the same question keeps its id: the page that shows it stays good
    assert item.state == "answered"
    assert Record.objects.get(day=day_number(2)).polarity == "normal"
    run_until(cat, day_number(2))
    assert CourseDay.objects.get(day=day_number(2)).polarity == "normal"


def test_an_undo_that_waits_for_the_round_takes_back_what_the_round_made_of_it() -> None:
    ana = a_person()
    cat = a_cat(ana, now=at(MONDAY, 5))
    tell(cat, at(MONDAY), ear(), author_id=ana.pk)
    said_at = at(day_number(2), 2, 30)  # half an hour before the end of the day
    told = tell(cat, said_at, ear(), author_id=ana.pk)
    turn = told.statements[0].turn
    with waiting_for_us(lambda: undo_turn(turn=turn, person_id=ana.pk, now=said_at)):
        run_until(cat, day_number(1))
        assert Record.objects.courses().get().lifecycle == "active"
    run_until(cat, day_number(1))
    assert list(Record.objects.filter(lifecycle="day").values_list("day", "course")) == [(MONDAY, None)]
    assert not CourseDay.objects.exists()
    assert not CourseMove.objects.exists()
    assert not Record.objects.open_courses().exists()


def test_thirty_missed_days_run_in_order_each_with_its_own_date() -> None:
    cat = a_cat(now=at(MONDAY, 5))
    for n in (0, 1):
        tell(cat, at(day_number(n)), ear())
    for n in (3, 5, 7, 9, 11, 13, 15):
        tell(cat, at(day_number(n)), ear(bad=False))
    runs = list(catch_up(cat, now=at(day_number(30), 4)))
    assert [one.day for one in runs] == [day_number(n) for n in range(30)]
    moves = CourseMove.objects.order_by("day").values_list("day", "became")
    # Quiet for 5 days and 3 normal ones seen on the 8th day, for 14 days and 5 seen on the 16th.
    assert list(moves) == [(day_number(1), "active"), (day_number(7), "passive"), (day_number(15), "closed")]
    assert [one.day for one in FrameLog.objects.order_by("id")] == [day_number(n) for n in range(30)]


def test_the_same_thirty_days_each_in_its_night_or_all_at_once_are_the_same() -> None:
    def missed(*, nightly: bool) -> dict[str, list[str]]:
        with transaction.atomic():
            cat = a_cat(now=at(MONDAY, 5))
            for n in range(30):
                for minute, entry in enumerate(words_of_day(n)):
                    tell(cat, at(day_number(n), 12, minute), entry)
                if nightly:
                    run_until(cat, day_number(n))
            run_until(cat, day_number(29))
            snapshot = outcome()
            transaction.set_rollback(True)
            return snapshot

    a_person()
    assert differences(missed(nightly=True), missed(nightly=False)) == []


def words_of_day(n: int) -> list[Entry]:
    told = {0: [ear()], 1: [ear()], 2: [ear(side="right"), ear(bad=False)], 3: [ear(side="right")]}
    told |= {n: [ear(bad=False, side=None)] for n in range(5, 15)}
    told |= {20: [unsure()], 21: [ear()], 22: [unsure(signs={"pain": True})], 23: [ear(side="both")]}
    return told.get(n, [])


def test_a_lock_of_one_subject_leaves_the_others_free() -> None:
    cat, dog = a_cat(now=at(MONDAY, 5)), a_cat(name="Tarçın", now=at(MONDAY, 5))
    with transaction.atomic():
        lock_subject(cat.pk)
        racer = race(lambda: tell(dog, at(MONDAY), ear()))[0]
    assert racer.gave.statements[0].read_at == at(MONDAY)
    assert dt.timedelta(0) == at(MONDAY) - racer.gave.statements[0].said_at
