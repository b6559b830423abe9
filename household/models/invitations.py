"""The ways into the house: invitations by link, and one-time codes for a forgotten passphrase."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from household.models.people import ROLES, Person


class Invitation(models.Model):
    """A link that makes its bearer a member, once. Of its token only a hash is kept.

    The subjects stand as numbers, without a foreign key: the row is read before anybody knows who asks and
    says nothing of them. Whose pages it opens is decided when it is accepted, by what its inviter may do.
    """

    token_hash = models.CharField(max_length=64, unique=True)
    role = models.CharField(max_length=10, choices=ROLES)
    subject_ids = ArrayField(models.BigIntegerField())
    invited_by = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="invitations")
    ends_at = models.DateTimeField(null=True)  # of the membership
    data_from = models.DateField(null=True)
    created_at = models.DateTimeField(db_default=Now())
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    used_at = models.DateTimeField(null=True)
    used_by = models.ForeignKey(Person, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        constraints = [
            models.CheckConstraint(name="invitation_names_subjects", condition=Q(subject_ids__len__gt=0)),
            models.CheckConstraint(
                name="invitation_role_known", condition=Q(role__in=[role for role, _label in ROLES])
            ),
            models.CheckConstraint(
                name="invitation_used_or_revoked", condition=Q(used_at=None) | Q(revoked_at=None)
            ),
        ]


class RecoveryCode(models.Model):
    """One person's one-time code for a new passphrase; a new one voids the one before."""

    person = models.OneToOneField(Person, primary_key=True, on_delete=models.CASCADE, related_name="+")
    code_hash = models.CharField(max_length=200)
    issued_by = models.ForeignKey(Person, null=True, on_delete=models.SET_NULL, related_name="+")
    expires_at = models.DateTimeField()
    wrong_tries = models.PositiveSmallIntegerField(default=0)
