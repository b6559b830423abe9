"""People, the household they live in, and who supports whom."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from household.rules.names import name_key

LANGUAGES = [("en", _("English")), ("tr", _("Turkish"))]
THEMES = [("auto", _("Like the device")), ("light", _("Light")), ("dark", _("Dark"))]
ROLES = [
    ("parent", _("Parent")),
    ("family", _("Family")),
    ("child", _("Child")),
    ("therapist", _("Therapist")),
    ("teacher", _("Teacher")),
    ("vet", _("Vet")),
]


class PersonManager(BaseUserManager["Person"]):
    """Makes people, and finds one by name whatever its case, Turkish letters included."""

    def get_by_natural_key(self, username: str | None) -> Person:
        """The person of this name. Raises Person.DoesNotExist."""
        return self.get(name_key=name_key(username or ""))

    def create_user(self, name: str, passphrase: str | None = None, **fields: Any) -> Person:
        """A new person with a hashed passphrase."""
        person = self.model(name=name.strip(), name_key=name_key(name), **fields)
        person.set_password(passphrase)
        person.save(using=self._db)
        return person


class Person(AbstractBaseUser):
    """Somebody who signs in: by name and passphrase, or a passkey. An e-mail address is optional."""

    gid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    name = models.CharField(_("name"), max_length=80, unique=True)
    name_key = models.CharField(max_length=80, unique=True, editable=False)
    email = models.EmailField(_("e-mail"), null=True, blank=True, unique=True)
    language = models.CharField(_("language"), max_length=5, choices=LANGUAGES, default="en")
    theme = models.CharField(_("appearance"), max_length=5, choices=THEMES, default="auto")
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(db_default=Now())

    USERNAME_FIELD = "name"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    objects = PersonManager()

    class Meta:
        constraints = [models.CheckConstraint(name="person_has_name", condition=~Q(name=""))]

    def __str__(self) -> str:
        return self.name


class Household(models.Model):
    """The home: one row for the whole database."""

    id = models.SmallIntegerField(primary_key=True, default=1)
    gid = models.UUIDField(default=uuid.uuid4, editable=False)
    name = models.CharField(_("name"), max_length=80)
    time_zone = models.CharField(_("time zone"), max_length=64, default="UTC")
    language = models.CharField(_("language"), max_length=5, choices=LANGUAGES, default="en")
    epoch = models.UUIDField(default=uuid.uuid4, editable=False)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.CheckConstraint(name="household_is_one", condition=Q(id=1))]

    def __str__(self) -> str:
        return self.name


class MembershipQuerySet(models.QuerySet["Membership"]):
    """Chainable reads of memberships."""

    def live(self, now: Any) -> MembershipQuerySet:
        """Those that hold at `now` (aware)."""
        return self.filter(Q(ends_at=None) | Q(ends_at__gt=now), starts_at__lte=now)


class Membership(models.Model):
    """One person's place in the support network of one subject."""

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="memberships")
    subject = models.ForeignKey("twin.Subject", on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=ROLES)
    starts_at = models.DateTimeField(db_default=Now())
    ends_at = models.DateTimeField(null=True, blank=True)
    data_from = models.DateField(null=True, blank=True)  # the window's first day, null for all
    overrides = models.JSONField(default=dict, blank=True)  # {"document:view": true}: where parents decide
    invited_by = models.ForeignKey(Person, null=True, on_delete=models.SET_NULL, related_name="+")
    objects = MembershipQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="membership_role_once", fields=["person", "subject", "role"], condition=Q(ends_at=None)
            ),
            models.CheckConstraint(
                name="membership_ends_after_start", condition=Q(ends_at=None) | Q(ends_at__gte=F("starts_at"))
            ),
            models.CheckConstraint(
                name="membership_role_known", condition=Q(role__in=[role for role, _label in ROLES])
            ),
        ]

    def __str__(self) -> str:
        return f"{self.person_id} {self.role} of {self.subject_id}"


class AccessLog(models.Model):
    """A professional looked: who, what, when. Parents read it as a page."""

    person = models.ForeignKey(Person, on_delete=models.CASCADE)
    subject = models.ForeignKey("twin.Subject", on_delete=models.CASCADE)
    resource = models.CharField(max_length=14)
    row_ids = ArrayField(models.CharField(max_length=40), default=list)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = [models.Index(fields=["subject", "-at"])]
