"""Random histories of a house and its tablets, over a wire that loses, repeats and breaks off."""

from __future__ import annotations

import itertools
import random
import uuid
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from household.rules.clock import MAX_AHEAD_MS
from memory.device.copy import Copy
from memory.device.house import Answering, Refused, Unreachable
from memory.device.syncing import Report, sync
from memory.device.tablet import Tablet
from memory.rules import merge
from tests.household.box.running import until

START_MS = 1_800_000_000_000
YEAR_MS = 365 * 86_400_000
MEMORIES = 4
BUSY_S = 30
# what may happen to one request on its way
FAULTS = ("ok", "ok", "ok", "lost request", "lost response", "twice")


def secret(gid: str) -> str:
    """A word that is only ever in what was said of one memory."""
    return f"secret of {gid}!"


class Wire:
    """The way to a house; each request takes the next fate, and all is well once none is left."""

    def __init__(self, house: Answering) -> None:
        self.house = house
        self.fates: list[str] = []
        self.is_offline = False
        self.asked: list[str] = []

    def ask(self, method: str, path: str, body: Any = None, *, token: str = "") -> Any:
        """One request and whatever becomes of it."""
        fate = self.fates.pop(0) if self.fates else "ok"
        self.asked.append(f"{method} {path.partition('?')[0]}")
        if self.is_offline or fate == "lost request":
            raise Unreachable(fate)
        answer = self._answer(method, path, body, token)
        if fate == "twice":
            answer = self._answer(method, path, body, token)
        if fate == "lost response":
            raise Unreachable(fate)
        return answer

    def _answer(self, method: str, path: str, body: Any, token: str) -> Any:
        """What the house says once it is not too busy, as a tablet that comes again would hear it."""
        answers: list[Any] = []

        def is_answered() -> bool:
            try:
                answers.append(self.house.ask(method, path, body, token=token))
            except Refused as no:
                if no.status != 503:
                    raise
            return bool(answers)

        until(is_answered, "an answer of a busy house", patience_s=BUSY_S)
        return answers[0]


@dataclass
class Holder:
    """One tablet, its clock, the backups it may come back from."""

    tablet: Tablet
    wire: Wire
    backups: list[bytes] = field(default_factory=list)


class World:
    """A house, some tablets and the true time; every step is one method, chosen and fed by Hypothesis."""

    def __init__(self, skews: list[int], *, seed: int = 0) -> None:
        self.now_ms = START_MS
        self.dice = random.Random(seed)
        self.numbers = itertools.count(1)
        self.house = self.make_house()
        self.forgotten: set[str] = set()
        self.lost_knowledge = False  # whether a restore may have lost what only one holder knew
        self.holders = [self.holder(skew) for skew in skews]

    # what the house is: another world has a real one

    def make_house(self) -> Any:
        """The house."""
        from tests.device.model_house import ModelHouse

        return ModelHouse(lambda: self.now_ms)

    def code(self) -> str:
        """A code that pairs one tablet."""
        return "123456"

    def backup_house(self) -> Any:
        """A backup of the house."""
        return self.house.kept.backup()

    def restore_house(self, backup: Any, *, is_same_box: bool) -> None:
        """The house comes back from a backup."""
        self.house.restore(backup, is_same_box=is_same_box)

    def picture(self, gid: str) -> bytes:
        """Bytes of a picture of one memory."""
        return b"picture of " + gid.encode()

    def vector(self, gid: str, number: int) -> bytes:
        """Bytes of an embedding."""
        return f"{gid} {number}".encode()

    # tablets

    def holder(self, skew: int) -> Holder:
        wire = Wire(self.house)
        return Holder(self.tablet(Copy(":memory:"), wire, skew), wire)

    def tablet(self, copy: Copy, wire: Wire, skew: int) -> Tablet:
        made = Tablet(
            copy,
            wire,
            clock=lambda: self.now_ms + skew,
            fresh=self.fresh,
            new_id=lambda: uuid.UUID(int=self.dice.getrandbits(128), version=4),
        )
        made.pair(self.code(), name="Tablet")
        made.skew = skew  # type: ignore[attr-defined]
        return made

    def gid(self, number: int) -> str:
        return f"m{number}"

    def fresh(self) -> str:
        """An end of an identity that nobody else gives."""
        return f"{next(self.numbers):06d}"

    def session(self, number: int) -> str:
        """The identity of a conversation that tablets share."""
        return f"session-{number}"

    # steps

    def step_tell(self, holder: Holder, gid: str, number: int) -> None:
        tablet = holder.tablet
        if gid in tablet.store.tombstones:
            return  # what is said after a forgetting is a new memory
        names = [f"{gid}-{(at + number) % 3}.png" for at in range(number % 3)]
        pictures = dict.fromkeys(names, self.picture(gid))
        turn = tablet.hear(f"{secret(gid)} {number}", pictures=pictures)
        told = tablet.remember(f"{secret(gid)} {number}", turn=turn, gid=gid, pictures=tuple(pictures))
        tablet.write("Remembered", turn=turn, gid=gid, fact=told.text)

    def step_edit(self, holder: Holder, gid: str, number: int) -> None:
        if gid in holder.tablet.store.memories:
            holder.tablet.edit(gid, f"{secret(gid)} {number} again")

    def step_star(self, holder: Holder, gid: str, number: int) -> None:
        memory = holder.tablet.store.memories.get(gid)
        if memory and memory.pictures:
            holder.tablet.star(gid, memory.pictures[number % len(memory.pictures)].name)

    def step_embed(self, holder: Holder, gid: str, number: int) -> None:
        if gid in holder.tablet.store.memories:
            holder.tablet.embed(gid, f"model-{number % 2}", self.vector(gid, number))

    def step_put_away(self, holder: Holder, gid: str, number: int) -> None:
        if gid in holder.tablet.store.memories:
            action = holder.tablet.put_away(gid)
            self.now_ms += number * 2_000
            if number > 2:
                try:
                    holder.tablet.undo(gid, action)
                except merge.UndoRefused:
                    assert number * 2_000 > merge.UNDO_WINDOW_MS

    def step_chat(self, holder: Holder, gid: str, number: int) -> None:
        memory = holder.tablet.store.memories.get(gid)
        words = memory.text if memory else "hello"
        turn = holder.tablet.hear("hello")  # what was said there again was no telling
        holder.tablet.chat(self.session(number % 2), words, turn=turn)

    def step_forget(self, holder: Holder, gid: str, number: int) -> None:
        if gid in holder.tablet.store.memories:
            holder.tablet.forget(gid)
            self.forgotten.add(gid)

    def step_use(self, holder: Holder, gid: str, number: int) -> None:
        holder.tablet.use(number * 1_000, extra_minutes=number % 2)

    def step_set(self, holder: Holder, gid: str, number: int) -> None:
        key = ["character", "cat_theme", "daily_minutes", "keep_mic_open"][number % 4]
        holder.tablet.set(
            key, {"daily_minutes": number, "keep_mic_open": number > 3}.get(key, f"cat{number}")
        )

    def step_wait(self, holder: Holder, gid: str, number: int) -> None:
        self.now_ms += [1_000, 60_000, 3_600_000, 86_400_000, YEAR_MS, 0][number]

    def step_sync(self, holder: Holder, gid: str, number: int) -> None:
        holder.wire.fates = [self.dice.choice(FAULTS) for _ in range(number * 3)]
        with suppress(Unreachable):
            sync(holder.tablet)
        holder.wire.fates = []

    def step_keep_copy(self, holder: Holder, gid: str, number: int) -> None:
        holder.backups.append(holder.tablet.copy.db.serialize())

    def step_restore(self, holder: Holder, gid: str, number: int) -> None:
        """A tablet comes back from an older copy of itself, as another device."""
        if holder.backups:
            skew = holder.tablet.skew  # type: ignore[attr-defined]
            copy = Copy(":memory:")
            copy.db.deserialize(holder.backups[number % len(holder.backups)])
            copy.db.execute("PRAGMA secure_delete = ON")
            restored = Tablet(copy, holder.wire, clock=holder.tablet.clock, fresh=holder.tablet.fresh)
            restored.new_id = holder.tablet.new_id
            restored.restored()
            restored.pair(self.code(), name="Tablet")
            restored.skew = skew  # type: ignore[attr-defined]
            holder.tablet = restored
            self.lost_knowledge = True

    def step_house_restore(self, holder: Holder, gid: str, number: int) -> None:
        """The house comes back from a backup made some steps ago: a new epoch."""
        if getattr(self, "backup", None) is not None and number > 2:
            self.restore_house(self.backup, is_same_box=number % 2 == 0)
            self.lost_knowledge = self.lost_knowledge or number % 2 == 1
        else:
            self.backup: Any = self.backup_house()

    # the end

    def settle(self) -> list[Report]:
        """Everybody meets the house, in peace, until nobody has anything to say; the last reports."""
        for _ in range(3):
            reports = [sync(holder.tablet) for holder in self.holders]
        return reports


STEPS = sorted(name for name in vars(World) if name.startswith("step_"))
OFTEN = STEPS + ["step_tell"] * 5 + ["step_sync"] * 7 + ["step_edit", "step_forget", "step_keep_copy"]
SKEWS = st.one_of(
    st.integers(-MAX_AHEAD_MS, MAX_AHEAD_MS),
    st.sampled_from([0, 0, 4 * MAX_AHEAD_MS, YEAR_MS, -YEAR_MS]),
)


def play(world: World, moves: list[tuple[str, int, int, int]]) -> World:
    """The world after these moves."""
    for name, who, what, number in moves:
        holder = world.holders[who % len(world.holders)]
        getattr(world, name)(holder, world.gid(what), number)
    return world


def moves(most: int) -> st.SearchStrategy[list[tuple[str, int, int, int]]]:
    """What happens, by whom, to what."""
    one = st.tuples(
        st.sampled_from(OFTEN), st.integers(0, 3), st.integers(0, MEMORIES - 1), st.integers(0, 5)
    )
    return st.sampled_from([0, most // 2, most]).flatmap(
        lambda least: st.lists(one, min_size=least, max_size=most)
    )


def skews() -> st.SearchStrategy[list[int]]:
    """The clocks of one to four tablets."""
    return st.lists(SKEWS, min_size=1, max_size=4)


__all__ = ["FAULTS", "Refused", "Wire", "World", "moves", "play", "secret", "skews"]
