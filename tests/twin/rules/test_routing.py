"""Every way an entry can go, the ledger's moves, and how a bare answer finds its question."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import product
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.twin.rules.signs import category_and_signs
from twin.rules.categories import NOT_OBSERVED, observed
from twin.rules.entries import PRECISIONS, Entry, Reading, Since
from twin.rules.routing import (
    LEDGER_MOVES,
    AnswerTimes,
    Decision,
    LedgerMove,
    LedgerState,
    OpenQuestion,
    RefusedMove,
    RouteContext,
    answer_entry,
    may_undo,
    next_state,
    pick_question,
    route,
    yes_or_no,
)

TODAY = date(2025, 6, 11)  # a Wednesday
YESTERDAY, SUNDAY, LAST_YEAR = date(2025, 6, 10), date(2025, 6, 8), date(2024, 2, 1)
FIRST = date(2025, 6, 1)
OPEN = RouteContext(today=TODAY, last_closed_day=date(2025, 6, 9), first_day=FIRST)
LATE = RouteContext(today=YESTERDAY, last_closed_day=YESTERDAY, first_day=FIRST)


def on(day: date, precision: Any = "day") -> Since:
    return Since("date", on=day, precision=precision)


PUPPY = Since("age", low_months=0, high_months=12)
A_WHILE_AGO = Since("phrase")
LIMPS = Entry("musculoskeletal", signs={"limping": True}, phrase="on sunday", words="he limped on sunday")


def limps(today: Any, since: Since | None = None) -> Entry:
    return replace(LIMPS, today=today, since=since)


ROUTES = [
    # today, since, context -> decision
    ("yes", None, OPEN, Decision("fold", day=TODAY)),
    ("yes", on(TODAY), OPEN, Decision("fold", day=TODAY, started_on=TODAY, precision="day")),
    ("yes", on(SUNDAY), OPEN, Decision("fold", day=TODAY, started_on=SUNDAY, precision="day")),
    (
        "yes",
        on(LAST_YEAR, "month"),
        OPEN,
        Decision("fold", day=TODAY, started_on=LAST_YEAR, precision="month"),
    ),
    ("yes", PUPPY, OPEN, Decision("fold", day=TODAY, low_months=0, high_months=12)),
    ("yes", A_WHILE_AGO, OPEN, Decision("fold", day=TODAY)),
    ("yes", on(date(2025, 6, 12)), OPEN, Decision("fold", day=TODAY)),  # no onset lies ahead
    ("no", on(TODAY), OPEN, Decision("fold", day=TODAY, started_on=TODAY, precision="day")),
    ("no", on(YESTERDAY), OPEN, Decision("fold", day=YESTERDAY, started_on=YESTERDAY, precision="day")),
    ("no", on(SUNDAY), OPEN, Decision("history", started_on=SUNDAY, precision="day")),
    ("no", on(date(2025, 6, 9)), OPEN, Decision("history", started_on=date(2025, 6, 9), precision="day")),
    (
        "no",
        on(date(2025, 6, 9), "week"),
        OPEN,
        Decision("history", started_on=date(2025, 6, 9), precision="week"),
    ),
    ("no", on(LAST_YEAR, "season"), OPEN, Decision("history", started_on=LAST_YEAR, precision="season")),
    ("no", on(date(2025, 6, 13)), OPEN, Decision("history")),
    ("no", PUPPY, OPEN, Decision("history", low_months=0, high_months=12)),
    ("no", A_WHILE_AGO, OPEN, Decision("history")),
    ("no", None, OPEN, Decision("history")),
    ("unknown", None, OPEN, Decision("ask")),
    ("unknown", on(SUNDAY), OPEN, Decision("ask")),
    ("unknown", PUPPY, OPEN, Decision("ask")),
    # said on a day whose round has run
    ("yes", None, LATE, Decision("fold", day=YESTERDAY, marks_dirty=True)),
    ("yes", on(SUNDAY), LATE, Decision("fold", YESTERDAY, SUNDAY, "day", marks_dirty=True)),
    ("no", on(SUNDAY), LATE, Decision("fold", SUNDAY, SUNDAY, "day", marks_dirty=True)),
    ("no", on(SUNDAY, "week"), LATE, Decision("history", started_on=SUNDAY, precision="week")),
    (
        "no",
        on(LAST_YEAR),
        LATE,
        Decision("history", started_on=LAST_YEAR, precision="day"),
    ),  # before the book
    ("no", PUPPY, LATE, Decision("history", low_months=0, high_months=12)),
    ("no", None, LATE, Decision("history")),
    ("unknown", None, LATE, Decision("ask")),
]


@pytest.mark.parametrize(("today", "since", "context", "expected"), ROUTES)
def test_an_entry_goes_where_its_two_axes_and_the_rounds_say(
    today: Any, since: Since | None, context: RouteContext, expected: Decision
) -> None:
    assert route(limps(today, since), context) == replace(expected, phrase="on sunday")


@pytest.mark.parametrize(("today", "since", "context", "expected"), ROUTES)
@pytest.mark.parametrize("asked", [{"has_been_asked": True}, {"past_deadline": True}])
def test_only_unknown_entries_care_for_the_question_and_are_asked_once(
    asked: dict[str, bool], today: Any, since: Since | None, context: RouteContext, expected: Decision
) -> None:
    decision = route(limps(today, since), replace(context, **asked))
    unanswered = Decision("history", phrase="on sunday", adjudicate=True)
    assert decision == (unanswered if today == "unknown" else replace(expected, phrase="on sunday"))


NO_ROUND_YET = [
    (None, YESTERDAY, "fold"),
    (None, SUNDAY, "history"),
    (SUNDAY, SUNDAY, "fold"),
    (YESTERDAY, SUNDAY, "history"),
    (TODAY, YESTERDAY, "history"),
]


@pytest.mark.parametrize(("first_day", "day", "action"), NO_ROUND_YET)
def test_before_the_first_round_a_stated_day_folds_from_the_first_day_on(
    first_day: date | None, day: date, action: str
) -> None:
    decision = route(limps("no", on(day)), RouteContext(TODAY, None, first_day))
    assert (decision.action, decision.started_on) == (action, day)
    assert not decision.marks_dirty


def test_an_age_without_both_ends_is_no_anchor() -> None:
    for low, high in ((None, 12), (3, None), (12, 3), (-1, 4)):
        since = Since("age", low_months=low, high_months=high)
        assert route(limps("no", since), OPEN) == Decision("history", phrase="on sunday")


@pytest.mark.parametrize("today", ["yes", "no", "unknown"])
def test_who_did_not_look_files_nothing_and_is_asked_nothing(today: Any) -> None:
    entry = Entry("thirst_hydration", signs={"amount": NOT_OBSERVED}, today=today)
    assert route(entry, OPEN).action == "discard"
    assert route(replace(entry, asserted="abnormal"), OPEN).action != "discard"


sinces = st.one_of(
    st.none(),
    st.builds(
        Since,
        st.just("date"),
        on=st.dates(date(2020, 1, 1), date(2026, 1, 1)),
        precision=st.sampled_from(PRECISIONS),
    ),
    st.builds(Since, st.just("age"), low_months=st.integers(0, 40), high_months=st.integers(0, 40)),
    st.just(Since("phrase")),
)
day_or_none = st.none() | st.dates(date(2025, 5, 1), date(2025, 6, 20))
contexts = st.builds(
    RouteContext,
    st.dates(date(2025, 6, 1), date(2025, 6, 20)),
    day_or_none,
    day_or_none,
    st.booleans(),
    st.booleans(),
)


@given(category_and_signs(), st.sampled_from(["yes", "no", "unknown"]), sinces, contexts)
def test_no_decision_makes_up_a_date_or_sets_two_kinds_of_time(
    drawn: tuple[str, dict[str, Any]], today: Any, since: Since | None, context: RouteContext
) -> None:
    category, signs = drawn
    entry = Entry(category, signs=signs, today=today, since=since, phrase="then")
    decision = route(entry, context)
    assert decision.phrase == "then"
    assert decision.started_on is None or (
        since is not None and decision.started_on == since.on <= context.today
    )
    assert (decision.low_months is None) == (decision.high_months is None)
    assert decision.started_on is None or decision.low_months is None
    assert (decision.started_on is None) == (decision.precision is None)
    assert (decision.day is not None) == (decision.action == "fold")
    assert decision.day is None or decision.day <= context.today
    assert not decision.marks_dirty or (decision.day is not None and context.is_closed(decision.day))
    assert (decision.action == "discard") == (not observed(category, signs))
    assert not decision.adjudicate or (decision.action, decision.started_on) == ("history", None)
    assert decision.action != "ask" or not (context.has_been_asked or context.past_deadline)


FORWARD = {
    ("read", "ask"): "asked",
    ("read", "file"): "filed",
    ("read", "discard"): "discarded",
    ("asked", "file"): "filed",
    ("asked", "discard"): "discarded",
    ("filed", "undo"): "undone",
}


@pytest.mark.parametrize(("state", "move"), list(product(get_args(LedgerState), get_args(LedgerMove))))
def test_the_ledger_moves_forward_only(state: LedgerState, move: LedgerMove) -> None:
    if (state, move) in FORWARD:
        assert next_state(state, move) == FORWARD[state, move]
    else:
        with pytest.raises(RefusedMove, match=f"{state} cannot {move}"):
            next_state(state, move)


def test_no_walk_through_the_ledger_comes_back() -> None:
    ends: set[str] = set()
    walks: list[tuple[LedgerState, ...]] = [("read",)]
    while walks:
        walk = walks.pop()
        following = LEDGER_MOVES[walk[-1]].values()
        assert not set(following) & set(walk)
        walks += [(*walk, state) for state in following]
        ends |= {walk[-1]} if not following else set()
    assert ends == {"discarded", "undone"}


NOW = datetime(2025, 6, 11, 9, 0, tzinfo=UTC)


@pytest.mark.parametrize("state", get_args(LedgerState))
@pytest.mark.parametrize(("seconds", "in_time"), [(0, True), (60, True), (61, False)])
def test_undo_is_offered_for_sixty_seconds_on_what_was_filed(
    state: LedgerState, seconds: int, in_time: bool
) -> None:
    assert may_undo(state, NOW, NOW + timedelta(seconds=seconds)) is (in_time and state == "filed")


@pytest.mark.parametrize(
    ("held_s", "seconds", "in_time"),
    [(-5, 60, True), (-5, 61, False), (30, 90, True), (30, 91, False), (540, 600, True), (9_999, 601, False)],
)
def test_the_time_undo_was_held_is_not_counted_up_to_ten_times_the_minute(
    held_s: int, seconds: int, in_time: bool
) -> None:
    later = NOW + timedelta(seconds=seconds)
    assert may_undo("filed", NOW, later, held=timedelta(seconds=held_s)) is in_time


def question(n: int, category: str, minutes_ago: int) -> OpenQuestion:
    return OpenQuestion(n, NOW - timedelta(minutes=minutes_ago), category, NOW + timedelta(hours=4))


OLDER, NEWER = question(1, "ears", 30), question(2, "musculoskeletal", 5)
ANSWER = Reading(frozenset({"answer"}))


def about(*categories: str, kinds: frozenset[Any] = frozenset({"answer", "observation"})) -> Reading:
    return Reading(kinds, tuple(Entry(category) for category in categories))


PICKS = [
    ((), ANSWER, None),
    ((OLDER,), ANSWER, 1),
    ((OLDER, NEWER), ANSWER, 2),
    ((NEWER, OLDER), ANSWER, 2),
    ((OLDER, NEWER), about("ears"), 1),
    ((OLDER, NEWER), about("musculoskeletal", "ears"), 2),
    ((OLDER, NEWER), about("sleep"), 2),
    ((OLDER, NEWER), about("ears", kinds=frozenset({"observation"})), None),
    ((OLDER, NEWER), Reading(frozenset({"question"})), None),
    ((OLDER, NEWER), Reading(frozenset({"other"})), None),
    ((question(3, "ears", 5), question(4, "ears", 5)), ANSWER, 4),
]


@pytest.mark.parametrize(("questions", "reading", "expected"), PICKS)
def test_a_bare_answer_goes_to_the_newest_question_whose_topic_fits(
    questions: tuple[OpenQuestion, ...], reading: Reading, expected: int | None
) -> None:
    assert pick_question(questions, reading) == expected


WORDS = [
    ("yes, this morning", "yes"),
    ("Yep since sunday", "yes"),
    ("still", "yes"),
    ("evet, bu sabah", "yes"),
    ("EVET", "yes"),
    ("hâlâ öyle", "yes"),
    ("no", "no"),
    ("No, not today", "no"),
    ("it isn't", "no"),
    ("hayır", "no"),
    ("HAYIR, pazar günü", "no"),
    ("bugün olmadı", "no"),
    ("no idea", "unknown"),
    ("not sure, sorry", "unknown"),
    ("on Sunday", "unknown"),
    ("pazar günü", "unknown"),
    ("", "unknown"),
    ("yesterday", "unknown"),
    ("nose", "unknown"),
]


@pytest.mark.parametrize(("words", "expected"), WORDS)
def test_yes_and_no_are_heard_in_both_languages(words: str, expected: str) -> None:
    assert yes_or_no(words) == expected


WAITING = Entry(
    "musculoskeletal", signs={"limping": True}, words="the sitter says he limped, no idea which day"
)
ANSWERS = [
    (AnswerTimes("no", on(SUNDAY), "on Sunday"), "no", on(SUNDAY), "on Sunday"),
    (AnswerTimes("unknown", on(SUNDAY), "Sunday"), "no", on(SUNDAY), "Sunday"),
    (AnswerTimes("yes", on(TODAY), "this morning"), "yes", on(TODAY), "this morning"),
    (AnswerTimes("yes", on(SUNDAY), "since Sunday"), "yes", on(SUNDAY), "since Sunday"),
    (AnswerTimes("yes"), "yes", None, None),
    (AnswerTimes("no"), "no", None, None),
    (AnswerTimes("no", PUPPY, "as a puppy"), "no", PUPPY, "as a puppy"),
    (
        AnswerTimes("unknown", on(date(2025, 6, 9), "week"), "this week"),
        "unknown",
        on(date(2025, 6, 9), "week"),
        "this week",
    ),
    (AnswerTimes(), "unknown", None, None),
]


@pytest.mark.parametrize(("times", "today", "since", "phrase"), ANSWERS)
def test_a_bare_answer_dates_the_waiting_entry_and_changes_nothing_else(
    times: AnswerTimes, today: Any, since: Since | None, phrase: str | None
) -> None:
    assert answer_entry(WAITING, ANSWER, times) == replace(WAITING, today=today, since=since, phrase=phrase)


def test_a_plain_yes_keeps_the_times_first_said() -> None:
    waiting = replace(WAITING, since=A_WHILE_AGO, phrase="recently")
    assert answer_entry(waiting, ANSWER, AnswerTimes("yes")) == replace(waiting, today="yes")


def test_an_answer_read_into_an_entry_of_the_topic_lends_its_times() -> None:
    told = Entry("musculoskeletal", today="no", since=on(SUNDAY), phrase="on Sunday")
    reading = Reading(frozenset({"answer", "observation"}), (Entry("ears", today="yes"), told))
    assert answer_entry(WAITING, reading, AnswerTimes()) == replace(
        WAITING, today="no", since=on(SUNDAY), phrase="on Sunday"
    )


def test_an_answered_entry_is_filed_under_the_day_it_names() -> None:
    answered = answer_entry(WAITING, ANSWER, AnswerTimes("no", on(SUNDAY), "on Sunday"))
    decision = route(answered, replace(OPEN, has_been_asked=True))
    assert (decision.action, decision.started_on, decision.adjudicate) == ("history", SUNDAY, False)
