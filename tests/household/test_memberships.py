"""The people of a subject: what a parent decides, from when, until when, and seeing it as they do."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest
from django.db import InternalError, connection
from django.test import Client

from household.access import seen_as, visible
from household.labels import member_table
from household.models import AccessLog, Membership
from household.rules.permissions import (
    MATRIX,
    Action,
    Grant,
    Resource,
    Role,
    State,
    is_decidable,
    matrix_page,
)
from tests.makers import LONG_AGO, a_child, a_membership, a_person, a_record, a_statement, now, signed_in
from twin.models import Record, Statement, Subject

pytestmark = pytest.mark.django_db


@pytest.fixture
def leo() -> Subject:
    return a_child()


@pytest.fixture
def ana(leo: Subject) -> Client:
    return signed_in(a_person("Ana"))


def a_member(leo: Subject, role: str = "family", name: str = "Ben", **fields: Any) -> Membership:
    return a_membership(a_person(name), leo, role, **fields)


def decide(client: Client, member: Membership, turn: str) -> Any:
    return client.post(f"/people/{member.pk}/decide", {"turn": turn})


# the matrix


@pytest.mark.parametrize("role", Role)
def test_the_page_of_a_member_is_the_matrix_that_is_enforced(role: Role):
    grant = Grant(role=role, overrides={})
    for resource, row in zip(Resource, member_table(grant), strict=True):
        for action, cell in zip(Action, row.cells, strict=True):
            state = matrix_page(grant)[resource, action]
            assert bool(cell.turn) == is_decidable(role, resource, action) == (state in {State.ON, State.OFF})
            if cell.turn:
                assert cell.turn == f"{resource}:{action}:{'off' if cell.is_on else 'on'}"


@pytest.mark.parametrize("role", [one for one in Role if one not in {Role.PARENT, Role.VET}])
def test_every_cell_is_decided_or_refused_as_the_matrix_says(ana: Client, leo: Subject, role: Role):
    member = a_member(leo, role.value)
    for resource in MATRIX[role]:
        for action in Action:
            for turn in ("on", "off"):
                status = decide(ana, member, f"{resource}:{action}:{turn}").status_code
                assert status == (302 if is_decidable(role, resource, action) else 409)
                if status == 302:
                    member.refresh_from_db()
                    assert member.overrides[f"{resource}:{action}"] is (turn == "on")


@pytest.mark.parametrize(
    "turn", ["", "document", "document:view", "document:view:maybe", "x:view:on", "document:x:on"]
)
def test_a_turn_of_nothing_is_refused(ana: Client, leo: Subject, turn: str):
    assert decide(ana, a_member(leo), turn).status_code == 422


def test_a_decision_holds_from_the_next_page_on(ana: Client, leo: Subject):
    a_record(leo, day=now().date(), signs={"scratching": True})
    member = a_member(leo)
    ben = signed_in(member.person)
    url = f"/r/{Record.objects.get().rec_id}"
    assert ben.get(url).status_code == 200
    decide(ana, member, "observation:view:off")
    assert ben.get(url).status_code == 404
    decide(ana, member, "observation:view:on")
    assert ben.get(url).status_code == 200


# window and end


def limits(**fields: str) -> dict[str, str]:
    return {"window": "all", "data_from": "", "last_day": "", **fields}


def test_a_window_hides_what_was_before_it(ana: Client, leo: Subject):
    old, new = a_record(leo, day=dt.date(2025, 3, 1)), a_record(leo, day=dt.date(2025, 5, 1))
    member = a_member(leo)
    ben = signed_in(member.person)
    sent = limits(window="day", data_from="2025-04-01")
    assert ana.post(f"/people/{member.pk}/limits", sent).status_code == 302
    assert [ben.get(f"/r/{one.rec_id}").status_code for one in (old, new)] == [404, 200]
    assert b'value="2025-04-01"' in ana.get(f"/people/{member.pk}").content
    ana.post(f"/people/{member.pk}/limits", limits())
    assert ben.get(f"/r/{old.rec_id}").status_code == 200


@pytest.mark.parametrize(
    "wrong", [{"window": "day"}, {"window": "x"}, {"last_day": "2001-01-01"}, {"data_from": "x"}]
)
def test_limits_that_cannot_be_are_refused_with_a_word(ana: Client, leo: Subject, wrong: dict[str, str]):
    response = ana.post(f"/people/{a_member(leo).pk}/limits", limits(**wrong))
    assert response.status_code == 422
    assert b"errorlist" in response.content


def test_a_parent_is_never_narrowed(ana: Client, leo: Subject):
    carl = a_member(leo, "parent", "Carl")
    assert ana.post(f"/people/{carl.pk}/limits", limits(last_day="2099-01-01")).status_code == 422
    carl.refresh_from_db()
    assert carl.ends_at is None


def test_an_ended_member_sees_nothing_on_the_next_page(ana: Client, leo: Subject):
    member = a_member(leo)
    ben = signed_in(member.person)
    assert ben.get(f"/book/{leo.pk}").status_code == 200
    assert ana.get(f"/people/{member.pk}/end").status_code == 200
    assert ana.post(f"/people/{member.pk}/end").status_code == 302
    assert ben.get(f"/book/{leo.pk}").status_code == 404
    assert ana.post(f"/people/{member.pk}/end").status_code == 404
    assert "Ben" in ana.get(f"/book/{leo.pk}/people").content.decode().partition("belonged here before")[2]


def test_the_last_day_ends_a_membership_by_itself(ana: Client, leo: Subject):
    member = a_member(leo)
    today = now().date()
    ana.post(f"/people/{member.pk}/limits", limits(last_day=today.isoformat()))
    member.refresh_from_db()
    assert member.ends_at == dt.datetime.combine(today + dt.timedelta(days=1), dt.time(), dt.UTC)
    Membership.objects.filter(pk=member.pk).update(ends_at=now() - dt.timedelta(seconds=1))
    assert signed_in(member.person).get(f"/book/{leo.pk}").status_code == 404


def test_the_last_parent_cannot_go(ana: Client, leo: Subject):
    own = Membership.objects.get(person__name="Ana")
    assert ana.post(f"/people/{own.pk}/end").status_code == 409
    carl = a_member(leo, "parent", "Carl")
    assert ana.post(f"/people/{own.pk}/end").status_code == 302
    assert ana.get(f"/book/{leo.pk}").status_code == 404
    assert signed_in(carl.person).post(f"/people/{carl.pk}/end").status_code == 409


def test_nobody_decides_about_themselves(leo: Subject):
    for role in ("family", "therapist", "teacher", "child"):
        member = a_member(leo, role, f"a {role}")
        own = signed_in(member.person)
        for path in ("decide", "limits", "end"):
            assert own.post(f"/people/{member.pk}/{path}", {"turn": "document:view:on"}).status_code == 404
        for url in (f"/people/{member.pk}", f"/people/{member.pk}/preview", f"/book/{leo.pk}/people"):
            assert own.get(url).status_code == 404


def test_a_parent_of_another_family_finds_nobody(leo: Subject):
    member = a_member(leo)
    olga = a_person("Olga")
    a_child(olga, "Zoe")
    assert signed_in(olga).get(f"/people/{member.pk}").status_code == 404
    assert signed_in(olga).post(f"/people/{member.pk}/end").status_code == 404


# seeing it as they do


def preview(client: Client, member: Membership) -> str:
    response = client.get(f"/people/{member.pk}/preview")
    assert response.status_code == 200
    return response.content.decode()


def test_a_preview_shows_what_the_member_is_shown(ana: Client, leo: Subject):
    for day in (dt.date(2025, 3, 1), dt.date(2025, 5, 1)):
        a_statement(leo, a_person("Ana"), f"seen {day}", record=a_record(leo, day=day))
    member = a_member(leo, "therapist", "Dr. Ito", data_from=dt.date(2025, 4, 1))
    theirs = signed_in(member.person).get(f"/book/{leo.pk}").content.decode()
    shown = preview(ana, member)
    ids = re.compile(r"rec_\d+")
    assert set(ids.findall(shown)) == set(ids.findall(theirs)) != set()
    assert "2025-05-01" in shown and "2025-03-01" not in shown


def test_a_preview_shows_neither_a_parents_own_rows_nor_the_members_other_subjects(ana: Client, leo: Subject):
    zoe = a_child(a_person("Olga"), "Zoelina")
    member = a_member(leo, "teacher", "Ms. Kaya")
    a_membership(member.person, zoe, "teacher", starts_at=LONG_AGO)
    a_statement(leo, a_person("Ana"), "only for parents", record=a_record(leo, author=a_person("Ana")))
    shown = preview(ana, member)
    assert "only for parents" not in shown and "rec_" not in shown and "Zoelina" not in shown


def test_a_preview_of_somebody_who_sees_nothing_says_so(ana: Client, leo: Subject):
    assert "Nothing to see" in preview(ana, a_member(leo, "child", "Leo"))


def test_a_preview_offers_nothing_to_do_and_leaves_no_look(ana: Client, leo: Subject):
    shown = preview(ana, a_member(leo, "therapist", "Dr. Ito"))
    assert "<form" not in shown and f"/book/{leo.pk}/form" not in shown
    assert not AccessLog.objects.exists()
    assert ana.post(f"/people/{Membership.objects.get(role='therapist').pk}/preview").status_code == 405


def test_nothing_can_be_written_through_the_eyes_of_another(leo: Subject):
    member = a_member(leo)
    with pytest.raises(InternalError, match="read-only"), seen_as(member.person, leo.pk, now=now()) as sight:
        assert list(sight.subjects) == [leo.pk]
        assert not visible(member.person, Resource.OBSERVATION, Statement.objects.all()).exists()
        a_record(leo)
    with connection.cursor() as cursor:
        cursor.execute("SHOW transaction_read_only")
        assert cursor.fetchone() == ("off",)
