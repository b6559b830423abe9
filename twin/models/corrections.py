"""What people said about how their words were read: data for Insights, and examples for the reader."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Now

from twin.models.statements import LedgerEntry
from twin.models.subjects import Subject
from twin.models.triggers import words_lock


class ReadingCorrection(models.Model):
    """One entry that a person read differently. Its words go with the statement they came from."""

    subject = models.ForeignKey(Subject, on_delete=models.CASCADE, related_name="+")
    entry = models.OneToOneField(LedgerEntry, on_delete=models.CASCADE, related_name="correction")
    author = models.ForeignKey("household.Person", null=True, on_delete=models.SET_NULL, related_name="+")
    language = models.CharField(max_length=5)
    reader = models.CharField(max_length=20)
    words = models.TextField()
    was = models.JSONField()  # category, signs and the three judgements, as read
    became = models.JSONField()  # {"polarity", "entries": [{"category", "signs"}]}: all the words should say
    at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = [models.Index(fields=["language", "-id"])]
        triggers = [words_lock()]
