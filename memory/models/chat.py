"""The conversations of companions, as they are carried on."""

from __future__ import annotations

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from memory.models.memories import IDENTITY
from twin.models.triggers import words_lock


class ChatSession(models.Model):
    """One conversation: its running summary, and what it was emptied for; version 0 is an empty one."""

    gid = models.CharField(max_length=IDENTITY, unique=True)
    subject = models.ForeignKey("twin.Subject", on_delete=models.CASCADE, related_name="+")
    last_activity_at_ms = models.BigIntegerField()
    version = models.BigIntegerField(default=0)
    stamp_ms = models.BigIntegerField(default=0)
    summary = models.TextField(default="", blank=True)
    scrubbed = ArrayField(models.CharField(max_length=IDENTITY), default=list, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="chat_version_0_is_empty",
                condition=Q(version__gt=0) | Q(version=0, stamp_ms=0, summary=""),
            ),
        ]
        indexes = [models.Index(name="chat_by_activity", fields=["subject", "-last_activity_at_ms"])]
        triggers = [
            words_lock(),
            pgtrigger.Trigger(
                name="stays_scrubbed",
                operation=pgtrigger.Update,
                when=pgtrigger.Before,
                func="""
                    IF NOT NEW.scrubbed @> OLD.scrubbed THEN
                        RAISE EXCEPTION 'a conversation stays emptied'
                            USING ERRCODE = 'integrity_constraint_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return self.gid


class ChatTurn(models.Model):
    """One utterance of a conversation, recent enough not to be in the summary yet."""

    session = models.ForeignKey(ChatSession, on_delete=models.CASCADE, related_name="turns")
    position = models.PositiveIntegerField()
    turn = models.CharField(max_length=IDENTITY, default="", blank=True)
    who = models.CharField(max_length=20)
    text = models.TextField()
    at_ms = models.BigIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(name="chat_turn_once", fields=["session", "position"])]
        triggers = [words_lock()]
