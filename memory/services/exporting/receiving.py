"""An export handed in: kept aside, read back by the worker, and erased."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any

from django.core.files import File
from django.core.files.storage import default_storage
from django.db import transaction

from household.models import Person
from household.services.jobs import ask_job
from memory.services.exporting.restoring import restore_export
from twin.models import ImportBatch
from twin.services.importing.staging import FOLDER, erase_files

KIND = "restore"  # of the job


@transaction.atomic
def ask_restore(*, person: Person, file: File[bytes], now: dt.datetime, wake: Any = None) -> ImportBatch:
    """Keep an export aside and let the worker read it back."""
    name = default_storage.save(f"{FOLDER}/{uuid.uuid4().hex}", file)
    batch = ImportBatch.objects.create(
        author=person, kind="book", stored=[name], state="waiting", created_at=now
    )
    ask_job(kind=KIND, target=str(batch.pk), now=now, wake=wake)
    return batch


def restore_waiting(batch_id: int, *, now: dt.datetime) -> ImportBatch:
    """Read one export back; what is wrong with it is said on its page, and nothing is changed."""
    batch = ImportBatch.objects.select_related("author").get(pk=batch_id)
    if batch.state != "waiting" or batch.author is None:
        return batch
    try:
        with default_storage.open(batch.stored[0], "rb") as file, transaction.atomic():
            subjects = restore_export(file, person=batch.author, now=now)
            batch.state, batch.counts, batch.ended_at = "done", {"subjects": len(subjects)}, now
            batch.save(update_fields=["state", "counts", "ended_at"])
    except Exception as error:  # whatever a file can hold: it is the file's fault, and trying again is no use
        code = str(getattr(error, "code", "") or type(error).__name__)[:60]
        batch.state, batch.error_code, batch.ended_at = "failed", code, now
        batch.save(update_fields=["state", "error_code", "ended_at"])
    erase_files(batch)
    return batch
