"""What is known of each backup: identities and outcomes, never contents."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

BACKUP_STATES = ["made", "proved", "failed"]


class Backup(models.Model):
    """One backup file in the backups folder, and whether its rehearsal went well."""

    name = models.CharField(max_length=60, unique=True)
    made_at = models.DateTimeField()
    size_bytes = models.BigIntegerField()
    is_sealed = models.BooleanField(default=False)
    state = models.CharField(max_length=6, choices=[(s, s) for s in BACKUP_STATES], default="made")
    proved_at = models.DateTimeField(null=True)
    error_code = models.CharField(max_length=60, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(name="backup_state_known", condition=Q(state__in=BACKUP_STATES)),
            models.CheckConstraint(name="backup_size_positive", condition=Q(size_bytes__gte=0)),
            models.CheckConstraint(
                name="backup_proved_has_time", condition=~Q(state="proved") | Q(proved_at__isnull=False)
            ),
        ]
        indexes = [models.Index(name="backup_newest", fields=["-made_at"])]

    def __str__(self) -> str:
        return self.name
