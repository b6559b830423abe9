"""Questions to the book: prepared in one transaction, answered in none, stored in another."""

from __future__ import annotations

import datetime as dt

from household.models import Person
from memory.services.asking.prepared import Prepared
from memory.services.asking.preparing import EmptyQuestion, QuestionTooLong, prepare
from memory.services.asking.storing import EvidenceGone, store, thumb
from memory.services.asking.streams import Place, TooManyStreams
from memory.services.asking.writing import Piece, Written, write

__all__ = [
    "EmptyQuestion",
    "EvidenceGone",
    "Piece",
    "Place",
    "Prepared",
    "QuestionTooLong",
    "TooManyStreams",
    "Written",
    "ask",
    "prepare",
    "store",
    "thumb",
    "write",
]


def ask(
    *,
    person: Person,
    subject_id: int,
    question: str,
    client_id: str,
    now: dt.datetime,
    follows: int | None = None,
) -> int:
    """Ask and wait for the whole answer; its number. Raises what `prepare` and `store` raise."""
    place = Place()
    try:
        prepared = prepare(
            person=person,
            subject_id=subject_id,
            text=question,
            client_id=client_id,
            now=now,
            follows=follows,
        )
        if prepared.answer_id is not None:
            return prepared.answer_id
        written = Written()
        for _piece in write(prepared, written):
            pass
        return store(person=person, prepared=prepared, written=written, now=now).pk
    finally:
        place.leave()
