"""Rows of the book as lines of an answer, each with its marker and its counts. Pure."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from memory.rules.asking.windows import Window
from memory.rules.composing.book import (
    Book,
    CourseFact,
    DayFact,
    EventFact,
    Fact,
    MedicineFact,
    PassageFact,
    PatternFact,
    SaidFact,
)
from memory.rules.composing.choosing import Helper, overall, shares, tally
from memory.rules.composing.dates import on, span
from memory.rules.composing.phrases import say
from memory.rules.composing.plan import Count, Line

QUOTED = 300  # characters of somebody's words in an answer
LISTED = 6
SIGNS = 5


class Lines:
    """Writes lines about one book in one language."""

    def __init__(self, book: Book, language: str) -> None:
        self.book, self.language = book, language

    def say(self, key: str, **values: object) -> str:
        """A phrase in the asker's language."""
        return say(self.language, key, **values)

    def line(
        self, key: str, cites: Sequence[Fact] = (), counts: Sequence[Count] = (), **values: object
    ) -> Line:
        """A phrase as a line."""
        refs = tuple(dict.fromkeys(fact.ref for fact in cites))
        return Line(self.say(key, **values), refs, tuple(counts))

    def day(self, day: object) -> str:
        """A day as one writes it."""
        return on(day, self.language, self.book.today) if isinstance(day, dt.date) else ""

    def days(self, facts: Sequence[DayFact | EventFact]) -> str:
        """Up to `LISTED` days in a row, newest first."""
        days = list(dict.fromkeys(self.day(fact.day) for fact in facts if fact.day))
        return ", ".join(days[:LISTED]) + (" …" if len(days) > LISTED else "")

    def span(self, window: Window) -> str:
        """A window as one writes it."""
        return span(window.first, window.last, self.language, self.book.today)

    # strategies

    def helper(self, helper: Helper) -> Line:
        """A strategy with its counts, those of the situation before those of everything."""
        row = helper.strategy
        if not row.uses and not helper.uses:
            return self.line("untried", [row], strategy=row.name)
        partly = self.say("partly", n=helper.partials) if helper.partials else ""
        away = self.say("put_away") if row.lifecycle == "retired" else ""
        counts = [
            Count("uses", row.uses, (row.ref,)),
            Count("successes", row.successes, (row.ref,)),
        ]
        if not helper.is_here or helper.uses == row.uses:
            whole = overall(row)
            text = self.say(
                "helped_all",
                strategy=row.name,
                good=whole.successes,
                n=whole.uses,
                partly=self.say("partly", n=whole.partials) if whole.partials else "",
                day=self.day(whole.last_on),
            )
            counts.append(Count("partials", row.partials, (row.ref,)))
            return Line(f"{text}{away}.", (row.ref,), tuple(counts))
        text = self.say(
            "helped_here",
            strategy=row.name,
            good=helper.successes,
            n=helper.uses,
            partly=partly,
            day=self.day(helper.last_on),
            all_good=row.successes,
            all_n=row.uses,
        )
        return Line(f"{text}{away}.", (row.ref,), (*counts, *self._here(helper)))

    def _here(self, helper: Helper) -> tuple[Count, ...]:
        ref = (helper.strategy.ref, *(f"evt_{pk:06d}" for pk in helper.events))
        return (
            Count("uses_here", helper.uses, ref),
            Count("successes_here", helper.successes, ref),
            Count("partials_here", helper.partials, ref),
        )

    def how(self, helper: Helper) -> Line:
        """What to do, as the household wrote it down."""
        return self.line("first", [helper.strategy], strategy=helper.strategy.name, how=helper.strategy.how)

    # events

    def event(self, event: EventFact) -> Line:
        """One event: when, where, what came before, what was tried and how it ended."""
        parts = [self.say("event", day=self.day(event.day), place=event.place, before=event.before)]
        if not event.before:
            parts = [self.say("day", day=self.day(event.day), what=event.place or event.looked)]
        if event.tried:
            parts.append(self.say("event_tried", tried=event.tried))
        if event.ended:
            parts.append(self.say("event_ended", ended=event.ended))
        return Line(" ".join(parts), (event.ref,))

    def before(self, event: EventFact) -> Line | None:
        """What came before one event."""
        if not event.before:
            return None
        return self.line("before_each", [event], day=self.day(event.day), before=event.before)

    def past_events(self, events: Sequence[EventFact]) -> Line:
        """How often it was noted, and when."""
        key = "event_once" if len(events) == 1 else "events_before"
        count = Count("rows", len(events), tuple(one.ref for one in events))
        return self.line(key, events[:LISTED], [count], n=len(events), days=self.days(events))

    def minutes(self, events: Sequence[EventFact]) -> Line | None:
        """How long it took."""
        timed = [one for one in events if one.minutes]
        if not timed:
            return None
        took = [one.minutes or 0 for one in timed]
        counts = [Count("minutes", one.minutes or 0, (one.ref,)) for one in timed]
        if len(took) == 1:
            return self.line("minutes_one", timed, counts, last=took[0])
        return self.line("minutes", timed[:LISTED], counts, low=min(took), high=max(took), last=took[0])

    # days and courses

    def what(self, day: DayFact) -> str:
        """What a day's row says, in signs or in the words that were told."""
        shown = [*day.found[:SIGNS], *day.checked[:SIGNS]]
        return ", ".join(shown) or day.words[:QUOTED] or self.say("fine")

    def a_day(self, day: DayFact) -> Line:
        """One day's row; told words are quoted."""
        if day.day is None:
            return self.line("long_ago", [day], when=day.since, what=day.words[:QUOTED] or self.what(day))
        return self.line("day_title", [day], day=self.day(day.day), title=day.title, what=self.what(day))

    def course(self, course: CourseFact) -> Line:
        """A course: since when and how it stands, or from when to when."""
        start = self.day(course.started_on)
        if not course.is_open and course.ended_on:
            return self.line(
                "course_over", [course], title=course.title, start=start, end=self.day(course.ended_on)
            )
        state = {"passive": "course_settling", "dormant": "course_quiet"}.get(course.lifecycle, "course_open")
        return self.line("course", [course], title=course.title, start=start, state=self.say(state))

    def course_signs(self, course: CourseFact) -> Line | None:
        """What was seen in a course, by days."""
        if not course.seen:
            return None
        signs = ", ".join(
            self.say("sign_days", sign=sign, n=n) for sign, n in list(course.seen.items())[:SIGNS]
        )
        counts = [Count("course_days", course.observed, (course.ref,))]
        counts += [Count(f"sign:{sign}", n, (course.ref,)) for sign, n in list(course.seen.items())[:SIGNS]]
        return self.line("course_seen", [course], counts, days=course.observed, signs=signs)

    def latest(self, course: CourseFact) -> Line | None:
        """The newest day of a course."""
        if not course.days:
            return None
        newest = max(course.days, key=lambda one: (one.day is not None, one.day))
        return self.line("latest", [course, newest], day=self.day(newest.day), what=self.what(newest))

    def window(self, days: Sequence[DayFact], window: Window) -> Line:
        """How many days of a window were noted, and how they were."""
        noted, bad = shares(days)
        told = [one for one in days if one.words] or [one for one in days if one.polarity == "abnormal"]
        refs = tuple(one.ref for one in days)
        counts = [Count("days", noted, refs), Count("bad_days", bad, refs)]
        cited = told[:LISTED] or days[:LISTED]
        return self.line("window", cited, counts, span=self.span(window), n=noted, good=noted - bad, bad=bad)

    def window_signs(self, days: Sequence[DayFact]) -> Line | None:
        """The signs of a window that were there most often."""
        bad = [one for one in days if one.polarity == "abnormal"]
        counts = list(tally(bad).items())[:3]
        if not counts:
            return None
        refs = tuple(one.ref for one in bad)
        shown = ", ".join(self.say("sign_days", sign=sign, n=n) for sign, n in counts)
        cited = [one for one in bad if set(one.found) & {sign for sign, _n in counts}]
        return self.line(
            "window_signs", cited[:3], [Count(f"shown:{sign}", n, refs) for sign, n in counts], signs=shown
        )

    # the rest

    def medicine(self, medicine: MedicineFact) -> Line:
        """A medicine: what dose and from when to when."""
        start, end = self.day(medicine.started_on), medicine.until_on
        is_over = not medicine.is_current(self.book.today)
        if is_over and end:
            return self.line(
                "medicine_over",
                [medicine],
                medicine=medicine.name,
                dose=medicine.dose,
                start=start,
                end=self.day(end),
            )
        until = self.say("until", day=self.day(end)) if end else ""
        return self.line(
            "medicine", [medicine], medicine=medicine.name, dose=medicine.dose, start=start, until=until
        )

    def pattern(self, pattern: PatternFact) -> Line:
        """A pattern with its count as loud as its claim."""
        kind = pattern.lifecycle if pattern.lifecycle in {"hypothesis", "supported"} else "weakening"
        counts = [
            Count("both", pattern.both, (pattern.ref,)),
            Count("antecedent_days", pattern.antecedent_days, (pattern.ref,)),
        ]
        return self.line(
            "pattern",
            [pattern],
            counts,
            text=pattern.text,
            both=pattern.both,
            n=pattern.antecedent_days,
            kind=self.say(kind),
        )

    def passage(self, passage: PassageFact) -> Line:
        """A piece of a document, quoted."""
        by = self.say("by", who=passage.writer) if passage.writer else ""
        return self.line("passage", [passage], title=passage.title, by=by, text=clipped(passage.text))

    def said(self, said: SaidFact) -> Line:
        """Somebody's own words."""
        if not said.by:
            return self.line("quote_nobody", [said], day=self.day(said.day), words=clipped(said.text))
        return self.line("quote", [said], day=self.day(said.day), by=said.by, words=clipped(said.text))


def clipped(text: str, most: int = QUOTED) -> str:
    """A text's beginning, cut between words."""
    flat = " ".join(text.split())
    return flat if len(flat) <= most else flat[:most].rsplit(" ", 1)[0] + " …"
