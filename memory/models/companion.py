"""What the house keeps of a companion's turns beside the journal: identities and codes, never words."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from memory.models.memories import IDENTITY

CRISIS_KINDS = ["self_harm", "wish_to_die", "harmed", "despair"]


class CompanionTurn(models.Model):
    """One turn of the companion: what is not to be said again, and whether the memory work dealt with it.

    `said` are the keys of built-in sentences, `digests` of sentences a model wrote; a forgetting about the
    child empties the digests and takes the memory it names out of `recalled` (trigger).
    """

    subject = models.ForeignKey("twin.Subject", on_delete=models.CASCADE, related_name="+")
    device = models.CharField(max_length=IDENTITY)
    turn = models.CharField(max_length=IDENTITY)
    at_ms = models.BigIntegerField()
    said = ArrayField(models.CharField(max_length=40), default=list, blank=True)
    digests = ArrayField(models.CharField(max_length=16), default=list, blank=True)
    recalled = ArrayField(models.CharField(max_length=IDENTITY), default=list, blank=True)
    reflected_at = models.DateTimeField(null=True)  # null while the memory work has not dealt with it

    class Meta:
        constraints = [
            models.UniqueConstraint(name="companion_turn_once", fields=["device", "turn"]),
            models.CheckConstraint(name="companion_turn_at_positive", condition=Q(at_ms__gte=0)),
        ]
        indexes = [models.Index(name="companion_turn_by_time", fields=["subject", "-at_ms"])]

    def __str__(self) -> str:
        return self.turn


class CrisisCard(models.Model):
    """That a child said words of distress: on the parents' Today until one of them says it was seen.

    The words themselves stand in the journal alone, so a forgetting has one place to go to.
    """

    subject = models.ForeignKey("twin.Subject", on_delete=models.CASCADE, related_name="+")
    device = models.CharField(max_length=IDENTITY)
    turn = models.CharField(max_length=IDENTITY)
    kind = models.CharField(max_length=12, choices=[(kind, kind) for kind in CRISIS_KINDS])
    at_ms = models.BigIntegerField()
    raised_at = models.DateTimeField(db_default=Now())
    seen_by = models.ForeignKey("household.Person", null=True, on_delete=models.SET_NULL, related_name="+")
    seen_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="crisis_card_once", fields=["device", "turn"]),
            models.CheckConstraint(name="crisis_kind_known", condition=Q(kind__in=CRISIS_KINDS)),
            models.CheckConstraint(
                name="crisis_seen_has_time", condition=Q(seen_by=None) | Q(seen_at__isnull=False)
            ),
        ]
        indexes = [
            models.Index(name="crisis_unseen", fields=["subject", "at_ms"], condition=Q(seen_at=None)),
            models.Index(name="crisis_by_time", fields=["subject", "-at_ms"]),
        ]

    def __str__(self) -> str:
        return f"crisis {self.pk}"


__all__ = ["CRISIS_KINDS", "CompanionTurn", "CrisisCard"]
