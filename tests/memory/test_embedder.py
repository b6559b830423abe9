"""The embedder: the bundled one as it ships, and an endpoint that speaks real HTTP."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import psutil
import pytest

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


def test_the_bundled_one_tells_near_from_far_in_both_languages_and_lets_go() -> None:
    made = BundledEmbedder()
    assert not made.is_loaded
    (asked,) = made.queries(["what calms her at night?"])
    lamp, tyre = made.passages(["Gece lambası ve ninni onu sakinleştirdi", "The car needs new tyres"])
    assert len(asked) == made.dimensions

    def near(row: list[float]) -> float:
        return sum(a * b for a, b in zip(asked, row, strict=True))

    assert near(lamp) > near(tyre)
    assert made.queries([]) == []
    assert not made.let_go(idle_s=3600)
    assert made.let_go(idle_s=0)
    assert not made.is_loaded


def test_nobody_need_ask_for_its_memory_back() -> None:
    began = _own_mb()
    made = BundledEmbedder(idle_s=1)
    made.queries(["what calms her at night?"])
    loaded = _own_mb()
    until(lambda: not made.is_loaded, "let go by itself")
    until(lambda: _own_mb() < loaded - 0.6 * (loaded - began), "most of its memory back")
    made.queries(["and by day?"])
    assert made.is_loaded
    until(lambda: not made.is_loaded, "let go again")


def _own_mb() -> float:
    """Memory that is this process's alone."""
    return float(psutil.Process().memory_full_info().uss) / 2**20


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
