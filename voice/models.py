"""What the house keeps of its speaking: fixed lines as sound, what today cost, and how it should sound."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Func, Q


def _bytes_of(column: str) -> Func:
    return Func(F(column), function="octet_length", output_field=models.IntegerField())


class SpeechCache(models.Model):
    """One fixed line of the house as a voice said it. Holds no words: its key is a hash.

    `spans` are start and end in ms for each character, 32-bit little-endian; `used` only rises, and the row
    with the least goes first.
    """

    key = models.CharField(primary_key=True, max_length=64)  # SHA-256 of the voice's id and the exact text
    audio = models.BinaryField()  # a WAV file
    spans = models.BinaryField()
    used = models.BigIntegerField(unique=True)  # from the sequence voice_use
    weight = models.GeneratedField(
        expression=_bytes_of("audio") + _bytes_of("spans"),
        output_field=models.IntegerField(),
        db_persist=True,
    )

    class Meta:
        constraints = [
            models.CheckConstraint(name="speechcache_key_is_hash", condition=Q(key__regex=r"^[0-9a-f]{64}$")),
        ]

    def __str__(self) -> str:
        return self.key


class VoiceSpend(models.Model):
    """What the voice cost on one household day, in characters."""

    day = models.DateField(primary_key=True)
    chars = models.BigIntegerField(default=0)
    reserved = models.BigIntegerField(default=0)  # being spoken now
    hits = models.BigIntegerField(default=0)
    saved_chars = models.BigIntegerField(default=0)  # spoken from the cache, so for nothing

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="voicespend_never_negative",
                condition=Q(chars__gte=0, reserved__gte=0, hits__gte=0, saved_chars__gte=0),
            ),
        ]

    def __str__(self) -> str:
        return str(self.day)


class VoiceSettings(models.Model):
    """How the house speaks: its base voice, and its speed in percent of the usual. One row, or none."""

    id = models.SmallIntegerField(primary_key=True, default=1)
    base_voice = models.CharField(max_length=64, blank=True)
    speed = models.PositiveSmallIntegerField(default=100)

    class Meta:
        constraints = [
            models.CheckConstraint(name="voicesettings_is_one", condition=Q(id=1)),
            models.CheckConstraint(
                name="voicesettings_speed_in_range", condition=Q(speed__gte=60, speed__lte=160)
            ),
        ]

    def __str__(self) -> str:
        return self.base_voice or "bundled"
