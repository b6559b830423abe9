"""What a conversation holds on to, what waits for an answer, what is settled, what is never to be learned."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from twin.models.triggers import words_lock

QUESTION_STATES = ["open", "dormant", "closed"]
CLOSED_THROUGH = ["form", "statement", "document", "profile", "settled", "person"]
FACT_KINDS = ["ruled_out", "settled"]


class WorkingSet(models.Model):
    """What one conversation of one person about one subject holds: references and reasons, never words."""

    subject = models.ForeignKey("twin.Subject", on_delete=models.CASCADE, related_name="+")
    author = models.ForeignKey("household.Person", on_delete=models.CASCADE, related_name="+")
    conversation = models.CharField(max_length=64)
    state = models.JSONField(default=dict)  # the shape of memory.rules.working_set
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="working_set_once", fields=["author", "subject", "conversation"])
        ]
        triggers = [words_lock()]

    def __str__(self) -> str:
        return f"working set {self.pk}"


class Drawer(models.Model):
    """One topic of a subject: a set of intents of a closed vocabulary, found by set and never by words."""

    subject = models.ForeignKey("twin.Subject", on_delete=models.CASCADE, related_name="drawers")
    intents = ArrayField(models.CharField(max_length=20))  # sorted, so that one set is one row
    opened_at = models.DateTimeField()
    touched_at = models.DateTimeField()  # when the topic was last spoken of

    class Meta:
        constraints = [
            models.UniqueConstraint(name="drawer_once", fields=["subject", "intents"]),
            models.CheckConstraint(name="drawer_has_intents", condition=~Q(intents=[])),
        ]

    def __str__(self) -> str:
        return "+".join(self.intents)


class OpenQuestion(models.Model):
    """One question that waits in its drawer, and what would close it: a category's sign, or a profile field.

    It closes by a trigger at the first moment that evidence exists, wherever it came from, and opens again
    where the evidence is taken back.
    """

    subject = models.ForeignKey("twin.Subject", on_delete=models.CASCADE, related_name="open_questions")
    drawer = models.ForeignKey(Drawer, on_delete=models.CASCADE, related_name="questions")
    category = models.CharField(max_length=20, default="", blank=True)
    sign = models.CharField(max_length=30, default="", blank=True)
    profile_field = models.CharField(max_length=30, default="", blank=True)
    state = models.CharField(max_length=7, choices=[(s, s) for s in QUESTION_STATES], default="open")
    asked_of = models.ForeignKey(  # what was told that gave rise to it: it goes with that
        "twin.LedgerEntry", null=True, on_delete=models.CASCADE, related_name="+"
    )
    asked_at = models.DateTimeField()
    revived_at = models.DateTimeField()  # ageing counts from here
    shown_on = models.DateField(null=True)
    closed_at = models.DateTimeField(null=True)
    closed_through = models.CharField(
        max_length=9, choices=[(c, c) for c in CLOSED_THROUGH], default="", blank=True
    )
    closed_entry = models.ForeignKey(
        "twin.LedgerEntry", null=True, on_delete=models.SET_NULL, related_name="+"
    )
    closed_record = models.ForeignKey("twin.Record", null=True, on_delete=models.SET_NULL, related_name="+")
    closed_profile = models.ForeignKey(
        "twin.ProfileVersion", null=True, on_delete=models.SET_NULL, related_name="+"
    )
    closed_fact = models.ForeignKey(
        "memory.SettledFact", null=True, on_delete=models.SET_NULL, related_name="+"
    )
    author = models.ForeignKey("household.Person", null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="open_question_names_evidence",
                condition=(~Q(category="") & ~Q(sign="") & Q(profile_field=""))
                | (Q(category="", sign="") & ~Q(profile_field="")),
            ),
            models.CheckConstraint(name="open_question_state_known", condition=Q(state__in=QUESTION_STATES)),
            models.CheckConstraint(
                name="open_question_closed_has_time",
                condition=Q(state="closed", closed_at__isnull=False)
                | (~Q(state="closed") & Q(closed_at=None, closed_through="")),
            ),
            models.UniqueConstraint(
                name="open_question_waits_once",
                fields=["subject", "category", "sign", "profile_field"],
                condition=~Q(state="closed"),
            ),
        ]
        indexes = [
            models.Index(
                name="open_question_waiting", fields=["subject", "revived_at"], condition=~Q(state="closed")
            ),
        ]

    def __str__(self) -> str:
        return f"q_{self.pk:06d}"


class SettledFactQuerySet(models.QuerySet["SettledFact"]):
    """Chainable reads of the fact ledger."""

    def in_force(self, day: object) -> SettledFactQuerySet:
        """Those that hold on a day: not retired, begun, and not over."""
        over = Q(valid_until__isnull=False, valid_until__lt=day)
        return self.filter(retired_at=None, valid_from__lte=day).exclude(over)


class SettledFact(models.Model):
    """Something ruled out or settled: the evidence, who settled it, and until when. Nobody is asked again."""

    subject = models.ForeignKey("twin.Subject", on_delete=models.CASCADE, related_name="settled_facts")
    kind = models.CharField(max_length=9, choices=[(k, k) for k in FACT_KINDS], default="ruled_out")
    text = models.CharField(max_length=200)
    category = models.CharField(max_length=20, default="", blank=True)
    sign = models.CharField(max_length=30, default="", blank=True)
    profile_field = models.CharField(max_length=30, default="", blank=True)
    settled_by = models.CharField(max_length=120, blank=True)  # "Dr. Vogel", where it was not the author
    valid_from = models.DateField()
    valid_until = models.DateField(null=True, blank=True)
    record = models.ForeignKey("twin.Record", null=True, on_delete=models.SET_NULL, related_name="+")
    entry = models.ForeignKey("twin.LedgerEntry", null=True, on_delete=models.CASCADE, related_name="+")
    contradicts = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="+")
    retired_at = models.DateTimeField(null=True)
    retired_by = models.ForeignKey("household.Person", null=True, on_delete=models.SET_NULL, related_name="+")
    author = models.ForeignKey("household.Person", null=True, on_delete=models.SET_NULL, related_name="+")
    client_id = models.CharField(max_length=64)
    created_at = models.DateTimeField(db_default=Now())
    objects = SettledFactQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="settled_fact_client_once", fields=["author", "client_id"]),
            models.CheckConstraint(name="settled_fact_has_text", condition=~Q(text="")),
            models.CheckConstraint(
                name="settled_fact_ends_after_start",
                condition=Q(valid_until=None) | Q(valid_until__gte=F("valid_from")),
            ),
            models.CheckConstraint(name="settled_fact_kind_known", condition=Q(kind__in=FACT_KINDS)),
        ]
        indexes = [
            models.Index(name="settled_fact_in_force", fields=["subject"], condition=Q(retired_at=None))
        ]
        triggers = [words_lock()]

    def __str__(self) -> str:
        return f"fact {self.pk}"


class NeverTopic(models.Model):
    """A topic that a parent never wants learned about a subject.

    `words` and `about` are what `memory.rules.never` makes of it, for `memory_never_touched` to compare.
    """

    subject = models.ForeignKey("twin.Subject", on_delete=models.CASCADE, related_name="never_topics")
    topic = models.CharField(max_length=120)
    words = models.JSONField(default=list)  # of each content word the keys that meet it
    about = ArrayField(models.CharField(max_length=20), default=list)  # intents
    author = models.ForeignKey("household.Person", null=True, on_delete=models.SET_NULL, related_name="+")
    client_id = models.CharField(max_length=64)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="never_topic_client_once", fields=["author", "client_id", "subject"]
            ),
            models.UniqueConstraint(name="never_topic_once", fields=["subject", "topic"]),
            models.CheckConstraint(name="never_topic_has_words", condition=~Q(topic="")),
            models.CheckConstraint(name="never_topic_can_be_met", condition=~Q(words=[], about=[])),
        ]
        triggers = [words_lock()]

    def __str__(self) -> str:
        return f"topic {self.pk}"
