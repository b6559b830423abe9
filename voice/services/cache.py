"""Fixed lines as sound, under a cap: the least recently used go first; what does not fit is not trusted."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import connection, transaction

from voice.clients.sound import Clip, decoded, encoded
from voice.models import SpeechCache
from voice.rules.cache import CAP_BYTES, key_of
from voice.rules.spans import Span, fits, pack, unpack

TOUCH = "UPDATE voice_speechcache SET used = nextval('voice_use') WHERE key = %s RETURNING audio, spans"
KEEP = """
    INSERT INTO voice_speechcache (key, audio, spans, used) VALUES (%s, %s, %s, nextval('voice_use'))
    ON CONFLICT (key) DO UPDATE SET audio = excluded.audio, spans = excluded.spans, used = excluded.used
"""
# Everything that, counted from the most recently used, lies past the cap.
TRIM = """
    DELETE FROM voice_speechcache WHERE key IN (
        SELECT key
        FROM (SELECT key, sum(weight) OVER (ORDER BY used DESC) AS total FROM voice_speechcache) line
        WHERE total > %s
    )
"""
ORDER_LOCK = 4_871_009


@dataclass(frozen=True)
class Kept:
    """A line from the cache."""

    clip: Clip
    spans: tuple[Span, ...]


def find_line(voice: str, text: str) -> Kept | None:
    """The line as this voice said it before, None where it is not kept; one that does not fit is deleted."""
    key = key_of(voice, text)
    with connection.cursor() as cursor:
        cursor.execute(TOUCH, [key])
        row = cursor.fetchone()
    if row is None:
        return None
    audio, spans = bytes(row[0]), bytes(row[1])
    try:
        clip = decoded(audio)
        if fits(spans, text, round(clip.duration_ms)):
            return Kept(clip, unpack(spans))
    except ValueError:
        pass  # no sound, or no spans: as untrue as spans of another line
    SpeechCache.objects.filter(key=key).delete()
    return None


@transaction.atomic
def keep_line(voice: str, text: str, clip: Clip, spans: list[Span], *, cap: int = CAP_BYTES) -> bool:
    """Keep a fixed line, and let go of the least recently used past the cap. Gives whether it was kept."""
    audio, packed = encoded(clip, "wav"), pack(spans)
    if len(audio) + len(packed) > cap or not fits(packed, text, round(clip.duration_ms)):
        return False
    with connection.cursor() as cursor:
        # One at a time, or two could each see a cap that the other is about to pass.
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [ORDER_LOCK])
        cursor.execute(KEEP, [key_of(voice, text), audio, packed])
        cursor.execute(TRIM, [cap])
    return True
