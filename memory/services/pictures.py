"""Pictures a device sends and asks for."""

from __future__ import annotations

import datetime as dt
import secrets
from enum import StrEnum

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import connection

from household.access import Denied, Sight, seen_through
from household.models import Device
from memory.models import LinePicture, MemoryPicture, Picture, TombstonePicture
from memory.pictures import Drawn, redraw
from twin.models.triggers import FORGETTING_LOCK


class Kept(StrEnum):
    """What became of a picture."""

    KEPT = "kept"
    HELD = "held"  # a picture is never replaced
    DROPPED = "dropped"  # it was forgotten


class Unshown(ValueError):
    """No memory and no line shows a picture of this name yet."""


def keep_picture(*, device: Device, name: str, data: bytes, now: dt.datetime) -> Kept:
    """Keep a picture's bytes once. Raises NoPicture, Unshown, Denied, DeviceEnded."""
    with seen_through(device, now=now) as sight:
        state = _state(name, sight)
    if state is not None:
        return state
    drawn = redraw(data)  # no transaction is open while it is drawn
    file = default_storage.save(f"pictures/{secrets.token_hex(16)}.{drawn.ending}", ContentFile(drawn.data))
    is_kept = False
    try:
        with seen_through(device, now=now) as sight:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_xact_lock_shared(%s)", [FORGETTING_LOCK])
            state = _state(name, sight) or _write(device, sight, name, file, drawn)
        is_kept = state == Kept.KEPT
        return state
    finally:
        if not is_kept:
            default_storage.delete(file)


def _state(name: str, sight: Sight) -> Kept | None:
    """What a picture of this name comes to without its bytes; None where they are wanted."""
    if Picture.objects.filter(name=name).exists():
        return Kept.HELD
    shown = _subject_of(name, sight)
    is_of_memory = MemoryPicture.objects.filter(picture=name).exists()
    if not is_of_memory and TombstonePicture.objects.filter(picture=name, tombstone__at_ms__gt=0).exists():
        return Kept.DROPPED
    if shown is None:
        raise Unshown
    return None


def _subject_of(name: str, sight: Sight) -> int | None:
    """Whose memory or line shows a picture, among the device's children."""
    own = list(sight.subjects)
    told = MemoryPicture.objects.filter(picture=name, memory__subject_id__in=own)
    found = told.values_list("memory__subject_id", flat=True).first()
    if found is not None:
        return int(found)
    lines = LinePicture.objects.filter(picture=name, line__subject_id__in=own)
    return lines.values_list("line__subject_id", flat=True).first()


def _write(device: Device, sight: Sight, name: str, file: str, drawn: Drawn) -> Kept:
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO memory_picture (name, subject_id, file, type, size, width, height, device)"
            " VALUES (%s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING",
            [
                name,
                _subject_of(name, sight),
                file,
                drawn.type,
                len(drawn.data),
                drawn.width,
                drawn.height,
                str(device.pk),
            ],
        )
        return Kept.KEPT if cursor.rowcount == 1 else Kept.HELD


def read_picture(*, device: Device, name: str, now: dt.datetime) -> tuple[bytes, str]:
    """A picture's bytes and type, for a device of its child. Raises Denied, DeviceEnded."""
    with seen_through(device, now=now) as sight:
        row = Picture.objects.filter(name=name, subject_id__in=list(sight.subjects)).first()
    if row is None or not default_storage.exists(row.file):
        raise Denied
    with default_storage.open(row.file) as file:
        return file.read(), row.type
