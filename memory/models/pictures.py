"""Pictures: bytes under a name, and what shows them."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from memory.models.journal import JournalLine
from memory.models.memories import IDENTITY, Memory
from memory.models.triggers import kept_rows, stamps

PICTURE_TYPES = ["image/jpeg", "image/png", "image/webp", "image/gif"]


class Picture(models.Model):
    """The bytes of one picture, in the media folder; never replaced, gone with the last thing showing it."""

    name = models.CharField(primary_key=True, max_length=IDENTITY)
    subject = models.ForeignKey("twin.Subject", on_delete=models.CASCADE, related_name="+")
    file = models.CharField(max_length=200, unique=True)  # where Django's storage keeps it; no words in it
    type = models.CharField(max_length=10, choices=[(t, t) for t in PICTURE_TYPES])
    size = models.PositiveIntegerField()
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    device = models.CharField(max_length=IDENTITY)
    arrived_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.CheckConstraint(name="picture_type_known", condition=Q(type__in=PICTURE_TYPES)),
        ]
        triggers = [kept_rows("false")]

    def __str__(self) -> str:
        return self.name


class MemoryPicture(models.Model):
    """A picture of a memory by its name, and where it stands among them; the bytes may come later."""

    memory = models.ForeignKey(Memory, on_delete=models.CASCADE, related_name="pictures")
    position = models.BigIntegerField()
    picture = models.CharField(max_length=IDENTITY)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="memory_picture_once", fields=["memory", "picture"]),
            models.CheckConstraint(name="memory_picture_at_positive", condition=Q(position__gte=0)),
        ]
        indexes = [models.Index(name="memory_by_picture", fields=["picture"])]
        triggers = [
            kept_rows("(NEW.memory_id, NEW.picture) = (OLD.memory_id, OLD.picture)"),
            stamps("memory_changed(NEW.memory_id)"),
        ]


class LinePicture(models.Model):
    """A picture a journal line shows; written and taken away with the line's words, by trigger."""

    line = models.ForeignKey(JournalLine, on_delete=models.CASCADE, related_name="pictures")
    picture = models.CharField(max_length=IDENTITY)

    class Meta:
        constraints = [models.UniqueConstraint(name="line_picture_once", fields=["line", "picture"])]
        indexes = [models.Index(name="line_by_picture", fields=["picture"])]


class FileOwed(models.Model):
    """A file in the media folder that nothing shows any more; deleted after the commit, then its row."""

    file = models.CharField(max_length=200)
    asked_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"owed {self.pk}"
