"""What was said, and the append-only ledger of what was read in it."""

from __future__ import annotations

import uuid

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from twin.models.spent import stays_spent
from twin.models.subjects import Subject
from twin.models.triggers import IS_FORGETTING, append_only, words_lock

THROUGH = ["web", "device", "form", "import", "command"]
LEDGER_STATES = ["read", "asked", "filed", "discarded", "undone"]
QUESTION_STATES = ["open", "answered", "expired"]


class Statement(models.Model):
    """One thing somebody said about one subject, word for word."""

    gid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    subject = models.ForeignKey(Subject, null=True, on_delete=models.CASCADE, related_name="statements")
    author = models.ForeignKey("household.Person", null=True, on_delete=models.SET_NULL, related_name="+")
    device = models.CharField(max_length=64, default="home")
    client_id = models.CharField(max_length=64)
    turn = models.CharField(max_length=40)
    through = models.CharField(max_length=8, choices=[(t, t) for t in THROUGH], default="web")
    language = models.CharField(max_length=5, default="en")
    text = models.TextField()
    said_at = models.DateTimeField()
    local_day = models.DateField()
    kinds = ArrayField(models.CharField(max_length=12), default=list)
    reader = models.CharField(max_length=20, default="")  # empty until it was read
    dropped = ArrayField(models.CharField(max_length=60), default=list)
    read_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="statement_client_once",
                fields=["author", "device", "client_id", "subject"],
                nulls_distinct=False,
            )
        ]
        indexes = [
            models.Index(fields=["subject", "-said_at"]),
            models.Index(fields=["turn"]),
            models.Index(name="statement_unread", fields=["id"], condition=Q(read_at=None)),
        ]
        triggers = [
            words_lock(),
            stays_spent(),
            pgtrigger.Trigger(
                name="words_stay",
                operation=pgtrigger.Update,
                when=pgtrigger.Before,
                func=f"""
                    IF {IS_FORGETTING} AND NEW.text = '' THEN
                        RETURN NEW;
                    END IF;
                    IF (NEW.text, NEW.said_at, NEW.local_day, NEW.turn, NEW.client_id)
                       IS DISTINCT FROM (OLD.text, OLD.said_at, OLD.local_day, OLD.turn, OLD.client_id)
                       OR (OLD.subject_id IS NOT NULL AND NEW.subject_id IS DISTINCT FROM OLD.subject_id)
                       OR (OLD.read_at IS NOT NULL AND (NEW.kinds, NEW.reader, NEW.read_at)
                           IS DISTINCT FROM (OLD.kinds, OLD.reader, OLD.read_at)) THEN
                        RAISE EXCEPTION 'a statement stays as it was said'
                            USING ERRCODE = 'integrity_constraint_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"statement {self.pk}"


class LedgerEntry(models.Model):
    """One entry as it was read, before anything else happened. Its state moves only forward."""

    subject = models.ForeignKey(Subject, on_delete=models.CASCADE, related_name="ledger")
    statement = models.ForeignKey(Statement, null=True, on_delete=models.CASCADE, related_name="entries")
    fill = models.ForeignKey("twin.FormFill", null=True, on_delete=models.CASCADE, related_name="entries")
    position = models.PositiveSmallIntegerField(default=0)
    turn = models.CharField(max_length=40)
    said_at = models.DateTimeField()
    local_day = models.DateField()  # the subject's day of speaking
    category = models.CharField(max_length=20)
    site = models.CharField(max_length=60, default="", blank=True)
    asserted = models.CharField(max_length=8, null=True)
    model_read = models.CharField(max_length=8, null=True)
    signs = models.JSONField(default=dict)
    today = models.CharField(max_length=7)
    since = models.JSONField(null=True)
    phrase = models.TextField(null=True)
    words = models.TextField(default="", blank=True)
    why = models.JSONField(default=list)
    field = models.CharField(
        max_length=30, default="", blank=True
    )  # the form's field, where it came from one

    state = models.CharField(max_length=9, choices=[(s, s) for s in LEDGER_STATES], default="read")
    record = models.ForeignKey("twin.Record", null=True, on_delete=models.SET_NULL, related_name="sources")
    resolved = models.JSONField(null=True)  # today and since after an answer; what was read stays as read
    filed_day = models.DateField(null=True)  # the day it folded into, null for history
    adjudicate = models.BooleanField(default=False)
    filed_at = models.DateTimeField(null=True)
    undone_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="ledger_has_one_source",
                condition=Q(statement=None, fill__isnull=False) | Q(statement__isnull=False, fill=None),
            ),
            models.CheckConstraint(name="ledger_state_known", condition=Q(state__in=LEDGER_STATES)),
            models.CheckConstraint(
                name="ledger_today_known", condition=Q(today__in=["yes", "no", "unknown"])
            ),
            models.UniqueConstraint(name="ledger_position_once", fields=["statement", "position"]),
        ]
        indexes = [
            models.Index(fields=["subject", "-said_at"]),
            models.Index(name="ledger_open", fields=["subject"], condition=Q(state__in=["read", "asked"])),
            models.Index(name="ledger_to_adjudicate", fields=["subject"], condition=Q(adjudicate=True)),
            models.Index(fields=["turn"]),
        ]
        triggers = [
            words_lock(),
            pgtrigger.Trigger(
                name="moves_forward",
                operation=pgtrigger.Update | pgtrigger.Delete,
                when=pgtrigger.Before,
                func=f"""
                    IF {IS_FORGETTING} THEN
                        IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
                        RETURN NEW;
                    END IF;
                    IF TG_OP = 'DELETE' THEN
                        RAISE EXCEPTION 'the ledger is append-only'
                            USING ERRCODE = 'integrity_constraint_violation';
                    END IF;
                    IF (NEW.subject_id, NEW.statement_id, NEW.fill_id, NEW.position, NEW.turn, NEW.said_at,
                        NEW.local_day, NEW.category, NEW.site, NEW.asserted, NEW.model_read, NEW.signs,
                        NEW.today, NEW.since, NEW.phrase, NEW.words, NEW.why, NEW.field)
                       IS DISTINCT FROM
                       (OLD.subject_id, OLD.statement_id, OLD.fill_id, OLD.position, OLD.turn, OLD.said_at,
                        OLD.local_day, OLD.category, OLD.site, OLD.asserted, OLD.model_read, OLD.signs,
                        OLD.today, OLD.since, OLD.phrase, OLD.words, OLD.why, OLD.field) THEN
                        RAISE EXCEPTION 'a ledger entry stays as it was read'
                            USING ERRCODE = 'integrity_constraint_violation';
                    END IF;
                    IF NEW.state <> OLD.state AND (OLD.state, NEW.state) NOT IN (
                        ('read', 'asked'), ('read', 'filed'), ('read', 'discarded'),
                        ('asked', 'filed'), ('asked', 'discarded'), ('filed', 'undone')) THEN
                        RAISE EXCEPTION USING
                            MESSAGE = 'a ledger entry cannot move from ' || OLD.state || ' to ' || NEW.state,
                            ERRCODE = 'integrity_constraint_violation';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"entry {self.pk} {self.category}"


class Question(models.Model):
    """The one clarifying question about an entry, with its deadline."""

    entry = models.OneToOneField(LedgerEntry, on_delete=models.CASCADE, related_name="question")
    subject = models.ForeignKey(Subject, on_delete=models.CASCADE, related_name="questions")
    category = models.CharField(max_length=20)
    asked_at = models.DateTimeField()
    deadline_at = models.DateTimeField()
    state = models.CharField(max_length=8, choices=[(s, s) for s in QUESTION_STATES], default="open")
    answered_by = models.ForeignKey(Statement, null=True, on_delete=models.SET_NULL, related_name="answers")
    closed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="question_closed_has_time", condition=Q(state="open", closed_at=None) | ~Q(state="open")
            ),
            models.CheckConstraint(name="question_state_known", condition=Q(state__in=QUESTION_STATES)),
        ]
        indexes = [
            models.Index(name="question_open", fields=["subject", "deadline_at"], condition=Q(state="open"))
        ]

    def __str__(self) -> str:
        return f"question {self.pk}"


class CourseStatement(models.Model):
    """One row for each statement about a course, in order, with its words and signs. Append-only."""

    course = models.ForeignKey("twin.Record", on_delete=models.CASCADE, related_name="course_statements")
    subject = models.ForeignKey(Subject, on_delete=models.CASCADE, related_name="+")
    entry = models.ForeignKey(LedgerEntry, on_delete=models.CASCADE, related_name="+")
    day = models.DateField()
    said_at = models.DateTimeField()
    words = models.TextField(default="", blank=True)
    signs = models.JSONField(default=dict)

    class Meta:
        constraints = [models.UniqueConstraint(name="course_entry_once", fields=["course", "entry"])]
        indexes = [models.Index(fields=["course", "said_at"])]
        triggers = [words_lock(), append_only(emptied="NEW.words = ''")]
