"""What finding costs, at 10,000 and 100,000 rows: `python -m tests.bench retrieval`.

The web role searches one subject's rows by words and meaning, alternating A-B-A-B with an exact scan of the
same vectors and, over 10,000 rows, with mem0 and the same rows (`peers/mem0_peer.py` says how). Recall is how
many of the ten nearest by brute force are among the rows found.
"""

from __future__ import annotations

import datetime as dt
import statistics
import time
from typing import Any

import numpy as np

from tests.bench.bases import cloned
from tests.bench.figures import Samples
from tests.bench.peers.remembering import Store, mem0_store

WIDTH, CLUSTERS, ASKED = 384, 200, 25
TAKEN = 60  # rows of one search, ours and mem0's
VOCABULARY = 4_000
ROWS = (10_000, 100_000)
LOAD = """
    INSERT INTO memory_observationentry
        (subject_id, kind, row_id, day, at, language, terms, length, model, vector, version, is_due)
    SELECT %s, 'statement', -n, (now() - n * interval '20 minutes')::date, now() - n * interval '20 minutes',
        'en', to_tsvector('simple', said), 12, 'bench', vector::halfvec, 0, false
    FROM bench_rows
"""


def samples(*, quick: bool) -> Samples:
    """Milliseconds of the search and of the scan, and the recall, by size."""
    found: Samples = {}
    for rows in ROWS[:1] if quick else ROWS:
        with cloned() as name, mem0_store(name, wanted=rows == ROWS[0] and not quick) as mem0:
            size = f"{rows // 1000}k"
            found |= {f"{what}.{size}{tail}": spent for (what, tail), spent in measured(rows, mem0).items()}
    return found


def measured(rows: int, mem0: Store | None) -> dict[tuple[str, str], list[float]]:
    """Milliseconds of one typed hybrid search and of the exact scan beside it, and the recall."""
    from django.db import connection

    from household.access import seen_by
    from household.rules.permissions import Resource
    from memory.services.finding.entries import index_by_size
    from memory.services.finding.searching import Bounds, Wanted, _rows, find
    from tests import makers
    from tests.second_wall import as_web

    chance = np.random.default_rng(3)
    ana = makers.a_person("Ana")
    leo = makers.a_child(ana)
    vectors, words, said = _filled(leo.pk, rows, chance)
    index_by_size(model="bench")
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE memory_observationentry")
    if mem0:
        mem0.add([f"{n} {' '.join(line)}" for n, line in enumerate(said)], vectors)
        mem0.settled()
    bounds = Bounds((leo.pk,), ("record", "statement", "event", "fill"))
    middle = vectors[:200].mean(axis=0)
    hybrid, scan, statement, recall = [], [], [], []
    theirs: dict[tuple[str, str], list[float]] = {}
    with as_web(), seen_by(ana, now=dt.datetime.now(dt.UTC)):
        for _turn in range(ASKED):
            near = vectors[int(chance.integers(rows))] + chance.normal(0, 0.02, WIDTH)
            terms = tuple(str(word) for word in chance.choice(words, 5, p=_zipf(len(words))))
            wanted = Wanted(tuple(dict.fromkeys(terms)), tuple(float(x) for x in near), "bench")
            began = time.perf_counter()
            find(wanted, resource=Resource.OBSERVATION, bounds=bounds, take=TAKEN)
            hybrid.append(time.perf_counter() - began)
            began = time.perf_counter()
            _rows(wanted, {Resource.OBSERVATION: bounds}, TAKEN)
            statement.append(time.perf_counter() - began)
            scan.append(_scan(leo.pk, near))
            if mem0:
                _beside(mem0, vectors, near, " ".join(terms), theirs)
            aimed = near - middle
            nearest = set((-np.argsort(-(vectors @ aimed))[:10] - 1).tolist())
            alone = Wanted((), wanted.vector, "bench")
            got = {
                hit.row_id for hit in find(alone, resource=Resource.OBSERVATION, bounds=bounds, take=TAKEN)
            }
            recall.append(len(nearest & got) / 10)
    return {
        ("retrieve", ".sql"): _ms(statement),
        ("retrieve", ".whole"): _ms(hybrid),
        ("scan", ""): _ms(scan),
        ("recall", ""): [statistics.mean(recall)],
        **theirs,
    }


def _beside(
    mem0: Store, vectors: Any, near: Any, words: str, found: dict[tuple[str, str], list[float]]
) -> None:
    """The same question asked of mem0: ms by way, and what its index finds of the ten nearest."""
    answered = mem0.search(near, words, take=TAKEN)
    for way, took in answered["took"].items():
        found.setdefault(("mem0", f".{way}"), []).append(took * 1000)
    nearest = set(np.argsort(-(vectors @ near))[:10].tolist())
    got = {int(text.partition(" ")[0]) for text in answered["texts"]["unfiltered"]}
    found.setdefault(("mem0.recall", ""), []).append(len(nearest & got) / 10)


def _filled(subject_id: int, rows: int, chance: Any) -> tuple[Any, Any, Any]:
    from django.db import connection

    centres = chance.normal(0, 1, (CLUSTERS, WIDTH))
    vectors = centres[chance.integers(CLUSTERS, size=rows)] + chance.normal(0, 0.6, (rows, WIDTH))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors = vectors.astype(np.float16).astype(np.float32)
    words = np.array([f"w{n}" for n in range(VOCABULARY)])
    said = chance.choice(words, (rows, 12), p=_zipf(VOCABULARY))
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMP TABLE bench_rows (n bigint, said text, vector text)")
        with cursor.copy("COPY bench_rows FROM STDIN") as copy:
            for n in range(rows):
                vector = "[" + ",".join(f"{x:.5f}" for x in vectors[n]) + "]"
                copy.write_row((n + 1, " ".join(said[n]), vector))
        cursor.execute(LOAD, [subject_id])
        cursor.execute("DROP TABLE bench_rows")
    return vectors, words, said


def _zipf(size: int) -> Any:
    shares = 1 / np.arange(1, size + 1)
    return shares / shares.sum()


def _scan(subject_id: int, near: Any) -> float:
    from django.db import connection

    vector = "[" + ",".join(f"{x:.5f}" for x in near) + "]"
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_indexscan = off")
        began = time.perf_counter()
        cursor.execute(
            "SELECT id FROM memory_observationentry WHERE subject_id = %s"
            " ORDER BY vector <=> %s::halfvec LIMIT 10",
            [subject_id, vector],
        )
        cursor.fetchall()
        took = time.perf_counter() - began
        cursor.execute("SET LOCAL enable_indexscan = on")
    return took


def _ms(took: list[float]) -> list[float]:
    return [one * 1000 for one in took]
