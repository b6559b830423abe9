"""A query that is made once gives what Django gives, and shows a person what `visible` shows them."""

from __future__ import annotations

import datetime as dt
from enum import Enum

import pytest
from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone

from household.access import seen, seen_by, visible
from household.models import Person
from household.prepared import Given, prepared, with_constants
from household.rules.permissions import Resource
from memory.models.asking import Question
from tests import second_wall
from tests.makers import a_cat, a_child, a_membership, a_person, a_record
from twin.models import Record

pytestmark = pytest.mark.django_db(transaction=True)
DAY = dt.date(2026, 3, 1)
MOST = 3


@prepared(most=MOST)
def on_or_after(turn: str, *, day: dt.date, subjects: list[int]) -> QuerySet[Record]:
    rows = Record.objects.filter(day__gte=day, subject__among=subjects)
    return rows.select_related("author").order_by(turn)


class Sort(str, Enum):  # noqa: UP042 - as a library may have it
    """An enumeration whose members are words."""

    SLEEP = "sleep"


@pytest.mark.parametrize(
    "value", ["", "it's", "100 %", "%s", "%%", "a\\b", '"', "ığüşöç", "🛶", "a\nb", 0, -5, 2**40, True, False]
)
def test_a_value_that_never_changes_stands_in_the_query(value: str | int) -> None:
    asked, left = with_constants("SELECT %s, %s, '100 %%', %s", [value, [1], value])
    assert left == ([1],)
    with connection.cursor() as cursor:
        cursor.execute(asked, left)
        assert cursor.fetchone() == (value, [1], "100 %", value)


def test_what_changes_is_left_and_a_member_of_an_enumeration_is_its_value() -> None:
    day, given = dt.date(2026, 3, 1), Given("day")
    asked, left = with_constants("a = %s AND b = %s AND c = %s AND d = %s", [Sort.SLEEP, day, given, None])
    assert asked == "a = 'sleep' AND b = %s AND c = %s AND d = %s"
    assert left == (day, given, None)


def test_a_plan_for_every_value_finds_the_index_of_what_never_changes() -> None:
    leo = a_child()
    for number in range(40):
        a_record(leo, day=DAY + dt.timedelta(days=number))
    rows = Record.objects.filter(kind="symptom", superseded_by=None).exclude(lifecycle="day")
    asked, left = with_constants(*rows.filter(subject_id=Given("leo")).query.sql_with_params())
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE twin_record")
        cursor.execute(f"PREPARE courses AS {asked.replace('%s', '$1')}")
        cursor.execute("SET plan_cache_mode = force_generic_plan")
        cursor.execute("SET enable_seqscan = off")
        cursor.execute(f"EXPLAIN EXECUTE courses({leo.pk})")
        plan = "\n".join(row[0] for row in cursor.fetchall())
        cursor.execute("RESET ALL")
        cursor.execute("DEALLOCATE courses")
    assert len(left) == 1
    assert "record_courses" in plan, plan


def test_it_is_made_once_and_gives_what_django_gives():
    leo, mavi = a_child(), a_cat()
    for number in range(MOST + 2):
        a_record(leo, day=DAY + dt.timedelta(days=number))
        a_record(mavi, day=DAY + dt.timedelta(days=number), text="all is well")
    built: list[str] = []
    query = prepared(most=MOST)(lambda *shape, **v: built.append("once") or on_or_after.build(*shape, **v))  # type: ignore[arg-type,return-value,func-returns-value]
    for turn in ("day", "-day", "day"):
        for subjects in ([], [leo.pk], [mavi.pk, leo.pk]):
            for number in range(MOST):
                values = {"day": DAY + dt.timedelta(days=number), "subjects": subjects}
                rows = Record.objects.filter(day__gte=values["day"], subject__in=subjects).order_by(turn)
                found = query.rows(turn, **values)
                assert [row.day for row in found] == [row.day for row in rows[:MOST]]
                assert {row.subject_id for row in query.rows_of([mavi.pk], turn, **values)} <= {mavi.pk}
                assert all(row.text == Record.objects.get(pk=row.pk).text for row in found)
    assert len(built) == 4  # two orders, each whole and of some subjects


@pytest.mark.parametrize("name", ["Ana", "Ben", "Dr. Ito", "Kaya", "Eve"])
def test_everybody_sees_of_it_what_is_visible_to_them(name: str):
    ana = a_person("Ana")
    leo, mavi = a_child(ana), a_cat(ana)
    people = {"Ana": ana, **{other: a_person(other) for other in ("Ben", "Dr. Ito", "Kaya", "Eve")}}
    a_membership(people["Ben"], leo, "family")
    a_membership(people["Dr. Ito"], leo, "therapist", data_from=DAY + dt.timedelta(days=2))
    a_membership(people["Dr. Ito"], mavi, "therapist")
    a_membership(people["Kaya"], leo, "teacher", overrides={"observation:view": False})
    for number, author in enumerate([*people.values()] * 2):
        for subject in (leo, mavi):
            a_record(subject, day=DAY + dt.timedelta(days=number), author=author)
    assert _shown(people[name]) == [row.pk for row in _visible(people[name])[:MOST]]


def _shown(person: Person) -> list[int]:
    values = {"day": DAY, "subjects": _everybody()}
    with second_wall.as_web(), seen_by(person, now=timezone.now()):
        return [row.pk for row in seen(person, Resource.OBSERVATION, on_or_after, "pk", **values)]


def _visible(person: Person) -> list[Record]:
    with seen_by(person, now=timezone.now()):
        rows = Record.objects.filter(day__gte=DAY).order_by("pk")
        return list(visible(person, Resource.OBSERVATION, rows))


def _everybody() -> list[int]:
    return list(Record.objects.values_list("subject_id", flat=True).distinct())


@prepared(most=MOST)
def fine_and_not(*, day: dt.date) -> tuple[QuerySet[Record], ...]:
    rows = Record.objects.filter(day__gte=day)
    return rows.filter(polarity="normal").order_by("pk"), rows.filter(polarity="abnormal").order_by("-pk")


@pytest.mark.parametrize("since", [None, DAY + dt.timedelta(days=2)])
def test_of_several_parts_each_is_narrowed_and_cut(since: dt.date | None):
    ana, ito = a_person("Ana"), a_person("Dr. Ito")
    leo = a_child(ana)
    a_record(a_cat(), day=DAY, author=ito)
    a_membership(ito, leo, "therapist", data_from=since)
    for number in range(2 * (MOST + 3)):
        is_fine = number % 2 == 0
        day = DAY + dt.timedelta(days=number)
        a_record(leo, day=day, author=ana, asserted="normal" if is_fine else "abnormal")
    with seen_by(ito, now=timezone.now()):
        rows = visible(ito, Resource.OBSERVATION, Record.objects.all())
        fine, ill = rows.filter(polarity="normal"), rows.filter(polarity="abnormal")
        expected = {row.pk for row in [*fine.order_by("pk")[:MOST], *ill.order_by("-pk")[:MOST]]}
        found = [row.pk for row in seen(ito, Resource.OBSERVATION, fine_and_not, day=DAY)]
    assert len(found) == len(set(found)) == 2 * MOST
    assert set(found) == expected


def test_rows_that_may_be_their_authors_alone_are_not_asked_for_by_subject_only():
    query = prepared()(Question.objects.all)
    with pytest.raises(TypeError, match="author's alone"):
        query.rows_of([1])
