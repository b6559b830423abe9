"""The laws of merging over random histories: any order ends the same, and nothing forgotten comes back."""

from functools import reduce

from hypothesis import given, target
from hypothesis import strategies as st

from memory.rules.merge import (
    ChatSession,
    ChatTurn,
    Embedding,
    Memory,
    Mention,
    PictureLink,
    Revision,
    SoftAction,
    StoreDoc,
    Tombstone,
    difference,
    forgotten,
    forgotten_turns,
    from_json,
    merge_memory,
    merge_session,
    merge_store,
    merge_tombstone,
    normal,
    scrub,
    settled,
    to_json,
)
from memory.rules.merge.revisions import versions_of
from tests.laws import LAWS
from tests.memory.rules.histories import secret, spelled, worlds

few = st.integers(0, 3)
names = st.sampled_from(["a", "b", "c"])


@st.composite
def memories(draw, gid="m"):
    """Any memory at all, with few stamps and words so that ties are common, in its normal form."""
    cover = draw(st.none() | st.tuples(names, few))
    return normal(
        Memory(
            gid,
            text=draw(names),
            learned_at_ms=draw(few),
            text_at_ms=draw(few),
            hidden=draw(st.booleans()),
            visibility_at_ms=draw(few),
            cover_picture=cover[0] if cover else None,
            cover_at_ms=cover[1] if cover else None,
            icon=draw(st.none() | names),
            kind=draw(names),
            who=draw(st.sampled_from(["", "Ana"])),
            place=draw(names),
            said_when=draw(names),
            mentions=draw(st.frozensets(st.builds(Mention, few, names, names), max_size=2)),
            revisions=tuple(draw(st.lists(st.builds(Revision, few, few, names, names), max_size=3))),
            pictures=tuple(draw(st.lists(st.builds(PictureLink, few, names), max_size=3))),
            embeddings=draw(st.frozensets(st.builds(Embedding, names, st.binary(max_size=1)), max_size=2)),
        )
    )


def tombstones(gid="m"):
    sets = st.frozensets(names, max_size=2)
    return st.builds(Tombstone, st.just(gid), st.sampled_from(["memory", "turn"]), few, names, sets, sets)


@st.composite
def sessions(draw, gid="s"):
    version = draw(few)
    turns = st.lists(st.builds(ChatTurn, names, names, names, few), max_size=2)
    return ChatSession(
        gid,
        last_activity_at_ms=draw(few),
        version=version,
        stamp_ms=draw(few) if version else 0,
        summary=draw(names) if version else "",
        turns=tuple(draw(turns)) if version else (),
        scrubbed=draw(st.frozensets(names, max_size=3)),
    )


@st.composite
def stores(draw):
    """Any store at all that keeps its own tombstones."""
    gids = ["m", "n"]
    actions = [
        SoftAction(draw(names), draw(st.sampled_from(gids)), draw(few), draw(st.none() | few))
        for _ in range(draw(st.integers(0, 2)))
    ]
    return settled(
        StoreDoc(
            memories={gid: draw(memories(gid)) for gid in gids if draw(st.booleans())},
            tombstones={gid: draw(tombstones(gid)) for gid in gids if draw(st.integers(0, 2)) == 0},
            soft_actions={action.key: action for action in actions},
            sessions={"s": draw(sessions())} if draw(st.booleans()) else {},
        )
    )


def check_laws(merge, a, b, c):
    assert spelled(merge(a, b)) == spelled(merge(b, a))
    assert spelled(merge(merge(a, b), c)) == spelled(merge(a, merge(b, c)))
    assert spelled(merge(a, a)) == spelled(a)
    kept = merge(a, b)
    assert spelled(merge(kept, a)) == spelled(merge(b, kept)) == spelled(kept)


@LAWS
@given(memories(), memories(), memories())
def test_memories_merge_lawfully(a, b, c):
    check_laws(merge_memory, a, b, c)


@LAWS
@given(tombstones(), tombstones(), tombstones())
def test_tombstones_merge_lawfully(a, b, c):
    check_laws(merge_tombstone, a, b, c)


@LAWS
@given(sessions(), sessions(), sessions())
def test_chats_merge_lawfully(a, b, c):
    check_laws(merge_session, a, b, c)


@LAWS
@given(stores(), stores(), stores())
def test_stores_merge_lawfully(a, b, c):
    check_laws(merge_store, a, b, c)


@LAWS
@given(worlds())
def test_the_stores_of_a_history_merge_lawfully(world):
    stores = [holder.store for holder in world.holders]
    check_laws(merge_store, stores[0], stores[1], stores[-1])


@LAWS
@given(worlds(), st.randoms(use_true_random=False))
def test_every_delivery_order_converges_and_nothing_forgotten_is_left(world, random):
    target(float(sum(len(holder.store.tombstones) for holder in world.holders)))
    stores = [holder.store for holder in world.holders]
    everything = reduce(merge_store, stores)
    again = stores + stores + [copy for holder in world.holders for copy in holder.copies]
    for holder in world.holders:
        random.shuffle(again)
        converged = reduce(merge_store, again, holder.store)
        # a copy kept from before a restore may know more than any holder does now
        complete = reduce(merge_store, again, everything)
        assert spelled(converged) == spelled(complete)
        assert difference(converged, merge_store(converged, everything)).is_empty
        check_forgotten(complete, [*again, *stores])
    if not world.restored:
        assert world.ever_forgotten <= forgotten(everything.tombstones.values())


def check_forgotten(complete, parts):
    bytes_ = spelled(complete)
    gone = forgotten(complete.tombstones.values())
    for gid in gone:
        assert secret(gid) not in bytes_
        told = {m.turn for part in parts if gid in part.memories for m in part.memories[gid].mentions}
        assert told - {""} <= forgotten_turns(complete.tombstones.values())
    assert not complete.tombstones.keys() & complete.memories.keys()
    assert all(action.gid not in complete.tombstones for action in complete.soft_actions.values())
    assert all(session.scrubbed >= gone for session in complete.sessions.values())


@LAWS
@given(worlds())
def test_no_wording_and_no_telling_of_a_living_memory_is_lost(world):
    stores = [holder.store for holder in world.holders]
    everything = reduce(merge_store, stores)
    for gid, memory in everything.memories.items():
        copies = [store.memories[gid] for store in stores if gid in store.memories]
        assert versions_of(memory).keys() == {key for copy in copies for key in versions_of(copy)}
        assert memory.mentions == {telling for copy in copies for telling in copy.mentions}


@LAWS
@given(memories(), memories())
def test_revisions_are_a_chain_that_ends_in_the_current_text(a, b):
    merged = merge_memory(a, b)
    starts = [row.text_at_ms for row in merged.revisions] + [merged.text_at_ms]
    assert starts == sorted(starts)
    assert [row.at_ms for row in merged.revisions] == starts[1:]
    last = max(a.text_at_ms, b.text_at_ms)
    assert merged.text == min(side.text for side in (a, b) if side.text_at_ms == last)


@LAWS
@given(sessions(), st.frozensets(names), st.frozensets(names))
def test_emptying_a_chat_twice_is_emptying_it_for_both(session, first, second):
    once = scrub(session, first | second)
    assert scrub(scrub(session, first), second) == once
    assert once.scrubbed == session.scrubbed | first | second
    assert (once.version > 0) == (first | second <= session.scrubbed and session.version > 0)


@LAWS
@given(memories(), tombstones(), sessions())
def test_a_document_comes_back_from_the_wire_as_it_was(memory, tombstone, session):
    for document in (memory, tombstone, session):
        assert spelled(from_json(type(document), to_json(document))) == spelled(document)
