"""What a child does with a tablet, kept in its own copy until the house hears of it."""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from typing import Any

from household.rules import registers as settings
from household.rules.clock import Offset, corrected, stamp
from household.rules.days import household_day
from household.rules.limits import TimeRow, merge_time_rows, says_goodnight
from household.rules.registers import Register
from household.rules.text import sanitise_all
from memory.device.copy import Copy, HeldLine, key_of
from memory.device.house import Answering
from memory.device.lines import count, empty_reached, expire_old, keep_lines, shown_pictures
from memory.rules.journal import as_kept, cutoff_ms, pictures_of, reach_of, read_line
from memory.rules.merge import (
    ChatTurn,
    Embedding,
    Memory,
    Mention,
    PictureLink,
    StoreDoc,
    add_turn,
    difference,
    edit_text,
    embed,
    fold,
    forget,
    forgotten,
    is_picture_wanted,
    mention,
    merge_store,
    new_session,
    put_away,
    remember,
    star,
    undo,
)

RECENT_TURNS = 8  # of a conversation; older ones are folded into its summary
APP = "Reference device"


class Revoked(Exception):
    """A parent took this device off the house; it holds nothing any more and has to be paired again."""


def _fresh() -> str:
    return secrets.token_hex(4)


class Tablet:
    """One device: its copy, the house it is paired with, and a clock that may be wrong."""

    def __init__(
        self,
        copy: Copy,
        house: Answering,
        *,
        clock: Callable[[], int],
        fresh: Callable[[], str] = _fresh,
        new_id: Callable[[], uuid.UUID] = uuid.uuid4,
    ) -> None:
        self.copy = copy
        self.house = house
        self.clock = clock
        self.fresh = fresh
        if copy.about("device") is None:
            with copy.writing():
                copy.note(device=str(new_id()))
        self.new_id = new_id
        self.store: StoreDoc = copy.store()

    # who it is and what time it is

    @property
    def device(self) -> str:
        """Its id, made by itself."""
        return str(self.copy.about("device"))

    @property
    def token(self) -> str:
        """What the house gave it at pairing, empty before."""
        return str(self.copy.about("token", ""))

    @property
    def is_revoked(self) -> bool:
        """Whether a parent took it off the house."""
        return bool(self.copy.about("is_revoked", False))

    def now_ms(self) -> int:
        """The house's time as far as it knows."""
        return corrected(self.clock(), Offset(int(self.copy.about("offset_ms", 0))))

    def stamp(self) -> int:
        """The next stamp: later than any it has seen. Call it inside a transaction."""
        at_ms = stamp(self.now_ms(), int(self.copy.about("seen_ms", 0)))
        self.copy.note(seen_ms=at_ms)
        self.copy.note_stamp(at_ms)
        return at_ms

    def pair(self, code: str, *, name: str) -> None:
        """Trade a code a parent's page shows for a token. Raises Refused and Unreachable."""
        asked = {"code": code, "device": self.device, "name": name, "app": APP}
        answer = self.house.ask("POST", "pair", asked)
        with self.writing():
            self.copy.note(token=answer["token"], name=name, is_revoked=False)

    def restored(self) -> None:
        """This copy came back from a backup: it is another device now, and has to be paired.

        Its older self may live on and speak for itself: what it wrote stays that device's, and minutes of it
        that the house was never told are left to it.
        """
        with self.writing():
            former = [*self.copy.about("former", []), self.device]
            unsent = [row for row, changed in self.copy.documents("time") if changed]
            self.copy.drop("time", [key_of(row) for row in unsent])
            self.copy.note(device=str(self.new_id()), former=former, token="")
            self.copy.note(cursor="", position=0, next_seq=0)
            self.copy.owe_all()
            self.store = self.copy.store()

    def revoke(self) -> None:
        """Stop, and keep nothing: not a word, not a picture, not the token."""
        with self.writing():
            for table in ("document", "line", "picture", "stamp", "about"):
                self.copy.db.execute(f"DELETE FROM {table}")  # noqa: S608
            self.copy.note(device=str(self.new_id()), is_revoked=True)
        self.copy.db.execute("VACUUM")
        self.store = StoreDoc()

    # what it keeps

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction; where it fails, what is known in memory is taken back with it."""
        transaction = self.copy.writing()
        try:
            with transaction:
                yield
        except BaseException:
            if not transaction.is_inner:
                self.store = self.copy.store()
            raise

    def keep(self, after: StoreDoc, *, said: StoreDoc | None = None) -> bool:
        """Have the store as `after`; whether anything changed. `said` is what the house just told.

        What differs from what the house said is owed to it. Call it inside a transaction.
        """
        changed = difference(self.store, after)
        told = said or StoreDoc()
        for kind, now, house, rows in (
            ("memory", after.memories, told.memories, {m.gid for m in changed.memories}),
            ("tombstone", after.tombstones, told.tombstones, {t.gid for t in changed.tombstones}),
            ("soft_action", after.soft_actions, told.soft_actions, {a.key for a in changed.soft_actions}),
            ("session", after.sessions, told.sessions, {s.gid for s in changed.sessions}),
            ("time", after.time, told.time, {(t.device, t.day) for t in changed.time}),
        ):
            self._keep_kind(kind, now, house, rows)
        self.copy.drop("memory", changed.gone_memories)
        gone = [self.store.soft_actions[at] for at in changed.gone_soft_actions]
        self.copy.drop("soft_action", [key_of(action) for action in gone])
        self.store = after
        if changed.tombstones or changed.gone_memories:
            self.empty()
        return not changed.is_empty

    def _keep_kind(self, kind: str, now: Mapping[Any, Any], house: Mapping[Any, Any], rows: set[Any]) -> None:
        for at in sorted(rows | {at for at in house if at in now}):
            differs = at not in house or house[at] != now[at] or _vectors(house[at]) != _vectors(now[at])
            if at in rows or differs:
                self.copy.keep(kind, now[at], is_pending=differs)

    def empty(self) -> None:
        """Let go of all that its forgettings and its age limit reach: words of lines, bytes of pictures."""
        reach = reach_of(list(self.store.tombstones.values()), self.store.memories)
        empty_reached(self.copy, reach)
        held = self.registers()
        days = settings.read(held, "log_retention_days")
        offset = settings.read(held, "utc_offset_minutes")
        expire_old(self.copy, cutoff_ms(self.now_ms(), retention_days=days, utc_offset_minutes=offset))
        shown = shown_pictures(self.copy)
        shown |= {link.name for memory in self.store.memories.values() for link in memory.pictures}
        self.copy.drop_pictures(set(self.copy.picture_names()) - shown)

    def registers(self) -> dict[settings.Address, Register]:
        """The household's settings as it knows them."""
        return settings.by_address(register for register, _ in self.copy.documents("register"))

    # what happens on it

    def write(self, event: str, *, turn: str = "", **fields: Any) -> int:
        """Journal one line; its seq."""
        with self.writing():
            value = {"event": event, "at_ms": self.stamp(), "turn": turn, **sanitise_all(fields)}
            reach = reach_of(list(self.store.tombstones.values()), self.store.memories)
            seq = count(self.copy, self.device)
            keep_lines(self.copy, [HeldLine(self.device, seq, as_kept(read_line(value), reach))])
            return seq

    def hear(self, words: str, *, pictures: Mapping[str, bytes] | None = None) -> str:
        """The child says something; gives the turn."""
        with self.writing():
            turn = f"t{self.stamp()}-{self.fresh()}"
            for name, body in (pictures or {}).items():
                self.copy.keep_picture(name, body, is_sent=False)
            self.write("Heard", turn=turn, text=words, pictures=list(pictures or {}))
            return turn

    def tell(self, words: str, *, pictures: Mapping[str, bytes] | None = None) -> Memory:
        """The child tells something that is remembered: one whole turn."""
        with self.writing():
            turn = self.hear(words, pictures=pictures)
            told = self.remember(words, turn=turn, pictures=tuple(pictures or {}))
            self.write("Remembered", turn=turn, gid=told.gid, fact=told.text)
            self.write("TurnEnded", turn=turn, how="done")
            return told

    def remember(self, words: str, *, turn: str, gid: str = "", pictures: tuple[str, ...] = ()) -> Memory:
        """File one memory, or one more telling of it. Raises Forgotten."""
        with self.writing():
            at_ms, name = self.stamp(), gid or f"m{self.now_ms()}-{self.fresh()}"
            held = self.store.memories.get(name)
            telling = Mention(at_ms, self.device, turn)
            links = tuple(PictureLink(at, picture) for at, picture in enumerate(pictures))
            new = Memory(name, words, learned_at_ms=at_ms, mentions=frozenset({telling}), pictures=links)
            self.keep(remember(self.store, mention(held, telling) if held else new))
            return self.store.memories[name]

    def change(self, gid: str, edit: Callable[[Memory, int], Memory]) -> None:
        """Change one memory it holds, at a new stamp. Raises KeyError where it holds none."""
        with self.writing():
            memory = self.store.memories[gid]
            edited = edit(memory, self.stamp())
            self.keep(replace(self.store, memories={**self.store.memories, gid: edited}))

    def edit(self, gid: str, words: str) -> None:
        """Give a memory other words."""
        self.change(gid, lambda held, at: edit_text(held, words, at_ms=at, device=self.device))

    def star(self, gid: str, picture: str) -> None:
        """Make one of its pictures a memory's cover."""
        self.change(gid, lambda held, at: star(held, picture, at_ms=at))

    def embed(self, gid: str, model: str, data: bytes) -> None:
        """Keep an embedding of a memory's current words."""
        self.change(gid, lambda m, _: embed(m, Embedding(model, data), text_at_ms=m.text_at_ms, text=m.text))

    def put_away(self, gid: str) -> str:
        """Put a memory away; gives what undoes it. Raises UnknownMemory."""
        with self.writing():
            action, at_ms = f"a{self.now_ms()}-{self.fresh()}", self.stamp()
            self.keep(put_away(self.store, gid, action_id=action, at_ms=at_ms))
            self.write("PutAway", gid=gid, fact=self.store.memories[gid].text)
            return action

    def undo(self, gid: str, action: str) -> None:
        """Take a putting away back, within its 8 seconds. Raises Refused of the rules."""
        with self.writing():
            self.keep(undo(self.store, gid, action_id=action, at_ms=self.stamp()))
            self.write("Restored", gid=gid, fact=self.store.memories[gid].text)

    def forget(self, gid: str) -> None:
        """Forget a memory for good."""
        with self.writing():
            self.keep(forget(self.store, gid, at_ms=self.stamp(), device=self.device))
            self.write("Forgot", gid=gid)

    def chat(self, session: str, words: str, *, turn: str, who: str = "child") -> None:
        """Carry a conversation on by one utterance."""
        with self.writing():
            at_ms, known = self.stamp(), forgotten(self.store.tombstones.values())
            held = self.store.sessions.get(session) or new_session(session, at_ms=at_ms, forgotten=known)
            held = add_turn(held, ChatTurn(turn, who, words, at_ms), scrubbed=held.scrubbed)
            leaving = len(held.turns) - RECENT_TURNS
            if leaving > 0:
                summary = " ".join([held.summary, *(said.text for said in held.turns[:leaving])]).strip()
                held = fold(held, summary, leaving=leaving, at_ms=at_ms, scrubbed=held.scrubbed)
            self.keep(merge_store(self.store, StoreDoc(sessions={session: held})))

    def use(self, ms: int, *, extra_minutes: int = 0) -> None:
        """Count time of today's talk, and minutes a grown-up added."""
        with self.writing():
            at = (self.device, self.today())
            before = self.store.time.get(at, TimeRow(*at))
            after = replace(
                before, used_ms=before.used_ms + ms, extra_minutes=before.extra_minutes + extra_minutes
            )
            self.keep(replace(self.store, time=merge_time_rows(self.store.time, {at: after})))

    def today(self) -> date:
        """The household's day."""
        return household_day(self.now_ms(), settings.read(self.registers(), "utc_offset_minutes"))

    def says_goodnight(self, child: str = "") -> bool:
        """Whether today's minutes are used up, offline too."""
        minutes = settings.read(self.registers(), "daily_minutes", child)
        return says_goodnight(self.store.time, self.today(), daily_minutes=minutes)

    def set(self, key: str, value: Any, *, child: str = "") -> None:
        """Write one of the household's settings; the house may forbid it at the next sync."""
        with self.writing():
            register = Register(key, value, self.stamp(), child)
            held = settings.merge_all(self.registers(), {register.address: register})
            self.copy.keep("register", held[register.address], is_pending=True)

    def lacks_pictures(self) -> list[str]:
        """Pictures that something shows and whose bytes are not here."""
        shown = {link.name for memory in self.store.memories.values() for link in memory.pictures}
        wanted = shown | shown_pictures(self.copy)
        tombstones, memories = list(self.store.tombstones.values()), self.store.memories
        missing = wanted - set(self.copy.picture_names())
        return sorted(name for name in missing if is_picture_wanted(name, tombstones, memories))


def _vectors(document: Any) -> Any:
    return getattr(document, "embeddings", None)


__all__ = ["APP", "Revoked", "Tablet", "pictures_of"]
