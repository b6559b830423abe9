"""What is summed up is as weak as the weakest word it rests on, and the database lets nothing rise."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import IntegrityError, transaction

from tests.makers import a_cat, a_child, a_membership, a_person, a_record
from tests.twin.stories import at, day_number, ear, since, tell
from twin.models import CourseMove, Record
from twin.rules.provenance import MANNERS, SAID_BY
from twin.services.closing import mark_chronic
from twin.services.rounds.run import catch_up

pytestmark = pytest.mark.django_db(transaction=True)
DAY_ONE = day_number(0)


def nights(subject, until: dt.date) -> None:
    for _run in catch_up(subject, now=at(until, 6)):
        pass


@pytest.mark.parametrize("order", [("Ana", "Ms. Kaya"), ("Ms. Kaya", "Ana")])
def test_a_day_told_by_a_teacher_and_a_parent_is_no_stronger_than_the_teacher(order):
    ana = a_person()
    leo = a_child(ana, now=at(DAY_ONE, 1))
    a_membership(a_person("Ms. Kaya"), leo, "teacher")
    for hour, name in enumerate(order, 9):
        tell(leo, at(DAY_ONE, hour), ear(), text=name, author_id=a_person(name).pk)
    assert Record.objects.get().provenance == "teacher"


def test_a_course_is_the_rounds_own_conclusion():
    cat = a_cat(now=at(DAY_ONE, 1))
    for n in range(2):
        tell(cat, at(day_number(n)), ear(), author_id=a_person().pk)
    nights(cat, day_number(2))
    course = Record.objects.courses().get()
    assert (course.provenance, course.manner) == ("round", "inferred")


@pytest.mark.parametrize("to", range(len(SAID_BY)))
def test_the_database_lets_who_said_it_fall_and_never_rise(to):
    record = a_record(a_cat(), provenance="teacher", manner="stated")
    record.provenance = SAID_BY[to]
    if to <= SAID_BY.index("teacher"):
        record.save()
        return
    with pytest.raises(IntegrityError, match="never rises"), transaction.atomic():
        record.save()


@pytest.mark.parametrize("manner", MANNERS)
def test_the_database_lets_how_it_is_known_fall_and_never_rise(manner):
    record = a_record(a_cat(), manner="stated")
    record.manner = manner
    if manner != "measured":
        record.save()
        return
    with pytest.raises(IntegrityError, match="never rises"), transaction.atomic():
        record.save()


def test_marking_long_term_leaves_a_line_that_a_re_run_keeps():
    ana = a_person()
    cat = a_cat(ana, now=at(DAY_ONE, 1))
    for n in range(2):
        tell(cat, at(day_number(n)), ear(), author_id=ana.pk)
    nights(cat, day_number(2))
    course = Record.objects.courses().get()
    for _twice in range(2):
        mark_chronic(course_id=course.pk, chronic=True, now=at(day_number(2), 12), person=ana)
    lines = CourseMove.objects.filter(course=course).order_by("id").values_list("became", "reason", "by")
    assert list(lines)[1:] == [("active", "long_term", ana.pk)]
    tell(cat, at(DAY_ONE, 20), ear(), arrived_at=at(day_number(3), 5), author_id=ana.pk)
    nights(cat, day_number(4))
    course.refresh_from_db()
    assert (course.lifecycle, course.chronic) == ("active", True)
    assert CourseMove.objects.filter(course=course, reason="long_term", by=ana).count() == 1


def test_a_later_statement_moves_the_start_of_an_open_course_and_a_re_run_agrees():
    cat = a_cat(now=at(DAY_ONE, 1))
    for n in range(2):
        tell(cat, at(day_number(n)), ear(), author_id=a_person().pk)
    nights(cat, day_number(2))
    course = Record.objects.courses().get()
    assert course.started_on == DAY_ONE
    earlier = DAY_ONE - dt.timedelta(days=9)
    tell(cat, at(day_number(2)), ear(since=since(earlier)), author_id=a_person().pk)
    nights(cat, day_number(3))
    course.refresh_from_db()
    assert (course.started_on, course.precision) == (earlier, "day")
    tell(cat, at(day_number(1), 21), ear(), arrived_at=at(day_number(3), 12), author_id=a_person().pk)
    nights(cat, day_number(4))
    course.refresh_from_db()
    assert (course.started_on, course.precision) == (earlier, "day")
