"""A house under load whose programs are killed: writers that note what was acknowledged, and the killer."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import requests

from household.box import places, process
from memory.device.copy import Copy
from memory.device.house import House, Refused, Unreachable
from memory.device.syncing import sync
from memory.device.tablet import Tablet
from tests.device.test_faults import Home
from tests.household.box.running import Box, until
from tests.housemate import Housemate

SAID = ("coughed at night", "had a headache", "slept badly", "threw up after lunch", "scratched his elbow")
LETTER = "Letter number {}. He was seen on 3 March with a cough. Weight 21.4 kg. Come again in June."
VICTIMS = ("web", "worker", "database", "connection", "everything")
PACE_S = 0.2
PROGRAM = {"web": "hearthbook-web", "worker": "hearthbook-work"}


class Writer(threading.Thread):
    """Writes one thing after another while the gate is open, each again until it is acknowledged."""

    def __init__(self, name: str, write: Callable[[str], bool], gate: threading.Event) -> None:
        super().__init__(name=name, daemon=True)
        self.write, self.gate = write, gate
        self.sent: list[str] = []
        self.acknowledged: set[str] = set()
        self.is_over = threading.Event()

    def run(self) -> None:
        """Go on until told that it is over; the last thing begun is finished."""
        while not self.is_over.is_set():
            if self.gate.wait(0.1):
                self.sent.append(f"{self.name}-{len(self.sent)}")
                self.finish(self.sent[-1])

    def finish(self, name: str) -> None:
        """Send one thing until the house says that it has it."""
        while not self.is_kept(name):
            self.is_over.wait(0.1)
        self.acknowledged.add(name)
        self.is_over.wait(PACE_S)

    def is_kept(self, name: str) -> bool:
        """Whether the house acknowledged it now."""
        try:
            return self.write(name)
        except (requests.RequestException, Unreachable):
            return False
        except Refused as refused:
            if refused.status < 500:
                raise
            return False


class Load:
    """Everything that is written at once: words, events, letters that the worker reads, a tablet's lines."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self.gate = threading.Event()
        self.path = home.box.house.parent / "tablet.sqlite"
        home.tablet(self.path).copy.db.close()
        self.tablet: Tablet | None = None
        ways = {"words": self.tell, "more": self.tell, "event": self.event, "paper": self.paper}
        mates = {name: self.mate() for name in ways}
        self.writers = [Writer(name, partial(way, mates[name]), self.gate) for name, way in ways.items()]
        self.writers.append(Writer("tablet", self.sync, self.gate))
        for writer in self.writers:
            writer.start()

    def mate(self) -> Housemate:
        """Another browser of the same parent."""
        made = Housemate(self.home.box)
        made.session.cookies.update(self.home.mate.session.cookies)
        return made

    def tell(self, mate: Housemate, name: str) -> bool:
        """One sentence about the child."""
        said = SAID[int(name.rpartition("-")[2]) % len(SAID)]
        return mate.tell(f"{said}, number {name}", name)

    def event(self, mate: Housemate, name: str) -> bool:
        """One event of a form."""
        fields = {"client_id": name, "kind": "meltdown", "when": "now", "impact": "-2", "behaviour": name}
        return mate.has_taken(mate.post("/book/1/events/add", **fields))

    def paper(self, mate: Housemate, name: str) -> bool:
        """One letter, handed in as a file."""
        answer = mate.session.post(
            f"{mate.base}/book/1/documents/add",
            data={"client_id": name},
            files={"files": (f"{name}.txt", LETTER.format(name).encode())},
            headers={"X-CSRFToken": mate.session.cookies.get("csrftoken", ""), "Referer": mate.base},
            timeout=20,
            allow_redirects=False,
        )
        return mate.has_taken(answer)

    def sync(self, name: str) -> bool:
        """One memory told to a tablet, which syncs; told once, however often it has to sync."""
        if self.tablet is None:  # SQLite wants it made by the thread that uses it
            self.tablet = self.opened()
        if name not in {memory.text for memory in self.tablet.store.memories.values()}:
            self.tablet.tell(name)
        sync(self.tablet)
        return True

    def opened(self) -> Tablet:
        """The tablet as it stands in its file."""
        house = House(self.home.mate.base, timeout_s=20)
        return Tablet(Copy(self.path), house, clock=lambda: time.time_ns() // 1_000_000)

    def begin(self) -> None:
        """Open the gate, and come back when everybody has been heard."""
        before = {writer.name: len(writer.acknowledged) for writer in self.writers}
        self.gate.set()
        until(
            lambda: all(len(w.acknowledged) > before[w.name] for w in self.writers) or self.has_fallen(),
            "load",
        )
        assert not self.has_fallen()

    def has_fallen(self) -> bool:
        """Whether a writer has ended by an error."""
        return not all(writer.is_alive() for writer in self.writers)

    def of(self, *names: str) -> list[Writer]:
        """Some of the writers."""
        return [writer for writer in self.writers if writer.name in names]

    def kept(self) -> dict[str, list[str]]:
        """What the house has of each kind of thing, by the name its writer gave it."""
        ask = {
            "words": "SELECT client_id FROM twin_statement",
            "event": "SELECT client_id FROM twin_event",
            "paper": "SELECT split_part(client_id, ':', 1) FROM memory_document",
            "tablet": "SELECT text FROM memory_memory",
        }
        found = {kind: [str(name) for (name,) in self.home.box.rows(query)] for kind, query in ask.items()}
        return found

    def lost(self) -> set[str]:
        """What was acknowledged up to now, before a kill or while it happened, and is not there."""
        acknowledged = set().union(*(set(writer.acknowledged) for writer in self.writers))
        return acknowledged - {name for names in self.kept().values() for name in names}

    def end(self) -> None:
        """Let everybody finish what was begun."""
        self.gate.clear()
        for writer in self.writers:
            writer.is_over.set()
        for writer in self.writers:
            writer.join(240)
            assert not writer.is_alive(), writer.name


class Killer:
    """Kills one program or all, at instants that one seed decides; measures how long the house is away."""

    def __init__(self, box: Box, seed: int) -> None:
        self.box, self.choose = box, random.Random(seed)
        self.away: dict[str, list[float]] = {victim: [] for victim in VICTIMS}
        self.next: list[str] = []

    def strike(self, load: Load) -> str:
        """Let everybody write, kill somebody at a random instant, and wait until all is well again."""
        self.next = self.next or self.choose.sample(VICTIMS, len(VICTIMS))  # each as often as the others
        victim = self.next.pop()
        load.begin()
        pause(self.choose.uniform(0, 0.8))
        gone = self.kill(victim)
        load.gate.clear()
        started = time.monotonic()
        if victim == "everything":
            if self.choose.random() < 0.25:  # the power comes back and goes again
                self.box.start()
                pause(self.choose.uniform(0, 4))
                self.kill(victim)
                started = time.monotonic()
            self.box.ready()
        until(partial(self.is_well, gone), f"well after the end of {victim}")
        self.away[victim].append(time.monotonic() - started)
        assert "Traceback" not in self.box.printed()
        assert load.lost() == set(), victim
        return victim

    def is_well(self, gone: set[int]) -> bool:
        """Whether the house answers well, and another stands where one was killed."""
        answers = (self.box.health() or {}).get("ok", False) and not self.box.has_ended()
        return (
            answers and not gone & set(self.box.children()) and all(map(self.box.children, PROGRAM.values()))
        )

    def kill(self, victim: str) -> set[int]:
        """SIGKILL to every process of the victim; their numbers."""
        numbers = {
            "web": lambda: self.box.children(PROGRAM["web"]),
            "worker": lambda: self.box.children(PROGRAM["worker"]),
            "database": lambda: self.box.children("bin/postgres"),
            "connection": lambda: self.choose.sample(sorted(servers(self.box)), 1),
            "everything": self.all_of_it,
        }[victim]()
        for number in numbers:
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
        if victim == "everything" and self.box.process is not None:
            self.box.process.wait()
            until(lambda: not self.box.children() and not servers(self.box), "everything gone")
        return set(numbers) - servers(self.box)

    def all_of_it(self) -> list[int]:
        """Every process of the house, the one that restarts the others first."""
        first = [] if self.box.process is None else [self.box.process.pid]
        return [*first, *servers(self.box), *self.box.children()]

    def figures(self) -> str:
        """How often each was killed, and the longest and middle time until all was well."""
        rows = [(victim, sorted(times)) for victim, times in self.away.items() if times]
        return "\n".join(
            f"{victim}: {len(times)} kills, middle {times[len(times) // 2]:.1f} s, longest {times[-1]:.1f} s"
            for victim, times in rows
        )


def servers(box: Box) -> set[int]:
    """Every process of the house's PostgreSQL, those that serve one connection included."""
    data = places.data_folder(box.house).resolve()

    def is_one(folder: Path) -> bool:
        return (folder / "cwd").readlink() == data and (folder / "exe").readlink().name.startswith("postgres")

    return set(process.running(is_one))


def pause(seconds: float) -> None:
    """Let the others go on for a while."""
    threading.Event().wait(seconds)


def doubled(names: list[str]) -> list[str]:
    """Those that are there more than once."""
    return [name for name, count in Counter(names).items() if count > 1]
