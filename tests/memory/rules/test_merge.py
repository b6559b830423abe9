"""What each part of a document does when two holders differ, and what people do to memories."""

from dataclasses import replace

import pytest

from memory.rules.merge import (
    UNDO_WINDOW_MS,
    ChatSession,
    ChatTurn,
    Embedding,
    Forgotten,
    Invalid,
    Memory,
    Mention,
    PictureLink,
    Refused,
    Revision,
    ScrubbedMeanwhile,
    SoftAction,
    StaleWords,
    StoreDoc,
    Tombstone,
    UndoRefused,
    UnknownMemory,
    add_turn,
    difference,
    drop_duplicate,
    edit_text,
    embed,
    fold,
    forget,
    forgotten_pictures,
    forgotten_turns,
    from_json,
    is_picture_wanted,
    is_rising,
    mention,
    merge_memory,
    merge_session,
    merge_soft_action,
    merge_store,
    merge_tombstone,
    new_session,
    put_away,
    remember,
    scrub,
    star,
    to_json,
    undo,
)


def told(gid="m1", text="the grey cat sleeps", **parts):
    return Memory(gid, text, **{"learned_at_ms": 100, **parts})


def store(*memories, **parts):
    return StoreDoc(memories={memory.gid: memory for memory in memories}, **parts)


def both_ways(merge, a, b):
    assert merge(a, b) == merge(b, a)
    return merge(a, b)


# part by part: what one holder has, what the other has, what both have after
PARTS = {
    "later text": ({"text": "b", "text_at_ms": 9}, {"text": "c", "text_at_ms": 8}, ("text", "b")),
    "text tie": ({"text": "b", "text_at_ms": 9}, {"text": "c", "text_at_ms": 9}, ("text", "b")),
    "later hidden": (
        {"hidden": True, "visibility_at_ms": 5},
        {"hidden": False, "visibility_at_ms": 6},
        ("hidden", False),
    ),
    "hidden tie": (
        {"hidden": True, "visibility_at_ms": 5},
        {"hidden": False, "visibility_at_ms": 5},
        ("hidden", True),
    ),
    "later cover": (
        {"cover_picture": "a", "cover_at_ms": 5},
        {"cover_picture": "b", "cover_at_ms": 6},
        ("cover_picture", "b"),
    ),
    "cover tie": (
        {"cover_picture": "a", "cover_at_ms": 5},
        {"cover_picture": "b", "cover_at_ms": 5},
        ("cover_picture", "a"),
    ),
    "one cover": ({"cover_picture": "a", "cover_at_ms": 0}, {}, ("cover_picture", "a")),
    "one icon": ({"icon": "sun"}, {}, ("icon", "sun")),
    "two icons": ({"icon": "sun"}, {"icon": "moon"}, ("icon", "moon")),
    "kind": ({"kind": "pet"}, {"kind": "home"}, ("kind", "home")),
    "who": ({"who": "Leo"}, {"who": "Ana"}, ("who", "Ana")),
    "place": ({"place": "park"}, {"place": "home"}, ("place", "home")),
    "said when": ({"said_when": "today"}, {"said_when": "now"}, ("said_when", "now")),
    "learned": ({"learned_at_ms": 7}, {"learned_at_ms": 3}, ("learned_at_ms", 3)),
    "mentions": (
        {"mentions": frozenset({Mention(1, "a", "t1")})},
        {"mentions": frozenset({Mention(1, "a", "t1"), Mention(2, "b", "")})},
        ("mentions", frozenset({Mention(1, "a", "t1"), Mention(2, "b", "")})),
    ),
    "pictures": (
        {"pictures": (PictureLink(0, "z"), PictureLink(1, "y"))},
        {"pictures": (PictureLink(0, "y"), PictureLink(3, "x"))},
        ("pictures", (PictureLink(0, "y"), PictureLink(0, "z"), PictureLink(3, "x"))),
    ),
}


@pytest.mark.parametrize(("one", "other", "expected"), PARTS.values(), ids=PARTS)
def test_each_part_merges_by_its_rule(one, other, expected):
    name, value = expected
    assert getattr(both_ways(merge_memory, told(**one), told(**other)), name) == value


def test_two_memories_do_not_merge():
    for merge, make in (
        (merge_memory, told),
        (merge_tombstone, lambda gid: Tombstone(gid, "memory")),
        (merge_session, lambda gid: ChatSession(gid, 0)),
        (merge_soft_action, lambda gid: SoftAction("a", gid, 0)),
    ):
        with pytest.raises(ValueError):
            merge(make("m1"), make("m2"))


def test_a_cover_has_a_stamp_or_there_is_neither():
    with pytest.raises(ValueError):
        told(cover_picture="a")


def test_edits_on_three_holders_give_one_history_of_words_in_every_order():
    learned = told(text="v1")
    a = edit_text(learned, "A", at_ms=10, device="ann")
    b = edit_text(learned, "B", at_ms=7, device="bob")
    c = edit_text(learned, "C", at_ms=8, device="cem")
    rows = (
        Revision(at_ms=7, text_at_ms=0, text="v1", device="bob"),
        Revision(at_ms=8, text_at_ms=7, text="B", device="cem"),
        Revision(at_ms=10, text_at_ms=8, text="C", device="ann"),
    )
    for first, second, third in ((a, b, c), (c, a, b), (b, c, a)):
        merged = merge_memory(merge_memory(first, second), third)
        assert (merged.text, merged.text_at_ms, merged.revisions) == ("A", 10, rows)


def test_words_only_learned_of_are_replaced_by_no_device_until_one_is_named():
    learned, bare = told(text="v1"), told(text="v2", text_at_ms=5)
    merged = both_ways(merge_memory, learned, bare)
    assert merged.revisions == (Revision(5, 0, "v1", ""),)
    named = edit_text(learned, "v2", at_ms=5, device="bob")
    assert both_ways(merge_memory, merged, named).revisions == (Revision(5, 0, "v1", "bob"),)
    other = edit_text(learned, "v2", at_ms=5, device="ann")
    assert both_ways(merge_memory, named, other).revisions == (Revision(5, 0, "v1", "ann"),)


def test_words_may_come_back_and_both_times_are_kept():
    memory = told(text="v1")
    for text, at_ms in (("v2", 5), ("v1", 9)):
        memory = edit_text(memory, text, at_ms=at_ms, device="ann")
    assert [(row.text, row.text_at_ms) for row in memory.revisions] == [("v1", 0), ("v2", 5)]
    assert (memory.text, memory.text_at_ms) == ("v1", 9)


def test_an_edit_to_the_same_words_is_none_and_an_edit_is_always_later():
    memory = edit_text(told(text="v1"), "v2", at_ms=50, device="ann")
    assert edit_text(memory, "v2", at_ms=60, device="bob") is memory
    assert edit_text(memory, "v3", at_ms=50, device="bob").text_at_ms == 51


def test_an_edit_replaces_what_no_store_takes():
    assert edit_text(told(), "a\x00b\udc00", at_ms=1, device="ann").text == "a\ufffdb\ufffd"
    assert remember(StoreDoc(), told(text="\x00", who="\ud800")).memories["m1"].who == "\ufffd"


def test_an_embedding_is_of_the_current_words_only():
    memory = embed(told(text="v1"), Embedding("e5", b"2"), text_at_ms=0, text="v1")
    assert embed(memory, Embedding("e5", b"1"), text_at_ms=0, text="v1").embeddings == {Embedding("e5", b"1")}
    edited = edit_text(memory, "v2", at_ms=5, device="ann")
    assert edited.embeddings == frozenset()
    assert both_ways(merge_memory, memory, edited).embeddings == frozenset()
    with pytest.raises(StaleWords):
        embed(edited, Embedding("e5", b"3"), text_at_ms=0, text="v1")


def test_two_models_embeddings_are_both_kept_and_are_outside_equality():
    one, two = replace(told(), embeddings=frozenset({Embedding("e5", b"2")})), told()
    assert one == two
    assert not difference(store(two), store(one)).is_empty
    other = replace(told(), embeddings=frozenset({Embedding("e5", b"1"), Embedding("nano", b"9")}))
    assert merge_memory(one, other).embeddings == {Embedding("e5", b"1"), Embedding("nano", b"9")}


def test_a_star_needs_a_picture_the_memory_shows():
    memory = told(pictures=(PictureLink(0, "p1"), PictureLink(1, "p2")))
    assert star(star(memory, "p1", at_ms=5), "p2", at_ms=5).cover_at_ms == 6
    with pytest.raises(Refused):
        star(memory, "p3", at_ms=5)


def test_a_mention_is_one_for_each_telling():
    telling = Mention(5, "tablet", "t1")
    assert mention(mention(told(), telling), telling).mentions == {telling}


@pytest.mark.parametrize("wait", [0, UNDO_WINDOW_MS])
def test_an_undo_in_time_wins_on_every_holder(wait):
    hidden = put_away(store(told()), "m1", action_id="a1", at_ms=1000)
    undone = undo(hidden, "m1", action_id="a1", at_ms=1000 + wait)
    for merged in (merge_store(hidden, undone), merge_store(undone, hidden)):
        assert not merged.memories["m1"].hidden
        assert merged.soft_actions["m1", "a1"].undone_at_ms == 1000 + wait
    with pytest.raises(UndoRefused):
        undo(undone, "m1", action_id="a1", at_ms=1001 + wait)


def test_an_undo_too_late_or_of_nothing_is_refused():
    hidden = put_away(store(told()), "m1", action_id="a1", at_ms=1000)
    with pytest.raises(UndoRefused):
        undo(hidden, "m1", action_id="a1", at_ms=1001 + UNDO_WINDOW_MS)
    with pytest.raises(UnknownMemory):
        undo(hidden, "m1", action_id="a2", at_ms=1000)
    with pytest.raises(UnknownMemory):
        put_away(StoreDoc(), "m1", action_id="a1", at_ms=1)


def test_forgetting_takes_memory_soft_actions_chats_turns_and_pictures():
    told_twice = told(
        mentions=frozenset({Mention(1, "tablet", "t1"), Mention(2, "phone", "t2"), Mention(3, "old", "")}),
        pictures=(PictureLink(0, "p1"),),
    )
    held = put_away(store(told_twice), "m1", action_id="a1", at_ms=5)
    chat = add_turn(
        new_session("s", at_ms=1, forgotten=()), ChatTurn("t1", "child", "cat", 2), scrubbed=frozenset()
    )
    after = forget(replace(held, sessions={"s": chat}), "m1", at_ms=9, device="home", turns=["t9"])
    tombstone = after.tombstones["m1"]
    assert (tombstone.turns, tombstone.pictures) == ({"t1", "t2", "t9"}, {"p1"})
    assert not after.memories and not after.soft_actions
    assert after.sessions["s"] == ChatSession("s", 2, scrubbed=frozenset({"m1"}))
    with pytest.raises(Forgotten):
        remember(after, told())
    with pytest.raises(Forgotten):
        put_away(after, "m1", action_id="a2", at_ms=10)


def test_a_telling_the_forgetting_holder_never_heard_of_is_reached_when_they_meet():
    forgotten_here = forget(StoreDoc(), "m1", at_ms=9, device="home")
    elsewhere = store(told(mentions=frozenset({Mention(7, "tablet", "t7")})))
    for merged in (merge_store(forgotten_here, elsewhere), merge_store(elsewhere, forgotten_here)):
        assert forgotten_turns(merged.tombstones.values()) == {"t7"}


def test_a_dropped_duplicate_takes_only_itself():
    held = store(told(mentions=frozenset({Mention(1, "tablet", "t1")}), pictures=(PictureLink(0, "p1"),)))
    chat = ChatSession("s", 1, version=1, stamp_ms=1, summary="cat")
    after = drop_duplicate(replace(held, sessions={"s": chat}), "m1")
    tombstones = after.tombstones.values()
    assert not after.memories
    assert after.sessions["s"] == chat
    assert forgotten_turns(tombstones) == frozenset()
    assert is_picture_wanted("p1", tombstones, after.memories)


def test_a_duplicate_that_is_forgotten_later_empties_as_a_new_forgetting():
    held = drop_duplicate(store(told(mentions=frozenset({Mention(1, "tablet", "t1")}))), "m1")
    after = forget(held, "m1", at_ms=9, device="home")
    assert is_rising(held.tombstones["m1"], after.tombstones["m1"])
    assert difference(held, after).rising == ("m1",)
    assert forgotten_turns(after.tombstones.values()) == {"t1"}


@pytest.mark.parametrize(
    ("one", "other", "account"),
    [
        ((0, ""), (0, ""), (0, "")),
        ((0, ""), (5, "b"), (5, "b")),
        ((5, "b"), (9, "a"), (5, "b")),
        ((5, "b"), (5, "a"), (5, "a")),
    ],
)
def test_the_earlier_account_of_a_forgetting_is_kept(one, other, account):
    merged = both_ways(merge_tombstone, Tombstone("m1", "memory", *one), Tombstone("m1", "memory", *other))
    assert (merged.at_ms, merged.device) == account
    assert not is_rising(merged, merged)


def test_a_picture_goes_with_the_last_memory_that_shows_it():
    shared = (PictureLink(0, "p1"),)
    after = forget(store(told(pictures=shared), told("m2", pictures=shared)), "m1", at_ms=9, device="home")
    assert is_picture_wanted("p1", after.tombstones.values(), after.memories)
    after = forget(after, "m2", at_ms=10, device="home")
    assert forgotten_pictures(after.tombstones.values(), after.memories) == {"p1"}
    assert not is_picture_wanted("p1", after.tombstones.values(), after.memories)


def test_a_tombstone_is_of_a_known_kind():
    with pytest.raises(ValueError):
        Tombstone("m1", "wish")


CHATS = {
    "greater version": ((2, 1, "b", ""), (1, 9, "a", ""), (2, 1, "b", "")),
    "later stamp": ((2, 5, "b", ""), (2, 4, "a", ""), (2, 5, "b", "")),
    "smaller bytes": ((2, 5, "b", ""), (2, 5, "a", ""), (2, 5, "a", "")),
    "superset": ((9, 9, "b", "x"), (1, 1, "a", "xy"), (1, 1, "a", "xy")),
    "incomparable": ((9, 9, "b", "x"), (9, 9, "a", "y"), (0, 0, "", "xy")),
    "anything over empty": ((1, 0, "b", "x"), (0, 0, "", "x"), (1, 0, "b", "x")),
}


@pytest.mark.parametrize(("one", "other", "winner"), CHATS.values(), ids=CHATS)
def test_of_two_copies_of_a_chat_one_wins_whole(one, other, winner):
    def session(last, version, stamp_ms, summary, scrubbed):
        return ChatSession("s", last, version, stamp_ms, summary, scrubbed=frozenset(scrubbed))

    merged = both_ways(merge_session, session(3, *one), session(8, *other))
    assert merged == session(8, *winner)


def test_an_empty_chat_has_no_words():
    with pytest.raises(ValueError):
        ChatSession("s", 1, summary="words")


def test_a_chat_folds_its_oldest_turns_into_the_summary():
    session = new_session("s", at_ms=1, forgotten=["m9"])
    for at_ms in (2, 3, 4):
        said = ChatTurn(f"t{at_ms}", "child", f"word {at_ms}\x00", at_ms)
        session = add_turn(session, said, scrubbed=frozenset({"m9"}))
    folded = fold(session, "two words", leaving=2, at_ms=5, scrubbed=frozenset({"m9"}))
    assert [turn.text for turn in folded.turns] == ["word 4\ufffd"]
    assert (folded.version, folded.stamp_ms, folded.last_activity_at_ms) == (4, 5, 5)


def test_what_was_made_from_words_forgotten_meanwhile_is_not_kept():
    session = new_session("s", at_ms=1, forgotten=())
    emptied = scrub(session, ["m1"])
    with pytest.raises(ScrubbedMeanwhile):
        add_turn(emptied, ChatTurn("t1", "companion", "the cat", 2), scrubbed=session.scrubbed)
    with pytest.raises(ScrubbedMeanwhile):
        fold(emptied, "about the cat", leaving=0, at_ms=2, scrubbed=session.scrubbed)


def test_the_difference_is_only_what_changed():
    held = put_away(store(told(), told("m2")), "m1", action_id="a1", at_ms=5)
    assert difference(held, held).is_empty
    after = forget(held, "m1", at_ms=9, device="home")
    found = difference(held, after)
    assert (found.memories, found.gone_memories, found.gone_soft_actions) == ((), ("m1",), (("m1", "a1"),))
    assert found.tombstones == (after.tombstones["m1"],)


GOOD = to_json(told(mentions=frozenset({Mention(1, "tablet", "t1")})))


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"colour": "red"}, "memory.colour"),
        ({"text": 5}, "memory.text"),
        ({"text": None}, "memory.text"),
        ({"gid": "words are no identity"}, "memory.gid"),
        ({"gid": ""}, "memory.gid"),
        ({"learned_at_ms": -1}, "memory.learned_at_ms"),
        ({"learned_at_ms": 2**53}, "memory.learned_at_ms"),
        ({"learned_at_ms": True}, "memory.learned_at_ms"),
        ({"hidden": 1}, "memory.hidden"),
        ({"mentions": {}}, "memory.mentions"),
        ({"mentions": [{"at_ms": 1, "device": "d"}]}, "memory.mentions[0].turn"),
        ({"mentions": [{"at_ms": 1, "device": "d", "turn": "my secret"}]}, "memory.mentions[0].turn"),
        ({"pictures": ["p1"]}, "memory.pictures[0]"),
        ({"cover_picture": "p1"}, "memory"),
        ({"embeddings": [{"model": "e5", "data": "!"}]}, "memory.embeddings[0].data"),
        ({"embeddings": [{"model": "e5", "data": 5}]}, "memory.embeddings[0].data"),
    ],
)
def test_what_is_no_memory_is_refused_with_the_path_of_the_field(change, path):
    with pytest.raises(Invalid) as refused:
        from_json(Memory, {**GOOD, **change})
    assert refused.value.path == path


def test_a_missing_field_and_a_wrong_shape_are_refused():
    with pytest.raises(Invalid):
        from_json(Memory, {name: value for name, value in GOOD.items() if name != "text"})
    with pytest.raises(Invalid):
        from_json(Memory, ["text"])
    with pytest.raises(Invalid) as refused:
        from_json(Tombstone, {"gid": "t1", "kind": "wish"})
    assert refused.value.path == "tombstone"
    with pytest.raises(Invalid):
        from_json(Tombstone, {"gid": "t1", "kind": "turn", "turns": ["what he said"]})


def test_texts_from_the_wire_are_sanitised():
    assert from_json(Memory, {**GOOD, "text": "a\x00\ud83d"}).text == "a\ufffd\ufffd"
