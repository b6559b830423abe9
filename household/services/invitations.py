"""Inviting by a link that works once: making it, taking it back, and accepting it."""

from __future__ import annotations

import datetime as dt
import hashlib
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.utils.crypto import salted_hmac

from household.access import Denied, require_parent, seen_by, sight_of
from household.models import Invitation, Membership, Person
from household.rules.invitations import LASTS, Standing, check_end, check_limits, check_role, standing
from household.rules.names import name_key
from household.rules.permissions import Role

SALT = "household.invitation"


class UnknownInvitation(ValueError):
    """The token is of no invitation."""


class SpentInvitation(ValueError):
    """The invitation was used, revoked, or is too old, or its inviter may invite no more."""


class NameTaken(ValueError):
    """Somebody of this household has that name."""


class AlreadyParent(ValueError):
    """The person is a parent of every subject named: another role would only take away."""


@dataclass(frozen=True)
class MadeInvitation:
    """An invitation and its token, which is shown once and kept nowhere."""

    row: Invitation
    token: str


@dataclass(frozen=True)
class Offer:
    """What an open invitation offers, in words its bearer may read before accepting."""

    row: Invitation
    inviter: str
    names: tuple[str, ...]


@transaction.atomic
def invite(
    *,
    person: Person,
    role: Role,
    subject_ids: Sequence[int],
    client_id: str,
    now: dt.datetime,
    ends_at: dt.datetime | None = None,
    data_from: dt.date | None = None,
) -> MadeInvitation:
    """A new invitation to the pages of one's own subjects; the same client id twice is one.

    Raises Denied, NotForSubject, NotForParents, EndsBefore, SpentInvitation.
    """
    for pk in subject_ids:
        require_parent(person, pk)
    check_role(role, [sight_of(person).subjects[pk].species for pk in subject_ids])
    check_limits(role, ends_at=ends_at, data_from=data_from)
    check_end(ends_at, now=now)
    token = _token_of(person, client_id)
    row, _ = Invitation.objects.get_or_create(
        token_hash=hash_of(token),
        defaults={
            "role": role.value,
            "subject_ids": sorted(set(subject_ids)),
            "invited_by": person,
            "ends_at": ends_at,
            "data_from": data_from,
            "created_at": now,
            "expires_at": now + LASTS,
        },
    )
    if standing_of(row, now) != Standing.OPEN:
        raise SpentInvitation
    return MadeInvitation(row, token)


def hash_of(token: str) -> str:
    """What is kept of a token: it has 256 bits of its own, so a plain hash is enough."""
    return hashlib.sha256(token.encode()).hexdigest()


def _token_of(person: Person, client_id: str) -> str:
    """The token of one posted form: nobody without the house's key can make it."""
    digest = salted_hmac(SALT, f"{person.pk}:{client_id}", algorithm="sha256").digest()
    return urlsafe_b64encode(digest).rstrip(b"=").decode()


def standing_of(row: Invitation, now: dt.datetime) -> Standing:
    """What became of this invitation."""
    return standing(used_at=row.used_at, revoked_at=row.revoked_at, expires_at=row.expires_at, now=now)


def open_invitations(person: Person, subject_ids: Sequence[int], *, now: dt.datetime) -> list[Invitation]:
    """The invitations to any of these subjects that can still be accepted, the newest first."""
    for pk in subject_ids:
        require_parent(person, pk)
    rows = Invitation.objects.filter(
        subject_ids__overlap=list(subject_ids), used_at=None, revoked_at=None, expires_at__gt=now
    )
    return list(rows.select_related("invited_by").order_by("-created_at", "-pk"))


@transaction.atomic
def revoke_invitation(*, person: Person, invitation_id: int, now: dt.datetime) -> Invitation:
    """Take an invitation back; any parent of a subject it names may. Twice changes nothing. Raises Denied."""
    row = Invitation.objects.select_for_update().filter(pk=invitation_id).first()
    sight = sight_of(person)
    parents_of = {pk for pk, one in sight.subjects.items() if Role.PARENT in one.roles}
    if row is None or not parents_of & set(row.subject_ids):
        raise Denied
    if standing_of(row, now) == Standing.OPEN:
        row.revoked_at = now
        row.save(update_fields=["revoked_at"])
    return row


def _row_of(token: str, *, for_update: bool = False) -> Invitation:
    rows = Invitation.objects.select_related("invited_by")
    rows = rows.select_for_update(of=("self",)) if for_update else rows
    row = rows.filter(token_hash=hash_of(token)).first()
    if row is None:
        raise UnknownInvitation
    return row


def read_offer(token: str, *, now: dt.datetime) -> Offer:
    """What a link offers, read with its inviter's eyes. Raises UnknownInvitation, SpentInvitation."""
    row = _row_of(token)
    with seen_by(row.invited_by, now=now):
        return Offer(row, row.invited_by.name, _names(row, now))


def _names(row: Invitation, now: dt.datetime) -> tuple[str, ...]:
    """The subjects' names, if the invitation stands and its inviter is their parent still."""
    if standing_of(row, now) != Standing.OPEN or not row.invited_by.is_active:
        raise SpentInvitation
    try:
        for pk in row.subject_ids:
            require_parent(row.invited_by, pk)
    except Denied:
        raise SpentInvitation from None
    sight = sight_of(row.invited_by)
    return tuple(sight.subjects[pk].name for pk in row.subject_ids)


def accept(*, token: str, person: Person, now: dt.datetime) -> Person:
    """Make a person who is here already a member. Accepting twice is accepting once.

    Raises UnknownInvitation, SpentInvitation, AlreadyParent.
    """
    row = _row_of(token)
    if row.used_by_id == person.pk:
        return person
    with seen_by(row.invited_by, now=now):
        _join(_row_of(token, for_update=True), person, now=now)
    return person


def accept_as_new(*, token: str, name: str, passphrase: str, language: str, now: dt.datetime) -> Person:
    """Make account and memberships, or neither. Raises UnknownInvitation, SpentInvitation, NameTaken."""
    with seen_by(_row_of(token).invited_by, now=now):
        row = _row_of(token, for_update=True)
        _names(row, now)
        if Person.objects.filter(name_key=name_key(name)).exists():
            raise NameTaken(name)
        try:
            with transaction.atomic():
                person = Person.objects.create_user(name, passphrase, language=language)
        except IntegrityError:  # two people chose it at once
            raise NameTaken(name) from None
        _join(row, person, now=now)
        return person


def _join(row: Invitation, person: Person, *, now: dt.datetime) -> None:
    """Give the memberships as the inviter, in whose sight this runs, and spend the invitation."""
    if row.used_by_id == person.pk:
        return
    _names(row, now)
    held = Membership.objects.live(now).filter(person=person, subject__in=row.subject_ids)
    places = {(one.subject_id, one.role) for one in held}
    wanted = [pk for pk in row.subject_ids if (pk, Role.PARENT.value) not in places]
    if not wanted:
        raise AlreadyParent
    for pk in wanted:
        if (pk, row.role) not in places:
            Membership.objects.create(
                person=person,
                subject_id=pk,
                role=row.role,
                starts_at=now,
                ends_at=row.ends_at,
                data_from=row.data_from,
                invited_by=row.invited_by,
            )
    row.used_at, row.used_by = now, person
    row.save(update_fields=["used_at", "used_by"])
