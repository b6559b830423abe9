"""The nightly round: leases, runs, frames, agenda."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from twin.models.subjects import Subject
from twin.models.triggers import append_only, words_lock


class Lease(models.Model):
    """Who runs a subject's round just now. Taken with one SQL statement; it expires."""

    subject = models.OneToOneField(Subject, primary_key=True, on_delete=models.CASCADE)
    owner = models.CharField(max_length=80)
    expires_at = models.DateTimeField()
    heartbeat_at = models.DateTimeField()


class RoundRun(models.Model):
    """One closed local day of one subject, with what each step did."""

    subject = models.ForeignKey(Subject, on_delete=models.CASCADE, related_name="rounds")
    day = models.DateField()
    is_dirty = models.BooleanField(default=False)  # late words came for it, or for a day before it
    counts = models.JSONField(default=dict)
    ran_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(name="round_once_a_day", fields=["subject", "day"])]
        indexes = [
            models.Index(name="round_dirty", fields=["subject", "day"], condition=Q(is_dirty=True)),
        ]


class Frame(models.Model):
    """The diagnosis frame as it stands now: concerns, never a diagnosis."""

    subject = models.OneToOneField(Subject, primary_key=True, on_delete=models.CASCADE)
    day = models.DateField()
    body = models.JSONField()
    made_at = models.DateTimeField()

    class Meta:
        triggers = [words_lock()]


class FrameLog(models.Model):
    """Every frame that ever stood. Append-only."""

    subject = models.ForeignKey(Subject, on_delete=models.CASCADE, related_name="frames")
    day = models.DateField()
    body = models.JSONField()
    body_hash = models.CharField(max_length=64)
    made_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["subject", "-day", "-id"])]
        triggers = [words_lock(), append_only(emptied="NEW.body = '{}'::jsonb")]


class AgendaItem(models.Model):
    """One follow-up question for a day: at most three a subject."""

    subject = models.ForeignKey(Subject, on_delete=models.CASCADE, related_name="agenda")
    day = models.DateField()
    rank = models.PositiveSmallIntegerField()
    key = models.CharField(max_length=80)  # course:12, profile, question:7
    course = models.ForeignKey("twin.Record", null=True, on_delete=models.CASCADE, related_name="+")
    category = models.CharField(max_length=20, default="", blank=True)
    asks = models.JSONField(default=dict)  # what to look at: signs last abnormal
    state = models.CharField(max_length=8, default="open")
    answered_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(name="agenda_rank_once", fields=["subject", "day", "rank"]),
            models.CheckConstraint(name="agenda_at_most_three", condition=Q(rank__gte=1, rank__lte=3)),
            models.CheckConstraint(
                name="agenda_state_known", condition=Q(state__in=["open", "answered", "skipped"])
            ),
        ]
