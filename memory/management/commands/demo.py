"""`manage.py demo`: fill an empty book with a believable household."""

from __future__ import annotations

import datetime as dt
import secrets
import sys
from argparse import ArgumentParser
from typing import Any
from zoneinfo import ZoneInfo

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from household.box.firstrun import spend
from household.models import Household, Person
from household.services.people import set_up_household
from memory.models import JournalLine, Strategy, StrategyUse
from memory.services.demo.acts import Story
from memory.services.demo.labels import label_lines
from memory.services.demo.papers import hand_in_papers
from memory.services.demo.scale import add_scale, history_days
from memory.services.demo.source import HOUSEHOLD
from memory.services.demo.story import CAST, ZONE, story_now, tell_story
from memory.services.demo.write import write_story
from twin.models import Event, FormFill, LedgerEntry, Record, RoundRun, Statement, Subject

STORY_SUBJECTS = 3
DEFAULT_YEARS = 1.0
COUNTED = (
    (Subject, "subjects"),
    (Statement, "statements"),
    (FormFill, "form fills"),
    (Event, "events"),
    (Strategy, "strategies"),
    (StrategyUse, "uses of them"),
    (Record, "records"),
    (LedgerEntry, "ledger entries"),
    (JournalLine, "journal lines"),
    (RoundRun, "closed days"),
)


class Command(BaseCommand):
    """Make the demo household, and bulk rows for scale."""

    help = "Fill an empty book with a believable household: Mavi the cat, Bruno the dog, Leo, a boy of seven."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which story, how much of it, in which language."""
        parser.add_argument("--seed", type=int, default=1, help="another number, another diary")
        parser.add_argument("--today", type=dt.date.fromisoformat, help="the story's last day, YYYY-MM-DD")
        parser.add_argument("--language", choices=["en", "tr"], help="the household's own without it")
        parser.add_argument("--passphrase", help="for the people the demo makes; a new one without it")
        parser.add_argument("--years", type=float, help="one more subject with years of daily logs")
        parser.add_argument("--subjects", type=int, help="how many subjects in all; the story has three")
        parser.add_argument(
            "--labels", action="store_true", help="print every label of the demo in this book"
        )
        parser.add_argument(
            "--everyone", action="store_true", help="every further subject has all the years, not one"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Make it, and say how to sign in; or say what is labelled in one that is there."""
        if options["labels"]:
            self.stdout.write("\n".join(label_lines()) or "There is no demo in this book.")
            return
        require_empty()
        now = timezone.now()
        passphrase = options["passphrase"] or new_passphrase()
        household = Household.objects.first()
        language = options["language"] or (household.language if household else "en")
        zone = household.time_zone if household else ZONE
        today = options["today"] or last_morning(now, zone=zone)
        days = further_days(options["years"], options["subjects"], is_for_everyone=options["everyone"])
        story = tell_story(seed=options["seed"], today=today, language=language, zone=zone)
        parent, is_new = first_parent(language, passphrase, now=story.began_at)
        subjects = write_story(story, parent=parent, passphrase=passphrase, on_progress=self._show)
        hand_in_papers(parent=parent, subjects=subjects, today=today, language=language, now=now)
        self._add_scale(story, parent, days, today=today, seed=options["seed"])
        self._say(parent, passphrase, is_new=is_new)

    def _add_scale(self, story: Story, parent: Person, days: list[int], *, today: dt.date, seed: int) -> None:
        if not days:
            return
        people = [(parent, "parent")]
        people += [(Person.objects.get_by_natural_key(one.name), one.role) for one in CAST[1:]]
        add_scale(
            people=people,
            days=days,
            today=today,
            seed=seed,
            language=story.language,
            zone=story.zone,
            on_day=lambda subject, done, total: self._show(done, total, subject.name),
        )

    def _show(self, done: int, total: int, what: str) -> None:
        step = max(1, total // 50) if sys.stdout.isatty() else total
        if done % step and done != total:
            return
        filled = round(24 * done / total)
        end = "\r" if done < total else "\n"
        self.stdout.write(f"[{'#' * filled}{'.' * (24 - filled)}] {what:<12}", ending=end)

    def _say(self, parent: Person, passphrase: str, *, is_new: bool) -> None:
        counts = ", ".join(f"{model._default_manager.count():,} {name}" for model, name in COUNTED)
        self.stdout.write(f"Made: {counts}.")
        others = " and ".join(one.name for one in CAST[1:])
        if is_new:
            self.stdout.write(f"Sign in as {parent.name}, {others} with the passphrase: {passphrase}")
        else:
            self.stdout.write(f"Sign in as {parent.name} as before, as {others} with: {passphrase}")


def require_empty() -> None:
    """Pass where the book holds nobody. Raises CommandError."""
    names = list(Subject.objects.order_by("id").values_list("name", flat=True)[:4])
    if names:
        who = ", ".join(names[:3]) + (" and others" if len(names) > 3 else "")
        raise CommandError(f"The book already holds {who}: the demo fills an empty one only.")


def first_parent(language: str, passphrase: str, *, now: dt.datetime) -> tuple[Person, bool]:
    """The household's first person, made together with the household where there is none; whether new."""
    found = Person.objects.order_by("id").first()
    if found is not None:
        return found, False
    if Household.objects.exists():
        return Person.objects.create_user(CAST[0].name, passphrase, language=language), True
    parent = set_up_household(
        household_name=HOUSEHOLD[language],
        time_zone=ZONE,
        language=language,
        parent_name=CAST[0].name,
        passphrase=passphrase,
        now=now,
    )
    spend()
    return parent, True


def further_days(years: float | None, subjects: int | None, *, is_for_everyone: bool) -> list[int]:
    """How many days each subject beyond the story's logs. Raises CommandError on fewer than the story's."""
    if subjects is not None and subjects < STORY_SUBJECTS:
        raise CommandError(f"The story itself has {STORY_SUBJECTS} subjects.")
    if years is not None and not 0 < years <= 100:
        raise CommandError("Years must be more than 0 and at most 100.")
    wanted = subjects if subjects is not None else STORY_SUBJECTS + (years is not None)
    count = max(wanted - STORY_SUBJECTS, int(years is not None))
    return history_days(DEFAULT_YEARS if years is None else years, count, is_for_everyone=is_for_everyone)


def last_morning(now: dt.datetime, *, zone: str) -> dt.date:
    """The latest day of the household whose story has been told by `now`."""
    day = now.astimezone(ZoneInfo(zone)).date()
    return day if story_now(day, zone=zone) <= now else day - dt.timedelta(days=1)


def new_passphrase() -> str:
    """Four speakable groups of letters, about 50 bits."""
    groups = (
        "".join(secrets.choice("bdfgklmnprstvz") + secrets.choice("aeiou") for _ in "ab") for _ in "abcd"
    )
    return "-".join(groups)
