"""The demo's story as a value: the same seed, day, language and zone give the same story. Nothing is stored.

Days count back from `today`; only Mavi's earlier ear course is tied to March, so that it comes back within a
year. The story stops at 08:30 of `today`, after the morning's words.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from memory.services.demo.acts import (
    Act,
    Began,
    Being,
    Cast,
    Closed,
    Filled,
    Given,
    Happened,
    Measured,
    Said,
    Story,
    Used,
)
from memory.services.demo.diary import ninety_days
from memory.services.demo.source import HOUSEHOLD, load
from twin.rules.day import DAY_STARTS_AT, from_local, round_due_at
from twin.rules.entries import Entry, Since

ZONE = "Europe/Istanbul"
STOPS_AT = dt.time(8, 30)
WATCHED_DAYS = 95
QUIET_BEFORE_MARCH = 5
CLOSED_BY = 34  # days after March's first scratch by which its course is closed, and this month's has begun
EAR_STARTED = 9
RECURS_WITHIN = 365
ROUND_LATER = dt.timedelta(minutes=10)
ANIMAL_TAPS = {
    "mavi": ("appetite", "drinking", "energy", "skin"),
    "bruno": ("appetite", "stool_form", "energy", "mood"),
}
# What each animal's mood does to its appetite on the next day: on six of eight such days it ate less, on
# none of twelve others.
MOODS = {"mavi": "hiding", "bruno": "anxious"}
MOOD_DAYS = (86, 79, 71, 62, 55, 47, 38, 29)
UNHARMED = (71, 38)
EASY_DAYS = (89, 81, 74, 66, 59, 52, 44, 35, 26, 19, 12, 5)
ANIMAL_LEVELS = {"skin": "clear", "stool_form": "firm", "mood": "content"}
CAST = (Cast("ana", "Ana", "parent"), Cast("can", "Can", "parent"), Cast("ayla", "Ayla", "family"))


def march_start(today: dt.date) -> dt.date:
    """The first day of March's ear course: over by `today`, and less than a year before this month's."""
    start = today.replace(month=3, day=4)
    if (today - start).days >= CLOSED_BY:
        return start
    earlier = start.replace(year=today.year - 1)
    if (today - earlier).days - EAR_STARTED <= RECURS_WITHIN:
        return earlier
    return earlier.replace(day=30)


def story_now(today: dt.date, *, zone: str = ZONE) -> dt.datetime:
    """The moment at which the story of this day stops."""
    return from_local(dt.datetime.combine(today, STOPS_AT), zone=zone)


def tell_story(*, seed: int, today: dt.date, language: str, zone: str = ZONE) -> Story:
    """The whole story in one language."""
    return _Teller(seed, today, language, zone).story()


class _Teller:
    """What every part of the telling needs: the tables, the calendar, the seed."""

    def __init__(self, seed: int, today: dt.date, language: str, zone: str) -> None:
        self.seed, self.today, self.language, self.zone = seed, today, language, zone
        self.tables = load(language)
        self.march = march_start(today)
        self.random = Random(f"hearthbook demo story {seed}")  # noqa: S311 - a story, not a secret

    def story(self) -> Story:
        beings = tuple(self._being(row) for row in self.tables["subject"])
        now = story_now(self.today, zone=self.zone)
        acts = [act for part in self._parts(beings) for act in part if act.at <= now]
        acts.sort(key=lambda act: (act.at, isinstance(act, Closed), not isinstance(act, Began), act.label))
        household = HOUSEHOLD[self.language]
        return Story(self.language, self.zone, household, CAST, beings, tuple(acts), now)

    def _parts(self, beings: tuple[Being, ...]) -> Iterator[Iterator[Act]]:
        yield self._said()
        yield self._weighed()
        yield self._diary()
        yield self._animal_taps()
        yield self._events()
        yield self._strategies()
        yield self._medicines()
        yield self._profiles()
        yield self._rounds(beings)

    def day(self, row: Mapping[str, Any]) -> dt.date:
        """The date of a row of the files."""
        if "march" in row:
            return self.march + dt.timedelta(days=row["march"])
        day = self.ago(row["day"])
        return day - dt.timedelta(days=max(0, day.weekday() - 4)) if row.get("is_weekday") else day

    def ago(self, days: int) -> dt.date:
        return self.today - dt.timedelta(days=days)

    def at(self, day: dt.date, clock: str | dt.time) -> dt.datetime:
        """A moment of the subjects' clock."""
        time = dt.time.fromisoformat(clock) if isinstance(clock, str) else clock
        return from_local(dt.datetime.combine(day, time), zone=self.zone)

    def _being(self, row: Mapping[str, Any]) -> Being:
        first = self.ago(WATCHED_DAYS)
        if row["key"] == "mavi":
            first = min(first, self.march - dt.timedelta(days=QUIET_BEFORE_MARCH))
        months = self.today.year * 12 + self.today.month - 1 - row["age_months"]
        is_child = row["species"] == "person"
        columns = {
            "name": row["name"],
            "species": row["species"],
            "breed": row.get("breed", ""),
            "sex": row["sex"],
            "neutered": row.get("neutered"),
            "born_on": dt.date(months // 12, months % 12 + 1, 12 if is_child else 1),
            "born_precision": "day" if is_child else "month",
            "time_zone": self.zone,
            "language": self.language,
        }
        return Being(row["key"], self.at(first, "09:00"), columns, row.get("person", {}))

    def _said(self) -> Iterator[Act]:
        for row in self.tables["said"]:
            yield Said(
                self.at(self.day(row), row["at"]),
                row["label"],
                row["subject"],
                row["by"],
                row["text"],
                frozenset(row.get("kinds", ["observation"])),
                tuple(entry_from(one, row["text"]) for one in row["entries"]),
            )

    def _weighed(self) -> Iterator[Act]:
        for row in self.tables["subject"]:
            for number, kg in enumerate(reversed(row.get("weight_kg", [])), start=1):
                day = self.ago(30 * number - 16)
                if day < self._first_day(row["key"]):
                    break
                shown = f"{kg:.2f}".rstrip("0").rstrip(".")
                text = row["weighed"].format(kg=shown if self.language == "en" else shown.replace(".", ","))
                entry = Entry("metabolic_weight", None, "normal", {"weight_kg": kg}, "yes", words=text)
                label = f"{row['key']}.weight.{number}"
                yield Said(
                    self.at(day, "10:15"),
                    label,
                    row["key"],
                    "can",
                    text,
                    frozenset({"observation"}),
                    (entry,),
                )

    def _first_day(self, key: str) -> dt.date:
        return self.march - dt.timedelta(days=QUIET_BEFORE_MARCH) if key == "mavi" else self.ago(WATCHED_DAYS)

    def _diary(self) -> Iterator[Act]:
        fixed: dict[int, dict[str, str]] = {}
        for row in (*self.tables["said"], *self.tables["event"]):
            if "form" in row:
                fixed.setdefault((self.today - self.day(row)).days, {}).update(row["form"])
        for ago, levels in ninety_days(self.seed, fixed).items():
            clock = dt.time(20, self.random.randrange(60))
            by = self.random.choice(("ana", "ana", "can"))
            yield Filled(self.at(self.ago(ago), clock), f"leo.form.{ago}", "leo", by, levels)
        yield Filled(self.at(self.today, "07:15"), "leo.form.0", "leo", "ana", {"sleep": "woke"})

    def _animal_taps(self) -> Iterator[Act]:
        for key, fields in ANIMAL_TAPS.items():
            for ago in range(88, 0, -6):
                levels = {field: ANIMAL_LEVELS.get(field, "usual") for field in fields}
                if self.random.random() < 0.1:
                    levels[fields[0]] = "less"
                clock = dt.time(9, self.random.randrange(60))
                yield Filled(self.at(self.ago(ago), clock), f"{key}.form.{ago}", key, "can", levels)
            for ago in MOOD_DAYS + EASY_DAYS:
                mood = {"mood": MOODS[key] if ago in MOOD_DAYS else "content"}
                appetite = {"appetite": "less" if ago in {*MOOD_DAYS} - {*UNHARMED} else "usual"}
                yield Filled(self.at(self.ago(ago), "19:20"), f"{key}.mood.{ago}", key, "can", mood)
                yield Filled(self.at(self.ago(ago - 1), "08:40"), f"{key}.ate.{ago}", key, "ana", appetite)

    def _events(self) -> Iterator[Act]:
        for row in self.tables["event"]:
            words = {
                "place": row["place"],
                "antecedent": row["before"],
                "behaviour": row["looked"],
                "tried": row["tried"],
                "outcome": row["ended"],
            }
            uses = {f"{row['subject']}.{key}": outcome for key, outcome in row.get("uses", {}).items()}
            yield Happened(
                self.at(self.day(row), row["at"]),
                row["label"],
                row["subject"],
                row["by"],
                row["kind"],
                row["minutes"],
                row["impact"],
                words,
                uses,
            )

    def _strategies(self) -> Iterator[Act]:
        for row in self.tables["strategy"]:
            label, subject = row["label"], row["subject"]
            columns = {
                "name": row["name"],
                "how": row["how"],
                "lifecycle": row.get("lifecycle", "in_use"),
            }
            yield Began(self.at(self.day(row), "07:30"), label, subject, "ana", "strategy", columns)
            for ago, outcome in row.get("alone", []):
                at = self.at(self.ago(ago), "21:00")
                yield Used(at, f"{label}.use.{ago}", subject, "ana", label, self.ago(ago), outcome)

    def _medicines(self) -> Iterator[Act]:
        for row in self.tables["medicine"]:
            first = self.day(row)
            last = first + dt.timedelta(days=row["days"] - 1) if "days" in row else None
            columns = {
                "name": row["name"],
                "dose": row["dose"],
                "unit": row["unit"],
                "schedule": {"kind": "times", "times": row["at"]},
                "started_on": first,
                "until_on": last,
            }
            start = self.at(first, "12:30")  # the vet was in the morning
            yield Began(start, row["label"], row["subject"], row["by"], "medicine", columns)
            yield from (dose for dose in self._doses(row, first, last or self.today) if dose.at > start)

    def _doses(self, row: Mapping[str, Any], first: dt.date, last: dt.date) -> Iterator[Act]:
        unlike = {(self.ago(one["day"]), one["at"]): one["outcome"] for one in row.get("unlike", [])}
        for n in range((min(last, self.today) - first).days + 1):
            day = first + dt.timedelta(days=n)
            for clock in row["at"]:
                by = self.random.choice(("ana", "can"))
                label = f"{row['label']}.dose.{n}.{clock}"
                outcome = unlike.get((day, clock), "given")
                yield Given(self.at(day, clock), label, row["subject"], by, row["label"], outcome)

    def _profiles(self) -> Iterator[Act]:
        for row in self.tables["profile"]:
            version = int(row["label"].rsplit(".", 1)[1])
            at = self.at(self.day(row), "11:00")
            yield Measured(at, row["label"], row["subject"], row["by"], version, row["values"])

    def _rounds(self, beings: tuple[Being, ...]) -> Iterator[Act]:
        for being in beings:
            day = being.created_at.date()
            while day < self.today:
                due = round_due_at(day, zone=self.zone, day_starts_at=DAY_STARTS_AT)
                yield Closed(due + ROUND_LATER, f"{being.key}.round.{day}", being.key, "", day)
                day += dt.timedelta(days=1)


def entry_from(row: Mapping[str, Any], text: str) -> Entry:
    """One entry of the files; as read it is abnormal where a sign is true, unless the file says."""
    signs = dict(row["signs"])
    read = row.get("read", "abnormal" if any(value is True for value in signs.values()) else "normal")
    return Entry(
        category=row["category"],
        asserted=row.get("asserted"),
        model_read=read,
        signs=signs,
        today=row.get("today", "yes"),
        since=Since(**row["since"]) if "since" in row else None,
        phrase=row.get("phrase"),
        words=row.get("words", text),
    )
