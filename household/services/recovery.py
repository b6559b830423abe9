"""A new passphrase without e-mail: a one-time code from another parent or from the console."""

from __future__ import annotations

import datetime as dt
import secrets

from allauth.usersessions.models import UserSession
from django.contrib.auth.hashers import check_password, make_password
from django.db import connection, transaction

from household.access import Denied, sight_of
from household.box.firstrun import ALPHABET
from household.models import Membership, Person, RecoveryCode
from household.rules.names import name_key
from household.rules.permissions import Role

LETTERS = 10
LASTS = dt.timedelta(hours=1)
TRIES = 5


class WrongCode(ValueError):
    """The code is not this person's, too old, spent, or tried too often; which of these is not said."""


def may_recover(person: Person, other: Person, *, now: dt.datetime) -> bool:
    """Whether a parent may reset this passphrase: the other belongs to subjects of theirs and to no others.

    Who holds an account reads what it reads: through a sitter of two families one would read the other's.
    """
    parents_of = [pk for pk, one in sight_of(person).subjects.items() if Role.PARENT in one.roles]
    shared = Membership.objects.live(now).filter(person=other, subject__in=parents_of)
    return person.pk != other.pk and shared.exists() and not _belongs_elsewhere(other, parents_of, now)


def _belongs_elsewhere(person: Person, subject_ids: list[int], now: dt.datetime) -> bool:
    with connection.cursor() as cursor:  # memberships of other subjects are not this parent's to read
        cursor.execute("SELECT household_belongs_elsewhere(%s, %s, %s)", [person.pk, subject_ids, now])
        return bool(cursor.fetchone()[0])


@transaction.atomic
def issue_by_parent(*, parent: Person, person_id: int, now: dt.datetime) -> str:
    """A code for somebody who shares a subject with this parent. Raises Denied."""
    other = Person.objects.filter(pk=person_id, is_active=True).first()
    if other is None or not may_recover(parent, other, now=now):
        raise Denied
    return issue_code(other, now=now, issued_by=parent)


@transaction.atomic
def issue_code(person: Person, *, now: dt.datetime, issued_by: Person | None = None) -> str:
    """A new code like `K7QM3-XTDPA`, shown once; the one before is void and only a slow hash is kept."""
    code = "".join(secrets.choice(ALPHABET) for _ in range(LETTERS))
    RecoveryCode.objects.update_or_create(
        person=person,
        defaults={
            "code_hash": make_password(code),
            "issued_by": issued_by,
            "expires_at": now + LASTS,
            "wrong_tries": 0,
        },
    )
    return f"{code[:5]}-{code[5:]}"


def renew_passphrase(*, name: str, code: str, passphrase: str, now: dt.datetime) -> Person:
    """Spend the code: the passphrase is new and every session of the person ends. Raises WrongCode."""
    with transaction.atomic():
        person = _spend(name, code, now=now)
        if person is not None:
            person.set_password(passphrase)
            person.save(update_fields=["password"])
            end_sessions(person)
    if person is None:  # outside the transaction, so that the wrong try stays counted
        raise WrongCode
    return person


def _spend(name: str, code: str, *, now: dt.datetime) -> Person | None:
    rows = RecoveryCode.objects.select_for_update(of=("self",)).select_related("person")
    row = rows.filter(person__name_key=name_key(name), person__is_active=True).first()
    letters = "".join(letter for letter in code.upper() if letter.isalnum())
    if row is None:
        make_password(letters)  # an unknown name takes as long as a wrong code
        return None
    if row.wrong_tries >= TRIES or now >= row.expires_at or not check_password(letters, row.code_hash):
        row.wrong_tries = min(row.wrong_tries + 1, TRIES)
        row.save(update_fields=["wrong_tries"])
        return None
    person = row.person
    row.delete()
    return person


def end_sessions(person: Person) -> int:
    """Sign a person out everywhere; how many sessions ended."""
    ended = list(UserSession.objects.filter(user=person))
    for session in ended:
        session.end()
    return len(ended)
