"""Paired devices, the codes that pair them, and how long each was talked with."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from household.rules.limits import MOST_EXTRA_MINUTES, MOST_USED_MS
from household.triggers import only_rises

REVOKED_WHY = ["parent", "membership", "replaced"]
MOST_TRIES = 5


class Device(models.Model):
    """A paired tablet, phone or second box. Its token is stored hashed.

    With a child it is that child's companion; without one it is a device of the household, a parent's.
    """

    gid = models.UUIDField(primary_key=True, default=uuid.uuid4)
    name = models.CharField(max_length=80)
    app = models.CharField(max_length=40, blank=True)
    token_hash = models.CharField(max_length=64, null=True, unique=True)
    child = models.ForeignKey("twin.Subject", null=True, blank=True, on_delete=models.CASCADE)
    paired_by = models.ForeignKey("household.Person", null=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(db_default=Now())
    seen_at = models.DateTimeField(null=True)
    clock_offset_ms = models.BigIntegerField(null=True)  # how far the house's clock is ahead of its own
    change_seen = models.BigIntegerField(default=0)  # the last change number it said it has
    position_seen = models.BigIntegerField(default=0)  # the last journal position it said it has
    revoked_at = models.DateTimeField(null=True)
    revoked_why = models.CharField(max_length=10, blank=True, choices=[(w, w) for w in REVOKED_WHY])

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="device_revoked_has_reason",
                condition=Q(revoked_at=None, revoked_why="")
                | (Q(revoked_at__isnull=False) & Q(revoked_why__in=REVOKED_WHY)),
            ),
        ]

    def __str__(self) -> str:
        return self.name


class PairingCode(models.Model):
    """Six digits that pair one device within five minutes and five tries. Kept hashed."""

    code_hash = models.CharField(max_length=64)
    child = models.ForeignKey(
        "twin.Subject", null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    made_by = models.ForeignKey("household.Person", on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField(db_default=Now())
    expires_at = models.DateTimeField()
    wrong_tries = models.PositiveSmallIntegerField(default=0)
    used_at = models.DateTimeField(null=True)
    device = models.ForeignKey(Device, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        constraints = [
            models.CheckConstraint(name="pairing_tries_bounded", condition=Q(wrong_tries__lte=MOST_TRIES)),
            models.CheckConstraint(
                name="pairing_device_has_time", condition=Q(device=None) | Q(used_at__isnull=False)
            ),
        ]
        indexes = [models.Index(name="pairing_by_code", fields=["code_hash"])]


class TimeSpent(models.Model):
    """How long one device was talked with on one household day; its counts only rise."""

    device = models.CharField(max_length=120)
    day = models.DateField()
    child = models.ForeignKey("twin.Subject", null=True, on_delete=models.CASCADE, related_name="+")
    used_ms = models.BigIntegerField(default=0)
    extra_minutes = models.IntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="time_device_day_once", fields=["device", "day"]),
            models.CheckConstraint(
                name="time_counts_in_range",
                condition=Q(used_ms__gte=0, used_ms__lte=MOST_USED_MS)
                & Q(extra_minutes__gte=0, extra_minutes__lte=MOST_EXTRA_MINUTES),
            ),
            models.CheckConstraint(
                name="time_says_something", condition=Q(used_ms__gt=0) | Q(extra_minutes__gt=0)
            ),
        ]
        indexes = [models.Index(name="time_by_day", fields=["day"])]
        triggers = [only_rises("used_ms", "extra_minutes")]
