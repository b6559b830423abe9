"""A device's own copy in one SQLite file, in which nothing that was dropped leaves its bytes behind."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from household.rules.canonical import canonical
from household.rules.limits import TimeRow
from household.rules.registers import Register
from memory.rules.journal import Line
from memory.rules.merge import ChatSession, Memory, SoftAction, StoreDoc, Tombstone, from_json, to_json

# kind of document: its class and how one is matched
KINDS: Mapping[str, type[Any]] = {
    "memory": Memory,
    "tombstone": Tombstone,
    "soft_action": SoftAction,
    "session": ChatSession,
    "time": TimeRow,
    "register": Register,
}
SCHEMA = """
CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS document (
    kind TEXT NOT NULL, key TEXT NOT NULL, body TEXT NOT NULL,
    changed INTEGER NOT NULL DEFAULT 0, -- our count of changes when it last changed here, 0: the house has it
    PRIMARY KEY (kind, key)
);
CREATE INDEX IF NOT EXISTS document_pending ON document (kind, changed) WHERE changed > 0;
CREATE TABLE IF NOT EXISTS line (
    device TEXT NOT NULL, seq INTEGER NOT NULL, at_ms INTEGER NOT NULL, turn TEXT NOT NULL,
    envelope TEXT NOT NULL, words TEXT, position INTEGER,
    PRIMARY KEY (device, seq)
);
CREATE INDEX IF NOT EXISTS line_by_time ON line (at_ms);
CREATE INDEX IF NOT EXISTS line_by_turn ON line (turn);
CREATE TABLE IF NOT EXISTS picture (name TEXT PRIMARY KEY, body BLOB NOT NULL, is_sent INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS stamp (at_ms INTEGER PRIMARY KEY); -- given since the house last acknowledged
"""


@dataclass(frozen=True)
class HeldLine:
    """A line with its place."""

    device: str
    seq: int
    line: Line


def read_document(kind: type[Any], value: Any) -> Any:
    """A document from JSON; a setting's value may be any JSON. Raises Invalid."""
    if kind is Register:
        return Register(str(value["key"]), value["value"], int(value["at_ms"]), str(value.get("child", "")))
    return from_json(kind, value)


def key_of(document: Any) -> str:
    """What a document is matched by within its kind."""
    match document:
        case Register():
            return canonical(list(document.address))
        case TimeRow():
            return canonical([document.device, document.day.isoformat()])
        case SoftAction():
            return canonical(list(document.key))
        case _:
            return str(document.gid)


class Copy:
    """The file. Every method of it runs inside the caller's `with copy.writing():` where it writes."""

    def __init__(self, path: Path | str) -> None:
        self.path = str(path)
        self.db = sqlite3.connect(self.path, isolation_level=None)
        self.db.execute("PRAGMA secure_delete = ON")
        self.db.execute("PRAGMA temp_store = MEMORY")
        self.db.execute("PRAGMA journal_mode = TRUNCATE")
        self.db.executescript(SCHEMA)

    def writing(self) -> Transaction:
        """One transaction."""
        return Transaction(self.db)

    def close(self) -> None:
        """Let go of the file."""
        self.db.close()

    # what it knows about itself

    def about(self, name: str, default: Any = None) -> Any:
        """One thing it knows about itself."""
        row = self.db.execute("SELECT value FROM about WHERE name = ?", [name]).fetchone()
        return default if row is None else json.loads(row[0])

    def note(self, **values: Any) -> None:
        """Remember things about itself."""
        rows = [(name, json.dumps(value)) for name, value in values.items()]
        self.db.executemany("INSERT OR REPLACE INTO about (name, value) VALUES (?, ?)", rows)

    # documents

    def documents(self, kind: str, *, pending: bool = False) -> Iterator[tuple[Any, int]]:
        """The documents of one kind with their counts of change; only those the house lacks if pending."""
        asked = "SELECT body, changed FROM document WHERE kind = ?"
        asked += " AND changed > 0 ORDER BY changed" if pending else " ORDER BY key"
        for body, changed in self.db.execute(asked, [kind]).fetchall():
            yield read_document(KINDS[kind], json.loads(body)), changed

    def keep(self, kind: str, document: Any, *, is_pending: bool) -> None:
        """Keep one document in place of what was there."""
        self.db.execute(
            "INSERT OR REPLACE INTO document (kind, key, body, changed) VALUES (?, ?, ?, ?)",
            [kind, key_of(document), canonical(to_json(document)), self._next() if is_pending else 0],
        )

    def drop(self, kind: str, keys: Iterable[str]) -> None:
        """Drop documents, bytes and all."""
        self.db.executemany("DELETE FROM document WHERE kind = ? AND key = ?", [(kind, key) for key in keys])

    def acknowledge(self, kind: str, sent: Iterable[tuple[Any, int]]) -> None:
        """The house has these, unless they changed here since they were sent."""
        self.db.executemany(
            "UPDATE document SET changed = 0 WHERE kind = ? AND key = ? AND changed = ?",
            [(kind, key_of(document), changed) for document, changed in sent],
        )

    def owe_all(self) -> None:
        """The house may lack anything: send the whole copy."""
        self.db.execute("UPDATE document SET changed = ?", [self._next()])
        self.db.execute("UPDATE line SET position = NULL")
        self.db.execute("UPDATE picture SET is_sent = 0")

    def _next(self) -> int:
        count = int(self.about("changes", 0)) + 1
        self.note(changes=count)
        return count

    def store(self) -> StoreDoc:
        """All of the memory document that it has."""
        memories, tombstones, actions, sessions, time = (
            [document for document, _ in self.documents(kind)]
            for kind in ("memory", "tombstone", "soft_action", "session", "time")
        )
        return StoreDoc(
            memories={m.gid: m for m in memories},
            tombstones={t.gid: t for t in tombstones},
            soft_actions={a.key: a for a in actions},
            sessions={s.gid: s for s in sessions},
            time={(row.device, row.day): row for row in time},
        )

    # stamps given and not yet acknowledged

    def note_stamp(self, at_ms: int) -> None:
        """A stamp was given."""
        self.db.execute("INSERT OR IGNORE INTO stamp (at_ms) VALUES (?)", [at_ms])

    def open_stamps(self) -> list[int]:
        """The stamps the house never acknowledged."""
        return [at for (at,) in self.db.execute("SELECT at_ms FROM stamp ORDER BY at_ms")]

    def close_stamps(self, upto: int | None = None) -> None:
        """The house acknowledged all stamps up to one, or all."""
        bound = "" if upto is None else " WHERE at_ms <= ?"
        self.db.execute(f"DELETE FROM stamp{bound}", [] if upto is None else [upto])  # noqa: S608

    # pictures

    def picture(self, name: str) -> bytes | None:
        """The bytes of a picture, None where they are not here."""
        row = self.db.execute("SELECT body FROM picture WHERE name = ?", [name]).fetchone()
        return None if row is None else bytes(row[0])

    def picture_names(self, *, unsent: bool = False) -> list[str]:
        """The pictures whose bytes are here."""
        asked = "SELECT name FROM picture WHERE is_sent <= ? ORDER BY name"
        return [name for (name,) in self.db.execute(asked, [not unsent])]

    def keep_picture(self, name: str, body: bytes, *, is_sent: bool) -> None:
        """Keep the bytes of a picture; a name that is there already keeps what it has."""
        self.db.execute("INSERT OR IGNORE INTO picture VALUES (?, ?, ?)", [name, body, is_sent])

    def sent_picture(self, name: str) -> None:
        """The house has these bytes."""
        self.db.execute("UPDATE picture SET is_sent = 1 WHERE name = ?", [name])

    def drop_pictures(self, names: Iterable[str]) -> None:
        """Drop bytes of pictures."""
        self.db.executemany("DELETE FROM picture WHERE name = ?", [(name,) for name in names])


class Transaction:
    """One transaction on a copy: kept when the block ends well, else taken back; blocks may nest."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db
        self.is_inner = db.in_transaction

    def __enter__(self) -> None:
        if not self.is_inner:
            self.db.execute("BEGIN IMMEDIATE")

    def __exit__(self, failed: type[BaseException] | None, *_: object) -> None:
        if not self.is_inner:
            self.db.execute("COMMIT" if failed is None else "ROLLBACK")
