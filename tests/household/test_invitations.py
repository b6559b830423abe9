"""Invitations: a link that lets one person in, once."""

from __future__ import annotations

import datetime as dt
import re
import uuid
from typing import Any

import pytest
from django.test import Client

from household.access import seen_by
from household.models import Invitation, Membership, Person
from household.rules.invitations import (
    LASTS,
    NotForSubject,
    Standing,
    check_role,
    end_of,
    last_day_of,
    school_year_of,
    standing,
)
from household.rules.permissions import Role
from household.services.invitations import MadeInvitation, invite
from tests.makers import LONG_AGO, a_cat, a_child, a_household, a_membership, a_person, now, signed_in
from twin.models import Subject

PASSPHRASE = "three slow otters"
NOON = dt.datetime(2025, 3, 1, 12, tzinfo=dt.UTC)


def an_invitation(*subjects: Subject, role: str = "family", **fields: Any) -> MadeInvitation:
    ana = a_person("Ana")
    at = fields.pop("at", now())
    with seen_by(ana, now=at):
        return invite(
            person=ana,
            role=Role(role),
            subject_ids=[one.pk for one in subjects],
            client_id=str(uuid.uuid4()),
            now=at,
            **fields,
        )


def joining(name: str = "Ben", **fields: str) -> dict[str, str]:
    return {"parent_name": name, "language": "en", "passphrase": PASSPHRASE, "again": PASSPHRASE, **fields}


def link_in(body: bytes) -> str:
    return re.search(r'value="http://[^/]+(/join/[^"]+)"', body.decode()).group(1)  # type: ignore[union-attr]


def form(*subjects: Subject, role: str = "family", **fields: str) -> dict[str, Any]:
    pks = [str(one.pk) for one in subjects]
    return {"client_id": str(uuid.uuid4()), "role": role, "subjects": pks, "window": "all", **fields}


# the rules


@pytest.mark.parametrize(
    ("used", "revoked", "after", "expected"),
    [
        (False, False, dt.timedelta(), Standing.OPEN),
        (False, False, LASTS - dt.timedelta(microseconds=1), Standing.OPEN),
        (False, False, LASTS, Standing.EXPIRED),
        (True, False, dt.timedelta(), Standing.USED),
        (True, False, LASTS, Standing.USED),
        (False, True, dt.timedelta(), Standing.REVOKED),
        (False, True, LASTS, Standing.REVOKED),
    ],
)
def test_an_invitation_stands_for_seven_days_unless_used_or_revoked(
    used: bool, revoked: bool, after: dt.timedelta, expected: Standing
):
    found = standing(
        used_at=NOON if used else None,
        revoked_at=NOON if revoked else None,
        expires_at=NOON + LASTS,
        now=NOON + after,
    )
    assert found == expected


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("species", ["person", "cat", "other"])
def test_only_a_vet_for_a_child_is_refused(role: Role, species: str):
    if role == Role.VET and species == "person":
        with pytest.raises(NotForSubject):
            check_role(role, [species, "cat"])
    else:
        check_role(role, [species])


@pytest.mark.parametrize("zone", ["UTC", "Europe/Istanbul", "America/Los_Angeles", "Pacific/Kiritimati"])
def test_the_last_day_survives_the_way_to_an_instant_and_back(zone: str):
    for day in (dt.date(2025, 3, 1) + dt.timedelta(days=n) for n in range(400)):
        assert last_day_of(end_of(day, zone), zone) == day


@pytest.mark.parametrize(
    ("day", "begins"),
    [("2025-09-01", "2025-09-01"), ("2025-08-31", "2024-09-01"), ("2026-01-01", "2025-09-01")],
)
def test_a_school_year_begins_in_september(day: str, begins: str):
    assert school_year_of(dt.date.fromisoformat(day)) == dt.date.fromisoformat(begins)


# making a link


@pytest.mark.django_db
def test_a_parent_makes_a_link_and_somebody_new_joins_by_it():
    leo, mavi = a_child(), a_cat()
    made = signed_in(a_person("Ana")).post("/household/invitations", form(leo, mavi, role="therapist"))
    guest = Client()
    link = link_in(made.content)
    assert made.content.count(b"<svg") and b"Ana" in guest.get(link).content
    assert guest.post(link, joining("Dr. Ito")).status_code == 302
    ito = Person.objects.get(name="Dr. Ito")
    assert {(one.subject, one.role, one.invited_by.name) for one in ito.memberships.all()} == {  # type: ignore[union-attr]
        (leo, "therapist", "Ana"),
        (mavi, "therapist", "Ana"),
    }
    assert int(guest.session["_auth_user_id"]) == ito.pk
    assert ito.check_password(PASSPHRASE)


@pytest.mark.django_db
def test_only_the_hash_of_a_token_is_kept():
    made = an_invitation(a_child())
    row = Invitation.objects.values().get()
    assert made.token not in str(row)
    assert len(made.token) >= 43


@pytest.mark.django_db
def test_the_same_form_posted_twice_is_one_invitation_with_one_link():
    ana, sent = signed_in(a_person("Ana")), form(a_child())
    first, second = ana.post("/household/invitations", sent), ana.post("/household/invitations", sent)
    assert link_in(first.content) == link_in(second.content)
    assert Invitation.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize("role", ["family", "child", "therapist", "teacher"])
def test_only_parents_invite(role: str):
    leo = a_child()
    ben = a_person("Ben")
    a_membership(ben, leo, role)
    assert signed_in(ben).get("/household/invitations").status_code == 404
    assert signed_in(ben).post("/household/invitations", form(leo)).status_code == 404
    assert not Invitation.objects.exists()


@pytest.mark.django_db
def test_a_parent_invites_to_their_own_subjects_only():
    leo, zoe = a_child(), a_child(a_person("Olga"), "Zoe")
    response = signed_in(a_person("Ana")).post("/household/invitations", form(leo, zoe))
    assert response.status_code == 422
    assert not Invitation.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "wrong",
    [
        {"role": "king"},
        {"role": "vet"},
        {"subjects": []},
        {"window": "day"},
        {"window": "some"},
        {"last_day": "2001-01-01"},
        {"last_day": "soon"},
    ],
)
def test_what_cannot_be_promised_is_refused_with_a_word(wrong: dict[str, Any]):
    response = signed_in(a_person("Ana")).post("/household/invitations", {**form(a_child()), **wrong})
    assert response.status_code == 422
    assert b"errorlist" in response.content or b"notice is-flag" in response.content
    assert not Invitation.objects.exists()


@pytest.mark.django_db
def test_an_end_and_a_window_become_the_memberships():
    a_household(time_zone="Europe/Istanbul")
    leo = a_child()
    sent = form(leo, role="teacher", window="day", data_from="2025-09-08", last_day="2099-06-12")
    made = signed_in(a_person("Ana")).post("/household/invitations", sent)
    Client().post(link_in(made.content), joining("Ms. Kaya"))
    row = Membership.objects.get(role="teacher")
    assert row.data_from == dt.date(2025, 9, 8)
    assert row.ends_at == dt.datetime(2099, 6, 12, 21, tzinfo=dt.UTC)


# opening it


@pytest.mark.django_db
@pytest.mark.parametrize("token", ["nonsense", "a" * 43, "%00", "ş" * 30])
def test_a_token_of_nothing_is_not_there(token: str):
    a_household()
    assert Client().get(f"/join/{token}").status_code == 404
    assert Client().post(f"/join/{token}", joining()).status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize("fate", ["used", "revoked", "expired", "no parent", "not active"])
def test_a_link_that_is_over_says_so_and_nothing_else(fate: str):
    leo = a_child(name="Leonardo")
    made = an_invitation(leo, at=now() - LASTS if fate == "expired" else now())
    match fate:
        case "used":
            Client().post(f"/join/{made.token}", joining("Ben"))
        case "revoked":
            signed_in(a_person("Ana")).post(f"/household/invitations/{made.row.pk}/revoke")
        case "no parent":
            Membership.objects.update(ends_at=now())
        case "not active":
            Person.objects.filter(name="Ana").update(is_active=False)
    pages = [Client().get(f"/join/{made.token}"), Client().post(f"/join/{made.token}", joining("Eve"))]
    for page in pages:
        assert page.status_code == 410
        assert b"Leonardo" not in page.content and b"Ana" not in page.content
    assert not Person.objects.filter(name="Eve").exists()


@pytest.mark.django_db
def test_somebody_who_is_signed_in_joins_as_themselves_and_twice_is_once():
    leo = a_child()
    made = an_invitation(leo)
    ben = signed_in(a_person("Ben"))
    assert b"Ben" in ben.get(f"/join/{made.token}").content
    assert [ben.post(f"/join/{made.token}").status_code for _ in range(2)] == [302, 302]
    assert Membership.objects.filter(person__name="Ben").count() == 1
    assert ben.get(f"/book/{leo.pk}").status_code == 200


@pytest.mark.django_db
def test_what_somebody_holds_already_is_not_given_twice():
    leo = a_child()
    ben = a_person("Ben")
    a_membership(ben, leo)
    signed_in(ben).post(f"/join/{an_invitation(leo).token}")
    assert Membership.objects.filter(person=ben).count() == 1


@pytest.mark.django_db
def test_a_parent_does_not_spend_the_link_they_made():
    leo = a_child()
    made = an_invitation(leo)
    assert signed_in(a_person("Ana")).post(f"/join/{made.token}").status_code == 422
    assert Invitation.objects.get().used_at is None
    assert Membership.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize(
    "wrong",
    [
        {"parent_name": "ANA"},
        {"parent_name": " "},
        {"passphrase": "short", "again": "short"},
        {"again": "another one"},
        {"language": "xx"},
    ],
)
def test_an_account_that_cannot_be_made_spends_nothing(wrong: dict[str, str]):
    made = an_invitation(a_child())
    assert Client().post(f"/join/{made.token}", joining(**wrong)).status_code == 422
    assert Invitation.objects.get().used_at is None
    assert Person.objects.count() == 1


@pytest.mark.django_db
def test_a_link_shown_to_two_lets_one_in():
    made = an_invitation(a_child())
    answers = [Client().post(f"/join/{made.token}", joining(name)).status_code for name in ("Ben", "Eve")]
    assert answers == [302, 410]
    assert list(Membership.objects.filter(role="family").values_list("person__name", flat=True)) == ["Ben"]


# taking it back


@pytest.mark.django_db
def test_the_other_parent_may_take_a_link_back_and_a_stranger_may_not():
    leo = a_child()
    made = an_invitation(leo)
    other = a_person("Carl")
    a_membership(other, leo, "parent", starts_at=LONG_AGO)
    olga = a_person("Olga")
    a_child(olga, "Zoe")
    assert signed_in(olga).post(f"/household/invitations/{made.row.pk}/revoke").status_code == 404
    assert b"Take back" not in signed_in(olga).get("/household/invitations").content
    assert b"Take back" in signed_in(other).get("/household/invitations").content
    assert signed_in(other).post(f"/household/invitations/{made.row.pk}/revoke").status_code == 302
    assert Invitation.objects.get().revoked_at is not None
    assert b"Take back" not in signed_in(other).get("/household/invitations").content


@pytest.mark.django_db
def test_a_link_names_only_subjects_its_reader_is_a_parent_of():
    leo, zoe = a_child(name="Leonardo"), a_child(name="Zoelina")
    an_invitation(leo, zoe)
    carl = a_person("Carl")
    a_membership(carl, leo, "parent")
    page = signed_in(carl).get("/household/invitations").content
    assert b"Leonardo" in page and b"Zoelina" not in page
