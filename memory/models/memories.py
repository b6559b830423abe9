"""What the child told: one current row a memory, and all that hangs on it.

Every row that changes stamps its memory with a change number at the end of the transaction, so a cursor
never skips what somebody else was writing meanwhile (`ChangeCounter`).
"""

from __future__ import annotations

import pgtrigger
from django.db import models
from django.db.models import F, Func, Q
from pgvector.django import VectorField

from memory.models.triggers import kept_rows, stamps
from twin.models.triggers import FORGETTING_LOCK, words_lock

IDENTITY = 120  # characters of any identity another holder makes


class ChangeCounter(models.Model):
    """The last change number given. Its row is locked from the last statement of a change to its commit."""

    id = models.SmallIntegerField(primary_key=True, default=1)
    n = models.BigIntegerField(default=0)

    class Meta:
        constraints = [models.CheckConstraint(name="change_counter_is_one", condition=Q(id=1))]


class Memory(models.Model):
    """One memory the child told, as it is now."""

    gid = models.CharField(max_length=IDENTITY, unique=True)
    subject = models.ForeignKey("twin.Subject", on_delete=models.CASCADE, related_name="memories")
    text = models.TextField()
    text_at_ms = models.BigIntegerField(default=0)  # 0 while it is the text it was learned in
    hidden = models.BooleanField(default=False)
    visibility_at_ms = models.BigIntegerField(default=0)
    cover_picture = models.CharField(max_length=IDENTITY, null=True)
    cover_at_ms = models.BigIntegerField(null=True)
    icon = models.CharField(max_length=60, null=True)
    kind = models.CharField(max_length=60, default="", blank=True)
    who = models.CharField(max_length=200, default="", blank=True)
    place = models.CharField(max_length=200, default="", blank=True)
    said_when = models.CharField(max_length=200, default="", blank=True)
    learned_at_ms = models.BigIntegerField()
    change = models.BigIntegerField(default=0, editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="memory_cover_has_stamp",
                condition=Q(cover_picture=None, cover_at_ms=None)
                | Q(cover_picture__isnull=False, cover_at_ms__isnull=False),
            ),
            models.CheckConstraint(
                name="memory_stamps_positive",
                condition=Q(text_at_ms__gte=0, visibility_at_ms__gte=0, learned_at_ms__gte=0)
                & (Q(cover_at_ms=None) | Q(cover_at_ms__gte=0)),
            ),
        ]
        indexes = [
            models.Index(name="memory_by_change", fields=["subject", "change"]),
            models.Index(name="memory_by_learned", fields=["subject", "-learned_at_ms"]),
        ]
        triggers = [
            pgtrigger.Trigger(
                name="stays_forgotten",
                operation=pgtrigger.Insert | pgtrigger.Update,
                when=pgtrigger.Before,
                func=f"""
                    PERFORM pg_advisory_xact_lock_shared({FORGETTING_LOCK});
                    IF memory_is_gone(NEW.gid) THEN
                        RAISE EXCEPTION 'a forgotten memory cannot be written again'
                            USING ERRCODE = 'integrity_constraint_violation';
                    END IF;
                    IF TG_OP = 'UPDATE' AND NEW.gid <> OLD.gid THEN
                        RAISE EXCEPTION 'a memory keeps its identity'
                            USING ERRCODE = 'integrity_constraint_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
            kept_rows(),
            stamps("memory_changed(NEW.id)", when="OLD IS NULL OR NEW.change = OLD.change"),
        ]

    def __str__(self) -> str:
        return self.gid


class MemoryMention(models.Model):
    """One telling of a memory, the first included; `turn` is empty where it came from no conversation."""

    memory = models.ForeignKey(Memory, on_delete=models.CASCADE, related_name="mentions")
    at_ms = models.BigIntegerField()
    device = models.CharField(max_length=IDENTITY, default="", blank=True)
    turn = models.CharField(max_length=IDENTITY, default="", blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="mention_once", fields=["memory", "at_ms", "device", "turn"]),
            models.CheckConstraint(name="mention_at_positive", condition=Q(at_ms__gte=0)),
        ]
        indexes = [
            models.Index(name="mention_by_time", fields=["at_ms"]),
            models.Index(name="mention_by_turn", fields=["turn"], condition=~Q(turn="")),
        ]
        triggers = [kept_rows("false"), stamps("memory_changed(NEW.memory_id)")]


class MemoryRevision(models.Model):
    """Words a memory had from `text_at_ms` until they were replaced at `at_ms`; never on a path to a prompt.

    The words and when they began never change; what replaced them is learned from other holders.
    """

    memory = models.ForeignKey(Memory, on_delete=models.CASCADE, related_name="revisions")
    at_ms = models.BigIntegerField()
    text_at_ms = models.BigIntegerField()
    text = models.TextField()
    device = models.CharField(max_length=IDENTITY, default="", blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                F("memory"),
                F("text_at_ms"),
                Func(F("text"), function="md5", output_field=models.CharField()),
                name="revision_once",
            ),
            models.CheckConstraint(
                name="revision_replaced_after_it_began",
                condition=Q(text_at_ms__gte=0, at_ms__gte=F("text_at_ms")),
            ),
        ]
        triggers = [
            words_lock(),
            kept_rows(
                "(NEW.memory_id, NEW.text_at_ms, NEW.text) = (OLD.memory_id, OLD.text_at_ms, OLD.text)"
            ),
            stamps("memory_changed(NEW.memory_id)"),
        ]


class MemoryEmbedding(models.Model):
    """The current words of a memory as one model sees them; a row of its own, so rewriting is cheap."""

    memory = models.ForeignKey(Memory, on_delete=models.CASCADE, related_name="embeddings")
    model = models.CharField(max_length=IDENTITY)
    embedding = VectorField()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="embedding_model_once", fields=["memory", "model"]),
        ]
        triggers = [words_lock(), stamps("memory_changed(NEW.memory_id)")]


class SoftAction(models.Model):
    """One putting away of a memory, which can be undone once for a few seconds."""

    memory = models.ForeignKey(Memory, on_delete=models.CASCADE, related_name="soft_actions")
    action_id = models.CharField(max_length=IDENTITY)
    at_ms = models.BigIntegerField()
    undone_at_ms = models.BigIntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="soft_action_once", fields=["memory", "action_id"]),
            models.CheckConstraint(
                name="soft_action_stamps_positive",
                condition=Q(at_ms__gte=0) & (Q(undone_at_ms=None) | Q(undone_at_ms__gte=0)),
            ),
        ]
        triggers = [stamps("memory_changed(NEW.memory_id)")]


class PendingReflection(models.Model):
    """An exchange that waits until the memory work has dealt with it, so that a stop loses nothing."""

    turn = models.CharField(max_length=IDENTITY, unique=True)
    subject = models.ForeignKey("twin.Subject", on_delete=models.CASCADE, related_name="+")
    device = models.CharField(max_length=IDENTITY)
    session = models.CharField(max_length=IDENTITY, default="", blank=True)
    at_ms = models.BigIntegerField()
    heard = models.TextField()
    said = models.TextField(default="", blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(name="reflection_by_time", fields=["at_ms"])]
        triggers = [words_lock()]

    def __str__(self) -> str:
        return self.turn


__all__ = [
    "ChangeCounter",
    "Memory",
    "MemoryEmbedding",
    "MemoryMention",
    "MemoryRevision",
    "PendingReflection",
    "SoftAction",
]
