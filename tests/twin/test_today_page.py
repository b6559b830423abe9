"""Today: in the household's own time, in few queries, and for whoever may."""

import datetime as dt

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from household.access import seen_by, visible
from household.models import Household
from household.rules.permissions import Resource
from household.services.together import fetch_together
from tests.makers import a_cat, a_child, a_household, a_person, a_record, signed_in
from tests.twin.test_events import an_event
from twin.models import Subject
from twin.services.days import day_of
from twin.services.today import (
    SPARK_DAYS,
    SubjectToday,
    _lists,
    _querysets,
    _todays,
    gather_today,
)

pytestmark = pytest.mark.django_db


def test_pages_tell_the_time_of_the_household():
    a_household()
    Household.objects.update(time_zone="Pacific/Kiritimati")
    ana = a_person()
    a_cat(parent=ana)
    page = signed_in(ana).get("/")
    here = dt.datetime.now(dt.UTC) + dt.timedelta(hours=14)
    assert f"{here.day} {here:%B}" in page.content.decode()


def test_many_subjects_and_rows_ask_no_more_queries_than_one():
    ana = a_person()
    first = a_cat(parent=ana)
    browser = signed_in(ana)
    browser.get("/")
    with CaptureQueriesContext(connection) as few:
        assert browser.get("/").status_code == 200
    today = dt.datetime.now(dt.UTC).date()
    for n in range(6):
        child = a_child(parent=ana, name=f"Child {n}")
        for category in ("ears", "eyes", "sleep"):
            a_record(child, category, day=today)
    a_record(first, "skin_coat", day=today)
    with CaptureQueriesContext(connection) as many:
        assert browser.get("/").status_code == 200
    assert len(many) <= len(few) <= 10


def test_an_empty_book_teaches_and_a_guest_signs_in(client):
    a_household()
    ana = a_person()
    assert "/book/add" in signed_in(ana).get("/").content.decode()
    assert client.get("/").url.startswith("/accounts/login/")


def test_a_mark_of_today_says_in_words_what_its_colour_says():
    ana = a_person()
    mavi = a_cat(parent=ana)
    today = dt.datetime.now(dt.UTC).date()
    a_record(mavi, "ears", day=today)
    a_record(mavi, "eyes", day=today, asserted="normal")
    html = signed_in(ana).get("/").content.decode()
    assert '</a><span class="visually-hidden"> Not as usual. </span>' in html
    assert '</a><span class="visually-hidden"> Looks fine. </span>' in html


@pytest.mark.django_db(transaction=True)
def test_lists_made_once_hold_what_those_made_anew_hold():
    """Of today and nobody else's, asked twice with other values."""
    for number in range(2):
        ana = a_person(f"Ana {number}")
        today = dt.datetime.now(dt.UTC).date()
        for name in ("Leo", "Mia"):
            child = a_child(parent=ana, name=name)
            for day in (today, today - dt.timedelta(days=1)):
                a_record(child, "ears", day=day)
            an_event(child, at=dt.datetime.now(dt.UTC))
        with seen_by(ana, now=dt.datetime.now(dt.UTC)) as sight:
            subjects = {pk: SubjectToday(one.subject, today, 1, True) for pk, one in sight.subjects.items()}
            whole = fetch_together(*_lists(ana, subjects))
            anew = fetch_together(
                *_querysets(
                    lambda rows, ana=ana: visible(ana, Resource.OBSERVATION, rows),
                    lambda field, subjects=subjects: _todays(subjects, field),
                    today - dt.timedelta(days=SPARK_DAYS),
                )
            )
        assert [[row.pk for row in rows] for rows in whole] == [[row.pk for row in rows] for rows in anew]
        assert {row.subject_id for row in whole[0]} == set(subjects)
        assert len(whole[0]) == 2


def test_each_subject_has_its_own_day(django_assert_max_num_queries):
    """On either side of midnight: whoever lives in another zone has another today."""
    a_household()
    ana = a_person()
    near, far = a_child(parent=ana, name="Near"), a_child(parent=ana, name="Far")
    Subject.objects.filter(pk=near.pk).update(time_zone="Pacific/Kiritimati")
    Subject.objects.filter(pk=far.pk).update(time_zone="Pacific/Niue")
    now = dt.datetime.now(dt.UTC)
    here, there = (day_of(one, now) for one in Subject.objects.order_by("-name"))
    assert here != there
    for child in (near, far):
        for day in (here, there):
            a_record(child, "ears", day=day)
    with seen_by(ana, now=now) as sight, django_assert_max_num_queries(10):
        today = gather_today(ana, sight, now=now)
    assert [[row.day for row in one.noted] for one in today.subjects] == [[here], [there]]
