"""What families log with a tap: forms, events, medicines, their own trackables."""

from __future__ import annotations

import uuid
from typing import TypeVar

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from twin.models.spent import stays_spent
from twin.models.subjects import Subject
from twin.models.triggers import words_lock

M = TypeVar("M", bound=models.Model)


class Standing(models.Manager[M]):
    """Rows that nobody took back; `every` has those too, so that a post sent again finds its row."""

    def get_queryset(self) -> models.QuerySet[M]:
        """Those that stand."""
        return super().get_queryset().filter(undone_at=None)


class FormFill(models.Model):
    """One fill of the tap form by one author; the free text is retrievable, never counted."""

    gid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    subject = models.ForeignKey(Subject, on_delete=models.CASCADE, related_name="fills")
    author = models.ForeignKey("household.Person", null=True, on_delete=models.SET_NULL, related_name="+")
    device = models.CharField(max_length=64, default="home")
    client_id = models.CharField(max_length=64)
    turn = models.CharField(max_length=40)
    at = models.DateTimeField()
    local_day = models.DateField()
    levels = models.JSONField(default=dict)  # {field: level}
    note = models.TextField(default="", blank=True)
    changed_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="fill_client_once", fields=["author", "device", "client_id"], nulls_distinct=False
            )
        ]
        indexes = [
            models.Index(fields=["subject", "-local_day"]),
            models.Index(name="fill_by_turn", fields=["turn"]),
        ]
        triggers = [words_lock(), stays_spent()]


class Event(models.Model):
    """Something that happened: what, when, where, before, what was tried, how it ended."""

    gid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    subject = models.ForeignKey(Subject, on_delete=models.CASCADE, related_name="events")
    author = models.ForeignKey("household.Person", null=True, on_delete=models.SET_NULL, related_name="+")
    client_id = models.CharField(max_length=64)
    turn = models.CharField(max_length=40)
    kind = models.CharField(_("what happened"), max_length=40)
    at = models.DateTimeField()
    local_day = models.DateField()
    place = models.CharField(_("where"), max_length=120, blank=True)
    antecedent = models.TextField(_("what came before"), blank=True)
    behaviour = models.TextField(_("what it looked like"), blank=True)
    tried = models.TextField(_("what was tried"), blank=True)
    outcome = models.TextField(_("how it ended"), blank=True)
    minutes = models.PositiveSmallIntegerField(_("minutes"), null=True, blank=True)
    impact = models.SmallIntegerField(_("impact"), default=0)
    created_at = models.DateTimeField(db_default=Now())
    undone_at = models.DateTimeField(null=True)  # its client id stays spent
    objects = Standing()
    every = models.Manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="event_client_once", fields=["author", "client_id"]),
            models.CheckConstraint(name="event_impact_in_range", condition=Q(impact__gte=-3, impact__lte=3)),
        ]
        indexes = [
            models.Index(fields=["subject", "-local_day"]),
            models.Index(name="event_by_turn", fields=["turn"]),
        ]
        triggers = [words_lock(), stays_spent()]


class Medicine(models.Model):
    """A medicine and when it is due. Its schedule obeys `twin.rules.medicines`."""

    subject = models.ForeignKey(Subject, on_delete=models.CASCADE, related_name="medicines")
    name = models.CharField(_("name"), max_length=120)
    dose = models.DecimalField(_("dose"), max_digits=9, decimal_places=3, null=True, blank=True)
    unit = models.CharField(_("unit"), max_length=20, blank=True)
    schedule = models.JSONField(default=dict)  # {"kind": "times"|"every"|"needed", ...}
    min_gap_minutes = models.PositiveIntegerField(null=True, blank=True)
    gives = models.CharField(_("who gives it"), max_length=80, blank=True)
    started_on = models.DateField()
    until_on = models.DateField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    author = models.ForeignKey("household.Person", null=True, on_delete=models.SET_NULL, related_name="+")
    client_id = models.CharField(max_length=64)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(name="medicine_client_once", fields=["author", "client_id"]),
            models.CheckConstraint(
                name="medicine_until_after_start",
                condition=Q(until_on=None) | Q(until_on__gte=models.F("started_on")),
            ),
        ]
        triggers = [words_lock()]

    def __str__(self) -> str:
        return self.name


class Dose(models.Model):
    """One dose given, skipped or refused."""

    medicine = models.ForeignKey(Medicine, on_delete=models.CASCADE, related_name="doses")
    subject = models.ForeignKey(Subject, on_delete=models.CASCADE, related_name="+")
    author = models.ForeignKey("household.Person", null=True, on_delete=models.SET_NULL, related_name="+")
    device = models.CharField(max_length=64, default="home")
    client_id = models.CharField(max_length=64)
    at = models.DateTimeField()
    local_day = models.DateField()
    outcome = models.CharField(max_length=8, default="given")
    due_at = models.DateTimeField(null=True)
    undone_at = models.DateTimeField(null=True)  # its client id stays spent
    objects = Standing()
    every = models.Manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="dose_client_once", fields=["author", "device", "client_id"], nulls_distinct=False
            ),
            models.CheckConstraint(
                name="dose_outcome_known", condition=Q(outcome__in=["given", "skipped", "refused"])
            ),
        ]
        indexes = [models.Index(fields=["medicine", "-at"])]


class Trackable(models.Model):
    """Something a parent decided to count. Putting it away keeps its history."""

    gid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    name = models.CharField(_("name"), max_length=60)
    icon = models.CharField(max_length=30, default="check")
    fields = models.JSONField(default=list)  # checked by twin.rules.trackables
    subjects: models.ManyToManyField[Subject, TrackableSubject] = models.ManyToManyField(
        Subject, through="TrackableSubject", related_name="trackables"
    )
    author = models.ForeignKey("household.Person", null=True, on_delete=models.SET_NULL, related_name="+")
    client_id = models.CharField(max_length=64)
    put_away_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.UniqueConstraint(name="trackable_client_once", fields=["author", "client_id"])]

    def __str__(self) -> str:
        return self.name


class TrackableSubject(models.Model):
    """Which subject a trackable is logged for."""

    trackable = models.ForeignKey(Trackable, on_delete=models.CASCADE)
    subject = models.ForeignKey(Subject, on_delete=models.CASCADE)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="trackable_subject_once", fields=["trackable", "subject"])
        ]


class TrackableEntry(models.Model):
    """One logged value of a trackable."""

    trackable = models.ForeignKey(Trackable, on_delete=models.PROTECT, related_name="entries")
    subject = models.ForeignKey(Subject, on_delete=models.CASCADE, related_name="+")
    author = models.ForeignKey("household.Person", null=True, on_delete=models.SET_NULL, related_name="+")
    device = models.CharField(max_length=64, default="home")
    client_id = models.CharField(max_length=64)
    at = models.DateTimeField()
    local_day = models.DateField()
    values = models.JSONField(default=dict)
    undone_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="trackable_entry_client_once",
                fields=["author", "device", "client_id"],
                nulls_distinct=False,
            )
        ]
        indexes = [models.Index(fields=["subject", "trackable", "-local_day"])]


class QuickLog(models.Model):
    """A token for one action on one subject: a button, a shortcut, a home-automation call."""

    subject = models.ForeignKey(Subject, on_delete=models.CASCADE, related_name="quick_logs")
    token_hash = models.CharField(max_length=64, unique=True)
    label = models.CharField(max_length=60)
    action = models.JSONField()  # {"kind": "dose"|"trackable", "id": n, "values": {...}}
    author = models.ForeignKey("household.Person", null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(db_default=Now())
    used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)
