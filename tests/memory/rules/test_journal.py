"""The journal's lines hold their words apart, are kept once, and lose what is forgotten or too old."""

import json
from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from household.rules.clock import MAX_AHEAD_MS
from household.rules.days import DAY_MS
from memory.rules.clock import Offset, restamped_lines
from memory.rules.journal import (
    EVENTS,
    EXCHANGE_SLACK_MS,
    WORDED,
    Event,
    Line,
    Part,
    Reach,
    accept,
    as_kept,
    cleared,
    cutoff_ms,
    day_of,
    emptied,
    expired,
    expires,
    gids_of,
    is_done,
    join,
    loses_words,
    of_day,
    pictures_of,
    reach_of,
    read_line,
    span,
    split,
    unsure,
)
from memory.rules.merge import Invalid, Memory, Mention, PictureLink, StoreDoc, drop_duplicate, forget
from tests.laws import LAWS

NOW = 1_700_000_000_000
WORD = "the very words"
FIELDS = {
    Part.WORDS: WORD,
    Part.IDENTITY: "g1",
    Part.IDENTITIES: ["p1", "p2"],
    Part.ENTRIES: [{"gid": "g1", "fact": WORD}, {"gid": "g2", "fact": WORD}],
    Part.COUNT: 7,
    Part.CODE: "answered",
}


def wire(event, **fields):
    parts = {name: FIELDS[part] for name, part in EVENTS[event].items()}
    return {"event": str(event), "at_ms": NOW, "turn": "t1", **parts, **fields}


def line(event=Event.HEARD, **fields):
    return read_line(wire(event, **fields))


@pytest.mark.parametrize("event", Event)
def test_no_word_is_in_an_envelope_and_a_line_joins_to_what_it_was(event):
    envelope, words = split(wire(event))
    assert WORD not in json.dumps(envelope)
    assert (words is not None) == (event in WORDED)
    assert join(Line(envelope, words)) == wire(event)


@pytest.mark.parametrize("event", Event)
def test_an_emptied_line_travels_too_and_keeps_place_time_and_identities(event):
    bare = emptied(line(event))
    assert WORD not in json.dumps(join(bare))
    assert bare.is_emptied == (event in WORDED)
    assert read_line(join(bare)) == bare
    assert (bare.at_ms, bare.turn, gids_of(bare)) == (NOW, "t1", gids_of(line(event)))


def test_only_an_expired_line_is_not_live():
    assert [event for event in Event if not line(event).is_live] == [Event.EXPIRED]


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ("Heard", "line"),
        ({"at_ms": NOW}, "line.event"),
        ({**wire(Event.SAID), "event": "Sang"}, "line.event"),
        ({**wire(Event.SAID), "event": ["Said"]}, "line.event"),
        ({**wire(Event.SAID), "mood": "x"}, "line.mood"),
        ({**wire(Event.SAID), "text": None}, "line.text"),
        ({**wire(Event.SAID), "at_ms": "now"}, "line.at_ms"),
        ({**wire(Event.SAID), "turn": "my secret words"}, "line.turn"),
        ({**wire(Event.SAID), "turn": None}, "line.turn"),
        ({**wire(Event.SAID), "emptied": True}, "line.text"),
        ({**wire(Event.FORGOT), "emptied": True}, "line.emptied"),
        ({**wire(Event.SAID), "emptied": "no"}, "line.emptied"),
        ({**wire(Event.FORGOT), "gid": "two words"}, "line.gid"),
        ({**wire(Event.HEARD), "pictures": "p1"}, "line.pictures"),
        ({**wire(Event.HEARD), "pictures": ["a picture of him"]}, "line.pictures[0]"),
        ({**wire(Event.RECALLED), "entries": ["g1"]}, "line.entries[0]"),
        ({**wire(Event.RECALLED), "entries": [{"gid": "g1", "fact": 5}]}, "line.entries[0].fact"),
        ({**wire(Event.TURN_ENDED), "how": "He was very tired"}, "line.how"),
        ({**wire(Event.CLEARED), "lines": -1}, "line.lines"),
        ({"event": "Said", "at_ms": NOW, "turn": "t1"}, "line.text"),
        ({"event": "Said", "text": "x", "turn": "t1"}, "line.at_ms"),
    ],
)
def test_what_is_no_line_is_refused_with_the_path_of_the_field(value, path):
    with pytest.raises(Invalid) as refused:
        split(value)
    assert refused.value.path == path


def test_words_are_sanitised_before_they_are_stored_or_compared():
    assert line(Event.SAID, text="a\x00\udfff").words == {"text": "a\ufffd\ufffd"}
    assert is_done(line(Event.SAID, text="a\ufffd"), line(Event.SAID, text="a\x00"))


def test_a_turn_may_be_none():
    value = wire(Event.CLEARED)
    del value["turn"]
    assert read_line(value).turn == ""


# event: does it lose its words when (its turn, the memory g1, the picture g1) is forgotten
REACHED = {
    Event.HEARD: (True, False, False),
    Event.SAID: (True, False, False),
    Event.MODEL_WROTE: (True, False, False),
    Event.REMEMBERED: (False, True, False),
    Event.RECALLED: (False, True, False),
    Event.PUT_AWAY: (False, True, False),
    Event.RESTORED: (False, True, False),
    Event.PICTURE_SEEN: (True, False, True),
    Event.NOT_REMEMBERED: (True, False, False),
    Event.FORGOT: (False, False, False),
    Event.CLEARED: (False, False, False),
    Event.EXPIRED: (False, False, False),
    Event.TURN_ENDED: (False, False, False),
}
REACHES = (
    Reach(turns=frozenset({"t1"})),
    Reach(gids=frozenset({"g1"})),
    Reach(pictures=frozenset({"g1"})),
)


@pytest.mark.parametrize("event", Event)
def test_which_lines_a_forgetting_empties(event):
    found = line(event)
    assert tuple(loses_words(found, reach) for reach in REACHES) == REACHED[event]
    for reach in REACHES:
        kept = as_kept(found, reach)
        assert kept.envelope == found.envelope
        assert as_kept(kept, reach) == kept


def test_a_forgetting_of_something_else_empties_nothing():
    other = Reach(frozenset({"g9"}), frozenset({"t9"}), frozenset({"p9"}))
    assert not any(loses_words(line(event), other) for event in Event)


def test_the_reach_of_tombstones_is_that_of_real_forgettings():
    memory = Memory(
        "g1",
        "cat",
        learned_at_ms=1,
        mentions=frozenset({Mention(1, "d", "t1")}),
        pictures=(PictureLink(0, "p1"),),
    )
    held = StoreDoc(memories={"g1": memory})
    dropped, gone = drop_duplicate(held, "g1"), forget(held, "g1", at_ms=2, device="home")
    assert reach_of(dropped.tombstones.values(), {}) == Reach()
    assert reach_of(gone.tombstones.values(), {}) == Reach(
        frozenset({"g1"}), frozenset({"t1"}), frozenset({"p1"})
    )


def test_an_emptied_line_shows_no_picture():
    assert pictures_of(line(Event.HEARD)) == {"p1", "p2"}
    assert pictures_of(line(Event.PICTURE_SEEN)) == {"g1"}
    assert pictures_of(emptied(line(Event.HEARD))) == frozenset()
    assert pictures_of(line(Event.SAID)) == frozenset()


def said(text, at_ms=NOW):
    return line(Event.SAID, text=text, at_ms=at_ms)


HELD = {0: said("a"), 1: said("b")}


@pytest.mark.parametrize(
    ("from_seq", "texts", "refusal", "stored", "next_seq"),
    [
        (2, ["c", "d"], None, [2, 3], 4),
        (2, [], None, [], 2),
        (0, ["a", "b"], None, [], 2),
        (0, ["a", "b", "c"], None, [2], 3),
        (1, ["b", "c"], None, [2], 3),
        (3, ["d"], "gap", [], 2),
        (0, ["a", "x", "c"], "conflict", [], 2),
        (0, ["x"], "conflict", [], 2),
    ],
)
def test_a_push_is_kept_answered_as_done_or_refused_whole(from_seq, texts, refusal, stored, next_seq):
    plan = accept(2, HELD, [said(text) for text in texts], from_seq=from_seq, now_ms=NOW)
    assert plan.refusal == refusal
    assert [seq for seq, _ in plan.to_store] == stored
    assert plan.next_seq == next_seq


def test_a_conflict_is_reported_by_its_numbers():
    plan = accept(2, HELD, [said("x"), said("y")], from_seq=0, now_ms=NOW)
    assert plan.conflicts == (0, 1)


@pytest.mark.parametrize(("ahead", "refusal"), [(MAX_AHEAD_MS, None), (MAX_AHEAD_MS + 1, "clock_skew")])
def test_a_line_from_the_future_refuses_the_push(ahead, refusal):
    plan = accept(2, HELD, [said("c"), said("d", NOW + ahead)], from_seq=2, now_ms=NOW)
    assert plan.refusal == refusal


def test_a_held_line_from_the_future_is_still_answered_as_done():
    future = said("a", NOW + 10 * MAX_AHEAD_MS)
    assert accept(1, {0: future}, [future], from_seq=0, now_ms=NOW).refusal is None


@pytest.mark.parametrize(
    ("held", "pushed", "done"),
    [
        (said("a"), said("a"), True),
        (said("a"), said("b"), False),
        (said("a"), said("a", NOW + 1), False),
        (emptied(said("a")), said("anything"), True),
        (expired(said("a")), said("anything"), True),
        (said("a"), emptied(said("a")), True),
        (said("a"), emptied(said("a", NOW + 1)), False),
        (said("a"), expired(said("a")), True),
        (said("a"), expired(said("a", NOW + 1)), False),
    ],
)
def test_what_counts_as_the_same_line(held, pushed, done):
    assert is_done(held, pushed) is done


def test_a_line_of_a_forgotten_turn_is_stored_empty_and_leaves_no_gap():
    plan = accept(2, HELD, [said("c")], from_seq=2, now_ms=NOW, reach=Reach(turns=frozenset({"t1"})))
    assert plan.next_seq == 3
    assert plan.to_store == ((2, emptied(said("c"))),)


SPOKEN = st.builds(
    lambda event, turn: line(event, turn=turn),
    st.sampled_from([Event.SAID, Event.HEARD, Event.REMEMBERED, Event.PICTURE_SEEN]),
    st.sampled_from(["t1", "t2", "t3"]),
)
FORGETTINGS = st.sampled_from([*REACHES, Reach(turns=frozenset({"t2"}))])
DELIVERIES = st.tuples(st.integers(0, 8), st.integers(0, 8))


@LAWS
@given(st.lists(SPOKEN, min_size=1, max_size=8), st.lists(FORGETTINGS | DELIVERIES, max_size=8))
def test_whatever_the_order_of_pushes_and_forgettings_each_line_is_kept_once_without_the_words(lines, steps):
    """Pushes are cut, repeated and lost at random between forgettings."""
    held, known = {}, Reach()
    for step in [*steps, (0, len(lines))]:
        if isinstance(step, Reach):
            known = Reach(known.gids | step.gids, known.turns | step.turns, known.pictures | step.pictures)
            held = {seq: as_kept(kept, known) for seq, kept in held.items()}
            continue
        start, end = step
        plan = accept(len(held), held, lines[start:end], from_seq=start, now_ms=NOW, reach=known)
        assert plan.refusal == ("gap" if start > len(held) else None)
        held |= dict(plan.to_store)
        assert len(held) == plan.next_seq
    assert held == {seq: as_kept(spoken, known) for seq, spoken in enumerate(lines)}


def at(at_ms, turn="", text="x"):
    return line(Event.SAID, at_ms=at_ms, turn=turn, text=text)


def test_a_turn_is_whole_under_the_day_it_began():
    day = day_of(NOW, 180)
    before, inside, late, after = (
        at(day.start_ms - 5, "t1"),
        at(day.start_ms + 5, "t2"),
        at(day.end_ms - 1, "t3"),
        at(day.end_ms + 5),
    )
    head, tail = at(day.start_ms + 1, "t1"), at(day.end_ms + EXCHANGE_SLACK_MS - 1, "t3")
    lines = [before, head, inside, late, after, tail]
    assert of_day(lines, day) == [inside, late, tail]
    assert of_day([before, head], day_of(day.start_ms - 1, 180)) == [before, head]
    assert span(day) == (day.start_ms - EXCHANGE_SLACK_MS, day.end_ms + EXCHANGE_SLACK_MS)


@given(
    st.lists(st.tuples(st.integers(NOW, NOW + 3 * DAY_MS), st.just("")), max_size=20),
    st.sampled_from([0, 345, -660]),
)
def test_paging_the_days_newest_first_meets_every_line_once(moments, offset):
    lines = [at(*moment) for moment in moments]
    bound, counted, days = 2**53, 0, []
    while older := [found.at_ms for found in lines if found.at_ms < bound]:
        day = day_of(max(older), offset)
        counted += len(of_day(lines, day))
        days.append(day.day)
        bound = day.start_ms
    assert counted == len(lines)
    assert days == sorted(set(days), reverse=True)


@LAWS
@given(
    st.lists(
        st.tuples(
            st.sampled_from([0, DAY_MS, 2 * DAY_MS]),
            st.integers(-2 * EXCHANGE_SLACK_MS, 2 * EXCHANGE_SLACK_MS),
            st.sampled_from(["", "t1", "t2"]),
        ),
        max_size=12,
    )
)
def test_every_line_stands_under_exactly_one_day_however_long_its_turn_goes_on(moments):
    midnight = day_of(NOW, None).end_ms
    lines = [at(midnight + days + past, turn) for days, past, turn in moments]
    began = {turn: min(x.at_ms for x in lines if x.turn == turn) for turn in {x.turn for x in lines} - {""}}
    shown = []
    for number in range(-2, 5):
        day = day_of(midnight + number * DAY_MS, None)
        first, end = span(day)
        fetched = [line for line in lines if first <= line.at_ms < end]
        known = {turn: began[turn] for turn in unsure(fetched, day)}
        shown += of_day(fetched, day, began=known)
    assert sorted(map(id, shown)) == sorted(map(id, lines))


def test_old_lines_expire_in_place_with_nothing_left_but_their_time():
    old = expired(at(NOW, "t1", "secret"))
    assert join(old) == {"event": "Expired", "at_ms": NOW, "turn": ""}
    assert read_line(join(old)) == old
    assert not expires(old, NOW + 1)


@pytest.mark.parametrize(("days", "offset", "first_kept"), [(1, None, 13), (30, None, -16), (1, 840, 14)])
def test_whole_household_days_are_kept(days, offset, first_kept):
    cutoff = cutoff_ms(NOW, retention_days=days, utc_offset_minutes=offset)
    kept_from = date.fromordinal(date(2023, 11, 1).toordinal() + first_kept - 1)
    assert day_of(cutoff, offset).day == kept_from
    assert day_of(cutoff, offset).start_ms == cutoff
    assert expires(at(cutoff - 1), cutoff) and not expires(at(cutoff), cutoff)


@pytest.mark.parametrize("days", [None, 0, -5])
def test_without_a_retention_nothing_expires(days):
    assert cutoff_ms(NOW, retention_days=days, utc_offset_minutes=0) is None
    assert not expires(at(0), None)


def test_a_clearing_is_announced_once_and_only_where_something_went():
    assert cleared(lines=0, older_than_ms=5, at_ms=NOW) is None
    announced = cleared(lines=3, older_than_ms=5, at_ms=NOW)
    assert read_line(join(announced)) == announced


@given(st.lists(st.integers(0, 2 * NOW), min_size=1, max_size=6), st.integers(-NOW, NOW))
def test_restamped_lines_are_accepted_and_keep_turns_words_and_order(stamps, offset):
    lines = [at(stamp, f"t{number}") for number, stamp in enumerate(stamps)]
    moved = restamped_lines(lines, Offset(offset), now_ms=NOW)
    assert accept(0, {}, moved, from_seq=0, now_ms=NOW).refusal is None
    assert [(m.turn, m.words) for m in moved] == [(old.turn, old.words) for old in lines]
    by_stamp = sorted(zip(stamps, (line_.at_ms for line_ in moved), strict=True))
    assert all((old < later) == (new < then) for (old, new), (later, then) in pairwise(by_stamp))
