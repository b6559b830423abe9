"""Where an entry goes: into a day, into the history, to one clarifying question, or nowhere. Pure.

The reader says what was said; this file alone decides what becomes of it. It never makes up a date: a date
comes from the words or stays empty, one that lies after the day of speaking is no date of a finding, and only
a stated day (not a week, month or year) can name the day an entry folds into.

    today yes       folds into the day of speaking; `since` is the onset
    today no        folds into the stated day while that day's round is still to run, else history
    today unknown   one question; unanswered at its deadline, undated history for the round to adjudicate
    late words      said on a day whose round has run: they fold into their day and that day is dirty

An entry whose speaker only says that nobody looked stays in the ledger and files nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Literal

from twin.rules.categories import observed
from twin.rules.entries import Entry, Precision, Reading, Since, Today
from twin.rules.words import Words

Action = Literal["fold", "history", "ask", "discard"]
LedgerState = Literal["read", "asked", "filed", "discarded", "undone"]
LedgerMove = Literal["ask", "file", "discard", "undo"]

UNDO_FOR = timedelta(seconds=60)
HELD_AT_MOST = 9 * UNDO_FOR  # ten times the minute in all: WCAG 2.2, success criterion 2.2.1
AT_MOST_ASKED = 2  # questions that reach one response, whoever asks them

# Forward only: a state or a move that is missing here is refused.
LEDGER_MOVES: Mapping[LedgerState, Mapping[LedgerMove, LedgerState]] = {
    "read": {"ask": "asked", "file": "filed", "discard": "discarded"},
    "asked": {"file": "filed", "discard": "discarded"},
    "filed": {"undo": "undone"},
    "discarded": {},
    "undone": {},
}

# How a bare answer begins, folded (lower-case ASCII), in English and Turkish.
YES = (
    "yes|yep|yeah|yup|aye|sure|still|of course|unfortunately|it is|it does|he is|he does|she is|she does"
    "|they are|they do|evet|evt|tabii|tabi|aynen|hala|halen|var|oldu|maalesef|malesef|oyle"
)
NO = (
    "no|nope|nah|not|never|not today|it isnt|it doesnt|he isnt|he doesnt|she isnt|she doesnt|they arent"
    "|they dont|hayir|yok|yoo|degil|olmadi|bugun olmadi|bugun yok|bugun degil|artik yok|gecti"
)
NOBODY_KNOWS = "no idea|no clue|not sure|no way to know|hayir bilmiyorum|yok bilmiyorum"


def _phrases(words: str, answer: Today) -> dict[tuple[str, ...], Today]:
    return {tuple(phrase.split()): answer for phrase in words.split("|")}


ANSWER_WORDS = _phrases(YES, "yes") | _phrases(NO, "no") | _phrases(NOBODY_KNOWS, "unknown")


class RefusedMove(ValueError):
    """A ledger entry was asked to move where its state does not lead."""


@dataclass(frozen=True)
class RouteContext:
    """What routing may know beside the entry.

    `today` is the subject's local day on which the words were said. `last_closed_day` is the last day whose
    round has run, `first_day` the subject's first in the book: no round ever runs for a day before it.
    """

    today: date
    last_closed_day: date | None
    first_day: date | None = None
    has_been_asked: bool = False
    past_deadline: bool = False

    def is_closed(self, day: date) -> bool:
        """Whether the round of this day has run."""
        return self.last_closed_day is not None and day <= self.last_closed_day

    def is_still_open(self, day: date) -> bool:
        """Whether the round of this day is still to run; with none known, from yesterday on."""
        if self.last_closed_day is not None:
            return day > self.last_closed_day
        return day >= (self.first_day or self.today - timedelta(days=1))


@dataclass(frozen=True)
class Decision:
    """What becomes of an entry. Only fold has a `day`; a date and an age anchor are never both set."""

    action: Action
    day: date | None = None
    started_on: date | None = None
    precision: Precision | None = None
    low_months: int | None = None
    high_months: int | None = None
    phrase: str | None = None
    adjudicate: bool = False
    marks_dirty: bool = False


@dataclass(frozen=True)
class OpenQuestion:
    """A clarifying question that waits for its answer."""

    id: int
    asked_at: datetime
    category: str
    deadline: datetime


@dataclass(frozen=True)
class AnswerTimes:
    """What the time words of a bare answer say: is it today, since when, and the words themselves."""

    today: Today = "unknown"
    since: Since | None = None
    phrase: str | None = None


def next_state(state: LedgerState, move: LedgerMove) -> LedgerState:
    """The ledger state after a move. Raises RefusedMove."""
    try:
        return LEDGER_MOVES[state][move]
    except KeyError:
        raise RefusedMove(f"a ledger entry that is {state} cannot {move}") from None


def may_undo(
    state: LedgerState, filed_at: datetime, now: datetime, *, held: timedelta = timedelta(0)
) -> bool:
    """Whether "undo" still stands: within sixty seconds of the filing, not counting `held`.

    `held` is how long the clock of the page stood still for somebody at the offer, nine minutes at most.
    """
    not_counted = min(max(held, timedelta(0)), HELD_AT_MOST)
    return "undo" in LEDGER_MOVES[state] and now - filed_at <= UNDO_FOR + not_counted


def route(entry: Entry, context: RouteContext) -> Decision:
    """Where the entry goes."""
    if entry.asserted is None and not observed(entry.category, entry.signs):
        return Decision("discard", phrase=entry.phrase)
    match entry.today:
        case "yes":
            return _fold(context.today, entry, context)
        case "no":
            return _route_past(entry, context)
        case _ if context.has_been_asked or context.past_deadline:
            return Decision("history", phrase=entry.phrase, adjudicate=True)
        case _:
            return Decision("ask", phrase=entry.phrase)


def pick_question(questions: Sequence[OpenQuestion], reading: Reading) -> int | None:
    """The question a bare answer resolves: the newest whose topic fits; None where it is no answer."""
    if "answer" not in reading.kinds:
        return None
    topics = {entry.category for entry in reading.entries}
    fitting = [question for question in questions if question.category in topics] or questions
    newest = max(fitting, key=lambda question: (question.asked_at, question.id), default=None)
    return None if newest is None else newest.id


def yes_or_no(words: str) -> Today:
    """What the first words of a bare answer say to "is it happening today?", in either language."""
    said = Words(words)
    found = [phrase for phrase in ANSWER_WORDS if said.stand(0, *phrase)]
    return ANSWER_WORDS[max(found, key=len)] if found else "unknown"


def answer_entry(original: Entry, reading: Reading, times: AnswerTimes) -> Entry:
    """The waiting entry with a bare answer's times: what the answer leaves open stays as first said.

    Where the answer itself was read into an entry of the same category, that entry's times fill what `times`
    lacks. A date without more ("Sunday") says when it was, so it was not today unless the date is the day of
    asking.
    """
    told = next((e for e in reading.entries if e.category == original.category), None)
    since = times.since or (told.since if told else None)
    today = _first_known(
        times.today, told.today if told else "unknown", "no" if _is_day(since) else "unknown"
    )
    phrase = times.phrase or (told.phrase if told else None) or original.phrase
    return replace(original, today=today, since=since or original.since, phrase=phrase)


def _first_known(*answers: Today) -> Today:
    return next((answer for answer in answers if answer != "unknown"), "unknown")


def _route_past(entry: Entry, context: RouteContext) -> Decision:
    day = entry.since.on if _is_day(entry.since) and entry.since else None
    if day is not None and _may_fold(day, context):
        return _fold(day, entry, context)
    return _with_onset(Decision("history", phrase=entry.phrase), entry.since, latest=context.today)


def _may_fold(day: date, context: RouteContext) -> bool:
    if day > context.today or (context.first_day is not None and day < context.first_day):
        return False
    return context.is_still_open(day) or context.is_closed(context.today)


def _fold(day: date, entry: Entry, context: RouteContext) -> Decision:
    decision = Decision("fold", day=day, phrase=entry.phrase, marks_dirty=context.is_closed(day))
    return _with_onset(decision, entry.since, latest=day)


def _with_onset(decision: Decision, since: Since | None, *, latest: date) -> Decision:
    if since is None or since.kind == "phrase":
        return decision
    if since.kind == "date":
        if since.on is None or since.on > latest:
            return decision
        return replace(decision, started_on=since.on, precision=since.precision or "day")
    low, high = since.low_months, since.high_months
    if low is None or high is None or not 0 <= low <= high:
        return decision
    return replace(decision, low_months=low, high_months=high)


def _is_day(since: Since | None) -> bool:
    return (
        since is not None
        and since.kind == "date"
        and since.on is not None
        and since.precision in ("day", None)
    )
