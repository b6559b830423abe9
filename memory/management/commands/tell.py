"""`manage.py tell`: say something about a subject from the command line."""

from __future__ import annotations

import datetime as dt
import json
import uuid
from argparse import ArgumentParser
from typing import Any, Literal, cast
from zoneinfo import ZoneInfo

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from household.access import Denied
from household.models import Membership, Person
from memory.services.turns import tell
from twin.clients import read
from twin.models import LedgerEntry, Subject
from twin.rules.day import from_local
from twin.rules.entries import ReadingContext
from twin.rules.language import guess_language
from twin.services.days import UnknownSubject, day_of, subjects_named
from twin.services.folding import since_to_json
from twin.services.statements import Empty, TooLong, checked_words


class Command(BaseCommand):
    """File one statement, or show how it would be read."""

    help = "Tell the house one statement about a subject."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The words, whom they are about, and when they were said."""
        parser.add_argument("words")
        parser.add_argument("--subject", required=True, help="a subject's name or number")
        parser.add_argument("--by", help="who says it; the subject's first parent without it")
        parser.add_argument("--at", help="when it was said, ISO; the subject's local time without an offset")
        parser.add_argument("--id", default=None, help="the client id; the same one twice is one statement")
        parser.add_argument("--dry-run", action="store_true", help="read only, keep nothing")
        parser.add_argument("--json", action="store_true", help="one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        """Tell and show what became of it."""
        try:
            (subject,) = subjects_named(options["subject"])
        except UnknownSubject as error:
            raise CommandError(str(error)) from None
        now = timezone.now()
        at = moment(options["at"], subject) if options["at"] else now
        if at > now:
            raise CommandError("That moment has not come yet.")
        try:
            words = checked_words(options["words"])
        except Empty:
            raise CommandError("There are no words in it.") from None
        except TooLong:
            raise CommandError("That is too long: 10,000 characters at most.") from None
        shown = (
            self._read(words, subject, at)
            if options["dry_run"]
            else self._tell(words, subject, at, now, options)
        )
        self.stdout.write(json.dumps(shown, ensure_ascii=False) if options["json"] else as_text(shown))

    def _read(self, words: str, subject: Subject, at: dt.datetime) -> dict[str, Any]:
        default = cast(Literal["en", "tr"], subject.language)
        reading = read(
            words,
            context=ReadingContext(
                language=guess_language(words, default=default),
                species=subject.species,
                spoken_on=day_of(subject, at),
                spoken_hour=at.astimezone(ZoneInfo(subject.time_zone)).hour,
                born_on=subject.born_on,
            ),
        )
        entries = [
            {
                "category": one.category,
                "asserted": one.asserted,
                "model_read": one.model_read,
                "signs": one.signs,
                "today": one.today,
                "since": since_to_json(one.since),
                "phrase": one.phrase,
                "words": one.words,
            }
            for one in reading.entries
        ]
        return {"kinds": sorted(reading.kinds), "entries": entries, "dropped": list(reading.dropped)}

    def _tell(
        self, words: str, subject: Subject, at: dt.datetime, now: dt.datetime, options: dict[str, Any]
    ) -> dict[str, Any]:
        try:
            turn = tell(
                person=speaker(options["by"], subject),
                text=words,
                client_id=options["id"] or str(uuid.uuid4()),
                now=now,
                at=at,
                subject_id=subject.pk,
                through="command",
            )
        except Denied:
            raise CommandError("This person may not add to this subject.") from None
        rows = LedgerEntry.objects.filter(turn=turn.turn).select_related("record", "question").order_by("id")
        entries = [
            {
                "category": row.category,
                "state": row.state,
                "day": row.filed_day.isoformat() if row.filed_day else None,
                "record": row.record.rec_id if row.record else None,
                "polarity": row.record.polarity if row.record else None,
                "signs": row.signs,
                "question": row.question.pk if hasattr(row, "question") else None,
            }
            for row in rows
        ]
        return {
            "turn": turn.turn,
            "new": turn.is_new,
            "filed": turn.is_filed,
            "answered": turn.told.answered,
            "kinds": turn.told.statements[0].kinds,
            "entries": entries,
        }


def moment(text: str, subject: Subject) -> dt.datetime:
    """An ISO moment as UTC; the subject's own clock where it names no offset."""
    try:
        at = dt.datetime.fromisoformat(text)
    except ValueError:
        raise CommandError(f"{text!r} is no ISO moment, such as 2026-11-30T18:30.") from None
    return at.astimezone(dt.UTC) if at.tzinfo else from_local(at, zone=subject.time_zone)


def speaker(name: str | None, subject: Subject) -> Person:
    """Who says it. Raises CommandError where nobody fits."""
    if name:
        try:
            return Person.objects.get_by_natural_key(name)
        except Person.DoesNotExist:
            raise CommandError(f"Nobody here is called {name!r}.") from None
    parent = Membership.objects.filter(subject=subject, role="parent", ends_at=None).order_by("id").first()
    if parent is None:
        raise CommandError(f"{subject} has no parent to speak.")
    return parent.person


def as_text(shown: dict[str, Any]) -> str:
    """The outcome as lines for a person."""
    lines = [", ".join(shown["kinds"]) or "nothing"]
    for one in shown["entries"]:
        signs = ", ".join(f"{name} {value}" for name, value in one["signs"].items())
        where = one.get("record") or one.get("state") or one.get("today")
        judged = one.get("polarity") or one.get("asserted") or "-"
        lines.append(f"  {one['category']}: {signs or '-'} [{judged}] {where}")
    return "\n".join(lines)
