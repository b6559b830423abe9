"""Row-level security shows the web role what the matrix shows, and nothing where nobody asked."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import DatabaseError, ProgrammingError, connection, models, transaction
from django.utils import timezone

from household.access import Denied, beginning, filing, seen_by, visible
from household.models import AccessLog, Household, Membership, Person, Register
from household.rules import policies as rules
from household.rules.policies import Table, policies_of
from household.rules.resources import TABLES, resource_of
from household.services.policies import label_of, our_models, raise_wall, reaches_subject, wanted
from memory.models import JournalLine
from memory.services.journal import write_line
from tests import second_wall
from tests.makers import a_cat, a_child, a_membership, a_person, a_record, a_statement, signed_in
from twin.models import CourseDay, FormFill, LedgerEntry, Record, RoundRun, Statement, Subject
from twin.services.subjects import add_subject

pytestmark = pytest.mark.django_db
# Tables of other people's packages, with no subject in them.
OTHERS = ("account_", "auth_", "django_", "huey_", "mfa_", "usersessions_", "pgtrigger_")
DAY = dt.date(2026, 3, 1)


@contextmanager
def web() -> Iterator[None]:
    """The web role for a block, whatever was told before it."""
    second_wall.run("SET ROLE web")
    try:
        yield
    finally:
        second_wall.run("RESET ROLE")


@contextmanager
def as_seen_by(person: Person) -> Iterator[Any]:
    """The web role inside this person's sight."""
    with second_wall.as_web(), seen_by(person, now=timezone.now()) as sight:
        yield sight


@contextmanager
def refused() -> Iterator[None]:
    """A statement row-level security refuses, taken back."""
    with pytest.raises((ProgrammingError, DatabaseError)), transaction.atomic():
        yield


def pks(model: type[models.Model]) -> set[Any]:
    return set(model._base_manager.values_list("pk", flat=True))


# What stands where


def test_every_table_of_ours_has_a_place() -> None:
    lost = [
        model._meta.label
        for model in our_models()
        if reaches_subject(model) and label_of(model) not in TABLES and model._meta.label not in rules.EXEMPT
    ]
    assert lost == [], "a table with a subject: add it to household/rules/resources.py"
    unknown = [
        model._meta.label
        for model in our_models()
        if label_of(model) not in TABLES and model._meta.label not in {*rules.EXEMPT, *rules.SPECIAL}
    ]
    assert unknown == [], "say in EXEMPT of household/rules/policies.py why it needs no policy"


@pytest.mark.parametrize("model", our_models(), ids=lambda model: model._meta.label)
def test_every_table_has_policies_that_can_be_written(model: type[models.Model]) -> None:
    assert (wanted(model) is None) == (model._meta.label in rules.EXEMPT)


def test_every_table_of_the_database_is_guarded_or_excused() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, relrowsecurity, relforcerowsecurity,"
            " (SELECT count(*) FROM pg_policy WHERE polrelid = c.oid) FROM pg_class c"
            " WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition"
        )
        held = {name: rest for name, *rest in cursor.fetchall()}
    excused = {m._meta.db_table for m in our_models() if m._meta.label in rules.EXEMPT}
    for name, (is_on, is_forced, count) in held.items():
        if name in excused or name.startswith(OTHERS):
            assert not is_on, name
        else:
            assert (is_on, is_forced, count) == (True, False, 4), name


def test_policies_name_no_role() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT DISTINCT roles::text FROM pg_policies")
        assert cursor.fetchall() == [("{public}",)]


def test_raising_it_again_changes_nothing_and_repairs_what_is_missing() -> None:
    assert raise_wall() == []
    with connection.cursor() as cursor:
        cursor.execute("DROP POLICY deletes ON twin_record")
        cursor.execute("ALTER TABLE twin_statement FORCE ROW LEVEL SECURITY")
        cursor.execute("ALTER TABLE twin_event DISABLE ROW LEVEL SECURITY")
        cursor.execute("COMMENT ON POLICY sees ON twin_dose IS 'of an older build'")
    assert sorted(raise_wall()) == ["twin_dose", "twin_event", "twin_record", "twin_statement"]
    assert raise_wall() == []


def test_a_partition_is_closed_to_the_web() -> None:
    a_household_line()
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT inhrelid::regclass::text FROM pg_inherits"
            " WHERE inhparent = 'memory_journalwords'::regclass"
        )
        parts = [name for (name,) in cursor.fetchall()]
        assert parts
        for part in parts:
            with refused(), web():
                cursor.execute(f"SELECT * FROM {part}")


def a_household_line() -> JournalLine:
    ana = a_person("Ana")
    leo = a_child(ana)
    return write_line(
        event="Heard",
        at=timezone.now(),
        turn="t",
        fields={"text": "words"},
        subject_id=leo.pk,
        author_id=ana.pk,
    )


# What it shows


def test_a_record_folded_from_others_words_is_nobodys_own() -> None:
    ana, kaya = a_person("Ana"), a_person("Ms. Kaya")
    leo = a_child(ana)
    a_membership(kaya, leo, "teacher")
    record = a_record(leo, "ears", author=kaya)
    a_statement(leo, kaya, record=record)
    for is_shared in (False, True):
        if is_shared:
            a_statement(leo, ana, record=record)
        with as_seen_by(kaya):
            assert Record.objects.filter(pk=record.pk).exists() != is_shared
            assert LedgerEntry.objects.count() == 1
        with seen_by(kaya, now=timezone.now()):
            assert visible(kaya, resource_of("twin.Record"), Record.objects.all()).exists() != is_shared


@pytest.mark.parametrize("days", [-1, 0, 1])
def test_a_data_window_holds_behind_both_walls(days: int) -> None:
    ana, ito = a_person("Ana"), a_person("Dr. Ito")
    leo = a_child(ana)
    a_membership(ito, leo, "therapist", data_from=DAY)
    row = a_record(leo, "ears", day=DAY + dt.timedelta(days=days))
    history = a_record(leo, "ears", kind="history", started_on=DAY)
    with as_seen_by(ito):
        assert pks(Record) == ({row.pk} if days >= 0 else set())
        assert not CourseDay.objects.exists()
    with seen_by(ito, now=timezone.now()):
        assert set(visible(ito, resource_of("twin.Record"), Record.objects.all())) == (
            {row} if days >= 0 else set()
        )
    assert history.day is None


def test_an_ended_membership_takes_even_own_rows_along() -> None:
    ana, ito = a_person("Ana"), a_person("Dr. Ito")
    leo = a_child(ana)
    row = a_membership(ito, leo, "therapist")
    a_statement(leo, ito)
    with as_seen_by(ito):
        assert Statement.objects.exists()
    row.ends_at = timezone.now()
    row.save()
    with as_seen_by(ito):
        assert not Statement.objects.exists()
        assert not Subject.objects.exists()


# What it lets in


def _can(act: Any, *args: Any, **fields: Any) -> bool:
    try:
        with transaction.atomic():
            act(*args, **fields)
            raise _TakeBack
    except _TakeBack:
        return True
    except DatabaseError as error:
        assert "row-level security" in str(error)
        return False


class _TakeBack(Exception):
    pass


def _a_fill(subject: Subject, person: Person) -> FormFill:
    return FormFill.objects.create(
        subject=subject, author=person, client_id="x", turn="x", at=timezone.now(), local_day=DAY
    )


def test_who_may_add_and_not_view_gets_back_what_was_written() -> None:
    kaya = a_person("Ms. Kaya")
    leo = a_child()
    a_membership(kaya, leo, "teacher")
    with as_seen_by(kaya):
        row, is_new = FormFill.objects.get_or_create(
            author=kaya,
            client_id="x",
            defaults={"subject": leo, "turn": "x", "at": timezone.now(), "local_day": DAY},
        )
        assert is_new
        assert FormFill.objects.get() == row


@pytest.mark.parametrize("role", ["family", "therapist", "teacher"])
def test_rows_of_others_are_not_changed_or_removed(role: str) -> None:
    someone, leo, zoe = a_person("Someone"), a_child(), a_child(a_person("Olga"), "Zoe")
    a_membership(someone, leo, role, overrides={"observation:view": True})
    a_record(leo)
    a_statement(leo, a_person("Ana"))
    with as_seen_by(someone):
        assert Record.objects.count() == Statement.objects.count() == 1
        assert Record.objects.update(text="mine now") == 0
        assert Record.objects.all()._raw_delete("default") == 0
        with refused():
            Record.objects.create(subject=zoe, category="ears", kind="history")


def test_nobody_makes_themselves_a_member() -> None:
    ben, leo = a_person("Ben"), a_child()
    a_membership(ben, leo, "family")
    for subject in (leo, a_child(a_person("Olga"), "Zoe")):
        with as_seen_by(ben):
            assert not _can(Membership.objects.create, person=ben, subject=subject, role="parent")
            assert Membership.objects.update(role="parent") == 0


def test_nobody_writes_anothers_look_or_removes_one() -> None:
    ito, leo, ana = a_person("Dr. Ito"), a_child(), a_person("Ana")
    a_membership(ito, leo, "therapist")
    with as_seen_by(ito):
        AccessLog.objects.create(person=ito, subject=leo, resource="observation")
        assert not _can(AccessLog.objects.create, person=ana, subject=leo, resource="observation")
        assert AccessLog.objects.all()._raw_delete("default") == 0


def test_a_childs_register_is_its_parents_and_the_households_is_everybodys() -> None:
    ben, leo, ana = a_person("Ben"), a_child(), a_person("Ana")
    a_membership(ben, leo, "family")
    Register.objects.create(key="character", child=leo, value="cat", at_ms=1)
    Register.objects.create(key="daily_minutes", value=30, at_ms=1)
    with as_seen_by(ben):
        assert [row.key for row in Register.objects.all()] == ["daily_minutes"]
    with as_seen_by(ana):
        assert Register.objects.count() == 2


# Filing opens a book only while it files


def test_filing_opens_a_book_and_closes_it_again() -> None:
    kaya, leo = a_person("Ms. Kaya"), a_child()
    a_membership(kaya, leo, "teacher")
    a_record(leo)
    RoundRun.objects.create(subject=leo, day=DAY, ran_at=timezone.now())
    with as_seen_by(kaya):
        with filing([leo.pk]):
            assert Record.objects.count() == 1
            assert RoundRun.objects.update(is_dirty=True) == 1
            with filing([leo.pk]):
                assert Record.objects.count() == 1
            assert Record.objects.count() == 1
        assert Record.objects.count() == 0
        with pytest.raises(KeyError), filing([leo.pk]):
            raise KeyError
        assert Record.objects.count() == 0


@pytest.mark.parametrize("role", ["", "family", "therapist"])
def test_only_a_parent_or_founder_begins_a_page_of_the_book(role: str) -> None:
    leo, eve = a_child(), a_person("Eve")
    if role:
        a_membership(eve, leo, role)
    with as_seen_by(eve), pytest.raises(Denied), beginning():
        pass


def test_the_founder_is_known_without_seeing_memberships() -> None:
    first, second = a_person("Ana"), a_person("Ben")
    Household.objects.get()
    with as_seen_by(first) as sight:
        assert sight.is_parent()
    with as_seen_by(second) as sight:
        assert not sight.is_parent()
    a_cat(second)
    with as_seen_by(first) as sight:
        assert not sight.is_parent()


# The text of policies


def test_a_table_with_a_nullable_subject_keeps_nobodys_rows_for_their_author() -> None:
    made = policies_of(Table("t", "observation", subject="subject_id", is_nullable=True, author="author_id"))
    assert "t.subject_id IS NULL" in made.add
    assert "t.subject_id IS NULL" in made.change
    assert (
        "IS NULL" not in policies_of(Table("t", "observation", subject="subject_id", author="author_id")).see
    )


def test_a_row_that_hangs_on_another_follows_it() -> None:
    upper = Table("upper", "memory", subject="subject_id")
    lower = Table("lower", "memory", parent=("upper", "id", "upper_id"))
    lowest = Table("lowest", "memory", parent=("lower", "id", "lower_id"))
    made = policies_of(lowest, parents={"upper": upper, "lower": lower})
    assert made.see.startswith("EXISTS (SELECT 1 FROM lower lowest_up WHERE lowest_up.id = lowest.lower_id")
    assert "upper lowest_up_up WHERE lowest_up_up.id = lowest_up.upper_id" in made.add


# Ids that clients make


def test_the_number_of_another_familys_child_opens_nothing() -> None:
    zoe, ben = a_child(a_person("Olga"), "Zoe"), a_person("Ben")
    a_cat(ben)
    fields = {"name": "Tom", "sex": "unknown", "time_zone": "UTC", "day_starts_at": "03:00"}
    taken = signed_in(ben).post("/book/add?kind=cat", {**fields, "client_id": str(zoe.gid)})
    assert taken.status_code == 404
    assert "Zoe" not in taken.content.decode()
    assert not Subject.objects.filter(name="Tom").exists()
    assert not Membership.objects.filter(person=ben, subject=zoe).exists()


def test_a_form_posted_twice_at_once_finds_the_page_the_other_made() -> None:
    ben, gid, now = a_person("Ben"), uuid.uuid4(), timezone.now()
    with as_seen_by(ben):
        first = add_subject(person=ben, now=now, gid=gid, species="cat", name="Tom")
        # What this request was told of memberships is older than the page the other one made.
        again = add_subject(person=ben, now=now, gid=gid, species="cat", name="Tom")
    assert first == again
    assert Subject.objects.count() == Membership.objects.count() == 1
