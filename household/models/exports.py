"""Exports somebody asked for: what of whom, and where the file lies until it is fetched."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

EXPORT_STATES = ["waiting", "done", "gone", "failed"]


class Export(models.Model):
    """One export of one parent; the file is erased after a day. It holds numbers, never words."""

    author = models.ForeignKey("household.Person", on_delete=models.CASCADE, related_name="+")
    subjects = ArrayField(models.BigIntegerField())
    state = models.CharField(max_length=7, choices=[(s, s) for s in EXPORT_STATES], default="waiting")
    done_tables = models.PositiveSmallIntegerField(default=0)
    all_tables = models.PositiveSmallIntegerField(default=0)
    stored = models.CharField(max_length=80, blank=True)  # a name in the storage
    size_bytes = models.BigIntegerField(default=0)
    error_code = models.CharField(max_length=60, blank=True)
    created_at = models.DateTimeField(db_default=Now())
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(name="export_state_known", condition=Q(state__in=EXPORT_STATES)),
            models.CheckConstraint(
                name="export_done_has_file",
                condition=~Q(state="done") | ~Q(stored="") & Q(ended_at__isnull=False),
            ),
        ]
        indexes = [models.Index(fields=["author", "-created_at"])]

    def __str__(self) -> str:
        return f"export {self.pk} {self.state}"
