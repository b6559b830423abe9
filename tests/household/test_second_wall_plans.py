"""Behind the second wall the main pages still reach long books by index."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from household.access import seen_by
from household.models import Heartbeat, Person
from tests import second_wall
from tests.bench.second_wall import FINDINGS, STATEMENTS
from tests.makers import a_cat, a_person, signed_in
from twin.models import Record, Subject

pytestmark = pytest.mark.django_db


def test_pages_reach_ten_years_by_index_behind_the_wall() -> None:
    ana = a_person("Ana")
    mavi = a_cat(ana)
    a_long_book(mavi, ana)
    record = Record.objects.order_by("-day").first()
    assert record is not None
    client = signed_in(ana)
    Heartbeat.objects.create(worker="w", at=timezone.now())
    for path in ("/", f"/book/{mavi.pk}", f"/r/{record.rec_id}", "/book"):
        with CaptureQueriesContext(connection) as asked:
            assert client.get(path).status_code == 200
        with second_wall.as_web(), seen_by(ana, now=timezone.now()):
            for query in asked.captured_queries:
                if query["sql"].startswith("SELECT") and '"twin_' in query["sql"]:
                    plan = explained(query["sql"])
                    slow = [line for line in plan if line.startswith("Seq Scan on") and _is_long(line)]
                    assert not slow, (path, query["sql"], plan)


def _is_long(line: str) -> bool:
    return any(name in line for name in ("twin_record", "twin_ledgerentry", "twin_statement"))


def explained(sql: str) -> list[str]:
    """The steps of a plan, without their costs."""
    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN (COSTS OFF) " + sql.replace("%", "%%"), [])
        return [line.strip(" ->") for (line,) in cursor.fetchall()]


def a_long_book(subject: Subject, author: Person) -> None:
    """One finding a day for years, each with its words."""
    today = timezone.now().date()
    with connection.cursor() as cursor:
        cursor.execute(FINDINGS, [subject.pk, author.pk, today - dt.timedelta(days=3650), today])
        cursor.execute(STATEMENTS, [subject.pk])
        cursor.execute("ANALYZE")
