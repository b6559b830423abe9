"""Where the household thinks, and what each thought cost."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

PURPOSES = ["routine", "analytical", "embedding"]
SPEND_STATES = ["reserved", "settled", "refunded"]


class Endpoint(models.Model):
    """An OpenAI-compatible endpoint a parent chose for one purpose. Its key is stored encrypted."""

    purpose = models.CharField(primary_key=True, max_length=10, choices=[(p, p) for p in PURPOSES])
    base_url = models.URLField(max_length=200)
    model = models.CharField(max_length=120)
    key_encrypted = models.BinaryField(default=b"")
    timeout_s = models.PositiveSmallIntegerField(default=30)
    is_on = models.BooleanField(default=True)

    class Meta:
        constraints = [
            models.CheckConstraint(name="endpoint_purpose_known", condition=Q(purpose__in=PURPOSES)),
            models.CheckConstraint(
                name="endpoint_timeout_sane", condition=Q(timeout_s__gte=1, timeout_s__lte=600)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.purpose}: {self.model}"


class ThinkingSpend(models.Model):
    """The tokens of one model call: estimated while reserved, real once settled, none once refunded."""

    at = models.DateTimeField(db_index=True)
    purpose = models.CharField(max_length=10)
    model = models.CharField(max_length=120)
    tokens = models.PositiveIntegerField()
    state = models.CharField(max_length=8, choices=[(s, s) for s in SPEND_STATES], default="reserved")

    class Meta:
        constraints = [
            models.CheckConstraint(name="spend_state_known", condition=Q(state__in=SPEND_STATES)),
        ]

    def __str__(self) -> str:
        return f"{self.tokens} tokens {self.state}"
