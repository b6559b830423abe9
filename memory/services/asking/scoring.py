"""Scores the built-in composer on labelled questions about the demo household.

A case holds when the answer cites every expected label and no forbidden one, says what it must, says that
nothing is recorded exactly when so, and when its numbers equal the rows, counted again from the database.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Max
from django.utils import translation

from household.access import seen_by
from household.models import Membership, Person
from memory.models import Pattern, StrategyUse
from memory.rules.asking.query import context_of, parse
from memory.rules.composing.book import Book, Fact
from memory.rules.composing.compose import compose
from memory.rules.composing.dates import MONTHS
from memory.rules.composing.plan import Count, Line, Marking, Plan, text_of
from memory.services.asking.gathering import gather
from memory.services.demo.labels import labels
from memory.services.demo.story import story_now
from memory.services.demo.write import CLIENT
from memory.services.retrieving import retrieve
from twin.labels import describe_signs
from twin.models import CourseDay, Dose, Event, LedgerEntry, Record, Statement, Subject
from twin.services.days import day_of

MODELS: Mapping[str, str] = {
    "event": "twin.Event",
    "record": "twin.Record",
    "statement": "twin.Statement",
    "strategy": "memory.Strategy",
    "pattern": "memory.Pattern",
    "medicine": "twin.Medicine",
    "profile": "twin.ProfileVersion",
    "passage": "memory.Passage",
}
_NUMBER = re.compile(r"\d+")
_MONTHS = "|".join([*MONTHS["en"], *MONTHS["tr"]])
_DATE = re.compile(rf"(?:\d{{1,2}} (?:to|–) )?\d{{1,2}} (?:{_MONTHS})(?: \d{{4}})?")
_QUOTE = re.compile(r"“[^”]*”")
Key = tuple[str, int]


class NoDemo(Exception):
    """The book holds no demo household."""


class BadCase(ValueError):
    """A line without the fields of a case; the message names it."""


@dataclass(frozen=True)
class Outcome:
    """How one case went: what went wrong, nothing where it holds."""

    id: str
    lang: str
    question: str
    faults: tuple[str, ...]
    cited: tuple[str, ...] = ()
    text: str = ""


@dataclass
class Score:
    """Cases by language, and every failure."""

    held: dict[str, int] = field(default_factory=dict)
    asked: dict[str, int] = field(default_factory=dict)
    failures: list[Outcome] = field(default_factory=list)

    def add(self, outcome: Outcome) -> None:
        """Count one case."""
        self.asked[outcome.lang] = self.asked.get(outcome.lang, 0) + 1
        self.held[outcome.lang] = self.held.get(outcome.lang, 0) + (not outcome.faults)
        if outcome.faults:
            self.failures.append(outcome)

    def as_json(self) -> dict[str, Any]:
        """Counts and shares, in all and by language, and each failure."""
        asked, held = sum(self.asked.values()), sum(self.held.values())
        by_language = {
            lang: {"cases": n, "held": self.held[lang], "score": round(self.held[lang] / n, 4)}
            for lang, n in sorted(self.asked.items())
        }
        return {
            "cases": asked,
            "held": held,
            "score": round(held / asked, 4) if asked else 0.0,
            **by_language,
            "failures": [
                {"id": one.id, "question": one.question, "faults": list(one.faults), "cited": list(one.cited)}
                for one in self.failures
            ],
        }


@dataclass(frozen=True)
class Demo:
    """The demo of this database: who asks, when, and what each label stands for."""

    person: Person
    now: dt.datetime
    keys: Mapping[str, frozenset[Key]]  # label: the rows whose citing counts as citing it
    subjects: Mapping[str, int]


def find_demo() -> Demo:
    """The demo household of the current database. Raises NoDemo."""
    found = labels()
    if not found:
        raise NoDemo
    subjects = {name: pk for name, (model, pk) in found.items() if model == "twin.Subject"}
    rows = Membership.objects.filter(subject_id__in=subjects.values(), role="parent")
    first = rows.select_related("person").order_by("person_id").first()
    last = Statement.objects.filter(client_id__startswith=CLIENT).aggregate(day=Max("local_day"))["day"]
    if first is None or last is None:
        raise NoDemo
    zone = Subject.objects.filter(pk__in=subjects.values()).values_list("time_zone", flat=True)[0]
    return Demo(first.person, story_now(last, zone=zone), _keys(found), subjects)


def _keys(found: Mapping[str, Key]) -> dict[str, frozenset[Key]]:
    """What counts as citing a label: the row itself, the words it was filed from, a document's pieces."""
    records: dict[int, set[Key]] = {}
    statements: dict[int, set[Key]] = {}
    rows = LedgerEntry.objects.filter(statement__client_id__startswith=CLIENT, record__isnull=False)
    for statement, record in rows.values_list("statement_id", "record_id"):
        records.setdefault(statement, set()).add(("twin.Record", record))
        statements.setdefault(record, set()).add(("twin.Statement", statement))
    keys: dict[str, frozenset[Key]] = {}
    for label, (model, pk) in found.items():
        same: set[Key] = {(model, pk)}
        if model == "twin.Statement":
            same |= records.get(pk, set())
        if model == "twin.Record" and ".record" in label:
            same |= statements.get(pk, set())
        if model == "memory.Document":
            same |= {("memory.Passage", one) for one in _passages(pk)}
        if model == "memory.Episode":
            same |= _told_as(pk)
        keys[label] = frozenset(same)
    return keys


def _passages(document_id: int) -> Iterable[int]:
    from memory.models import Passage

    return Passage.objects.filter(document_id=document_id).values_list("pk", flat=True)


def _told_as(episode_id: int) -> set[Key]:
    from memory.models import Episode

    row: Any = Episode.objects.filter(pk=episode_id).values("event_id", "statement_id").first() or {}
    pairs = {"twin.Event": row.get("event_id"), "twin.Statement": row.get("statement_id")}
    return {(model, pk) for model, pk in pairs.items() if pk}


def run_case(case: Mapping[str, Any], demo: Demo) -> Outcome:
    """Ask one question and judge the answer. Raises BadCase."""
    try:
        name, question, lang = str(case["subject"]), str(case["question"]), str(case.get("lang", "en"))
    except KeyError as error:
        raise BadCase(f"{case.get('id', '?')} has no {error.args[0]}") from None
    subject_id = _subject(name, demo)
    plan, book, text, language = _composed(demo, subject_id, question, lang)
    facts = {fact.ref: fact for fact in book.facts()} if book else {}
    cited = _cited(plan, facts)
    faults = _faults(case, plan, text, cited, demo)
    if book is not None:
        with translation.override(language):
            faults += [f"number: {fault}" for fault in wrong_numbers(plan, book)]
    names = tuple(sorted(label for label, keys in demo.keys.items() if keys & cited))
    return Outcome(str(case.get("id", question)), lang, question, tuple(faults), names, text)


def _subject(name: str, demo: Demo) -> int:
    key = name.strip().casefold()
    if key in demo.subjects:
        return demo.subjects[key]
    raise BadCase(f"{name} is no subject of the demo")


def _composed(demo: Demo, subject_id: int, question: str, lang: str) -> tuple[Plan, Book | None, str, str]:
    language: Any = "tr" if lang.startswith("tr") else "en"
    with translation.override(language), seen_by(demo.person, now=demo.now) as sight:
        subject = sight.subjects[subject_id].subject
        from memory.rules.complexity import needs_retrieval
        from memory.services.asking.small_talk import small_talk

        if not needs_retrieval(question):
            plan = small_talk(question, language)
            return plan, None, text_of(plan, Marking({})), language
        people = list(
            Statement.objects.filter(subject=subject).values_list("author__name", flat=True).distinct()
        )
        query = parse(
            question,
            context=context_of(language, subject.species, day_of(subject, demo.now)),
            name=subject.name,
            others=[one.name for pk, one in sight.subjects.items() if pk != subject_id],
            people=[one for one in people if one],
        )
        found = retrieve(
            person=demo.person, subject=subject, question=question, language=language, now=demo.now
        )
        book = gather(person=demo.person, subject=subject, query=query, retrieved=found, now=demo.now)
        plan = compose(query, book)
        kinds = {fact.ref: fact.kind for fact in book.facts()}
        return plan, book, text_of(plan, Marking(kinds)), language


def _cited(plan: Plan, facts: Mapping[str, Fact]) -> frozenset[Key]:
    rows = [facts[ref] for ref in plan.cites if ref in facts]
    return frozenset((MODELS[fact.kind], fact.pk) for fact in rows if fact.kind in MODELS) | frozenset(
        ("twin.Subject", fact.pk) for fact in rows if fact.kind == "person"
    )


def _faults(case: Mapping[str, Any], plan: Plan, text: str, cited: frozenset[Key], demo: Demo) -> list[str]:
    faults = []
    for label in case.get("expect", []):
        if label not in demo.keys:
            faults.append(f"no such label: {label}")
        elif not demo.keys[label] & cited:
            faults.append(f"not cited: {label}")
    faults += [
        f"cited: {label}" for label in case.get("forbid", []) if demo.keys.get(label, frozenset()) & cited
    ]
    if "nothing" in case and bool(case["nothing"]) != plan.says_nothing:
        faults.append(
            "says nothing is recorded" if plan.says_nothing else "does not say that nothing is recorded"
        )
    plain = _plain(text)
    faults += [f"not said: {one}" for one in case.get("says", []) if _plain(str(one)) not in plain]
    return faults


def _plain(text: str) -> str:
    return " ".join(text.replace("İ", "i").replace("I", "ı").casefold().replace("ı", "i").split())


def wrong_numbers(plan: Plan, book: Book) -> list[str]:
    """Each number of an answer that the rows do not bear out."""
    facts = {fact.ref: fact for fact in book.facts()}
    return [fault for line in plan.lines for fault in _wrong(line, facts, book)]


def _wrong(line: Line, facts: Mapping[str, Fact], book: Book) -> list[str]:
    wrong = [
        f"{count.what} is {count.value}"
        for count in line.counts
        if (rows := recount(count, book)) is not None and rows != count.value
    ]
    held = {str(count.value) for count in line.counts}
    refs = {*line.cites, *(ref for count in line.counts for ref in count.refs)}
    for ref in refs:
        held |= set(_NUMBER.findall(repr(facts.get(ref))))
    for count in line.counts:  # the good days are the noted ones without the bad ones
        held |= {str(abs(count.value - other.value)) for other in line.counts}
    bare = _QUOTE.sub(" ", _DATE.sub(" ", line.text))
    held |= set(_NUMBER.findall(f"{book.age} {book.breed} 8 {' '.join(_flag_texts(book))}"))
    return wrong + [f"{number} in “{line.text}”" for number in _NUMBER.findall(bare) if number not in held]


def _flag_texts(book: Book) -> Sequence[str]:
    return [f"{flag.title} {flag.text}" for flag in book.flags]


def recount(count: Count, book: Book) -> int | None:
    """A count again from the database; None for what is no count of rows."""
    ids = _ids(count.refs)
    what = count.what
    if what in {"uses", "successes", "partials"}:
        return _uses(StrategyUse.objects.filter(strategy_id__in=ids["str"]), what)
    if what in {"uses_here", "successes_here", "partials_here"}:
        rows = StrategyUse.objects.filter(strategy_id__in=ids["str"], event_id__in=ids["evt"])
        return _uses(rows, what.removesuffix("_here"))
    if what == "rows":
        return (
            Event.objects.filter(pk__in=ids["evt"]).count() + Record.objects.filter(pk__in=ids["rec"]).count()
        )
    if what == "minutes":
        return Event.objects.filter(pk__in=ids["evt"]).values_list("minutes", flat=True).first()
    if what in {"days", "bad_days"}:
        days = Record.objects.filter(pk__in=ids["rec"], day__isnull=False)
        days = days.filter(polarity="abnormal") if what == "bad_days" else days
        return days.values("day").distinct().count()
    if what.startswith(("shown:", "sign:")):
        return _shown(what.partition(":")[2], what.startswith("sign:"), ids["rec"])
    if what == "course_days":
        return CourseDay.objects.filter(course_id__in=ids["rec"]).count()
    if what in {"given", "skipped", "refused"}:
        return Dose.objects.filter(medicine_id__in=ids["med"], outcome=what).count()
    if what in {"both", "antecedent_days"}:
        return Pattern.objects.filter(pk__in=ids["pat"]).values_list(what, flat=True).first()
    if what in {"lasted", "days_ago"}:
        return _span(ids["rec"], book, has_both_ends=what == "lasted")
    return None


def _ids(refs: Iterable[str]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {"str": [], "evt": [], "rec": [], "med": [], "pat": []}
    for ref in refs:
        kind, _sign, number = ref.partition("_")
        found.setdefault(kind, []).append(int(number))
    return found


def _uses(rows: Any, what: str) -> int:
    if what == "uses":
        return int(rows.exclude(outcome="unknown", follow_up_expired=False).count())
    return int(rows.filter(outcome="success" if what == "successes" else "partial").count())


def _shown(sign: str, is_course: bool, record_ids: Sequence[int]) -> int:
    if is_course:
        days = CourseDay.objects.filter(course_id__in=record_ids).select_related("record")
        rows = [day.record for day in days]
    else:
        rows = list(Record.objects.filter(pk__in=record_ids))
    return sum(sign in {label.text for label in describe_signs(row.category, row.signs)} for row in rows)


def _span(record_ids: Sequence[int], book: Book, *, has_both_ends: bool) -> int | None:
    row = Record.objects.filter(pk__in=record_ids).first()
    if row is None or row.started_on is None:
        return None
    if has_both_ends:
        return ((row.ended_on or book.today) - row.started_on).days + 1
    return (book.today - row.started_on).days
