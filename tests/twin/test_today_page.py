"""Today: in the household's own time, in few queries, and for whoever may."""

import datetime as dt

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from household.models import Household
from tests.makers import a_cat, a_child, a_household, a_person, a_record, signed_in

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
    assert '</a><span class="visually-hidden"> Not as usual</span>' in html
    assert '</a><span class="visually-hidden"> Looks fine</span>' in html
