"""A difference as rows: one statement for each table that changes, whatever the number of documents."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from django.db import connection

from memory.rules.merge import ChatSession, Difference, Memory, SoftAction, StoreDoc, Tombstone
from memory.rules.merge.bounds import numbers_of

COLUMNS = (
    "text, text_at_ms, hidden, visibility_at_ms, cover_picture, cover_at_ms, icon, kind, who, place,"
    " said_when, learned_at_ms"
)
MEMORY_ROW = (
    "r(gid text, text text, text_at_ms bigint, hidden boolean, visibility_at_ms bigint, cover_picture text,"
    " cover_at_ms bigint, icon text, kind text, who text, place text, said_when text, learned_at_ms bigint)"
)
PLAIN = tuple(name.strip() for name in COLUMNS.split(","))
# All their change numbers at once, which their own triggers would take one by one.
CHANGED = "SELECT memory_all_changed(ARRAY(SELECT id FROM memory_memory WHERE gid = ANY (%s::text[])))"
SETTLE = (
    "SET CONSTRAINTS ALL IMMEDIATE",
    "SET CONSTRAINTS ALL DEFERRED",
    "SELECT set_config('hearthbook.change', '', true)",
)


def write_memories(held: StoreDoc, changed: Sequence[Memory], *, subject_id: int) -> set[str]:
    """Write memories and all that hangs on them; the gids that are somebody else's and stay unwritten."""
    if not changed:
        return set()
    new = [one for one in changed if one.gid not in held.memories]
    old = [one for one in changed if one.gid in held.memories and _row(one) != _row(held.memories[one.gid])]
    ids = _ids([one.gid for one in changed if one.gid in held.memories])
    if new:
        ids |= _insert_memories(new, subject_id)
    if old:
        _run(
            f"UPDATE memory_memory m SET ({COLUMNS}) = ({_of_r()})"  # noqa: S608 - names of ours
            f" FROM jsonb_to_recordset(%s::jsonb) AS {MEMORY_ROW} WHERE m.gid = r.gid",
            [_json(_row(one) for one in old)],
        )
    kept = [one for one in changed if one.gid in ids]
    before = {one.gid: held.memories.get(one.gid) or Memory(one.gid, "", 0) for one in kept}
    _write_mentions(kept, before, ids)
    _write_revisions(kept, before, ids)
    _write_pictures(kept, before, ids)
    _write_embeddings(kept, before, ids)
    return {one.gid for one in changed} - ids.keys()


def _row(memory: Memory) -> dict[str, Any]:
    return {"gid": memory.gid, **{name: getattr(memory, name) for name in PLAIN}}


def _of_r() -> str:
    return ", ".join(f"r.{name}" for name in PLAIN)


def _ids(gids: list[str]) -> dict[str, int]:
    if not gids:
        return {}
    return dict(_run("SELECT gid, id FROM memory_memory WHERE gid = ANY(%s::text[])", [gids]))


def _insert_memories(new: Sequence[Memory], subject_id: int) -> dict[str, int]:
    return dict(
        _run(
            f"INSERT INTO memory_memory (gid, subject_id, change, {COLUMNS})"  # noqa: S608 - names of ours
            f" SELECT r.gid, %s, 0, {_of_r()} FROM jsonb_to_recordset(%s::jsonb) AS {MEMORY_ROW}"
            " ON CONFLICT (gid) DO NOTHING RETURNING gid, id",
            [subject_id, _json(_row(one) for one in new)],
        )
    )


def _write_mentions(kept: Sequence[Memory], before: dict[str, Memory], ids: dict[str, int]) -> None:
    rows = [
        {"memory_id": ids[one.gid], **asdict(mention)}
        for one in kept
        for mention in sorted(one.mentions - before[one.gid].mentions)
    ]
    if rows:
        _run(
            "INSERT INTO memory_memorymention (memory_id, at_ms, device, turn)"
            " SELECT memory_id, at_ms, device, turn FROM jsonb_to_recordset(%s::jsonb)"
            " AS r(memory_id bigint, at_ms bigint, device text, turn text) ON CONFLICT DO NOTHING",
            [_json(rows)],
        )


def _write_revisions(kept: Sequence[Memory], before: dict[str, Memory], ids: dict[str, int]) -> None:
    new: list[dict[str, Any]] = []
    replaced: list[dict[str, Any]] = []
    for one in kept:
        known = {(row.text_at_ms, row.text) for row in before[one.gid].revisions}
        for row in one.revisions:
            if row in before[one.gid].revisions:
                continue
            values = {"memory_id": ids[one.gid], **asdict(row)}
            (replaced if (row.text_at_ms, row.text) in known else new).append(values)
    if new:
        _run(
            "INSERT INTO memory_memoryrevision (memory_id, at_ms, text_at_ms, text, device)"
            " SELECT memory_id, at_ms, text_at_ms, text, device FROM jsonb_to_recordset(%s::jsonb)"
            " AS r(memory_id bigint, at_ms bigint, text_at_ms bigint, text text, device text)",
            [_json(new)],
        )
    if replaced:
        _run(
            "UPDATE memory_memoryrevision v SET at_ms = r.at_ms, device = r.device"
            " FROM jsonb_to_recordset(%s::jsonb)"
            " AS r(memory_id bigint, at_ms bigint, text_at_ms bigint, text text, device text)"
            " WHERE (v.memory_id, v.text_at_ms, v.text) = (r.memory_id, r.text_at_ms, r.text)",
            [_json(replaced)],
        )


def _write_pictures(kept: Sequence[Memory], before: dict[str, Memory], ids: dict[str, int]) -> None:
    rows = [
        {"memory_id": ids[one.gid], "position": link.position, "picture": link.name}
        for one in kept
        for link in one.pictures
        if link not in before[one.gid].pictures
    ]
    if rows:
        _run(
            "INSERT INTO memory_memorypicture (memory_id, position, picture)"
            " SELECT memory_id, position, picture FROM jsonb_to_recordset(%s::jsonb)"
            " AS r(memory_id bigint, position bigint, picture text)"
            " ON CONFLICT (memory_id, picture) DO UPDATE SET position = excluded.position",
            [_json(rows)],
        )


def _write_embeddings(kept: Sequence[Memory], before: dict[str, Memory], ids: dict[str, int]) -> None:
    gone = [
        (ids[one.gid], embedding.model)
        for one in kept
        for embedding in before[one.gid].embeddings - one.embeddings
    ]
    if gone:
        _run(
            "DELETE FROM memory_memoryembedding e"
            " USING unnest(%s::bigint[], %s::text[]) AS g(memory_id, model)"
            " WHERE (e.memory_id, e.model) = (g.memory_id, g.model)",
            [[pk for pk, _model in gone], [model for _pk, model in gone]],
        )
    rows = [
        {"memory_id": ids[one.gid], "model": made.model, "embedding": str(list(numbers_of(made)))}
        for one in kept
        for made in sorted(one.embeddings - before[one.gid].embeddings)
    ]
    if rows:
        _run(
            "INSERT INTO memory_memoryembedding (memory_id, model, embedding)"
            " SELECT memory_id, model, embedding::vector FROM jsonb_to_recordset(%s::jsonb)"
            " AS r(memory_id bigint, model text, embedding text)",
            [_json(rows)],
        )


def write_tombstones(changed: Sequence[Tombstone], *, subject_id: int | None) -> None:
    """Write tombstones with their turns and pictures; triggers take what they reach."""
    if not changed:
        return
    rows = [{"gid": t.gid, "kind": t.kind, "at_ms": t.at_ms, "device": t.device} for t in changed]
    held = dict(
        _run(
            "INSERT INTO memory_tombstone AS t (gid, kind, at_ms, device, subject_id, change)"
            " SELECT r.gid, r.kind, r.at_ms, r.device, %s, 0 FROM jsonb_to_recordset(%s::jsonb)"
            " AS r(gid text, kind text, at_ms bigint, device text)"
            " ON CONFLICT (gid) DO UPDATE SET kind = excluded.kind, at_ms = excluded.at_ms,"
            " device = excluded.device RETURNING gid, id",
            [subject_id, _json(rows)],
        )
    )
    _write_reached("turn", [(held[t.gid], turn) for t in changed for turn in sorted(t.turns)])
    _write_reached("picture", [(held[t.gid], name) for t in changed for name in sorted(t.pictures)])


def _write_reached(what: str, pairs: Sequence[tuple[int, str]]) -> None:
    if pairs:
        _run(
            f"INSERT INTO memory_tombstone{what} (tombstone_id, {what})"  # noqa: S608 - names of ours
            " SELECT * FROM unnest(%s::bigint[], %s::text[]) ON CONFLICT DO NOTHING",
            [[pk for pk, _name in pairs], [name for _pk, name in pairs]],
        )


def write_soft_actions(changed: Sequence[SoftAction]) -> None:
    """Write soft actions of memories that are held."""
    if changed:
        _run(
            "INSERT INTO memory_softaction (memory_id, action_id, at_ms, undone_at_ms)"
            " SELECT m.id, r.id, r.at_ms, r.undone_at_ms FROM jsonb_to_recordset(%s::jsonb)"
            " AS r(id text, gid text, at_ms bigint, undone_at_ms bigint)"
            " JOIN memory_memory m ON m.gid = r.gid"
            " ON CONFLICT (memory_id, action_id) DO UPDATE SET at_ms = excluded.at_ms,"
            " undone_at_ms = excluded.undone_at_ms",
            [_json(asdict(one) for one in changed)],
        )


def write_sessions(changed: Sequence[ChatSession], *, subject_id: int) -> set[str]:
    """Write conversations whole; the gids that are somebody else's and stay unwritten."""
    if not changed:
        return set()
    rows = [
        {
            "gid": one.gid,
            "last_activity_at_ms": one.last_activity_at_ms,
            "version": one.version,
            "stamp_ms": one.stamp_ms,
            "summary": one.summary,
            "scrubbed": sorted(one.scrubbed),
        }
        for one in changed
    ]
    ids = dict(
        _run(
            "INSERT INTO memory_chatsession AS s (gid, subject_id, last_activity_at_ms, version, stamp_ms,"
            " summary, scrubbed) SELECT r.gid, %s, r.last_activity_at_ms, r.version, r.stamp_ms, r.summary,"
            " ARRAY(SELECT jsonb_array_elements_text(r.scrubbed)) FROM jsonb_to_recordset(%s::jsonb)"
            " AS r(gid text, last_activity_at_ms bigint, version bigint, stamp_ms bigint, summary text,"
            " scrubbed jsonb) ON CONFLICT (gid) DO UPDATE SET"
            " last_activity_at_ms = excluded.last_activity_at_ms, version = excluded.version,"
            " stamp_ms = excluded.stamp_ms, summary = excluded.summary, scrubbed = excluded.scrubbed"
            " WHERE s.subject_id = excluded.subject_id RETURNING gid, id",
            [subject_id, _json(rows)],
        )
    )
    _run("DELETE FROM memory_chatturn WHERE session_id = ANY(%s::bigint[])", [list(ids.values())])
    turns = [
        {"session_id": ids[one.gid], "position": at, **asdict(turn)}
        for one in changed
        if one.gid in ids
        for at, turn in enumerate(one.turns)
    ]
    if turns:
        _run(
            "INSERT INTO memory_chatturn (session_id, position, turn, who, text, at_ms)"
            " SELECT session_id, position, turn, who, text, at_ms FROM jsonb_to_recordset(%s::jsonb)"
            " AS r(session_id bigint, position int, turn text, who text, text text, at_ms bigint)",
            [_json(turns)],
        )
    return {one.gid for one in changed} - ids.keys()


def write(difference: Difference, held: StoreDoc, *, subject_id: int) -> set[str]:
    """Write a difference of the memory document, nothing where it is empty; gids that are somebody else's."""
    if difference.is_empty:
        return set()
    write_tombstones(difference.tombstones, subject_id=subject_id)
    foreign = write_memories(held, difference.memories, subject_id=subject_id)
    write_soft_actions([one for one in difference.soft_actions if one.gid not in foreign])
    changed = [one.gid for one in difference.memories if one.gid not in foreign]
    if changed:
        _run(CHANGED, [changed])
    settle()
    return foreign


def settle() -> None:
    """Give change numbers now: the last statements of a transaction that changed memories or tombstones."""
    with connection.cursor() as cursor:
        for statement in SETTLE:
            cursor.execute(statement)


def _json(rows: Iterable[dict[str, Any]]) -> str:
    return json.dumps(list(rows), ensure_ascii=False)


def _run(statement: str, values: list[Any]) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.fetchall() if cursor.description else []
