"""Sync over the whole stack but the socket: pushes, pulls, deltas, beside bare SQL and Anki in the same run.

The house answers as the web role. Alternating with it, `executemany` writes the same lines into a table
of the same shape, one plain SELECT reads the page that a pull gives, and Anki syncs as many rows
(`peers/anki_peer.py` says how). Nobody waits for the disk: the server of the benches runs without `fsync`.
"""

from __future__ import annotations

import json
import time
import uuid
from typing import Any

from tests.bench.bases import WARM, cloned, spent_ms, web_role
from tests.bench.figures import Samples, add
from tests.bench.filling import fill_journal, fill_memories
from tests.bench.peers.asking import peer
from tests.bench.peers.syncing import exchanged

BATCH, PAGE = 500, 500
LONG, QUICK_LONG, SHORT = 300_000, 10_000, 2_000
MANY, QUICK_MANY, FEW = 50_000, 3_000, 500
AT = 1_700_000_000_000
TEXT = "we saw two herons at the lake and one of them had a fish in its beak, " * 2
FLOOR = "INSERT INTO bench_lines (device, seq, envelope, body) VALUES (%s, %s, %s, %s)"
SQL_PAGE = """
    SELECT l.position, l.device, l.seq, l.envelope, w.body FROM memory_journalline l
    LEFT JOIN memory_journalwords w ON w.position = l.position
    WHERE l.subject_id = %s AND l.position > %s ORDER BY l.position LIMIT 500
"""


def samples(*, quick: bool) -> Samples:
    """Lines a second, milliseconds and microseconds by name."""
    with cloned():
        rounds = 4 if quick else 40
        return (
            pushes(rounds)
            | pulls(rounds, lines=QUICK_LONG if quick else LONG)
            | deltas(rounds, many=QUICK_MANY if quick else MANY)
        )


def a_family(name: str) -> tuple[Any, Any]:
    """A parent and a child of their own."""
    from household.models import Household
    from tests.makers import a_child, a_household, a_person

    if not Household.objects.exists():
        a_household()
    parent = a_person(name)
    return parent, a_child(parent)


def raw() -> Any:
    """A connection of its own to the same database, as the owner."""
    import psycopg
    from django.db import connection

    parameters = dict(connection.get_connection_params())
    for name in ("cursor_factory", "context", "server_side_binding", "prepare_threshold", "pool"):
        parameters.pop(name, None)
    return psycopg.connect(**parameters)


def batch(first: int) -> list[dict[str, Any]]:
    """Lines as a tablet writes them."""
    return [
        {"event": "Heard", "at_ms": AT + n, "turn": f"t{n // 4}", "text": f"{n} {TEXT}", "pictures": []}
        for n in range(first, first + BATCH)
    ]


def pushes(rounds: int) -> Samples:
    """Batches of 500 through the house and by executemany in turn; one line alone; a hundred read back."""
    from tests.wire import a_device

    parent, child = a_family("Ana")
    wire, single, reader = (a_device(parent, child, name) for name in ("tablet", "phone", "reader"))
    found: Samples = {name: [] for name in FOUND_BY_PUSH}
    with raw() as base, peer("anki") as anki, web_role():
        base.execute("CREATE TEMP TABLE bench_lines (device text, seq bigint, envelope jsonb, body jsonb)")
        base.execute("CREATE UNIQUE INDEX ON bench_lines (device, seq)")
        for number in range(rounds + WARM):
            fresh = batch(number * BATCH)
            body = json.dumps({"from_seq": number * BATCH, "lines": fresh}).encode()
            alone = json.dumps({"from_seq": number, "lines": batch(number)[:1]}).encode()
            wall, cpu = spent_ms(lambda body=body: wire.told("journal", body))  # type: ignore[misc]
            one = spent_ms(lambda alone=alone: single.told("journal", alone))  # type: ignore[misc]
            listed = spent_ms(lambda: reader.get("journal?after=0&limit=100"))
            took, theirs = by_sql(base, fresh), exchanged(anki, "push", BATCH)
            if number == WARM - 1:
                # As the server does by itself within a minute, here as there by everybody's own.
                base.execute("ANALYZE")
                base.commit()
            if number >= WARM:
                add(found, theirs)
                by_cpu = (BATCH * 1000 / cpu, cpu * 1000 / BATCH)
                values = (BATCH * 1000 / wall, *by_cpu, BATCH / took, one[1], listed[1])
                for name, value in zip(FOUND_BY_PUSH, values, strict=True):
                    found[name].append(value)
    return found


FOUND_BY_PUSH = (
    "push.lines_s",
    "push.lines_cpu_s",
    "push.cpu_us",
    "executemany.lines_s",
    "api.create.cpu",
    "api.list.cpu",
)


def by_sql(base: Any, lines: list[dict[str, Any]]) -> float:
    """Seconds of the same lines through executemany, committed."""
    rows = [
        ("floor", line["at_ms"], json.dumps({**line, "text": None}), json.dumps({"text": line["text"]}))
        for line in lines
    ]
    began = time.perf_counter()
    with base.cursor() as cursor:
        cursor.executemany(FLOOR, rows)
    base.commit()
    return time.perf_counter() - began


def pulls(rounds: int, *, lines: int) -> Samples:
    """Pages from the middle of a long log, of a short one, and the plain SELECT, in turn."""
    from tests.wire import a_device

    wires, starts, subjects = {}, {}, {}
    with raw() as base, peer("anki") as anki:
        for name, count in (("long", lines), ("short", SHORT)):
            parent, child = a_family(f"Puller {name}")
            fill_journal(base, child.pk, device=str(uuid.uuid4()), lines=count)
            wires[name], subjects[name] = a_device(parent, child, name), child.pk
            middle = "SELECT min(position) + %s FROM memory_journalline WHERE subject_id = %s"
            starts[name] = base.execute(middle, [count // 2, child.pk]).fetchone()[0]
        base.commit()
        base.autocommit = True
        base.execute("VACUUM ANALYZE memory_journalline, memory_journalwords")
        found: Samples = {name: [] for name in FOUND_BY_PULL}
        with web_role():
            for number in range(rounds + WARM):
                pages = [pulled(wires[name], starts[name], PAGE) for name in ("long", "short")]
                large = pulled(wires["long"], starts["long"], 2 * PAGE)
                began = time.perf_counter()
                base.execute(SQL_PAGE, [subjects["long"], starts["long"]]).fetchall()
                plain = (time.perf_counter() - began) * 1000
                theirs = exchanged(anki, "pull", 2 * PAGE)
                if number >= WARM:
                    add(found, theirs)
                    lines_s, by_cpu = 2 * PAGE * 1000 / large[0], 2 * PAGE * 1000 / large[1]
                    values = (pages[0][0], pages[1][0], lines_s, by_cpu, 1e6 / by_cpu, plain)
                    for name, value in zip(FOUND_BY_PULL, values, strict=True):
                        found[name].append(value)
    return found


FOUND_BY_PULL = (
    "pull.page.wall",
    "pull.page.short.wall",
    "pull.lines_s",
    "pull.lines_cpu_s",
    "pull.cpu_us",
    "sql_page.wall",
)


def pulled(wire: Any, after: int, limit: int) -> tuple[float, float]:
    """Wall and CPU milliseconds of one page, as its bytes leave the house."""
    answers: list[Any] = []
    spent = spent_ms(lambda: answers.append(wire.get(f"journal?after={after}&limit={limit}")))
    assert len(answers[0].json()["lines"]) == limit, answers[0].content[:200]
    return spent


def deltas(rounds: int, *, many: int) -> Samples:
    """Ten new memories pushed by one tablet and pulled by another, among many memories and among few."""
    from memory.rules.merge import Memory, Mention
    from tests.wire import a_device

    pairs: dict[str, tuple[Any, Any]] = {}
    with raw() as base:
        for name, count in (("many", many), ("few", FEW)):
            parent, child = a_family(f"Teller {name}")
            fill_memories(base, child.pk, memories=count, lines=QUICK_LONG, prefix=f"{name}-")
            pairs[name] = (a_device(parent, child, "writer"), a_device(parent, child, "reader"))
        base.commit()
        base.autocommit = True
        base.execute("VACUUM ANALYZE")
    found: Samples = {"delta.many.cpu": [], "delta.few.cpu": []}
    with web_role():
        for number in range(rounds + WARM):
            for name, (writer, reader) in pairs.items():
                new = [
                    Memory(
                        f"new-{name}-{number}-{k}",
                        f"{k} {TEXT}",
                        AT,
                        mentions=frozenset({Mention(AT, "d", f"n{k}")}),
                    )
                    for k in range(10)
                ]
                since = state_cursor(reader)
                writer.memory(*new, since=since)
                _, cpu = spent_ms(lambda reader=reader: reader.memory(since=since))  # type: ignore[misc]  # noqa: B023
                if number >= WARM:
                    found[f"delta.{name}.cpu"].append(cpu)
    return found


def state_cursor(wire: Any) -> str:
    """Where the house stands."""
    return str(wire.get("state").json()["cursor"])
