"""Questions the house was asked, its answers, and what each answer rests on.

A question of somebody who is no parent is theirs alone (`is_private`). An answer goes with any row it rests
on, whoever removes that row: the foreign keys of its evidence cascade in the database, and a trigger takes
the answer with its evidence; what is cached of it goes with the answer.
"""

from __future__ import annotations

import pgtrigger
from django.db import models
from django.db.models import F, Func, Q, Value
from django.db.models.functions import Now
from pgvector.django import VectorField

from twin.models.triggers import words_lock

STATES = ["streaming", "complete", "failed"]
SOURCES = ["composer", "model", "cache"]
TIERS = ["none", "routine", "analytical"]
KINDS = [
    "statement",
    "record",
    "event",
    "episode",
    "fill",
    "pattern",
    "strategy",
    "medicine",
    "passage",
    "profile",
    "person",
    "fact",
]


class PromptVariant(models.Model):
    """One text of the prompt; another text is another variant. `split` is its share of the questions."""

    key = models.CharField(max_length=20, unique=True)
    text = models.TextField()
    split = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.CheckConstraint(name="variant_split_share", condition=Q(split__lte=100))]

    def __str__(self) -> str:
        return self.key


class Question(models.Model):
    """One question about one subject, in its asker's words."""

    subject = models.ForeignKey("twin.Subject", on_delete=models.CASCADE, related_name="+")
    author = models.ForeignKey("household.Person", null=True, on_delete=models.SET_NULL, related_name="+")
    is_private = models.BooleanField(default=True)
    client_id = models.CharField(max_length=64)
    turn = models.CharField(max_length=40)
    language = models.CharField(max_length=5)
    text = models.TextField()
    asked_at = models.DateTimeField()
    local_day = models.DateField()

    class Meta:
        constraints = [models.UniqueConstraint(name="ask_client_once", fields=["author", "client_id"])]
        indexes = [
            models.Index(name="ask_by_author", fields=["author", "-asked_at"]),
            models.Index(name="ask_by_turn", fields=["turn"]),
        ]
        triggers = [words_lock()]


class Answer(models.Model):
    """One answer: its text with markers, how it came about and how it was taken."""

    question = models.OneToOneField(Question, on_delete=models.CASCADE, related_name="answer")
    subject = models.ForeignKey("twin.Subject", on_delete=models.CASCADE, related_name="+")
    author = models.ForeignKey("household.Person", null=True, on_delete=models.SET_NULL, related_name="+")
    is_private = models.BooleanField(default=True)
    text = models.TextField(blank=True)
    state = models.CharField(max_length=9, choices=[(k, k) for k in STATES], default="streaming")
    source = models.CharField(max_length=8, choices=[(k, k) for k in SOURCES], default="composer")
    tier = models.CharField(max_length=10, choices=[(k, k) for k in TIERS], default="none")
    effort = models.CharField(max_length=8, default="minimal")
    model = models.CharField(max_length=120, blank=True)
    variant = models.ForeignKey(
        PromptVariant, null=True, on_delete=models.SET_NULL, related_name="answers", db_index=True
    )
    why_composed = models.CharField(max_length=20, blank=True)  # a model's failure, or the spent allowance
    tokens = models.PositiveIntegerField(default=0)
    latency_ms = models.PositiveIntegerField(default=0)
    unresolved = models.PositiveSmallIntegerField(default=0)  # markers that were not supplied, removed
    unsupported = models.PositiveSmallIntegerField(default=0)  # paragraphs that rest on no record
    says_nothing = models.BooleanField(default=False)
    is_good = models.BooleanField(default=False)  # passed the quality gate
    thumb = models.SmallIntegerField(null=True)  # 1 helped, -1 did not
    scope = models.CharField(max_length=200)  # what its asker could view: memory.rules.scope
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.CheckConstraint(name="answer_state_known", condition=Q(state__in=STATES)),
            models.CheckConstraint(name="answer_source_known", condition=Q(source__in=SOURCES)),
            models.CheckConstraint(name="answer_tier_known", condition=Q(tier__in=TIERS)),
            models.CheckConstraint(
                name="answer_thumb_up_or_down", condition=Q(thumb=None) | Q(thumb__in=[-1, 1])
            ),
        ]
        triggers = [words_lock()]


class AnswerEvidence(models.Model):
    """One row an answer was given to rest on, under the marker it had in there."""

    answer = models.ForeignKey(Answer, on_delete=models.CASCADE, related_name="evidence")
    marker = models.CharField(max_length=6)  # E1, S2
    is_cited = models.BooleanField(default=False)
    fingerprint = models.CharField(max_length=16)  # of the row's text as it was given
    statement = models.ForeignKey("twin.Statement", null=True, on_delete=models.CASCADE, related_name="+")
    record = models.ForeignKey("twin.Record", null=True, on_delete=models.CASCADE, related_name="+")
    event = models.ForeignKey("twin.Event", null=True, on_delete=models.CASCADE, related_name="+")
    fill = models.ForeignKey("twin.FormFill", null=True, on_delete=models.CASCADE, related_name="+")
    strategy = models.ForeignKey("memory.Strategy", null=True, on_delete=models.CASCADE, related_name="+")
    medicine = models.ForeignKey("twin.Medicine", null=True, on_delete=models.CASCADE, related_name="+")
    profile = models.ForeignKey("twin.ProfileVersion", null=True, on_delete=models.CASCADE, related_name="+")
    episode = models.ForeignKey("memory.Episode", null=True, on_delete=models.CASCADE, related_name="+")
    pattern = models.ForeignKey("memory.Pattern", null=True, on_delete=models.CASCADE, related_name="+")
    passage = models.ForeignKey("memory.Passage", null=True, on_delete=models.CASCADE, related_name="+")
    person = models.ForeignKey("twin.PersonProfile", null=True, on_delete=models.CASCADE, related_name="+")
    fact = models.ForeignKey("memory.SettledFact", null=True, on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(name="evidence_marker_once", fields=["answer", "marker"]),
            models.CheckConstraint(
                name="evidence_is_one_row",
                condition=Q(
                    models.lookups.Exact(
                        Func(
                            *(F(f"{kind}_id") for kind in KINDS),
                            function="num_nonnulls",
                            output_field=models.IntegerField(),
                        ),
                        Value(1),
                    )
                ),
            ),
        ]
        triggers = [
            pgtrigger.Trigger(
                name="takes_its_answer",
                operation=pgtrigger.Delete,
                when=pgtrigger.After,
                func="DELETE FROM memory_answer WHERE id = OLD.answer_id; RETURN NULL;",
            )
        ]


class CachedAnswer(models.Model):
    """An answer that may be given again to the same question, for the same subject, in the same scope."""

    answer = models.OneToOneField(Answer, on_delete=models.CASCADE, related_name="cached")
    subject = models.ForeignKey("twin.Subject", on_delete=models.CASCADE, related_name="+")
    author = models.ForeignKey("household.Person", null=True, on_delete=models.SET_NULL, related_name="+")
    is_private = models.BooleanField(default=True)
    scope = models.CharField(max_length=200)
    question_hash = models.CharField(max_length=64)  # of the normalised words
    guard_hash = models.CharField(max_length=64)  # of negation, numbers, time words and names
    evidence_hash = models.CharField(max_length=64)  # of which rows, and what they say
    data_version = models.CharField(max_length=64)
    vector = VectorField(null=True)
    embedder = models.CharField(max_length=80, blank=True)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = [
            models.Index(name="cached_exact", fields=["subject", "question_hash"]),
            models.Index(name="cached_scope", fields=["subject", "scope", "-created_at"]),
        ]
