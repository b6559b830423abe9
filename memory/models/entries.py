"""What search looks in: one entry for each row that can be found, kept beside it by triggers.

An entry holds the row's own current words, folded and stemmed, and what one embedder makes of them. A row
that is written or changed leaves its entry due and empty; the sweep fills it; a row that goes takes it along.
"""

from __future__ import annotations

from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import Q
from pgvector.django import HalfVectorField

from twin.models.triggers import words_lock

OBSERVATION_KINDS = ["record", "statement", "event", "fill"]
MEMORY_KINDS = ["episode", "pattern", "strategy", "memory"]
DOCUMENT_KINDS = ["passage"]


class Entry(models.Model):
    """One row that can be found: whose, of which day, its folded words and its vector."""

    subject = models.ForeignKey("twin.Subject", on_delete=models.CASCADE, related_name="+")
    author = models.ForeignKey("household.Person", null=True, on_delete=models.SET_NULL, related_name="+")
    row_id = models.BigIntegerField()
    day = models.DateField(null=True)  # what a data window compares
    at = models.DateTimeField(null=True)
    language = models.CharField(max_length=5, default="en")
    terms = SearchVectorField(null=True)
    length = models.PositiveIntegerField(default=0)  # words
    model = models.CharField(max_length=80, default="")  # which embedder made the vector
    vector = HalfVectorField(null=True)
    version = models.PositiveIntegerField(default=0)  # counts the changes of the row
    is_due = models.BooleanField(default=True)

    class Meta:
        abstract = True


def _constraints(name: str, kinds: list[str]) -> list[models.BaseConstraint]:
    return [
        models.UniqueConstraint(name=f"{name}_once", fields=["kind", "row_id"]),
        models.CheckConstraint(name=f"{name}_kind_known", condition=Q(kind__in=kinds)),
    ]


def _indexes(name: str) -> list[models.Index]:
    return [
        GinIndex(name=f"{name}_terms", fields=["terms"], fastupdate=False),
        models.Index(name=f"{name}_by_time", fields=["subject", "-at"]),
        models.Index(name=f"{name}_due", fields=["id"], condition=Q(is_due=True)),
        models.Index(name=f"{name}_by_model", fields=["model"]),
    ]


class ObservationEntry(Entry):
    """Where a record, a statement, an event or a form's note is found."""

    kind = models.CharField(max_length=9, choices=[(k, k) for k in OBSERVATION_KINDS])

    class Meta:
        constraints = _constraints("observation_entry", OBSERVATION_KINDS)
        indexes = _indexes("observation_entry")
        triggers = [words_lock()]


class MemoryEntry(Entry):
    """Where an episode, a pattern, a strategy or a companion's memory is found."""

    kind = models.CharField(max_length=8, choices=[(k, k) for k in MEMORY_KINDS])

    class Meta:
        constraints = _constraints("memory_entry", MEMORY_KINDS)
        indexes = _indexes("memory_entry")
        triggers = [words_lock()]


class DocumentEntry(Entry):
    """Where a passage of a document is found."""

    kind = models.CharField(max_length=7, choices=[(k, k) for k in DOCUMENT_KINDS])

    class Meta:
        constraints = _constraints("document_entry", DOCUMENT_KINDS)
        indexes = _indexes("document_entry")
        triggers = [words_lock()]
