"""What finding costs, at 10,000 and 100,000 rows: `python -m tests.bench.retrieval [ROWS ...]`.

The web role searches one subject's rows by words and meaning, alternating A-B-A-B with an exact scan of the
same vectors. Recall is how many of the ten nearest by brute force are among the rows found.
"""

from __future__ import annotations

import datetime as dt
import json
import os
import statistics
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

WIDTH, CLUSTERS, ASKED = 384, 200, 25
VOCABULARY = 4_000
ROWS = (10_000, 100_000)
LOAD = """
    INSERT INTO memory_observationentry
        (subject_id, kind, row_id, day, at, language, terms, length, model, vector, version, is_due)
    SELECT %s, 'statement', -n, (now() - n * interval '20 minutes')::date, now() - n * interval '20 minutes',
        'en', to_tsvector('simple', said), 12, 'bench', vector::halfvec, 0, false
    FROM bench_rows
"""


def main() -> None:
    """Measure, and print a table and the same as JSON."""
    from tests import plugin_cluster, shared_cluster

    assert plugin_cluster.HOME
    os.environ["DJANGO_SETTINGS_MODULE"] = "household.settings"
    import django

    django.setup()
    found = {}
    with shared_cluster.server_running():
        for rows in [int(one) for one in sys.argv[1:]] or ROWS:
            name = f"{shared_cluster.database_name()}_bench"
            shared_cluster.clone(name, shared_cluster.template())
            try:
                shared_cluster.point_django_at(name)
                found[str(rows)] = measured(rows)
            finally:
                from django.db import connections

                connections.close_all()
                shared_cluster.drop(name)
    for rows, figures in found.items():
        print(f"{rows:>7} rows: " + ", ".join(f"{key} {value}" for key, value in figures.items()))
    path = Path("bench.json")
    held = json.loads(path.read_text()) if path.exists() else {}
    path.write_text(json.dumps({**held, "retrieval": found}, indent=2))


def measured(rows: int) -> dict[str, Any]:
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
    vectors, words = _filled(leo.pk, rows, chance)
    began = time.perf_counter()
    made = index_by_size(model="bench")
    indexed_s = time.perf_counter() - began
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE memory_observationentry")
    bounds = Bounds((leo.pk,), ("record", "statement", "event", "fill"))
    middle = vectors[:200].mean(axis=0)
    hybrid, scan, statement, recall = [], [], [], []
    with as_web(), seen_by(ana, now=dt.datetime.now(dt.UTC)):
        for _turn in range(ASKED):
            near = vectors[int(chance.integers(rows))] + chance.normal(0, 0.02, WIDTH)
            terms = tuple(str(word) for word in chance.choice(words, 5, p=_zipf(len(words))))
            wanted = Wanted(tuple(dict.fromkeys(terms)), tuple(float(x) for x in near), "bench")
            began = time.perf_counter()
            find(wanted, resource=Resource.OBSERVATION, bounds=bounds, take=60)
            hybrid.append(time.perf_counter() - began)
            began = time.perf_counter()
            _rows(wanted, {Resource.OBSERVATION: bounds}, 60)
            statement.append(time.perf_counter() - began)
            scan.append(_scan(leo.pk, near))
            aimed = near - middle
            nearest = set((-np.argsort(-(vectors @ aimed))[:10] - 1).tolist())
            alone = Wanted((), wanted.vector, "bench")
            got = {hit.row_id for hit in find(alone, resource=Resource.OBSERVATION, bounds=bounds, take=60)}
            recall.append(len(nearest & got) / 10)
    return {
        "hybrid_ms": _ms(hybrid),
        "sql_ms": _ms(statement),
        "exact_scan_ms": _ms(scan),
        "recall_at_10": round(statistics.mean(recall), 3),
        "index": ", ".join(made) or "none",
        "index_s": round(indexed_s, 1),
    }


def _filled(subject_id: int, rows: int, chance: Any) -> tuple[Any, Any]:
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
    return vectors, words


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


def _ms(took: list[float]) -> float:
    return round(statistics.median(took) * 1000, 2)


if __name__ == "__main__":
    main()
