"""Who the records are about: children and animals, and what stays true of them."""

from __future__ import annotations

import datetime as dt
import uuid

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

SPECIES = [
    ("person", _("Child")),
    ("cat", _("Cat")),
    ("dog", _("Dog")),
    ("rabbit", _("Rabbit")),
    ("bird", _("Bird")),
    ("other", _("Other animal")),
]
SEXES = [("female", _("Female")), ("male", _("Male")), ("unknown", _("Not said"))]
BORN_PRECISIONS = [("day", _("Day")), ("month", _("Month")), ("year", _("Year")), ("unknown", _("Unknown"))]
METHODOLOGIES = ["ABA", "TEACCH", "PECS", "ESDM-PRT", "Floortime", "DIR"]


class Subject(models.Model):
    """One child or animal in this household's care."""

    gid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    kind = models.GeneratedField(
        expression=models.Case(
            models.When(species="person", then=models.Value("person")), default=models.Value("animal")
        ),
        output_field=models.CharField(max_length=6),
        db_persist=True,
    )
    species = models.CharField(_("kind"), max_length=6, choices=SPECIES)
    name = models.CharField(_("name"), max_length=80)
    breed = models.CharField(_("breed"), max_length=80, blank=True)
    sex = models.CharField(_("sex"), max_length=7, choices=SEXES, default="unknown")
    neutered = models.BooleanField(_("neutered"), null=True)
    born_on = models.DateField(_("born on"), null=True, blank=True)
    born_precision = models.CharField(max_length=7, choices=BORN_PRECISIONS, default="unknown")
    time_zone = models.CharField(_("time zone"), max_length=64, default="UTC")
    day_starts_at = models.TimeField(_("the day starts at"), default=dt.time(3))
    language = models.CharField(max_length=5, default="en")
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.CheckConstraint(name="subject_has_name", condition=~Q(name="")),
            models.CheckConstraint(
                name="subject_species_known", condition=Q(species__in=[key for key, _label in SPECIES])
            ),
            models.CheckConstraint(
                name="subject_born_has_precision",
                condition=Q(born_on=None, born_precision="unknown")
                | (Q(born_on__isnull=False) & ~Q(born_precision="unknown")),
            ),
        ]

    def __str__(self) -> str:
        return self.name


class PersonProfile(models.Model):
    """What travels in every thought about a child: needs, interests, what calms, what never to do."""

    subject = models.OneToOneField(Subject, primary_key=True, on_delete=models.CASCADE, related_name="person")
    diagnoses = ArrayField(models.CharField(max_length=120), default=list, blank=True)
    sensory = models.TextField(blank=True)
    communication = models.TextField(blank=True)
    methodologies = ArrayField(models.CharField(max_length=20), default=list, blank=True)
    interests = ArrayField(models.CharField(max_length=120), default=list, blank=True)
    calming = ArrayField(models.CharField(max_length=120), default=list, blank=True)
    never_do = ArrayField(models.CharField(max_length=200), default=list, blank=True)
    changed_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"profile of {self.subject_id}"


class ProfileVersion(models.Model):
    """One re-measurement of the steady state; an abandoned session leaves no row here."""

    subject = models.ForeignKey(Subject, on_delete=models.CASCADE, related_name="profiles")
    version = models.PositiveIntegerField()
    measured_on = models.DateField()
    values = models.JSONField()  # typed by twin.rules.drift.FIELDS
    author = models.ForeignKey("household.Person", null=True, on_delete=models.SET_NULL)
    client_id = models.CharField(max_length=64)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(name="profile_version_once", fields=["subject", "version"]),
            models.UniqueConstraint(name="profile_client_once", fields=["author", "client_id"]),
            models.CheckConstraint(name="profile_version_from_one", condition=Q(version__gte=1)),
        ]


class Assessment(models.Model):
    """A persisted health summary, keyed by the hash of its own inputs. Staleness is never stored."""

    subject = models.ForeignKey(Subject, on_delete=models.CASCADE, related_name="assessments")
    inputs_hash = models.CharField(max_length=64)
    inputs = models.JSONField()
    text = models.TextField()
    language = models.CharField(max_length=5)
    source = models.CharField(max_length=10, default="rules")
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = [models.Index(fields=["subject", "-created_at"])]
