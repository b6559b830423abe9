"""Many at once on one box: tablets that sync and people who browse, each at a pace of their own, over HTTP.

A real box with the demo household and full durability; the clients run on the same machine and take their
share of it. A time is from sending a request to the last byte of its answer, as its client sees it; an answer
is a 200 and nothing else, redirects not followed. At the end every line the house acknowledged is looked for
by its name: it is there once.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import psycopg
import requests

from household.box import places
from tests.bench.figures import Samples
from tests.bench.house import SMALL, cpu_ns, whole_mb
from tests.household.box.running import Box, a_running_box
from tests.housemate import PASSPHRASE

DEVICES, PEOPLE, LASTS_S = 200, 50, 120
QUICK = (20, 5, 15)  # devices, people, seconds
SYNC_EVERY_S, PAGE_EVERY_S = 30.0, 5.0  # the mean pause of one client
LINES = 5
AT = 1_700_000_000_000
PATHS = ("/", "/book/1", "/book/1/now", "/book", "/book/2", "/insights", "/help")
SEED = """
import json
from django.test import Client
from django.utils import timezone
from household.models import Membership, Person
from tests.makers import a_membership, a_person
from tests.wire import a_device
from twin.models import Subject
ana = Person.objects.get(name="Ana")
child = Subject.objects.filter(species="person").order_by("pk")[0]
tokens = [a_device(ana, child, f"tablet {n}").token for n in range(DEVICES)]
sessions = []
for n in range(PEOPLE):
    one = a_person(f"Person {n}")
    for subject in Subject.objects.all():
        a_membership(one, subject, role="parent")
    client = Client()
    client.force_login(one)
    sessions.append(client.cookies["sessionid"].value)
print(json.dumps({"tokens": tokens, "sessions": sessions}))
"""


@dataclass
class Tally:
    """What all clients saw, in milliseconds, and what went wrong."""

    pages: list[float] = field(default_factory=list)
    pushes: list[float] = field(default_factory=list)
    pulls: list[float] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    acknowledged: set[str] = field(default_factory=set)
    guard: threading.Lock = field(default_factory=threading.Lock)

    def add(self, kept_in: list[float], work: Callable[[], requests.Response]) -> requests.Response | None:
        """Time one request; None where it failed."""
        began = time.perf_counter()
        try:
            answer = work()
        except requests.RequestException as error:
            self.failed.append(type(error).__name__)
            return None
        if answer.status_code != 200:
            self.failed.append(f"{answer.status_code} {answer.url}")
            return None
        kept_in.append((time.perf_counter() - began) * 1000)
        return answer


def samples(*, quick: bool) -> Samples:
    """Latencies of pages and of syncs, what failed, the box's CPU and memory meanwhile."""
    devices, people, lasts_s = QUICK if quick else (DEVICES, PEOPLE, LASTS_S)
    with a_running_box(env=SMALL) as box:
        box.manage("demo", "--passphrase", PASSPHRASE).check_returncode()
        made = seeded(box, devices=devices, people=people)
        return measured(box, made, lasts_s=lasts_s)


def seeded(box: Box, *, devices: int, people: int) -> dict[str, list[str]]:
    """Tokens of paired tablets and sessions of signed-in parents."""
    code = SEED.replace("DEVICES", str(devices)).replace("PEOPLE", str(people))
    done = subprocess.run(
        [sys.executable, "manage.py", "shell", "--no-imports", "-c", code],
        cwd=places.CHECKOUT,
        env=box.env,
        check=True,
        capture_output=True,
        text=True,
    )
    made: dict[str, list[str]] = json.loads(done.stdout.strip().splitlines()[-1])
    return made


def measured(box: Box, made: dict[str, list[str]], *, lasts_s: int) -> Samples:
    """Let all of them loose for so long, each from its own seed."""
    tally, began = Tally(), time.monotonic()
    ends = began + lasts_s
    base = f"http://127.0.0.1:{box.port}"
    clients = [
        threading.Thread(target=browse, args=(base, session, number, ends, tally))
        for number, session in enumerate(made["sessions"])
    ] + [
        threading.Thread(target=sync, args=(base, token, number, ends, tally))
        for number, token in enumerate(made["tokens"])
    ]
    cpu = cpu_ns(box)
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    spent_ns, took_s = cpu_ns(box) - cpu, time.monotonic() - began
    return {
        "load.page.wall": tally.pages,
        "load.page.p95": [percentile(tally.pages)],
        "load.push.wall": tally.pushes,
        "load.push.p95": [percentile(tally.pushes)],
        "load.pull.wall": tally.pulls,
        "load.answers_s": [(len(tally.pages) + len(tally.pushes) + len(tally.pulls)) / took_s],
        "load.failed": [float(len(tally.failed))],
        "load.astray": [float(len(astray(tally.acknowledged, lines_kept(box))))],
        "load.cpu": [spent_ns / took_s / 1e7],
        "load.memory.mb": [whole_mb(box)],
    }


def browse(base: str, session: str, number: int, ends: float, tally: Tally) -> None:
    """One person opens one page after the other."""
    chance, browser = random.Random(f"person {number}"), requests.Session()
    browser.cookies.set("sessionid", session)
    while pause(chance, PAGE_EVERY_S, ends):
        path = chance.choice(PATHS)
        tally.add(tally.pages, lambda path=path: browser.get(base + path, timeout=60, allow_redirects=False))  # type: ignore[misc]


def sync(base: str, token: str, number: int, ends: float, tally: Tally) -> None:
    """One tablet sends the lines it has, then asks what is new of memories."""
    chance, tablet = random.Random(f"tablet {number}"), requests.Session()
    tablet.headers["Authorization"] = f"Bearer {token}"
    sent, since = 0, None
    while pause(chance, SYNC_EVERY_S, ends):
        lines = [line(number, sent + one) for one in range(LINES)]
        body: dict[str, Any] = {"from_seq": sent, "lines": lines}

        def asked(what: str, body: dict[str, Any]) -> requests.Response:
            return tablet.post(f"{base}/api/v1/{what}", json=body, timeout=60, allow_redirects=False)

        pushed = tally.add(tally.pushes, lambda body=body: asked("journal", body))  # type: ignore[misc]
        if pushed is None:
            continue
        kept = pushed.json()["next_seq"] - sent
        sent += kept
        with tally.guard:
            tally.acknowledged |= {one["turn"] for one in lines[:kept]}
        wish = {"since": since, "memories": []}
        answer = tally.add(tally.pulls, lambda wish=wish: asked("memory", wish))  # type: ignore[misc]
        if answer is not None:
            since = answer.json()["cursor"]


def line(number: int, at: int) -> dict[str, Any]:
    """One line of a tablet's journal."""
    return {
        "event": "Heard",
        "at_ms": AT + at,
        "turn": f"load-{number}-{at}",
        "text": f"saw {at} birds on the roof",
        "pictures": [],
    }


def pause(chance: random.Random, mean_s: float, ends: float) -> bool:
    """Wait as long as this client does now; whether there is time for one more."""
    until = time.monotonic() + chance.uniform(0.0, 2 * mean_s)
    if until >= ends:
        return False
    time.sleep(max(0.0, until - time.monotonic()))
    return True


def lines_kept(box: Box) -> dict[str, int]:
    """How often the house holds each line of the tablets, by its name."""
    with psycopg.connect(places.embedded_url(box.house, places.OWNER)) as owner:
        rows = owner.execute(
            "SELECT turn, count(*) FROM memory_journalline WHERE turn LIKE 'load-%' GROUP BY turn"
        ).fetchall()
    return dict(rows)


def astray(acknowledged: set[str], kept: Mapping[str, int]) -> set[str]:
    """The acknowledged lines that are not there, and every line that is there more than once."""
    return {name for name in acknowledged if name not in kept} | {
        name for name, count in kept.items() if count > 1
    }


def percentile(values: list[float], share: float = 0.95) -> float:
    """The value that this share of them does not exceed."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else 0.0
