"""What the second wall costs a page, policies on against off: `python -m tests.bench second_wall`.

One process serves the pages as the web role through Django's own handler; policies are switched by ALTER
TABLE between blocks, alternating A-B-A-B, and with them the settings that say who asks. CPU is this
process's and its database backend's together, the faster half of all requests. Twelve subjects, the first
with ten years of one finding a day.
"""

from __future__ import annotations

import datetime as dt
import time
from typing import Any

from tests.bench.bases import backend_ns, cloned, web_role
from tests.bench.figures import Samples

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


def samples(*, quick: bool) -> Samples:
    """Milliseconds of each page with policies on and off."""
    with cloned():
        found = measured(blocks=1 if quick else BLOCKS)
    return {
        f"wall.{page.lower()}.{what}": spent for page, one in found.items() for what, spent in one.items()
    }


def measured(*, blocks: int) -> dict[str, dict[str, list[float]]]:
    """For each page its CPU in ms with policies off and on."""
    from django.db import connection

    from household import access

    person, pages = furnished()
    tell = access._set
    tables = guarded()
    client = signed_in_browser(person)
    found: dict[str, dict[str, list[float]]] = {page: {"on": [], "off": []} for page in pages}
    for block in range(-1, blocks):
        for page, path in pages.items():
            for what, verb in (("off", OFF), ("on", ON)) if block % 2 else (("on", ON), ("off", OFF)):
                with connection.cursor() as cursor:
                    for table in tables:
                        cursor.execute(f"ALTER TABLE {table} {verb} ROW LEVEL SECURITY")
                access._set = tell if what == "on" else untold  # without policies nobody need be told
                spent = one_block(client, path)
                if block >= 0:
                    found[page][what] += spent
    return {page: {what: lower_half(spent) for what, spent in one.items()} for page, one in found.items()}


def untold(settings: Any) -> None:
    """Tell the database nothing."""


def lower_half(spent: list[float]) -> list[float]:
    """The faster half of all requests, which other work on the machine disturbs least."""
    return sorted(spent)[: (len(spent) + 1) // 2]


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
