"""That something was forgotten: identities, never content."""

from __future__ import annotations

import pgtrigger
from django.db import models
from django.db.models import Q

from memory.models.memories import IDENTITY
from memory.models.triggers import kept_rows, stamps
from twin.models.triggers import FORGETTING_LOCK

KINDS = ["memory", "statement", "record", "event", "document", "turn", "day", "subject"]


class Tombstone(models.Model):
    """One forgetting. At time 0 only the identity is known (a duplicate dropped), and nothing else goes.

    Writing one takes the memory with it, all that hangs on it, and the words of every line and
    conversation it reaches, by triggers: whatever the caller forgot.
    """

    gid = models.CharField(max_length=IDENTITY, unique=True)
    kind = models.CharField(max_length=9, choices=[(k, k) for k in KINDS])
    at_ms = models.BigIntegerField(default=0)
    device = models.CharField(max_length=IDENTITY, default="", blank=True)
    subject = models.ForeignKey("twin.Subject", null=True, on_delete=models.SET_NULL, related_name="+")
    change = models.BigIntegerField(default=0, editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(name="tombstone_kind_known", condition=Q(kind__in=KINDS)),
            models.CheckConstraint(name="tombstone_at_positive", condition=Q(at_ms__gte=0)),
        ]
        indexes = [models.Index(name="tombstone_by_change", fields=["change"])]
        triggers = [
            pgtrigger.Trigger(
                name="holds_forgetting_lock",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func=f"PERFORM pg_advisory_xact_lock({FORGETTING_LOCK}); RETURN NEW;",
            ),
            kept_rows("NEW.gid = OLD.gid AND (OLD.at_ms = 0 OR NEW.at_ms > 0)"),
            stamps("tombstone_changed(NEW.id)", when="OLD IS NULL OR NEW.change = OLD.change"),
        ]

    def __str__(self) -> str:
        return self.gid


class TombstoneTurn(models.Model):
    """One conversation turn a forgetting reaches.

    `tries` and `due_at` say how often taking it from the book failed and when that is tried again; they stay
    in the house, so changing them is no change of the tombstone.
    """

    tombstone = models.ForeignKey(Tombstone, on_delete=models.CASCADE, related_name="turns")
    turn = models.CharField(max_length=IDENTITY)
    tries = models.PositiveSmallIntegerField(db_default=0, default=0)
    due_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="tombstone_turn_once", fields=["tombstone", "turn"]),
            models.CheckConstraint(name="tombstone_turn_is_named", condition=~Q(turn="")),
        ]
        indexes = [models.Index(name="tombstone_by_turn", fields=["turn"])]
        triggers = [
            kept_rows("(NEW.tombstone_id, NEW.turn) = (OLD.tombstone_id, OLD.turn)"),
            stamps("tombstone_changed(NEW.tombstone_id)", when="OLD IS NULL"),
        ]


class TombstonePicture(models.Model):
    """One picture a forgetting reaches."""

    tombstone = models.ForeignKey(Tombstone, on_delete=models.CASCADE, related_name="pictures")
    picture = models.CharField(max_length=IDENTITY)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="tombstone_picture_once", fields=["tombstone", "picture"]),
        ]
        indexes = [models.Index(name="tombstone_by_picture", fields=["picture"])]
        triggers = [kept_rows("false"), stamps("tombstone_changed(NEW.tombstone_id)")]
