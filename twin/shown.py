"""What pages show of subjects and records: values made from rows, so that templates only loop and choose."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from zoneinfo import ZoneInfo

from django.utils import formats
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from household.dates import day_in_words
from household.models import Person
from twin.charts import Spark, sparkline
from twin.labels import (
    KIND_LABELS,
    LEDGER_STATE_LABELS,
    MANNER_LABELS,
    POLARITY_LABELS,
    PROVENANCE_LABELS,
    SEVERITY_LABELS,
    THROUGH_LABELS,
    TODAY_LABELS,
    SignLabel,
    icon_of,
    sign_lines,
    title_of,
)
from twin.models import CourseDay, LedgerEntry, Record, Statement, Subject
from twin.rules.severity import day_severity
from twin.services.today import HUES, spark_days

MONTHS_SHOWN_UNTIL = 24
DATE = "j F Y"


@dataclass(frozen=True)
class When:
    """A time as a page shows it: a date only where one is known, else the owner's words."""

    title: str
    small: str = ""
    on: dt.date | None = None


@dataclass(frozen=True)
class ShownRecord:
    """A record with its names, signs and time in words."""

    record: Record
    title: str
    icon: str
    found: Sequence[SignLabel]
    checked: Sequence[SignLabel]
    unseen: Sequence[SignLabel]
    when: When
    words: Sequence[str] = ()

    @property
    def kind_label(self) -> str:
        """What kind of entry it is."""
        return str(KIND_LABELS[self.record.kind])

    @property
    def severity_label(self) -> str:
        """How grave its signs are, at least mild where it is not as usual."""
        return str(SEVERITY_LABELS[day_severity(self.record.severity, self.record.polarity)])

    @property
    def provenance_label(self) -> str:
        """Who it came from, as what they are."""
        return str(PROVENANCE_LABELS[self.record.provenance])

    @property
    def manner_label(self) -> str:
        """Whether it was said, measured or inferred."""
        return str(MANNER_LABELS[self.record.manner])

    @property
    def polarity_label(self) -> str:
        """Its polarity in a word."""
        return str(POLARITY_LABELS.get(self.record.polarity or "", ""))

    @property
    def since(self) -> str:
        """Since when it lasts, where its heading does not say so already."""
        is_said = self.record.time_phrase in {self.when.title, None, ""} and self.record.day is None
        return "" if is_said else since_of(self.record)

    @property
    def tone(self) -> str:
        """The page's colour for its polarity."""
        return {"abnormal": "is-abnormal", "normal": "is-normal"}.get(self.record.polarity or "", "")


@dataclass(frozen=True)
class ShownCourse:
    """A course with how it goes and the line of its days."""

    record: Record
    subject: Subject
    title: str
    icon: str
    day_number: int
    trajectory: str | None
    spark: Spark


@dataclass(frozen=True)
class Group:
    """Records under one heading of the timeline."""

    when: When
    records: Sequence[ShownRecord]


def hue_of(subject_ids: Iterable[int], pk: int) -> int:
    """The ribbon colour of a subject among those one person knows, 1 to 6."""
    return list(subject_ids).index(pk) % HUES + 1


def age_of(subject: Subject, today: dt.date) -> str:
    """How old a subject is, no more exactly than its birth is known; empty where it is not."""
    born = subject.born_on
    if born is None or born > today:
        return ""
    if subject.born_precision == "year":
        years = today.year - born.year
        return ngettext("about %(years)d year", "about %(years)d years", years) % {"years": years}
    months = (today.year - born.year) * 12 + today.month - born.month
    if subject.born_precision == "day" and today.day < born.day:
        months -= 1
    if months < MONTHS_SHOWN_UNTIL:
        return ngettext("%(months)d month", "%(months)d months", months) % {"months": months}
    return ngettext("%(years)d year", "%(years)d years", months // 12) % {"years": months // 12}


def description_of(subject: Subject, today: dt.date) -> str:
    """Kind, breed, age and sex of a subject in one line."""
    parts = [str(subject.get_species_display()), subject.breed, age_of(subject, today)]
    if subject.sex != "unknown":
        parts.append(str(subject.get_sex_display()).lower())
    if subject.neutered:
        parts.append(_("neutered"))
    return ", ".join(part for part in parts if part)


def shown(record: Record, words: Sequence[str] = ()) -> ShownRecord:
    """One record as pages show it."""
    return ShownRecord(
        record=record,
        title=title_of(record.kind, record.category, record.signs),
        icon=icon_of(record.kind, record.category),
        **sign_lines(record.category, record.signs),
        when=when_of(record),
        words=words,
    )


def shown_course(record: Record, subject: Subject, days: Sequence[CourseDay], today: dt.date) -> ShownCourse:
    """A course with what its observed days (in order) say, as of `today`."""
    last = record.ended_on or today
    began = record.started_on or record.sort_on or last
    return ShownCourse(
        record=record,
        subject=subject,
        title=title_of(record.kind, record.category, record.signs),
        icon=icon_of(record.kind, record.category),
        day_number=(last - began).days + 1,
        trajectory=days[-1].trajectory if days else None,
        spark=sparkline(spark_days({one.day: one for one in days}, last)),
    )


def when_of(record: Record) -> When:
    """When a record was: its day, a date as exact as it was said, an age, or the words alone."""
    if record.day:
        return day_heading(record.day)
    words = record.time_phrase or ""
    if record.started_on:
        if record.precision in {None, "", "day"}:
            return day_heading(record.started_on)
        return When(words or dated(record.started_on, record.precision or "day"))
    if record.age_low_months is not None and record.age_high_months is not None:
        age = ages(record.age_low_months, record.age_high_months)
        return When(words, age) if words else When(age)
    return When(_("No date"), _("in the words told"))


def since_of(record: Record) -> str:
    """Since when a finding lasts, in the owner's words where there are any; empty where its day says all."""
    if record.time_phrase:
        return f"“{record.time_phrase}”"
    if record.started_on and record.started_on != record.day:
        return _("since %(day)s") % {"day": dated(record.started_on, record.precision or "day")}
    return ""


def day_heading(day: dt.date) -> When:
    """A day as weekday, with its date below."""
    return When(day_in_words(day, "l"), day_in_words(day, DATE), on=day)


def dated(day: dt.date, precision: str) -> str:
    """A date cut to how exactly it is known."""
    match precision:
        case "year":
            return str(day.year)
        case "month" | "season":
            return day_in_words(day, "F Y")
        case "week":
            return _("the week of %(day)s") % {"day": day_in_words(day, DATE)}
        case _:
            return day_in_words(day, DATE)


def ages(low: int, high: int) -> str:
    """A range of ages in months, as years where it is whole years."""
    if low % 12 == 0 and (high - low) in {0, 11, 12}:
        return ngettext("at %(years)d year", "at %(years)d years", low // 12) % {"years": low // 12}
    if low == high:
        return ngettext("at %(months)d month", "at %(months)d months", low) % {"months": low}
    if low % 12 == 0 and high % 12 == 0:
        return _("at %(low)d to %(high)d years") % {"low": low // 12, "high": high // 12}
    return _("at %(low)d to %(high)d months") % {"low": low, "high": high}


def grouped(records: Iterable[ShownRecord]) -> list[Group]:
    """Records under their headings, in the order given."""
    return [Group(when, tuple(ones)) for when, ones in groupby(records, key=lambda one: one.when)]


def words_of(sources: Iterable[Any]) -> list[str]:
    """What was said behind a record, each sentence once."""
    return list(dict.fromkeys(source.words for source in sources if source.words))


@dataclass(frozen=True)
class Channel:
    """One of the three sources of a record's polarity."""

    name: str
    label: str
    polarity: str | None


def channels_of(record: Record) -> list[Channel]:
    """What each of the three sources says of a record; none where it has no polarity at all."""
    if record.polarity is None:
        return []
    return [
        Channel("asserted", _("Said by the person"), record.asserted),
        Channel("derived", _("From the signs"), record.derived),
        Channel("model_read", _("Read by a model"), record.model_read),
    ]


@dataclass(frozen=True)
class Source:
    """One ledger entry behind a record: the words, who said them, when and how, and what was read."""

    entry: LedgerEntry
    words: str
    whole: str
    author: Person | None
    through: str
    said_at: str
    state: str
    asserted_label: str
    today_label: str
    phrase: str
    found: Sequence[SignLabel]
    checked: Sequence[SignLabel]
    unseen: Sequence[SignLabel]


def source_of(entry: LedgerEntry, *, zone: str) -> Source:
    """What stands behind a record, with its statement or form loaded, in the time of `zone`."""
    statement, fill = entry.statement, entry.fill
    whole = statement.text if statement else ""
    spoken = statement or fill
    return Source(
        entry=entry,
        words=entry.words or whole,
        whole=whole if whole != entry.words else "",
        author=spoken.author if spoken else None,
        through=_through(statement),
        said_at=formats.date_format(entry.said_at.astimezone(ZoneInfo(zone)), f"{DATE}, H:i"),
        asserted_label=str(POLARITY_LABELS.get(entry.asserted or "", _("not said"))),
        today_label=str(TODAY_LABELS[(entry.resolved or {}).get("today") or entry.today]),
        phrase=(entry.resolved or {}).get("phrase") or entry.phrase or "",
        state=str(LEDGER_STATE_LABELS[entry.state]),
        **sign_lines(entry.category, entry.signs),
    )


def _through(statement: Statement | None) -> str:
    if statement is None:
        return str(THROUGH_LABELS["form"])
    if statement.reader == "correction":
        return _("as a correction")
    return str(THROUGH_LABELS[statement.through])
