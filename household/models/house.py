"""What the house keeps about itself: settings as registers, jobs, heartbeats."""

from __future__ import annotations

from django.db import models
from django.db.models import Func, Q
from django.db.models.functions import Cast, Now

JOB_STATES = ["waiting", "running", "done", "failed"]
OWED_WHY = ["forgotten", "edited"]
OWED_STATES = ["owed", "asked", "done"]


class Register(models.Model):
    """One setting as a last-writer-wins register; a setting nobody wrote has no row."""

    key = models.CharField(max_length=60)
    child = models.ForeignKey("twin.Subject", null=True, blank=True, on_delete=models.CASCADE)
    value = models.JSONField(null=True)
    at_ms = models.BigIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="register_key_once", fields=["key", "child"], nulls_distinct=False),
            models.CheckConstraint(name="register_at_positive", condition=Q(at_ms__gte=0)),
        ]

    def __str__(self) -> str:
        return self.key


class Job(models.Model):
    """Work to be done, as a row with a state. The queue carries its number only."""

    kind = models.CharField(max_length=40)
    target = models.CharField(max_length=80)  # identities only, never words
    state = models.CharField(max_length=8, choices=[(s, s) for s in JOB_STATES], default="waiting")
    due_at = models.DateTimeField()
    attempts = models.PositiveSmallIntegerField(default=0)
    error_code = models.CharField(max_length=60, blank=True)
    created_at = models.DateTimeField(db_default=Now())
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="job_open_once", fields=["kind", "target"], condition=Q(state__in=["waiting", "running"])
            ),
            models.CheckConstraint(name="job_state_known", condition=Q(state__in=JOB_STATES)),
        ]
        indexes = [
            models.Index(name="job_due", fields=["due_at"], condition=Q(state__in=["waiting", "running"]))
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.target}"


class Heartbeat(models.Model):
    """When a worker was last alive."""

    worker = models.CharField(primary_key=True, max_length=80)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return self.worker


class ForgetOwed(models.Model):
    """What is still to be rewritten on disk, in one row with the transaction that owes it.

    Names of relations and of media files only, never words. The row goes from `owed` to `done` once the
    bytes are gone; `asked` says that a server which is not ours was asked and cannot tell.
    """

    asked_at = models.DateTimeField(db_default=Now())
    # The owing transaction (xid8): every snapshot that could still see the words is as old or older.
    xid = models.BigIntegerField(
        db_default=Cast(
            Cast(Func(function="pg_current_xact_id", output_field=models.TextField()), models.TextField()),
            models.BigIntegerField(),
        )
    )
    why = models.CharField(max_length=9, choices=[(w, w) for w in OWED_WHY], default="forgotten")
    relations = models.JSONField(default=list)
    left = models.JSONField(default=list)  # those of them not rewritten yet
    files = models.JSONField(default=list)  # below the media folder
    state = models.CharField(max_length=5, choices=[(s, s) for s in OWED_STATES], default="owed")
    counted = models.JSONField(default=dict)  # of a night: how often each relation was written over by then
    waiting = models.JSONField(default=list)  # for whom the last try waited: codes and numbers
    tried_at = models.DateTimeField(null=True)
    done_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(name="owed_state_known", condition=Q(state__in=OWED_STATES)),
            models.CheckConstraint(
                name="owed_done_has_time",
                condition=Q(state="owed", done_at=None) | ~Q(state="owed") & Q(done_at__isnull=False),
            ),
        ]
        indexes = [models.Index(name="owed_open", fields=["id"], condition=Q(state="owed"))]

    def __str__(self) -> str:
        return f"owed {self.pk}"


class Rewritten(models.Model):
    """A relation as it was rewritten last, with nothing dead left in it: its file, its count of writes."""

    relation = models.CharField(primary_key=True, max_length=63)
    filenode = models.BigIntegerField()
    writes = models.BigIntegerField()

    def __str__(self) -> str:
        return self.relation
