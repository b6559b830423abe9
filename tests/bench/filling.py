"""A long journal and many memories, by SQL, for benches that ask what grows with them."""

from __future__ import annotations

from typing import Any

MONTHS = 60


def fill_journal(base: Any, subject: int, *, device: str, lines: int) -> None:
    """Five years of lines of one device over sixty month partitions, four lines to a turn."""
    for month in range(MONTHS + 1):
        base.execute(
            "SELECT memory_words_partition((DATE '2021-01-01' + make_interval(months => %s))::date)", [month]
        )
    base.execute(
        "INSERT INTO memory_journalline (device, seq, subject_id, arrived_on, envelope)"
        " SELECT %s, n, %s,"
        " (to_timestamp(1609459200 + n::bigint * 5 * 31556952 / %s) AT TIME ZONE 'UTC')::date,"
        " jsonb_build_object('event', 'Heard', 'turn', 't' || (n / 4),"
        " 'pictures', '[]'::jsonb, 'at_ms', 1609459200000 + (n::bigint * 5 * 31556952000 / %s))"
        " FROM generate_series(0, %s) n",
        [device, subject, lines, lines, lines - 1],
    )
    base.execute(
        "INSERT INTO memory_journalwords (position, arrived_on, body)"
        " SELECT position, (to_timestamp(at_ms / 1000.0) AT TIME ZONE 'UTC')::date,"
        " jsonb_build_object('text', repeat(md5(position::text) || ' ', 8))"
        " FROM memory_journalline WHERE device = %s",
        [device],
    )
    base.execute("INSERT INTO memory_journalwriter (device, next_seq) VALUES (%s, %s)", [device, lines])


def fill_memories(base: Any, subject: int, *, memories: int, lines: int, prefix: str = "m") -> None:
    """Memories that three turns of the journal mention."""
    base.execute(
        "INSERT INTO memory_memory (gid, subject_id, text, text_at_ms, hidden, visibility_at_ms, kind,"
        " who, place, said_when, learned_at_ms, change)"
        " SELECT %s || n, %s, repeat(md5(n::text) || ' ', 20), 0, false, 0, '', '', '', '', 1, 0"
        " FROM generate_series(1, %s) n",
        [prefix, subject, memories],
    )
    base.execute(
        "INSERT INTO memory_memorymention (memory_id, at_ms, device, turn)"
        " SELECT id, k, 'home', 't' || ((id * 13 + k * %s) %% %s)"
        " FROM memory_memory, generate_series(1, 3) k WHERE subject_id = %s",
        [lines // 15, lines // 4, subject],
    )


def fill_embeddings(base: Any) -> None:
    """A vector of 384 numbers for every memory."""
    base.execute(
        "INSERT INTO memory_memoryembedding (memory_id, model, embedding)"
        " SELECT id, 'bench', (SELECT array_agg(random() + n * 0 + id * 0)::vector"
        " FROM generate_series(1, 384) n)"
        " FROM memory_memory"
    )
