"""Anki beside our sync: its own sync server, a process of Rust, and two collections that sync through it.

A line is a row. Two kinds are asked for: *reviews*, rows of the review log, nine numbers each, only ever
added, as our journal is; and *notes*, each with 140 characters of text and its card, two rows. They are
written into the first collection before the clock starts, then it syncs in the ordinary way (no upload of a
whole file), then the second does. What is timed is the whole sync, as a user waits for it, with the
collection's part of the work: by the clock, in CPU of both sides, and in CPU of the server alone. Nobody
waits for a disk: all files lie in memory where there is such a folder.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from anki.collection import Collection

from tests.bench.peers.answering import answer

TEXT = "we saw two herons at the lake and one of them had a fish in its beak, " * 2
REVIEW = "INSERT INTO revlog VALUES (?, ?, -1, 3, 10, 5, 2500, 4000, 1)"
NOTE = "INSERT INTO notes VALUES (?, ?, ?, ?, -1, '', ?, ?, ?, 0, '')"
CARD = "INSERT INTO cards VALUES (?, ?, 1, 0, ?, -1, 0, 0, ?, 0, 0, 0, 0, 0, 0, 0, 0, '')"
START_S = 20.0


def started(home: Path) -> tuple[subprocess.Popen[bytes], str]:
    """The sync server, waiting, and its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    known = {"SYNC_USER1": "ana:words", "SYNC_BASE": str(home), "SYNC_HOST": "127.0.0.1"}
    known |= {"SYNC_PORT": str(port), "RUST_LOG": "anki=warn"}
    server = subprocess.Popen([sys.executable, "-m", "anki.syncserver"], env={**os.environ, **known})
    end = time.monotonic() + START_S
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return server, f"http://127.0.0.1:{port}/"
        except OSError:
            time.sleep(0.05)
    server.kill()
    raise TimeoutError("Anki's sync server does not answer")


class Sides:
    """The server and the two collections."""

    def __init__(self, home: Path) -> None:
        self.server, self.url = started(home / "server")
        self.next = int(time.time() * 1000) - 10**9  # ids are milliseconds
        self.collections = [Collection(str(home / f"{name}.anki2")) for name in ("first", "second")]
        self.auths = [one.sync_login("ana", "words", self.url) for one in self.collections]
        for side, is_upload in enumerate((True, False)):
            collection, auth = self.collections[side], self.auths[side]
            collection.sync_collection(auth, False)
            collection.close_for_full_sync()
            collection.full_upload_or_download(auth=auth, server_usn=None, upload=is_upload)
            collection.reopen(after_full_sync=True)

    def write(self, kind: str, rows: int) -> None:
        """New rows in the first collection."""
        base, now = self.collections[0].db, int(time.time())
        ids = range(self.next, self.next + rows)
        self.next += rows
        if kind == "reviews":
            base.executemany(REVIEW, [(one, one) for one in ids])
        else:
            basic = self.collections[0].models.by_name("Basic")["id"]
            ids = ids[: rows // 2]
            words = {one: f"{one} {TEXT}" for one in ids}
            base.executemany(
                NOTE,
                [(one, f"g{one}", basic, now, f"{words[one]}\x1f", words[one], one % 2**31) for one in ids],
            )
            base.executemany(CARD, [(one, one, now, one % 10**6) for one in ids])
        self.collections[0].set_config("bench", self.next)

    def synced(self, side: int) -> dict[str, float]:
        """Seconds of one ordinary sync: by the clock, of CPU of both sides, and of the server."""
        server, own, began = server_ns(self.server.pid), time.process_time(), time.perf_counter()
        answered = self.collections[side].sync_collection(self.auths[side], False)
        wall, own = time.perf_counter() - began, time.process_time() - own
        assert not answered.required, answered
        cpu = (server_ns(self.server.pid) - server) / 1e9
        return {"wall": wall, "both": own + cpu, "server": cpu}

    def exchanged(self, kind: str, rows: int) -> dict[str, dict[str, float]]:
        """So many new rows pushed by the one and pulled by the other: seconds of each, as `synced` gives."""
        self.write(kind, rows)
        took = {"push": self.synced(0), "pull": self.synced(1)}
        counts = [[one.db.scalar(f"SELECT count() FROM {table}") for table in ("revlog", "notes", "cards")]
                  for one in self.collections]  # fmt: skip
        assert counts[0] == counts[1], counts
        return took

    def close(self) -> None:
        """End the collections and the server."""
        for one in self.collections:
            one.close()
        self.server.terminate()
        self.server.wait()


def server_ns(pid: int) -> int:
    """Nanoseconds the server was on a CPU, all its threads (clock_getcpuclockid(3))."""
    return time.clock_gettime_ns((~pid << 3) | 2)


def main() -> None:
    """Answer `exchanged` until the bench has enough."""
    with tempfile.TemporaryDirectory() as home:
        sides = Sides(Path(home))
        try:
            answer({"exchanged": sides.exchanged})
        finally:
            sides.close()


if __name__ == "__main__":
    main()
