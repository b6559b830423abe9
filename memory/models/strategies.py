"""What helps: named strategies, and every time one was used."""

from __future__ import annotations

import pgtrigger
from django.db import models
from django.db.models import Case, F, Q, Value, When
from django.db.models.functions import Cast, Now

from memory.rules.evidence import Source, ref_of
from twin.models.triggers import words_lock

LIFECYCLES = ["proposed", "in_use", "retired"]
OUTCOMES = ["success", "partial", "failure", "unknown"]


class Strategy(models.Model):
    """One named way of helping, and how often it did. Counts come from its uses, by trigger."""

    subject = models.ForeignKey("twin.Subject", on_delete=models.CASCADE, related_name="strategies")
    name = models.CharField(max_length=120)
    how = models.TextField(blank=True)
    lifecycle = models.CharField(max_length=8, choices=[(k, k) for k in LIFECYCLES], default="proposed")
    uses = models.PositiveIntegerField(default=0)
    successes = models.PositiveIntegerField(default=0)
    partials = models.PositiveIntegerField(default=0)
    effectiveness = models.GeneratedField(  # null until first used
        expression=Case(
            When(uses=0, then=None),
            default=(F("successes") + F("partials") * Value(0.5)) / Cast(F("uses"), models.FloatField()),
        ),
        output_field=models.FloatField(null=True),
        db_persist=True,
    )
    author = models.ForeignKey("household.Person", null=True, on_delete=models.SET_NULL, related_name="+")
    retired_by = models.ForeignKey("household.Person", null=True, on_delete=models.SET_NULL, related_name="+")
    retired_reason = models.TextField(default="", blank=True)
    client_id = models.CharField(max_length=64)
    created_at = models.DateTimeField(db_default=Now())
    changed_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(name="strategy_client_once", fields=["author", "client_id"]),
            models.CheckConstraint(
                name="strategy_hand_retires", condition=Q(retired_by=None) | Q(lifecycle="retired")
            ),
            models.UniqueConstraint(name="strategy_name_once", fields=["subject", "name"]),
            models.CheckConstraint(
                name="strategy_counts_fit", condition=Q(successes__lte=F("uses") - F("partials"))
            ),
        ]
        triggers = [words_lock()]

    @property
    def ref(self) -> str:
        """The public id, such as str_000123."""
        return ref_of(Source.STRATEGY, self.pk)

    def __str__(self) -> str:
        return self.name


class StrategyUse(models.Model):
    """One use of a strategy and how it went. `unknown` counts only once its follow-up expired."""

    strategy = models.ForeignKey(Strategy, on_delete=models.CASCADE, related_name="used")
    subject = models.ForeignKey("twin.Subject", on_delete=models.CASCADE, related_name="+")
    event = models.ForeignKey("twin.Event", null=True, on_delete=models.CASCADE, related_name="strategy_uses")
    on = models.DateField()
    outcome = models.CharField(max_length=7, choices=[(k, k) for k in OUTCOMES], default="unknown")
    follow_up_expired = models.BooleanField(default=False)
    answered_at = models.DateTimeField(null=True)  # when the follow-up was answered, and by whom
    answered_by = models.ForeignKey(
        "household.Person", null=True, on_delete=models.SET_NULL, related_name="+"
    )
    author = models.ForeignKey("household.Person", null=True, on_delete=models.SET_NULL, related_name="+")
    client_id = models.CharField(max_length=64)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(name="strategy_use_client_once", fields=["author", "client_id"]),
            models.CheckConstraint(name="strategy_use_outcome_known", condition=Q(outcome__in=OUTCOMES)),
        ]
        indexes = [
            models.Index(fields=["strategy", "-on"]),
            models.Index(
                name="strategy_use_unanswered",
                fields=["subject", "on"],
                condition=Q(outcome="unknown", follow_up_expired=False),
            ),
        ]
        triggers = [
            pgtrigger.Trigger(
                name="takes_its_question",
                operation=pgtrigger.Delete,
                when=pgtrigger.After,
                func="""
                    DELETE FROM twin_agendaitem WHERE subject_id = OLD.subject_id AND key = 'use:' || OLD.id;
                    RETURN NULL;
                """,
            ),
            pgtrigger.Trigger(
                name="counts_uses",
                operation=pgtrigger.Insert | pgtrigger.Update | pgtrigger.Delete,
                when=pgtrigger.After,
                func="""
                    UPDATE memory_strategy s SET (uses, successes, partials) = (
                        SELECT count(*) FILTER (WHERE outcome <> 'unknown' OR follow_up_expired),
                               count(*) FILTER (WHERE outcome = 'success'),
                               count(*) FILTER (WHERE outcome = 'partial')
                        FROM memory_strategyuse u WHERE u.strategy_id = s.id)
                    WHERE s.id IN (coalesce(NEW.strategy_id, OLD.strategy_id),
                                   coalesce(OLD.strategy_id, NEW.strategy_id));
                    RETURN NULL;
                """,
            ),
        ]
