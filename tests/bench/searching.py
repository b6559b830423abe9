"""What the search page costs over 10,000 and 100,000 told sentences: `python -m tests.bench searching`.

Whole requests as the web role through Django's own handler: the embedder, the search behind the second wall,
the found rows read again, the page drawn. Each kind of question is asked in turn.
"""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any

import numpy as np

from tests.bench.bases import WARM, cloned, spent_ms, web_role
from tests.bench.figures import Samples
from tests.bench.retrieval import _zipf

WIDTH, VOCABULARY, TIMES = 384, 4_000, 12
ROWS = (10_000, 100_000)
LETTERS = "bdfgklmnprstvz"
FILL = """
    UPDATE memory_observationentry e SET terms = to_tsvector('simple', b.said), length = 12, model = %s,
        vector = b.vector::halfvec, is_due = false, day = s.local_day, at = s.said_at, language = 'en'
    FROM bench_rows b JOIN twin_statement s ON s.client_id = b.client_id
    WHERE e.kind = 'statement' AND e.row_id = s.id
"""


def samples(*, quick: bool) -> Samples:
    """Milliseconds of a search page by size."""
    found: Samples = {}
    for rows in ROWS[:1] if quick else ROWS:
        with cloned():
            found |= measured(rows)
    return found


def measured(rows: int) -> Samples:
    """Wall and CPU milliseconds of each kind of question over so many rows."""
    from memory.clients.embedder import current_embedder
    from memory.services.finding.entries import index_by_size
    from tests import makers

    chance = np.random.default_rng(5)
    ana = makers.a_person("Ana")
    leo = makers.a_child(ana)
    words = _words()
    _fill(leo, ana, rows, words, chance)
    index_by_size(model=current_embedder().name)
    client = makers.signed_in(ana)
    spent: list[tuple[float, float]] = []
    with web_role():
        for number in range(TIMES + WARM):
            for asked in _questions(words, leo.pk, number):

                def page(asked: dict[str, str] = asked) -> None:
                    answer = client.post("/search/", asked, headers={"HX-Request": "true"})
                    assert answer.status_code == 200, answer.content

                both = spent_ms(page)
                spent += [both] if number >= WARM else []
    name = f"search.{rows // 1000}k"
    return {f"{name}.wall": [wall for wall, _cpu in spent], f"{name}.cpu": [cpu for _wall, cpu in spent]}


def _questions(words: list[str], subject: int, number: int) -> list[dict[str, str]]:
    """A common word, a rare one, several, and one within bounds."""
    common, rare = words[number % 5], words[-1 - number]
    return [
        {"words": common},
        {"words": rare},
        {"words": f"{words[20 + number].upper()} {rare} {words[300 + number]}"},
        {"words": common, "kind": "said", "subject": str(subject), "since": "2024-01-01"},
    ]


def _words() -> list[str]:
    first = [a + "o" + b + "a" + c for a in LETTERS for b in LETTERS for c in LETTERS]
    return [one + "um" for one in first] + [one + "ik" for one in first]


def _fill(subject: Any, author: Any, rows: int, words: list[str], chance: Any) -> None:
    from django.db import connection

    from memory.clients.embedder import current_embedder
    from memory.rules.retrieval.folding import terms
    from twin.models import Statement

    words = words[:VOCABULARY]
    folded = {word: " ".join(terms(word, "en")) for word in words}
    said = chance.choice(words, (rows, 12), p=_zipf(len(words)))
    now = dt.datetime.now(dt.UTC)
    ids = [uuid.uuid4().hex for _n in range(rows)]
    for start in range(0, rows, 1_000):
        Statement.objects.bulk_create(
            Statement(
                subject=subject,
                author=author,
                client_id=ids[n],
                turn=f"turn-{n}",
                text=" ".join(said[n]),
                said_at=now - dt.timedelta(minutes=20 * n),
                local_day=(now - dt.timedelta(minutes=20 * n)).date(),
                language="en",
            )
            for n in range(start, min(start + 1_000, rows))
        )
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMP TABLE bench_rows (client_id text, said text, vector text)")
        with cursor.copy("COPY bench_rows FROM STDIN") as copy:
            for n in range(rows):
                vector = chance.normal(0, 1, WIDTH)
                vector /= np.linalg.norm(vector)
                text = " ".join(folded[str(word)] for word in said[n])
                copy.write_row((ids[n], text, "[" + ",".join(f"{x:.5f}" for x in vector) + "]"))
        cursor.execute(FILL, [current_embedder().name])
        cursor.execute("DROP TABLE bench_rows")
        cursor.execute("ANALYZE memory_observationentry")
        cursor.execute("ANALYZE twin_statement")
