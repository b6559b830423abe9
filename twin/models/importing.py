"""What was brought in from other programs: one batch for each import, and what every row of it became."""

from __future__ import annotations

import uuid

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from twin.models.subjects import Subject

IMPORT_KINDS = ["babybuddy", "table", "book"]
IMPORT_STATES = ["open", "waiting", "done", "undone", "failed"]


class ImportBatch(models.Model):
    """One import of one person: what was chosen for it, how it went. It holds numbers, never words."""

    gid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    author = models.ForeignKey("household.Person", null=True, on_delete=models.SET_NULL, related_name="+")
    kind = models.CharField(max_length=9, choices=[(k, k) for k in IMPORT_KINDS])
    state = models.CharField(max_length=7, choices=[(s, s) for s in IMPORT_STATES], default="open")
    stored = ArrayField(models.CharField(max_length=80), default=list, blank=True)  # names in the storage
    choices = models.JSONField(default=dict)  # zone, units, columns, and which subject each child is
    counts = models.JSONField(default=dict)  # rows added by table, rows that were there, rows refused
    error_code = models.CharField(max_length=60, blank=True)
    created_at = models.DateTimeField(db_default=Now())
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(name="import_kind_known", condition=Q(kind__in=IMPORT_KINDS)),
            models.CheckConstraint(name="import_state_known", condition=Q(state__in=IMPORT_STATES)),
            models.CheckConstraint(
                name="import_ended_has_time",
                condition=Q(state__in=["open", "waiting"]) | Q(ended_at__isnull=False),
            ),
        ]
        indexes = [models.Index(fields=["author", "-created_at"])]

    def __str__(self) -> str:
        return f"import {self.pk} {self.state}"


class ImportChild(models.Model):
    """Which subject a child of another program is, as a person once chose; the child is a digest."""

    subject = models.ForeignKey(Subject, on_delete=models.CASCADE, related_name="+")
    author = models.ForeignKey("household.Person", null=True, on_delete=models.SET_NULL, related_name="+")
    source = models.CharField(max_length=64)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(name="import_child_once", fields=["author", "source"]),
        ]


class ImportLine(models.Model):
    """What one row of another program became; the same row twice is one line, also once that is forgotten."""

    batch = models.ForeignKey(ImportBatch, on_delete=models.CASCADE, related_name="lines")
    subject = models.ForeignKey(Subject, on_delete=models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64)  # of source, table and row
    record = models.ForeignKey("twin.Record", null=True, on_delete=models.SET_NULL, related_name="+")
    dose = models.ForeignKey("twin.Dose", null=True, on_delete=models.SET_NULL, related_name="+")
    entry = models.ForeignKey("twin.TrackableEntry", null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(name="import_line_once", fields=["subject", "digest"])]
