"""Random histories of several holders: what people do, what devices lose, restore and send twice."""

from dataclasses import dataclass, field, replace
from datetime import date

from hypothesis import strategies as st

from household.rules.canonical import canonical
from household.rules.clock import MAX_AHEAD_MS, stamp
from household.rules.limits import TimeRow, merge_time_rows
from memory.rules.merge import (
    ChatTurn,
    Embedding,
    Memory,
    Mention,
    PictureLink,
    Refused,
    StoreDoc,
    add_turn,
    difference,
    drop_duplicate,
    edit_text,
    embed,
    fold,
    forget,
    forgotten,
    mention,
    merge_store,
    new_session,
    put_away,
    remember,
    star,
    to_json,
    undo,
)

START_MS = 1_700_000_000_000
MEMORIES = 4


def spelled(document):
    """All of a document, embeddings included, so that two are the same only if every byte is."""
    return canonical(to_json(document))


def secret(gid):
    """A word that is only ever in what was said of one memory."""
    return f"secret of {gid}!"


@dataclass
class Holder:
    """The house or a device, with a clock that may be wrong within bounds and copies it may fall back to."""

    name: str
    skew_ms: int
    store: StoreDoc = field(default_factory=StoreDoc)
    seen_ms: int = 0
    copies: list[StoreDoc] = field(default_factory=list)
    lives: int = 1

    @property
    def device(self):
        """A restored device makes itself a new id."""
        return f"{self.name}.{self.lives}"


@dataclass
class World:
    """Some holders and the true time; every step is one method, chosen and fed by Hypothesis."""

    holders: list[Holder]
    now_ms: int = START_MS
    made: int = 0
    ever_forgotten: set[str] = field(default_factory=set)
    restored: bool = False

    def stamp(self, holder):
        holder.seen_ms = stamp(self.now_ms + holder.skew_ms, holder.seen_ms)
        return holder.seen_ms

    def fresh(self, prefix):
        self.made += 1
        return f"{prefix}{self.made}"

    def change(self, holder, gid, edit):
        if gid in holder.store.memories:
            edited = edit(holder.store.memories[gid])
            holder.store = replace(holder.store, memories={**holder.store.memories, gid: edited})

    def step_tell(self, holder, gid, number):
        at_ms, turn = self.stamp(holder), self.fresh("turn-")
        pictures = tuple(PictureLink(at, f"{gid}-{(at + number) % 3}.jpg") for at in range(number % 3))
        told = Memory(
            gid,
            f"{secret(gid)} {number}",
            learned_at_ms=at_ms,
            icon=[None, "star", "cat"][number % 3],
            mentions=frozenset({Mention(at_ms, holder.device, turn)}),
            pictures=pictures,
        )
        if gid not in holder.store.tombstones:
            holder.store = remember(holder.store, told)

    def step_mention(self, holder, gid, number):
        telling = Mention(self.stamp(holder), holder.device, self.fresh("turn-") if number else "")
        self.change(holder, gid, lambda memory: mention(memory, telling))

    def step_edit(self, holder, gid, number):
        at_ms = self.stamp(holder)
        words = f"{secret(gid)} {number}"
        self.change(holder, gid, lambda m: edit_text(m, words, at_ms=at_ms, device=holder.device))

    def step_star(self, holder, gid, number):
        at_ms = self.stamp(holder)
        self.change(
            holder,
            gid,
            lambda m: star(m, m.pictures[number % len(m.pictures)].name, at_ms=at_ms) if m.pictures else m,
        )

    def step_embed(self, holder, gid, number):
        made = Embedding(f"model-{number % 2}", f"{gid} {number}".encode())
        self.change(holder, gid, lambda m: embed(m, made, text_at_ms=m.text_at_ms, text=m.text))

    def step_put_away(self, holder, gid, number):
        if gid in holder.store.memories:
            at_ms = self.stamp(holder)
            holder.store = put_away(holder.store, gid, action_id=self.fresh("action-"), at_ms=at_ms)

    def step_undo(self, holder, gid, number):
        for action in list(holder.store.soft_actions.values()):
            if action.gid == gid:
                try:
                    holder.store = undo(holder.store, gid, action_id=action.id, at_ms=self.stamp(holder))
                except Refused:
                    continue

    def step_chat(self, holder, gid, number):
        name, at_ms = f"session-{number % 2}", self.stamp(holder)
        known = forgotten(holder.store.tombstones.values())
        session = holder.store.sessions.get(name) or new_session(name, at_ms=at_ms, forgotten=known)
        memory = holder.store.memories.get(gid)
        turn = ChatTurn(self.fresh("turn-"), "child", memory.text if memory else "hello", at_ms)
        session = add_turn(session, turn, scrubbed=session.scrubbed)
        if len(session.turns) > 2:
            summary = " ".join(said.text for said in session.turns)
            session = fold(session, summary, leaving=2, at_ms=at_ms, scrubbed=session.scrubbed)
        holder.store = replace(holder.store, sessions={**holder.store.sessions, name: session})

    def step_forget(self, holder, gid, number):
        holder.store = forget(holder.store, gid, at_ms=self.stamp(holder), device=holder.device)
        self.ever_forgotten.add(gid)

    def step_duplicate(self, holder, gid, number):
        holder.store = drop_duplicate(holder.store, gid)

    def step_talk(self, holder, gid, number):
        day = date(2025, 3, 10 + number % 2)
        at = (holder.device, day)
        before = holder.store.time.get(at, TimeRow(*at))
        after = replace(before, used_ms=before.used_ms + number)
        holder.store = replace(holder.store, time=merge_time_rows(holder.store.time, {at: after}))

    def step_wait(self, holder, gid, number):
        self.now_ms += number * 3_000

    def step_keep_copy(self, holder, gid, number):
        holder.copies.append(holder.store)

    def step_restore(self, holder, gid, number):
        if holder.copies:
            holder.store = holder.copies[number % len(holder.copies)]
            holder.lives += 1
            self.restored = True

    def step_send(self, holder, gid, number):
        """To another holder, now and then a copy of long ago (a late or repeated delivery)."""
        other = self.holders[(self.holders.index(holder) + 1 + number) % len(self.holders)]
        copies = [holder.store, holder.store, *holder.copies]
        self.deliver(copies[number % len(copies)], other, seen_ms=holder.seen_ms)

    def step_send_page(self, holder, gid, number):
        """Only what travels on one page: one memory or its tombstone, and nothing else."""
        other = self.holders[(self.holders.index(holder) + 1 + number) % len(self.holders)]
        store = holder.store
        page = StoreDoc(
            memories={gid: store.memories[gid]} if gid in store.memories else {},
            tombstones={gid: store.tombstones[gid]} if gid in store.tombstones else {},
        )
        self.deliver(page, other, seen_ms=holder.seen_ms)

    def deliver(self, document, holder, *, seen_ms):
        before = holder.store
        after = merge_store(before, document)
        assert before.tombstones.keys() <= after.tombstones.keys()
        assert not before.tombstones.keys() & after.memories.keys()
        assert difference(after, merge_store(after, document)).is_empty
        assert difference(after, merge_store(before, after)).is_empty
        holder.store, holder.seen_ms = after, max(holder.seen_ms, seen_ms)


STEPS = sorted(name for name in vars(World) if name.startswith("step_"))
# a history of several holders is mostly telling and sending
FREQUENT = (
    ["step_tell"] * 6 + ["step_send"] * 6 + ["step_edit"] * 3 + ["step_keep_copy"] * 2 + ["step_restore"]
)
OFTEN = STEPS + FREQUENT


@st.composite
def worlds(draw, steps=40):
    """A world after a random history."""
    skews = draw(st.lists(st.integers(-MAX_AHEAD_MS, MAX_AHEAD_MS), min_size=2, max_size=5))
    world = World([Holder(f"holder-{at}", skew) for at, skew in enumerate(skews)])
    moves = st.tuples(
        st.sampled_from(OFTEN),
        st.integers(0, len(skews) - 1),
        st.integers(0, MEMORIES - 1),
        st.integers(0, 5),
    )
    least = draw(st.sampled_from([0, steps // 2, steps]))
    for name, who, what, number in draw(st.lists(moves, min_size=least, max_size=steps)):
        getattr(world, name)(world.holders[who], f"m{what}", number)
    return world
