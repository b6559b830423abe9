"""A house made of the pure rules alone: what docs/sync.md says, as small as it can be said.

Laws are tried on it by the thousand; the real house has to say the very same (test_same_as_the_model.py).
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs

from household.rules import registers as settings
from household.rules.clock import is_skewed
from household.rules.limits import TimeRow, foreign_rows, time_rows
from household.rules.registers import Register, Writer
from memory.device.copy import read_document
from memory.device.house import Refused
from memory.device.syncing import stamps_of
from memory.rules.journal import Line, accept, as_kept, join, reach_of, read_line
from memory.rules.merge import (
    ChatSession,
    Memory,
    SoftAction,
    StoreDoc,
    Tombstone,
    difference,
    from_json,
    is_picture_wanted,
    merge_store,
    to_json,
)

PAGE = 5  # small, so that every history pages


@dataclass
class Kept:
    """All that a house holds; a copy of it is a backup."""

    store: StoreDoc = field(default_factory=StoreDoc)
    changed: dict[tuple[str, Any], int] = field(default_factory=dict)
    changes: int = 0
    registers: dict[settings.Address, Register] = field(default_factory=dict)
    lines: dict[str, list[Line]] = field(default_factory=dict)
    arrived: list[tuple[str, int]] = field(default_factory=list)
    pictures: dict[str, bytes] = field(default_factory=dict)

    def backup(self) -> Kept:
        """The same, unmoved by what comes later."""
        return Kept(
            self.store,
            copy(self.changed),
            self.changes,
            copy(self.registers),
            {device: copy(lines) for device, lines in self.lines.items()},
            copy(self.arrived),
            copy(self.pictures),
        )


class ModelHouse:
    """It answers as the protocol says; `token` is the device's id, for it pairs everybody."""

    def __init__(self, clock: Any) -> None:
        self.clock = clock
        self.epoch = 1
        self.kept = Kept()
        self.revoked: set[str] = set()
        self.written = 0  # rows, so that "writes nothing" can be seen

    def restore(self, backup: Kept, *, is_same_box: bool) -> None:
        """Go back to a backup; the same box still knows what was forgotten since."""
        lost = self.kept.store.tombstones
        self.kept, self.epoch = backup.backup(), self.epoch + 1
        if is_same_box:
            self.merge(StoreDoc(tombstones=lost))

    def ask(self, method: str, path: str, body: Any = None, *, token: str = "") -> Any:
        """One request."""
        if token in self.revoked:
            raise Refused(401, {"code": "revoked", "server_ms": self.clock()})
        name, _, query = path.partition("?")
        if name.startswith("pictures/"):
            return self.picture(method, name.removeprefix("pictures/"), body)
        asked = body if body is not None else {key: int(v[0]) for key, v in parse_qs(query).items()}
        return {**getattr(self, f"on_{name}")(asked, token), "server_ms": self.clock()}

    # the memory document

    def merge(self, pushed: StoreDoc) -> None:
        kept = self.kept
        merged = merge_store(kept.store, pushed)
        changes = difference(kept.store, merged)
        rows = [
            *(("memory", m.gid) for m in changes.memories),
            *(("tombstone", t.gid) for t in changes.tombstones),
            *(("soft_action", a.key) for a in changes.soft_actions),
        ]
        self.written += len(rows) + len(changes.sessions) + len(changes.time) + len(changes.gone_memories)
        if rows:
            kept.changes += 1
        for at in rows:
            kept.changed[at] = kept.changes
        kept.store = merged
        if changes.tombstones or changes.gone_memories:
            reach = reach_of(list(merged.tombstones.values()), merged.memories)
            kept.lines = {d: [as_kept(line, reach) for line in rows] for d, rows in kept.lines.items()}

    def on_pair(self, asked: Any, token: str) -> Any:
        return {"token": asked["device"]}

    def on_state(self, asked: Any, token: str) -> Any:
        return {"epoch": self.epoch}

    def on_memory(self, asked: Any, token: str) -> Any:
        since = self.since(asked["since"])
        memories = [from_json(Memory, item) for item in asked["memories"]]
        tombstones = [from_json(Tombstone, item) for item in asked["tombstones"]]
        actions = [from_json(SoftAction, item) for item in asked["soft_actions"]]
        parts = {
            gid: StoreDoc(
                memories={m.gid: m for m in memories if m.gid == gid},
                tombstones={t.gid: t for t in tombstones if t.gid == gid},
                soft_actions={a.key: a for a in actions if a.gid == gid},
            )
            for gid in sorted({one.gid for one in (*memories, *tombstones, *actions)})
        }
        skewed = [
            gid for gid, part in parts.items() if any(is_skewed(at, self.clock()) for at in stamps_of(part))
        ]
        for gid, part in parts.items():
            if gid not in skewed:
                self.merge(part)
        late = [("memory", m.gid, m.gid) for m in memories]
        late += [("tombstone", t.gid, t.gid) for t in tombstones]
        late += [("soft_action", a.gid, a.id) for a in actions]
        return {
            "rejected": [
                {"kind": kind, "gid": name, "code": "clock_skew"} for kind, gid, name in late if gid in skewed
            ],
            "need_pictures": [],
            **self.changes_since(since),
        }

    def since(self, cursor: str | None) -> int:
        epoch, _, number = (cursor or f"{self.epoch}:0").partition(":")
        if int(epoch) != self.epoch:
            raise Refused(409, {"code": "resync"})
        return int(number)

    def changes_since(self, since: int) -> dict[str, Any]:
        numbered = sorted((n, str(at), at) for at, n in self.kept.changed.items() if n > since)
        page = numbered[:PAGE]
        if page:
            page += [row for row in numbered[PAGE:] if row[0] == page[-1][0]]
        upto = page[-1][0] if page else self.kept.changes
        store = self.kept.store
        rows = {
            "memory": store.memories,
            "tombstone": store.tombstones,
            "soft_action": store.soft_actions,
        }
        names = {"memory": "memories", "tombstone": "tombstones", "soft_action": "soft_actions"}
        found: dict[str, Any] = {name: [] for name in names.values()}
        for _, _, (kind, at) in page:
            if at in rows[kind]:
                found[names[kind]].append(to_json(rows[kind][at]))
        return {**found, "cursor": f"{self.epoch}:{upto}", "more": len(page) < len(numbered)}

    # settings, chat, time

    def on_household(self, asked: Any, token: str) -> Any:
        pushed = [read_document(Register, item) for item in asked["registers"]]
        plan = settings.accept(
            self.kept.registers, pushed, writer=Writer.COMPANION, now_ms=self.clock(), own_child=""
        )
        self.kept.registers = settings.merge_all(self.kept.registers, settings.by_address(plan.to_store))
        self.written += len(plan.to_store)
        refused = {"forbidden": plan.forbidden, "clock_skew": plan.skewed, "invalid": plan.invalid}
        found = {name: [{"child": at[0], "key": at[1]} for at in places] for name, places in refused.items()}
        return {"registers": [to_json(row) for row in self.kept.registers.values()], **found}

    def on_chat(self, asked: Any, token: str) -> Any:
        sessions = [from_json(ChatSession, item) for item in asked["sessions"]]
        pushed = StoreDoc(sessions={s.gid: s for s in sessions})
        if any(is_skewed(at, self.clock()) for at in stamps_of(pushed)):
            raise Refused(422, {"code": "clock_skew", "server_ms": self.clock()})
        self.merge(pushed)
        return {"sessions": [to_json(s) for s in self.kept.store.sessions.values()]}

    def on_time(self, asked: Any, token: str) -> Any:
        pushed = [from_json(TimeRow, item) for item in asked["rows"]]
        own = [row for row in pushed if row not in foreign_rows(pushed, token)]
        self.merge(StoreDoc(time=time_rows(own)))
        return {"rows": [to_json(row) for row in self.kept.store.time.values()]}

    # the journal and pictures

    def on_journal(self, asked: Any, token: str) -> Any:
        if "after" in asked:
            return self.pulled(asked["after"], asked["limit"])
        held = self.kept.lines.setdefault(asked["device"], [])
        pushed = [read_line(item) for item in asked["lines"]]
        store = self.kept.store
        plan = accept(
            len(held),
            dict(enumerate(held)),
            pushed,
            from_seq=asked["from_seq"],
            now_ms=self.clock(),
            reach=reach_of(list(store.tombstones.values()), store.memories),
        )
        if plan.refusal:
            body = {"code": plan.refusal.value, "next_seq": plan.next_seq, "server_ms": self.clock()}
            raise Refused(409, body)
        held += [line for _, line in plan.to_store]
        self.kept.arrived += [(asked["device"], seq) for seq, _ in plan.to_store]
        self.written += len(plan.to_store)
        return {"next_seq": plan.next_seq}

    def pulled(self, after: int, limit: int) -> Any:
        numbered = list(enumerate(self.kept.arrived, 1))[after:][:limit]
        lines = [
            {"position": at, "device": device, "seq": seq, "line": join(self.kept.lines[device][seq])}
            for at, (device, seq) in numbered
        ]
        more = after + len(numbered) < len(self.kept.arrived)
        return {"lines": lines, "next": numbered[-1][0] if numbered else after, "more": more}

    def picture(self, method: str, name: str, body: Any) -> Any:
        store = self.kept.store
        wanted = is_picture_wanted(name, list(store.tombstones.values()), store.memories)
        if method == "PUT":
            if wanted:
                self.kept.pictures.setdefault(name, body)
            return None
        if name not in self.kept.pictures or not wanted:
            raise Refused(404, {"code": "absent"})
        return self.kept.pictures[name]
