"""A common word is found from the newest row back, whatever else is asked: none is lost, few are read."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import connection

from household.access import seen_by
from household.rules.permissions import Resource
from memory.services.finding.searching import Bounds, Wanted, find
from tests import makers
from tests.second_wall import as_web

NOW = dt.datetime(2026, 11, 20, 12, tzinfo=dt.UTC)
KINDS = ("record", "statement", "event", "fill")
ROWS = 12_000  # more than are walked
FILL = """
    INSERT INTO memory_observationentry
        (subject_id, author_id, kind, row_id, day, at, language, terms, length, model, version, is_due)
    SELECT %(subject)s, CASE WHEN n %% 100 = 0 THEN %(other)s ELSE %(author)s END,
        CASE WHEN n %% 1000 = 7 THEN 'event' ELSE 'statement' END, n,
        (%(now)s - n * interval '1 hour')::date, %(now)s - n * interval '1 hour', 'en',
        to_tsvector('simple', concat('common ',
            CASE WHEN n <= 200 OR n > 11950 THEN 'lately ' END,
            CASE WHEN n %% 5000 = 3 THEN 'rare ' END,
            CASE WHEN n %% 2 = 0 THEN 'even ' ELSE 'odd ' END)), 4, '', 0, false
    FROM generate_series(1, %(rows)s) n
"""


@pytest.fixture
def house(db):
    ana, ali = makers.a_person("Ana"), makers.a_person("Mr Ali")
    leo = makers.a_child(ana)
    makers.a_membership(ali, leo, role="teacher")  # may add, may not view
    with connection.cursor() as cursor:
        values = {"subject": leo.pk, "author": ana.pk, "other": ali.pk, "now": NOW, "rows": ROWS}
        cursor.execute(FILL, values)
        cursor.execute("ANALYZE memory_observationentry")
    return ana, ali, leo


def found(person, leo, *terms, kinds=KINDS, take=150, more=(), **bounds):
    """The numbers of the rows that hold one of the terms at least; n is n hours old."""
    with as_web(), seen_by(person, now=NOW):
        places = Bounds((leo.pk, *more), tuple(kinds), **bounds)
        hits = find(Wanted(terms), resource=Resource.OBSERVATION, bounds=places, take=take)
    return [hit.row_id for hit in hits if hit.words]


@pytest.mark.django_db(transaction=True)
def test_the_newest_rows_of_a_common_word_are_found_and_found_again(house):
    ana, _ali, leo = house
    first = found(ana, leo, "common")
    assert set(range(1, 301)) <= set(first)
    assert max(first) <= 320  # its neighbours' neighbours at most
    assert found(ana, leo, "common") == first


@pytest.mark.django_db(transaction=True)
def test_a_common_word_is_read_as_far_back_as_it_is_shown(house):
    ana, _ali, leo = house
    with as_web(), seen_by(ana, now=NOW), connection.cursor() as cursor:
        find(Wanted(("common",)), resource=Resource.OBSERVATION, bounds=Bounds((leo.pk,), KINDS))
        cursor.execute(
            "SELECT pg_stat_get_xact_tuples_returned(oid) + pg_stat_get_xact_tuples_fetched(oid)"
            " FROM pg_class WHERE relname = 'memory_observationentry'"
        )
        read = cursor.fetchone()[0]
    assert read < 6_000  # 3,000 of these to know that there are many


@pytest.mark.django_db(transaction=True)
def test_what_lies_further_back_than_is_walked_is_found_all_the_same(house):
    ana, _ali, leo = house
    lately = {*range(1, 201), *range(11_951, ROWS + 1)}
    assert set(found(ana, leo, "lately")) == lately
    assert set(found(ana, leo, "lately", "even")) >= {n for n in lately if n % 2 == 0}


@pytest.mark.django_db(transaction=True)
def test_rows_of_a_rare_word_stay_before_newer_ones_of_a_common_word(house):
    ana, _ali, leo = house
    assert set(found(ana, leo, "rare", "common")[:3]) == {3, 5_003, 10_003}
    assert set(found(ana, leo, "even", "rare")) >= {3, 5_003, 10_003}  # none of these is even


@pytest.mark.django_db(transaction=True)
def test_rows_with_every_common_word_are_among_those_found(house):
    ana, _ali, leo = house
    assert set(found(ana, leo, "common", "even", take=50)) >= set(range(2, 100, 2))
    both = found(ana, leo, "lately", "common", "odd", take=40)
    assert set(both[:10]) <= {*range(1, 200, 2), *range(11_951, ROWS, 2)}


@pytest.mark.django_db(transaction=True)
def test_days_and_kinds_bound_a_common_word_too(house):
    ana, _ali, leo = house
    events = found(ana, leo, "common", kinds=["event"])
    assert sorted(events) == list(range(7, ROWS, 1000))
    day = (NOW - dt.timedelta(hours=6_000)).date()
    ages = [n for n in range(1, ROWS) if (NOW - dt.timedelta(hours=n)).date() == day]
    assert sorted(found(ana, leo, "common", since=day, until=day)) == ages
    until = found(ana, leo, "common", until=day)
    assert set(range(ages[0], ages[0] + 300)) <= set(until)
    assert min(until) == ages[0]
    since = found(ana, leo, "common", since=day)
    assert set(range(1, 301)) <= set(since)


@pytest.mark.django_db(transaction=True)
def test_of_a_common_word_too_nobody_finds_more_than_they_may_see(house):
    ana, ali, leo = house
    own = set(range(100, ROWS + 1, 100))
    assert set(found(ali, leo, "common")) == own
    ito = makers.a_person("Dr. Ito")
    first = (NOW - dt.timedelta(hours=100)).date()
    makers.a_membership(ito, leo, role="therapist", data_from=first)
    within = {n for n in range(1, 200) if (NOW - dt.timedelta(hours=n)).date() >= first}
    assert set(found(ito, leo, "common")) == within
    eve = makers.a_person("Eve")
    noa = makers.a_child(eve, name="Noa")
    assert found(eve, noa, "common", more=(leo.pk,)) == []
    assert len(found(ana, leo, "common", more=(noa.pk,))) >= 300
