"""Adding a row to the book that nobody told as a statement: what a document says, once accepted."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db import transaction

from household.models import Person
from twin.models import Record
from twin.rules.timeline import sort_position
from twin.services.filing import lock_subject


@dataclass(frozen=True)
class Addition:
    """What the row says."""

    kind: str
    text: str
    category: str | None = None
    started_on: dt.date | None = None
    precision: str | None = None
    time_phrase: str | None = None
    chronic: bool = False
    provenance: str = "document"


@transaction.atomic
def add_record(*, person: Person, subject_id: int, addition: Addition, now: dt.datetime) -> Record:
    """The new row; its provenance is the source's, and whoever accepted it is its author."""
    subject = lock_subject(subject_id)
    category = addition.category if addition.kind == "history" else None
    row = Record.objects.create(
        subject=subject,
        author=person,
        kind=addition.kind,
        category=category,
        text=addition.text,
        started_on=addition.started_on,
        precision=addition.precision,
        time_phrase=addition.time_phrase,
        sort_on=sort_position(started_on=addition.started_on, born_on=subject.born_on),
        asserted="abnormal" if category else None,
        chronic=addition.chronic,
        provenance=addition.provenance,
        manner="measured" if addition.kind == "measurement" else "stated",
        created_at=now,
        changed_at=now,
    )
    row.refresh_from_db()
    return row
