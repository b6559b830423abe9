"""What the second wall costs a page, policies on against off: `python -m tests.bench.second_wall`.

One process serves the pages as the web role through Django's own handler; policies are switched by ALTER
TABLE between blocks, alternating A-B-A-B, and with them the settings that say who asks. CPU is this
process's and its database backend's together, the lower quartile of all requests. Twelve subjects, the first
with ten years of one finding a day.
"""

from __future__ import annotations

import datetime as dt
import json
import os
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

SUBJECTS, YEARS = 12, 10
BLOCKS, REQUESTS = 12, 15
ON, OFF = "ENABLE", "DISABLE"
FINDINGS = """
    INSERT INTO twin_record (subject_id, kind, category, site, lifecycle, day, sort_on, signs, asserted, tags,
        turns, context, text, author_id, provenance, manner, is_observed, chronic, severity, closed_reason)
    SELECT %s, 'symptom', 'ears', '', 'day', d::date, d::date, '{"odour": true}', 'abnormal', '{}', '{}',
        '{}', '', %s, 'parent', 'stated', true, false, 1, ''
    FROM generate_series(%s::date, %s::date, '1 day') d RETURNING id
"""
STATEMENTS = """
    WITH said AS (
        INSERT INTO twin_statement (gid, subject_id, author_id, device, client_id, turn, through, language,
            text, said_at, local_day, kinds, reader, dropped, read_at)
        SELECT gen_random_uuid(), subject_id, author_id, 'home', 's' || id, 't' || id, 'web', 'en',
            'her ear smells again', day + time '09:00', day, '{observation}', 'builtin', '{}', now()
        FROM twin_record WHERE subject_id = %s RETURNING *)
    INSERT INTO twin_ledgerentry (subject_id, statement_id, position, turn, said_at, local_day, category,
        site, asserted, signs, today, words, why, field, state, record_id, filed_day, adjudicate, filed_at)
    SELECT s.subject_id, s.id, 0, s.turn, s.said_at, s.local_day, 'ears', '', 'abnormal', '{"odour": true}',
        'yes', s.text, '[]', '', 'filed', r.id, s.local_day, false, now()
    FROM said s JOIN twin_record r ON 't' || r.id = s.turn
"""


def main() -> None:
    """Measure, and print a table and the same as JSON."""
    from tests import plugin_cluster, shared_cluster

    assert plugin_cluster.HOME
    os.environ["DJANGO_SETTINGS_MODULE"] = "household.settings"
    import django

    django.setup()
    with shared_cluster.server_running():
        name = f"{shared_cluster.database_name()}_bench"
        shared_cluster.clone(name, shared_cluster.template())
        try:
            shared_cluster.point_django_at(name)
            found = measured(name)
        finally:
            from django.db import connections

            connections.close_all()
            shared_cluster.drop(name)
    for page, one in found.items():
        print(f"{page:10} {one['off_ms']:7.2f} ms off {one['on_ms']:7.2f} ms on  {one['ratio']:.3f}x")
    print(json.dumps(found))


def measured(database: str) -> dict[str, dict[str, float]]:
    """For each page its CPU in ms with policies off and on, and the ratio; wall time beside it."""
    from django.db import connection
    from django.test.utils import setup_test_environment

    setup_test_environment()
    from household import access

    person, pages = furnished()
    tell = access._set
    tables = guarded()
    client = signed_in_browser(person)
    found: dict[str, dict[str, list[float]]] = {page: {"on": [], "off": []} for page in pages}
    for block in range(-1, BLOCKS):
        for page, path in pages.items():
            for what, verb in (("off", OFF), ("on", ON)) if block % 2 else (("on", ON), ("off", OFF)):
                with connection.cursor() as cursor:
                    for table in tables:
                        cursor.execute(f"ALTER TABLE {table} {verb} ROW LEVEL SECURITY")
                access._set = tell if what == "on" else untold  # without policies nobody need be told
                spent = one_block(client, path)
                if block >= 0:
                    found[page][what] += spent
    return {page: summary(one) for page, one in found.items()}


def untold(settings: Any) -> None:
    """Tell the database nothing."""


def summary(one: dict[str, list[float]]) -> dict[str, float]:
    """The lower quartile of all requests, which other work on the machine disturbs least, and its ratio."""
    off, on = (statistics.quantiles(one[what], n=4)[0] for what in ("off", "on"))
    return {"off_ms": off, "on_ms": on, "ratio": on / off}


def furnished() -> tuple[Any, dict[str, str]]:
    """A household at scale, and the pages to open."""
    from django.db import connection
    from django.utils import timezone

    from household.models import Heartbeat
    from tests.makers import a_cat, a_household, a_person
    from twin.models import Record

    a_household()
    ana, today = a_person("Ana"), timezone.now().date()
    for number in range(SUBJECTS):
        subject = a_cat(ana, f"Cat {number}")
        days = YEARS * 365 if number == 0 else 30
        with connection.cursor() as cursor:
            cursor.execute(FINDINGS, [subject.pk, ana.pk, today - dt.timedelta(days=days), today])
            cursor.execute(STATEMENTS, [subject.pk])
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    Heartbeat.objects.create(worker="w", at=timezone.now() + dt.timedelta(days=1))
    first = Record.objects.order_by("subject_id", "-day").first()
    assert first is not None
    return ana, {"Today": "/", "Subject": f"/book/{first.subject_id}", "Record": f"/r/{first.rec_id}"}


def guarded() -> list[str]:
    """The tables with policies."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT DISTINCT tablename FROM pg_policies")
        return [name for (name,) in cursor.fetchall()]


def signed_in_browser(person: Any) -> Any:
    """A browser whose requests are served as the web role."""
    from tests.makers import signed_in

    return signed_in(person)


@contextmanager
def web_role() -> Iterator[None]:
    """The web role on this process's connection, outside any transaction."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SET ROLE web")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("RESET ROLE")


def one_block(client: Any, path: str) -> list[float]:
    """CPU in ms of each request of a block, this process and its backend together."""
    from django.db import connection

    backend, spent = connection.connection.info.backend_pid, []
    with web_role():
        for _warm in range(3):
            assert client.get(path).status_code == 200
        for _request in range(REQUESTS):
            began = time.process_time_ns() + backend_ns(backend)
            client.get(path)
            spent.append((time.process_time_ns() + backend_ns(backend) - began) / 1e6)
    return spent


def backend_ns(pid: int) -> int:
    """Nanoseconds a process has been on a CPU (Linux: /proc/<pid>/schedstat)."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0])


if __name__ == "__main__":
    main()
