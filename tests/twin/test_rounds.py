"""The round: courses open and move, late words re-run closed days, nothing runs twice."""

import datetime as dt

import pytest

from tests.makers import a_cat
from tests.snapshots import database_snapshot
from twin.models import CourseDay, CourseMove, CourseStatement, LedgerEntry, Question, Record, RoundRun
from twin.rules.entries import Entry, Reading, Since
from twin.rules.subjects import Known
from twin.services import statements
from twin.services.rounds.leases import LeaseHeld, take_lease
from twin.services.rounds.run import catch_up, due_days, run_round

pytestmark = pytest.mark.django_db
MONDAY = dt.date(2026, 11, 2)


def at(day: dt.date, hour: int = 12) -> dt.datetime:
    return dt.datetime.combine(day, dt.time(hour), dt.UTC)


def tell(subject, day, entry, *, client_id=None, hour=12):
    client_id = client_id or f"{day}-{entry.category}-{hour}-{entry.signs}"[:60]
    row, _ = statements.keep_statement(
        author_id=None,
        subject=subject,
        text="w",
        turn=f"t{client_id}"[:40],
        client_id=client_id,
        at=at(day, hour),
    )
    known = [Known(subject.pk, subject.name, subject.species)]
    reading = Reading(frozenset({"observation"}), (entry,))
    return statements.file_reading(row, reading, known=known, now=at(day, hour))


def ear(*, bad=True, **fields):
    read = "abnormal" if bad else "normal"
    return Entry(
        "ears", model_read=read, signs={"redness": bad, "side": "left"}, today="yes", words="ear", **fields
    )


def day_number(n: int) -> dt.date:
    return MONDAY + dt.timedelta(days=n)


def a_watched_cat():
    return a_cat(now=at(MONDAY, 5))


def run_until(subject, last: dt.date):
    return list(catch_up(subject, now=at(last + dt.timedelta(days=1), 4)))


def test_one_mild_day_stays_a_day_and_the_second_within_three_opens_a_course():
    cat = a_watched_cat()
    tell(cat, day_number(0), ear())
    run_until(cat, day_number(0))
    assert not Record.objects.courses().exists()
    tell(cat, day_number(2), ear())
    run_until(cat, day_number(2))
    (course,) = Record.objects.courses()
    assert (course.lifecycle, course.site, course.started_on) == ("active", "left", day_number(0))
    assert list(CourseDay.objects.order_by("day").values_list("day", "trajectory")) == [
        (day_number(0), "onset"),
        (day_number(2), "unchanged"),
    ]
    assert CourseStatement.objects.filter(course=course).count() == 2


def test_a_stated_onset_two_days_back_opens_a_course_on_the_first_day():
    cat = a_watched_cat()
    since = Since("date", on=day_number(-2), precision="day")
    tell(cat, day_number(0), ear(since=since))
    run_until(cat, day_number(0))
    assert Record.objects.courses().get().started_on == day_number(-2)


def test_three_statements_about_one_ear_in_one_day_stay_three():
    cat = a_watched_cat()
    for hour in (8, 12, 20):
        tell(cat, day_number(0), ear(since=Since("date", on=day_number(-3), precision="day")), hour=hour)
    run_until(cat, day_number(0))
    course = Record.objects.courses().get()
    assert course.course_statements.count() == 3
    assert course.days.count() == 1


def test_silence_is_not_recovery_and_a_word_wakes_a_dormant_course():
    cat = a_watched_cat()
    tell(cat, day_number(0), ear())
    tell(cat, day_number(1), ear())
    run_until(cat, day_number(20))
    course = Record.objects.courses().get()
    assert course.lifecycle == "dormant"
    assert course.ended_on is None
    tell(cat, day_number(21), ear())
    run_until(cat, day_number(21))
    course.refresh_from_db()
    assert course.lifecycle == "active"
    assert list(course.moves.order_by("day").values_list("became", flat=True)) == [
        "active",
        "dormant",
        "active",
    ]


def test_observed_normal_days_close_a_course_after_the_floors():
    cat = a_watched_cat()
    for n in range(2):
        tell(cat, day_number(n), ear())
    for n in range(2, 20):
        tell(cat, day_number(n), ear(bad=False))
        run_until(cat, day_number(n))
    course = Record.objects.courses().get()
    assert course.lifecycle == "closed"
    assert course.ended_on == day_number(1)
    closed = course.moves.get(became="closed")
    assert (closed.day - day_number(1)).days >= 7


def test_running_a_day_again_changes_nothing_in_the_whole_database():
    cat = a_watched_cat()
    tell(cat, day_number(0), ear())
    tell(cat, day_number(1), ear())
    run_until(cat, day_number(1))
    before = database_snapshot()
    run_round(subject_id=cat.pk, day=day_number(1), now=at(day_number(3)))
    assert database_snapshot() == before


def test_late_words_run_the_closed_days_again_and_keep_the_course_its_id():
    cat = a_watched_cat()
    tell(cat, day_number(1), ear())
    tell(cat, day_number(2), ear())
    run_until(cat, day_number(4))
    course = Record.objects.courses().get()
    late = ear()
    row, _ = statements.keep_statement(
        author_id=None, subject=cat, text="w", turn="late", client_id="late", at=at(day_number(0))
    )
    known = [Known(cat.pk, cat.name, cat.species)]
    statements.file_reading(
        row, Reading(frozenset({"observation"}), (late,)), known=known, now=at(day_number(5))
    )
    assert due_days(cat, now=at(day_number(5))) == [day_number(0)]
    run_until(cat, day_number(4))
    again = Record.objects.courses().get()
    assert again.pk == course.pk
    assert again.started_on == day_number(0)
    assert not RoundRun.objects.filter(is_dirty=True).exists()


def test_late_words_end_like_words_told_in_time():
    def story(cat, order):
        for n in order:
            tell(cat, day_number(n), ear(bad=n < 4))
            run_until(cat, day_number(max(order[: order.index(n) + 1])))
        run_until(cat, day_number(6))
        course = Record.objects.courses().exclude(closed_reason="withdrawn").get(subject=cat)
        days = list(course.days.order_by("day").values_list("day", "trajectory", "severity"))
        moves = list(course.moves.order_by("day", "id").values_list("day", "was", "became", "reason"))
        return course.started_on, course.lifecycle, days, moves

    in_time = story(a_watched_cat(), [0, 1, 2, 3, 4, 5, 6])
    late = story(a_cat(name="Late", now=at(MONDAY, 5)), [3, 1, 0, 2, 6, 4, 5])
    assert late == in_time


def test_an_unanswered_question_is_filed_undated_and_joins_what_was_abnormal_near_it():
    cat = a_watched_cat()
    tell(cat, day_number(0), ear())
    unsure = Entry(
        "ears", model_read="abnormal", signs={"odour": True}, today="unknown", words="smelt", phrase="lately"
    )
    tell(cat, day_number(0), unsure, client_id="unsure")
    assert Question.objects.get().state == "open"
    run_until(cat, day_number(0))
    assert Question.objects.get().state == "expired"
    row = LedgerEntry.objects.get(today="unknown")
    assert (row.state, row.adjudicate) == ("filed", False)
    assert row.record == Record.objects.get(lifecycle="day", kind="symptom")
    assert row.record.started_on is None


def test_an_unanswered_question_with_nothing_near_stays_history_with_its_phrase_only():
    cat = a_watched_cat()
    unsure = Entry("ears", model_read="abnormal", today="unknown", words="smelt", phrase="some time")
    tell(cat, day_number(0), unsure)
    run_until(cat, day_number(0))
    record = Record.objects.get()
    assert (record.kind, record.started_on, record.time_phrase) == ("history", None, "some time")


def test_missed_days_run_in_order_each_once():
    cat = a_watched_cat()
    runs = run_until(cat, day_number(9))
    assert [run.day for run in runs] == [day_number(n) for n in range(10)]
    assert run_until(cat, day_number(9)) == []


def test_a_lease_held_by_another_worker_refuses_and_an_expired_one_does_not():
    cat = a_watched_cat()
    assert take_lease(cat.pk, "other", now=at(day_number(1)))
    with pytest.raises(LeaseHeld):
        run_round(subject_id=cat.pk, day=day_number(0), now=at(day_number(1)))
    run_round(subject_id=cat.pk, day=day_number(0), now=at(day_number(1)) + dt.timedelta(minutes=11))
    assert RoundRun.objects.count() == 1


def test_left_and_right_are_two_courses():
    cat = a_watched_cat()
    for n in range(2):
        for side in ("left", "right"):
            tell(cat, day_number(n), Entry("ears", signs={"redness": True, "side": side}, today="yes"))
    run_until(cat, day_number(1))
    assert sorted(Record.objects.courses().values_list("site", flat=True)) == ["left", "right"]
    assert CourseMove.objects.filter(became="active").count() == 2
