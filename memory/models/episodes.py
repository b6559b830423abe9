"""What happened, told once: one row an event, never merged with another."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from memory.rules.evidence import Source, ref_of
from twin.models.triggers import words_lock


class Episode(models.Model):
    """One event or one told behaviour, shown as epi_000123. It goes with the row it was told in."""

    subject = models.ForeignKey("twin.Subject", on_delete=models.CASCADE, related_name="episodes")
    author = models.ForeignKey("household.Person", null=True, on_delete=models.SET_NULL, related_name="+")
    event = models.OneToOneField(
        "twin.Event", null=True, blank=True, on_delete=models.CASCADE, related_name="episode"
    )
    statement = models.OneToOneField(
        "twin.Statement", null=True, blank=True, on_delete=models.CASCADE, related_name="episode"
    )
    turn = models.CharField(max_length=40)
    kind = models.CharField(max_length=20)  # a kind of event, or the behaviour that was told
    at = models.DateTimeField(null=True, blank=True)  # null where only the day is known
    day = models.DateField()  # the subject's day it is about
    place = models.CharField(max_length=120, blank=True)
    antecedent = models.TextField(blank=True)
    behaviour = models.TextField(blank=True)
    tried = models.TextField(blank=True)
    outcome = models.TextField(blank=True)
    minutes = models.PositiveSmallIntegerField(null=True, blank=True)
    impact = models.SmallIntegerField(default=0)
    created_at = models.DateTimeField(db_default=Now())
    changed_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="episode_impact_in_range", condition=Q(impact__gte=-3, impact__lte=3)
            ),
            models.CheckConstraint(
                name="episode_from_one_telling",
                condition=Q(event__isnull=False, statement=None) | Q(event=None, statement__isnull=False),
            ),
        ]
        indexes = [models.Index(name="episode_by_day", fields=["subject", "-day", "-id"])]
        triggers = [words_lock()]

    @property
    def ref(self) -> str:
        """The public id, such as epi_000123."""
        return ref_of(Source.EPISODE, self.pk)

    def __str__(self) -> str:
        return self.ref


class EpisodeRecord(models.Model):
    """A record that says the same moment: evidence of an episode, gone with the record."""

    episode = models.ForeignKey(Episode, on_delete=models.CASCADE, related_name="records")
    subject = models.ForeignKey("twin.Subject", on_delete=models.CASCADE, related_name="+")
    record = models.ForeignKey("twin.Record", on_delete=models.CASCADE, related_name="episodes")

    class Meta:
        constraints = [models.UniqueConstraint(name="episode_record_once", fields=["episode", "record"])]
