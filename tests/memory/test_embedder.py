"""The embedder: the bundled one as it ships, and an endpoint that speaks real HTTP."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import psutil
import pytest

from household.box import places
from household.services.thinking import choose_endpoint
from memory.clients.embedder import (
    BUNDLED,
    BundledEmbedder,
    EmbedderFailed,
    EndpointEmbedder,
    current_embedder,
)
from memory.services.finding.searching import wanted_for
from tests.household.box.running import until
from tests.threads import at_once


class Server:
    """An OpenAI-compatible embeddings endpoint that answers as it is told to."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.answer: Any = None
        self.status = 200
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.asked.append(body)
                outer.keys.append(self.headers["Authorization"])
                rows = [
                    {"object": "embedding", "index": n, "embedding": [float(len(text)), 1.0]}
                    for n, text in enumerate(body["input"])
                ]
                answer = {"object": "list", "data": rows[::-1], "model": "m", "usage": {}}
                content = json.dumps(answer if outer.answer is None else outer.answer).encode()
                self.send_response(outer.status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    yield made
    made.server.shutdown()
    made.server.server_close()


def chosen(url: str, **fields: Any) -> Any:
    values = {"model": "tiny", "key": "k-1", "timeout_s": 5, "is_on": True} | fields
    return choose_endpoint(purpose="embedding", base_url=url, **values)


@pytest.fixture
def made(request: pytest.FixtureRequest) -> BundledEmbedder:
    """One with a process of its own."""
    return BundledEmbedder(idle_s=1, socket_name=f"{zlib.crc32(request.node.name.encode())}.sock")


def test_the_bundled_one_tells_near_from_far_in_both_languages(made: BundledEmbedder) -> None:
    (asked,) = made.queries(["what calms her at night?"])
    lamp, tyre = made.passages(["Gece lambası ve ninni onu sakinleştirdi", "The car needs new tyres"])
    assert len(asked) == made.dimensions

    def near(row: list[float]) -> float:
        return sum(a * b for a, b in zip(asked, row, strict=True))

    assert near(lamp) > near(tyre)
    assert made.queries([]) == []


def test_its_process_ends_by_itself_and_comes_back(made: BundledEmbedder) -> None:
    assert not made.is_loaded
    first = made.queries(["what calms her at night?"])
    assert made.is_loaded
    until(lambda: not _servers(made), "ended by itself", pause=lambda: time.sleep(0.2))
    assert not made.is_loaded
    assert made.queries(["what calms her at night?"]) == first


def test_many_who_ask_at_once_share_one_process(made: BundledEmbedder) -> None:
    texts = [f"the blue boat number {n} 🛶" for n in range(6)]
    found = at_once(*[lambda text=text: made.passages([text]) for text in texts])
    assert len(_servers(made)) == 1
    assert found == [[row] for row in made.passages(texts)]


def test_a_process_that_is_killed_or_fails_is_started_again(made: BundledEmbedder) -> None:
    first = made.queries(["the lake"])
    (server,) = _servers(made)
    os.kill(server, signal.SIGKILL)
    assert made.queries(["the lake"]) == first
    assert _servers(made) not in ([], [server])


def test_it_ends_with_whoever_started_it(made: BundledEmbedder) -> None:
    program = (
        "import django, sys; django.setup(); from memory.clients.embedder import BundledEmbedder;"
        f"BundledEmbedder(idle_s=600, socket_name={made.socket_name!r}).queries(['the lake']);"
        "print('asked', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as starter:
        assert starter.stdout is not None
        assert starter.stdout.readline() == "asked\n"
        assert made.is_loaded
        starter.kill()
    until(lambda: not made.is_loaded, "ended")


def test_it_knows_nothing_that_opens_the_database(
    made: BundledEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://web:secret@/x")
    made.queries(["the lake"])
    (server,) = _servers(made)
    assert b"secret" not in Path(f"/proc/{server}/environ").read_bytes()


def test_it_is_reached_in_a_folder_too_deep_for_a_socket(
    made: BundledEmbedder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEARTHBOOK_HOME", str(tmp_path / ("deep" * 30)))
    assert len(made.queries(["the lake"])) == 1
    socket_file = places.home() / made.socket_name
    assert stat.S_IMODE(socket_file.stat().st_mode) == 0o600


def _servers(made: BundledEmbedder) -> list[int]:
    """Processes that listen under its name."""
    name = os.fspath(places.home() / made.socket_name)
    return [
        one.pid
        for one in psutil.process_iter(["cmdline"])
        if "memory.clients.embedder_process" in (one.info["cmdline"] or [])
        and any(link.laddr == name for link in one.net_connections("unix"))
    ]


@pytest.mark.django_db
def test_a_household_may_point_to_an_endpoint_and_back(server: Server) -> None:
    assert current_embedder() is BUNDLED
    chosen(server.url)
    made = current_embedder()
    assert isinstance(made, EndpointEmbedder)
    assert made.name == "at:tiny"
    assert made.passages(["abc", "a"]) == [[3.0, 1.0], [1.0, 1.0]]  # in the order they were asked
    assert server.asked[0]["input"] == ["abc", "a"]
    assert server.keys == ["Bearer k-1"]
    chosen(server.url, is_on=False)
    assert current_embedder() is BUNDLED


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("status", "answer", "code"),
    [
        (500, {}, "status_500"),
        (401, {}, "status_401"),
        (200, {"data": []}, "unreadable"),
        (200, {"data": [{"index": 0, "embedding": [0.0, 0.0]}]}, "unreadable"),
        (200, {"data": [{"index": 0, "embedding": "xx"}]}, "unreadable"),
        (200, ["no"], "unreadable"),
    ],
)
def test_an_endpoint_that_fails_says_why_in_one_word(
    server: Server, status: int, answer: Any, code: str
) -> None:
    server.status, server.answer = status, answer
    made = EndpointEmbedder(chosen(server.url))
    with pytest.raises(EmbedderFailed) as failed:
        made.queries(["quiet words"])
    assert failed.value.code == code
    assert "quiet" not in str(failed.value)


@pytest.mark.django_db
def test_where_the_endpoint_is_gone_the_bundled_one_finds(server: Server) -> None:
    chosen("http://127.0.0.1:9/v1")
    wanted = wanted_for("what calms her?", subject=None, language="en")
    assert (wanted.made_by, wanted.by) == (BUNDLED.name, ("text", "vector"))
