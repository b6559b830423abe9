"""What is generally true of a subject, by counting days: levels, pair counts, patterns and their evidence."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from memory.rules.evidence import Source, ref_of
from twin.models.triggers import words_lock

PATTERN_LIFECYCLES = ["hypothesis", "supported", "weakening", "retired"]
SIDES = ["antecedent", "outcome"]


class DayLevels(models.Model):
    """What one day says of each level: {level: {"is": 1 or 0, "rows": ["fill:3", ...]}}.

    A level that is not there is unknown that day, never a no.
    """

    subject = models.ForeignKey("twin.Subject", on_delete=models.CASCADE, related_name="+")
    day = models.DateField()
    levels = models.JSONField(default=dict)

    class Meta:
        constraints = [models.UniqueConstraint(name="day_levels_once", fields=["subject", "day"])]


class Counting(models.Model):
    """How far a subject's pairs are counted: every day up to `through`, in the window that ends with it."""

    subject = models.OneToOneField(
        "twin.Subject", primary_key=True, on_delete=models.CASCADE, related_name="counting"
    )
    through = models.DateField()
    catalogue = models.CharField(
        max_length=16, default=""
    )  # which levels and pairs: another one is a fresh count


class PairCount(models.Model):
    """The 2x2 table of one pair over the window, and over its last eight weeks."""

    subject = models.ForeignKey("twin.Subject", on_delete=models.CASCADE, related_name="+")
    antecedent = models.CharField(max_length=20)
    outcome = models.CharField(max_length=20)
    lag = models.PositiveSmallIntegerField()
    both = models.PositiveIntegerField(default=0)
    antecedent_days = models.PositiveIntegerField(default=0)
    outcome_days = models.PositiveIntegerField(default=0)
    days = models.PositiveIntegerField(default=0)
    recent_both = models.PositiveIntegerField(default=0)
    recent_antecedent_days = models.PositiveIntegerField(default=0)
    recent_outcome_days = models.PositiveIntegerField(default=0)
    recent_days = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="pair_count_once", fields=["subject", "antecedent", "outcome", "lag"]
            ),
            models.CheckConstraint(
                name="pair_counts_fit",
                condition=Q(both__lte=F("antecedent_days"))
                & Q(both__lte=F("outcome_days"))
                & Q(days__gte=F("antecedent_days") + F("outcome_days") - F("both")),
            ),
        ]


class Pattern(models.Model):
    """A general statement computed from rows, shown as pat_000123. No model and no hand edits its counts."""

    subject = models.ForeignKey("twin.Subject", on_delete=models.CASCADE, related_name="patterns")
    antecedent = models.CharField(max_length=20)
    outcome = models.CharField(max_length=20)
    lag = models.PositiveSmallIntegerField()  # the outcome on the same day (0) or the next (1)
    lifecycle = models.CharField(max_length=10, choices=[(k, k) for k in PATTERN_LIFECYCLES])
    since = models.DateField()  # the day of its last move
    by_hand = models.BooleanField(default=False)  # a person retired it: no night brings it back
    window_from = models.DateField()
    window_to = models.DateField()
    both = models.PositiveIntegerField()
    antecedent_days = models.PositiveIntegerField()
    outcome_days = models.PositiveIntegerField()
    days = models.PositiveIntegerField()
    recent_both = models.PositiveIntegerField(default=0)  # the last eight weeks alone
    recent_antecedent_days = models.PositiveIntegerField(default=0)
    recent_outcome_days = models.PositiveIntegerField(default=0)
    recent_days = models.PositiveIntegerField(default=0)
    lift = models.FloatField()
    base_rate = models.FloatField()
    lower = models.FloatField()  # Wilson 95 % lower bound of P(outcome | antecedent)
    p = models.FloatField()  # one-sided Fisher
    first_on = models.DateField()  # the first and the last day on which both held
    last_on = models.DateField()
    retired_by = models.ForeignKey("household.Person", null=True, on_delete=models.SET_NULL, related_name="+")
    reason = models.TextField(default="", blank=True)
    created_at = models.DateTimeField(db_default=Now())
    changed_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(name="pattern_once", fields=["subject", "antecedent", "outcome", "lag"]),
            models.CheckConstraint(name="pattern_lag_0_or_1", condition=Q(lag__lte=1)),
            models.CheckConstraint(
                name="pattern_lifecycle_known", condition=Q(lifecycle__in=PATTERN_LIFECYCLES)
            ),
            models.CheckConstraint(
                name="pattern_hand_retires",
                condition=Q(retired_by=None, by_hand=False) | Q(lifecycle="retired"),
            ),
        ]
        indexes = [models.Index(name="pattern_by_lifecycle", fields=["subject", "lifecycle"])]
        triggers = [words_lock()]

    @property
    def ref(self) -> str:
        """The public id, such as pat_000123."""
        return ref_of(Source.PATTERN, self.pk)

    def __str__(self) -> str:
        return self.ref


class PatternMove(models.Model):
    """The log of a pattern's lifecycle: what it became in which night, or by whom and why."""

    pattern = models.ForeignKey(Pattern, on_delete=models.CASCADE, related_name="moves")
    subject = models.ForeignKey("twin.Subject", on_delete=models.CASCADE, related_name="+")
    day = models.DateField()
    was = models.CharField(max_length=10, default="", blank=True)
    became = models.CharField(max_length=10)
    reason = models.TextField(default="", blank=True)  # a code of the night, or a person's words
    by_hand = models.BooleanField(default=False)  # no night takes it back
    by = models.ForeignKey("household.Person", null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        indexes = [models.Index(fields=["pattern", "day", "id"])]
        triggers = [words_lock()]


class PatternEvidence(models.Model):
    """One row that speaks for or against a pattern: the side it shows, on the days it is about.

    `day` is the antecedent's; the outcome's is `lag` days later. It goes with its row.
    """

    pattern = models.ForeignKey(Pattern, on_delete=models.CASCADE, related_name="evidence")
    subject = models.ForeignKey("twin.Subject", on_delete=models.CASCADE, related_name="+")
    day = models.DateField()
    is_for = models.BooleanField()
    side = models.CharField(max_length=10, choices=[(k, k) for k in SIDES])
    record = models.ForeignKey("twin.Record", null=True, on_delete=models.CASCADE, related_name="+")
    fill = models.ForeignKey("twin.FormFill", null=True, on_delete=models.CASCADE, related_name="+")
    event = models.ForeignKey("twin.Event", null=True, on_delete=models.CASCADE, related_name="+")
    entry = models.ForeignKey("twin.TrackableEntry", null=True, on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="pattern_evidence_once",
                fields=["pattern", "day", "side", "record", "fill", "event", "entry"],
                nulls_distinct=False,
            ),
            models.CheckConstraint(
                name="pattern_evidence_is_one_row",
                condition=Q(record__isnull=False, fill=None, event=None, entry=None)
                | Q(record=None, fill__isnull=False, event=None, entry=None)
                | Q(record=None, fill=None, event__isnull=False, entry=None)
                | Q(record=None, fill=None, event=None, entry__isnull=False),
            ),
        ]
        indexes = [models.Index(name="pattern_evidence_by_day", fields=["pattern", "-day"])]


class StrategyPattern(models.Model):
    """For which patterns a strategy is."""

    strategy = models.ForeignKey("memory.Strategy", on_delete=models.CASCADE, related_name="for_patterns")
    pattern = models.ForeignKey(Pattern, on_delete=models.CASCADE, related_name="helped_by")
    subject = models.ForeignKey("twin.Subject", on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(name="strategy_pattern_once", fields=["strategy", "pattern"])]
