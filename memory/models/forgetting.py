"""What was forgotten, without a word of it: when, by whom, how much, and whether the bytes are gone."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

FORGETTABLE = ["memory", "statement", "record", "event", "document", "turn", "day", "subject"]


class Forgetting(models.Model):
    """One forgetting and its proof. It names what was reached by tables and counts, never by words."""

    gid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    kind = models.CharField(max_length=9, choices=[(k, k) for k in FORGETTABLE])
    # None where it reached several subjects, or the subject itself.
    subject = models.ForeignKey("twin.Subject", null=True, on_delete=models.SET_NULL, related_name="+")
    author = models.ForeignKey("household.Person", null=True, on_delete=models.SET_NULL, related_name="+")
    client_id = models.CharField(max_length=64)
    asked_at = models.DateTimeField(db_default=Now())
    counts = models.JSONField(default=dict)  # {"twin.Statement": 2, ...}
    owed = models.OneToOneField(
        "household.ForgetOwed", null=True, on_delete=models.SET_NULL, related_name="forgetting"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(name="forgetting_client_once", fields=["author", "client_id"]),
            models.CheckConstraint(name="forgetting_kind_known", condition=Q(kind__in=FORGETTABLE)),
        ]

    def __str__(self) -> str:
        return f"forgetting {self.pk}"
