"""Which rows of the book a question is about. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from memory.rules.asking.concepts import concepts, names_in
from memory.rules.asking.query import Query
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
    StrategyFact,
    Use,
)
from memory.rules.composing.ranking import worth
from memory.rules.documents.sentences import sentences

F = TypeVar("F", bound=Fact)
DIRECT = 0.99  # the weight of a matter that the question names itself
KIN = 0.8  # the weight from which a place near another counts as it
SAYS = 4  # words a sentence of a document has at least; shorter ones are labels and their values
QUOTED_SENTENCES = 3


@dataclass(frozen=True)
class Helper:
    """A strategy with its counts in the situation that is asked about."""

    strategy: StrategyFact
    uses: int
    successes: int
    partials: int
    last_on: object
    is_here: bool  # counted in this situation, not over everything
    events: tuple[int, ...] = ()  # where it was used, by number

    @property
    def worth(self) -> float:
        """What it is ranked by."""
        return worth(self.successes, self.partials, self.uses)


def score(query: Query, fact: Fact, *, matters: frozenset[str] | None = None) -> float:
    """How much of what is asked about stands in a row's words."""
    held = fact.matters if matters is None else matters
    total = sum(weight for name, weight in query.matters.items() if name in held)
    return total + sum(1.0 for word in query.words if any(said.startswith(word) for said in fact.said))


def about(query: Query, facts: Iterable[F]) -> list[F]:
    """The rows whose words are about it, best first; what only comes near counts where nothing else does."""
    scored = [(score(query, fact), n, fact) for n, fact in enumerate(facts)]
    best = max((points for points, _n, _fact in scored), default=0.0)
    bar = DIRECT if best >= DIRECT else 0.25
    held = [one for one in scored if one[0] >= bar]
    return [fact for _points, _n, fact in sorted(held, key=lambda one: (-one[0], one[1]))]


def is_spoken_of(query: Query, book: Book) -> bool:
    """Whether any row has one of the words of a question that no table knows."""
    return any(said.startswith(word) for fact in book.facts() for said in fact.said for word in query.words)


def patterns_joining(query: Query, book: Book) -> list[PatternFact]:
    """The patterns that say how two of the matters a question names itself go together, the surest first."""
    named = {name for name, weight in query.matters.items() if weight >= DIRECT}
    found = [one for one in book.patterns if len(named & one.matters) >= 2]
    return sorted(found, key=lambda one: one.lifecycle != "supported")


def events_about(query: Query, book: Book) -> list[EventFact]:
    """The events it is about, newest first; a named place must be theirs."""
    rows = [one for one in book.events if _in_windows(query, one)]
    if query.places:
        rows = _at_places(query, rows)
        others = {name for name in query.matters if name not in query.places}
        direct = {name for name in others if query.matters[name] >= DIRECT and name not in _NEVER_NARROWS}
        narrowed = [one for one in rows if direct & one.matters]
        return narrowed or rows
    found = about(query, rows)
    return sorted(found, key=lambda one: one.day, reverse=True)


_NEVER_NARROWS = frozenset({"vet", "doctor", "therapist", "sleep", "anxiety", "mood", "appetite"})


def _at_places(query: Query, rows: Sequence[EventFact]) -> list[EventFact]:
    """Those that happened there, else those whose words tell of it, else those at a place near it in kind."""
    named = query.places
    kin = {name for name, weight in query.matters.items() if weight >= KIN and concepts()[name].is_place}
    there = [one for one in rows if (named | kin) & one.place_matters]
    if len(named) > 1 and not _are_near(named):
        both = [one for one in rows if named <= one.matters]
        there = both or there
    told = [one for one in rows if named & one.matters]
    if there or told:
        return there if there and not _is_loose(named) else told
    near = {name for name, weight in query.matters.items() if weight < DIRECT and weight >= 0.5}
    return [one for one in rows if near & one.place_matters]


def _are_near(named: frozenset[str]) -> bool:
    """Whether one of the places is another word for one of the others, more or less."""
    return any(other in concepts()[name].near for name in named for other in named)


def _is_loose(named: frozenset[str]) -> bool:
    """Whether the situation is one of any place, told in words rather than by where it was."""
    return bool(
        named & {"transition", "waiting", "noise", "crowd", "shoes", "school", "outing", "playground"}
    )


def _in_windows(query: Query, event: EventFact) -> bool:
    window = query.window
    return window is None or window.holds(event.day)


def helpers(query: Query, book: Book, events: Sequence[EventFact]) -> list[Helper]:
    """What was used there and what is written down for it, best first."""
    here = _counted(book, [one for one in book.uses if one.event in {event.pk for event in events}])
    by_pk = {one.pk: one for one in book.strategies}
    found = {pk: helper for pk, helper in here.items() if pk in by_pk}
    for strategy in about(query, book.strategies) if query.has_target else book.strategies:
        found.setdefault(strategy.pk, overall(strategy))
    return sorted(found.values(), key=_rank)


def _rank(helper: Helper) -> tuple[bool, float, float, str]:
    is_retired = helper.strategy.lifecycle == "retired"
    return is_retired, -helper.worth, -overall(helper.strategy).worth, helper.strategy.name


def named_strategies(query: Query, book: Book) -> list[StrategyFact]:
    """The strategies that a question calls by name, where it is about no place."""
    if query.places:
        return []
    named = {name for name, weight in query.matters.items() if weight >= DIRECT} - query.places
    ways = {name for name in named if not concepts()[name].category}
    return [one for one in book.strategies if ways & one.name_matters]


def overall(strategy: StrategyFact) -> Helper:
    """A strategy with its counts of everything."""
    return Helper(
        strategy, strategy.uses, strategy.successes, strategy.partials, strategy.last_on, is_here=False
    )


def _counted(book: Book, uses: Sequence[Use]) -> dict[int, Helper]:
    by_pk = {one.pk: one for one in book.strategies}
    grouped: dict[int, list[Use]] = {}
    for use in uses:
        grouped.setdefault(use.strategy, []).append(use)
    return {
        pk: Helper(
            by_pk[pk],
            len(rows),
            sum(1 for one in rows if one.outcome == "success"),
            sum(1 for one in rows if one.outcome == "partial"),
            max(one.on for one in rows),
            is_here=True,
            events=tuple(sorted({one.event for one in rows if one.event is not None})),
        )
        for pk, rows in grouped.items()
        if pk in by_pk
    }


def courses_about(query: Query, book: Book) -> list[CourseFact]:
    """The courses it is about, newest first."""
    found = [one for one in book.courses if one.category in query.categories]
    if query.signs:
        found = [one for one in found if _bears(query, one)] or found
    if query.side:
        found = [one for one in found if not one.side or one.side == query.side] or found
    return found


def _bears(query: Query, course: CourseFact) -> bool:
    return any(category == course.category and course.sign_days.get(sign) for category, sign in query.signs)


def days_about(query: Query, book: Book, window: Window | None = None) -> list[DayFact]:
    """The days of the body systems it is about, newest first."""
    return [
        one
        for one in book.days
        if one.category in query.categories and (window is None or window.holds(one.day))
    ]


def sign_is_there(query: Query, day: DayFact) -> bool:
    """Whether a sign it asks for was there that day; without one, whether the day was not as usual."""
    asked = [sign for category, sign in query.signs if category == day.category]
    if not asked:
        return day.polarity == "abnormal"
    return any(_is_there(day.signs.get(sign)) for sign in asked)


def sign_is_absent(query: Query, day: DayFact) -> bool:
    """Whether somebody looked for a sign it asks for, and it was not there."""
    asked = [sign for category, sign in query.signs if category == day.category]
    if not asked:
        return day.polarity == "normal"
    return any(day.signs.get(sign) is False for sign in asked)


def _is_there(value: object) -> bool:
    return value is True or (isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0)


def is_of_the_body(query: Query) -> bool:
    """Whether a question is about the body and not about a place or a mood."""
    return bool(query.categories - {"behaviour", "sleep", "appetite_intake"}) and not query.places


def is_noted(query: Query, book: Book) -> bool:
    """Whether anything of the body systems it is about stands in the book."""
    held = {one.category for one in book.days} | {one.category for one in book.courses}
    return bool(held & query.categories)


def medicines_about(query: Query, book: Book) -> list[MedicineFact]:
    """The medicines it names, else those being given."""
    named = [one for one in about(query, book.medicines) if score(query, one) >= DIRECT]
    if named or (query.matters.keys() & {"drops", "melatonin", "tablet_medicine", "vaccine"} or query.words):
        return named
    return [one for one in book.medicines if one.is_current(book.today)]


def medicines_for(query: Query, book: Book) -> list[MedicineFact]:
    """The medicines given for what it is about."""
    near = {name for name, weight in query.matters.items() if weight >= DIRECT}
    return [one for one in book.medicines if near & one.matters or score(query, one) >= DIRECT]


def passages_about(query: Query, book: Book) -> list[PassageFact]:
    """The pieces of documents it is about, best first, each cut down to the sentences that bear on it."""
    if not query.has_target:
        found = sorted(book.passages, key=lambda one: -one.score)
    else:
        found = [one for one in about(query, book.passages) if score(query, one) >= DIRECT]
    return [replace(one, text=quoted(query, one.text)) for one in found]


def quoted(query: Query, text: str) -> str:
    """The sentences of a document's piece that bear most on a question, in their order, without labels."""
    told = [one.text for one in sentences(text) if one.text[-1] in ".!?…" and len(one.text.split()) >= SAYS]
    if not told:
        return text
    bears = [sum(query.matters.get(name, 0.0) for name in names_in(one)) for one in told]
    best = sorted(range(len(told)), key=lambda at: (-bears[at], at))[:QUOTED_SENTENCES]
    bearing = [at for at in sorted(best) if bears[at] > 0] or sorted(best)
    return " ".join(told[at] for at in bearing)


def patterns_about(query: Query, book: Book) -> list[PatternFact]:
    """The patterns it is about; retired ones are none."""
    rows = [one for one in book.patterns if one.lifecycle != "retired"]
    return [one for one in about(query, rows) if score(query, one) >= DIRECT] if query.has_target else rows


def said_about(query: Query, book: Book) -> list[SaidFact]:
    """What was said about it, newest first."""
    rows = [one for one in book.said if query.window is None or query.window.holds(one.day)]
    if query.people:
        rows = [one for one in rows if one.by in query.people]
        if not query.has_target:
            return rows
    return sorted((one for one in rows if score(query, one) >= DIRECT), key=lambda one: one.day, reverse=True)


def shares(days: Sequence[DayFact]) -> tuple[int, int]:
    """Of how many noted days, how many were not as usual."""
    noted = {one.day for one in days if one.day}
    bad = {one.day for one in days if one.day and one.polarity == "abnormal"}
    return len(noted), len(bad)


def tally(days: Sequence[DayFact]) -> Mapping[str, int]:
    """Signs as shown that were there, by the number of days."""
    counts: dict[str, int] = {}
    for one in days:
        for sign in one.found:
            counts[sign] = counts.get(sign, 0) + 1
    return dict(sorted(counts.items(), key=lambda one: (-one[1], one[0])))
