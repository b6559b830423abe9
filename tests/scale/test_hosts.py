"""Two web hosts and three workers, each a machine of its own, on one PostgreSQL across a network."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
import threading
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest
import requests

from household.box import places
from household.box.supervisor import run_prepare
from tests.household.box.running import until
from tests.housemate import PASSPHRASE
from tests.memory.test_sync_pictures import a_picture
from tests.scale.network import Host, bridged, why_not
from tests.scale.server import NetworkCluster

pytestmark = pytest.mark.long
WEBS, WORKERS = ("one", "two"), ("red", "green", "blue")
PORT = 8000
AT = 1_700_000_000_000
TELLERS, TOLD_BEFORE_THE_KILL = 4, 12
CLOSE_DAYS = "import django; django.setup(); from twin.tasks import close_days; close_days()"


@dataclass
class House:
    """The hosts, the database, and what was put into it."""

    hosts: dict[str, Host]
    env: dict[str, str]
    url: str
    made: dict[str, Any]
    media: Path

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """What the database itself says."""
        with psycopg.connect(self.url) as base:
            return base.execute(query).fetchall()

    def at(self, host: str, path: str) -> str:
        """The address of a page on one host."""
        return f"http://{self.hosts[host].address}:{PORT}{path}"

    def owner_runs(self, host: str, *argv: str) -> str:
        """Run Python on a host as the owner; what it printed last."""
        child = self.hosts[host].start([sys.executable, *argv], {**self.env, "HEARTHBOOK_ROLE": "owner"})
        assert child.wait() == 0, self.hosts[host].said()
        return self.hosts[host].said().strip().splitlines()[-1]

    def serve(self, host: str) -> None:
        """Start a web server on a host and wait until it calls itself well."""
        argv = [
            sys.executable,
            "-m",
            "granian",
            "household.wsgi:application",
            "--interface",
            "wsgi",
            "--no-ws",
        ]
        argv += ["--host", self.hosts[host].address, "--port", str(PORT), "--blocking-threads", "4"]
        self.hosts[host].start(argv, {**self.env, "HEARTHBOOK_ROLE": "web"})

        def is_well() -> bool:
            try:
                with urllib.request.urlopen(self.at(host, "/healthz"), timeout=5) as answer:
                    return bool(answer.status == 200)
            except OSError:
                return False

        until(is_well, f"web on {host}")

    def work(self, host: str) -> None:
        """Start a worker on a host."""
        argv = [sys.executable, "-m", "household.box.worker"]
        self.hosts[host].start(argv, {**self.env, "HEARTHBOOK_ROLE": "owner"})


@pytest.fixture(scope="module")
def house() -> Iterator[House]:
    """Five machines on one bridge, each with a data folder of its own, and the server beside them."""
    if reason := why_not():
        pytest.skip(reason)
    folder = Path(tempfile.mkdtemp(prefix="hearthbook-"))
    folder.chmod(0o755)
    with bridged(folder, [*WEBS, *WORKERS]) as (address, hosts):
        cluster = NetworkCluster(folder / "server", address=address)
        try:
            cluster.start()
            yield furnished(cluster.adopted(), hosts, folder / "media")
        finally:
            for host in hosts.values():
                host.die()
            cluster.stop()
            shutil.rmtree(folder, ignore_errors=True)


def furnished(url: str, hosts: dict[str, Host], media: Path) -> House:
    """Prepare the database once, make the household, and start every host."""
    for host in hosts.values():
        places.open_home(host.home)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DATABASE_URL", url)
        patch.delenv("OWNER_DATABASE_URL", raising=False)
        addresses = run_prepare(hosts["one"].home)["addresses"]
    assert addresses["second_wall"]
    env = {
        "DATABASE_URL": addresses["web"],
        "OWNER_DATABASE_URL": addresses["owner"],
        "DJANGO_SETTINGS_MODULE": "household.settings",
        "HEARTHBOOK_SECRET_KEY": "the same on every host of this household",
        "MEDIA_STORAGE": "django.core.files.storage.FileSystemStorage",
        "MEDIA_STORAGE_OPTIONS": json.dumps({"location": str(media)}),
        "OMP_NUM_THREADS": "1",
    }
    made = House(hosts, env, url, {}, media)
    made.made = json.loads(made.owner_runs("one", "-m", "tests.scale.seed"))
    for host in WEBS:
        made.serve(host)
    for host in WORKERS:
        made.work(host)
    until(lambda: made.rows("SELECT count(*) FROM household_heartbeat") == [(len(WORKERS),)], "three workers")
    return made


def signed_in(house: House, host: str) -> requests.Session:
    """Ana's browser, signed in on one host."""
    browser = requests.Session()
    page = house.at(host, "/accounts/login/")
    browser.get(page, timeout=60)
    fields = {"login": "Ana", "password": PASSPHRASE}
    headers = {"X-CSRFToken": browser.cookies["csrftoken"], "Referer": page}
    done = browser.post(page, data=fields, headers=headers, timeout=60, allow_redirects=False)
    assert done.status_code == 302, done.text
    return browser


def at_other(browser: requests.Session) -> requests.Session:
    """The same cookies, for any host: a balancer stands before both under one name."""
    other = requests.Session()
    other.headers["Cookie"] = "; ".join(f"{one.name}={one.value}" for one in browser.cookies)
    other.headers["X-CSRFToken"] = browser.cookies["csrftoken"]
    return other


def tablet(
    house: House, number: int, host: str, method: str, path: str, body: Any = None
) -> requests.Response:
    """One request of a tablet to one host."""
    data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {house.made['tokens'][number]}", "Content-Type": "application/json"}
    answer = requests.request(
        method, house.at(host, f"/api/v1/{path}"), data=data, headers=headers, timeout=60
    )
    assert answer.status_code == 200, answer.text
    return answer


def test_a_session_begun_on_one_host_is_known_on_the_other_and_ends_on_both(house: House) -> None:
    browser = signed_in(house, "one")
    other = at_other(browser)
    assert other.get(house.at("two", "/"), timeout=60, allow_redirects=False).status_code == 200
    out = other.post(
        house.at("two", "/accounts/logout/"), headers={"Referer": house.at("two", "/")}, timeout=60
    )
    assert out.ok
    assert at_other(browser).get(house.at("one", "/"), timeout=60, allow_redirects=False).status_code == 302


def test_three_workers_close_every_day_once(house: House) -> None:
    askers = [
        house.hosts[host].start([sys.executable, "-c", CLOSE_DAYS], {**house.env, "HEARTHBOOK_ROLE": "owner"})
        for host in WORKERS
    ]
    assert [asker.wait() for asker in askers] == [0, 0, 0]
    cats = ",".join(map(str, house.made["cats"]))
    wanted = len(house.made["cats"]) * 21
    closed = (
        f"SELECT count(*), count(DISTINCT (subject_id, day)) FROM twin_roundrun WHERE subject_id IN ({cats})"
    )
    until(lambda: house.rows(closed)[0][0] >= wanted, "rounds")
    assert house.rows(closed) == [(wanted, wanted)]
    until(lambda: house.rows("SELECT count(*) FROM twin_lease") == [(0,)], "leases given back")
    once = "SELECT count(*) FROM twin_roundrun GROUP BY subject_id, day HAVING count(*) > 1"
    assert house.rows(once) == []


def test_tablets_on_two_hosts_end_alike(house: House) -> None:
    def line(number: int, at: int) -> dict[str, Any]:
        return {
            "event": "Heard",
            "at_ms": AT + at,
            "turn": f"t{number}-{at}",
            "text": f"{at}",
            "pictures": [],
        }

    def push(number: int) -> None:
        for at in range(30):  # every other line through the other host
            body = {"from_seq": at, "lines": [line(number, at)]}
            tablet(house, number, WEBS[(number + at) % 2], "POST", "journal", body)
            memory = a_memory(f"m{number}-{at}")
            tablet(house, number, WEBS[at % 2], "POST", "memory", {"since": None, "memories": [memory]})

    threads = [threading.Thread(target=push, args=(number,)) for number in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number in (0, 1):
        pulled = [
            tablet(house, number, host, "GET", "journal?after=0&limit=500").json()["lines"] for host in WEBS
        ]
        assert pulled[0] == pulled[1]
        assert [one["seq"] for one in pulled[0]] == list(range(30))
        held = [
            tablet(house, number, host, "POST", "memory", {"since": None}).json()["memories"] for host in WEBS
        ]
        assert held[0] == held[1]
        assert {one["gid"] for one in held[0]} >= {f"m{n}-{at}" for n in (0, 1) for at in range(30)}


def a_memory(gid: str, *pictures: str) -> dict[str, Any]:
    """A memory on the wire."""
    from memory.rules.merge import Memory, Mention, PictureLink, to_json

    shown = tuple(PictureLink(position, name) for position, name in enumerate(pictures))
    mentions = frozenset({Mention(AT, "d", f"turn-{gid}")})
    document: dict[str, Any] = to_json(Memory(gid, f"words of {gid}", AT, mentions=mentions, pictures=shown))
    return document


def test_a_picture_taken_in_by_one_host_is_shown_by_the_other_and_rests_on_neither(house: House) -> None:
    tablet(house, 0, "one", "POST", "memory", {"since": None, "memories": [a_memory("shown", "p1.png")]})
    kept = tablet(house, 0, "one", "PUT", "pictures/p1.png", a_picture())
    assert kept.json()["state"] == "kept"
    shown = tablet(house, 1, "two", "GET", "pictures/p1.png")
    assert shown.headers["Content-Type"] == "image/jpeg"
    assert any(house.media.rglob("*.jp*g"))
    for host in house.hosts.values():
        assert not [one for one in (host.home / "media").rglob("*") if one.is_file()]
        assert not [one for one in (host.home / "uploads").rglob("*") if one.is_file()]


def test_a_host_that_dies_under_load_takes_no_acknowledged_word_with_it(house: House) -> None:
    browser = signed_in(house, "one")
    cat = str(house.made["cats"][0])
    acknowledged: set[str] = set()
    sent: list[str] = []

    def tell(session: requests.Session, host: str, name: str) -> bool:
        fields = {"words": f"threw up this morning, number {name}", "client_id": name, "subject": cat}
        headers = {"Referer": house.at(host, "/")}
        address = house.at(host, "/tell")
        answer = session.post(address, data=fields, headers=headers, timeout=60, allow_redirects=False)
        return answer.status_code == 302

    def load(number: int) -> None:
        session = at_other(browser)
        for at in range(200):
            name = f"load-{number}-{at}"
            sent.append(name)
            try:
                if tell(session, "two", name):
                    acknowledged.add(name)
            except requests.RequestException:
                return

    threads = [threading.Thread(target=load, args=(number,)) for number in range(TELLERS)]
    for thread in threads:
        thread.start()
    until(lambda: len(acknowledged) >= TOLD_BEFORE_THE_KILL, "tells")
    house.hosts["two"].die()
    for thread in threads:
        thread.join()
    kept = {name for (name,) in house.rows("SELECT client_id FROM twin_statement")}
    assert acknowledged <= kept
    assert len(sent) > len(acknowledged)  # it did die in the middle of something
    session = at_other(browser)
    for name in sent:  # the other host takes over; whatever was lost in between is said again
        assert tell(session, "one", name)
    held = [name for (name,) in house.rows("SELECT client_id FROM twin_statement ORDER BY id")]
    assert sorted(held) == sorted(sent)
    assert house.rows("SELECT max(seq) + 1 - count(*) FROM memory_journalline WHERE device = 'home'") == [
        (0,)
    ]
    house.serve("two")
    assert at_other(browser).get(house.at("two", "/"), timeout=60).ok
