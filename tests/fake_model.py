"""A model server that speaks the real protocol over real HTTP and says what a test tells it to."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class FakeModel:
    """What the server will answer, and what it was asked."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.status = 200
        self.body: Any = None
        self.hangs = threading.Event()
        self.is_slow = False
        self.cuts = False
        self.pieces: list[str] = []  # what a streamed answer is cut into
        self.stops_after: int | None = None  # the connection breaks after so many pieces
        self.refuses_effort = False
        self.url = ""

    def streams(self, *pieces: str, stops_after: int | None = None) -> None:
        """Answer a request for a stream with these pieces from now on."""
        self.status, self.pieces, self.stops_after = 200, list(pieces), stops_after

    def says(self, content: Any, *, tokens: int = 100, finish: str = "stop") -> None:
        """Answer with this content from now on."""
        text = content if isinstance(content, str) else json.dumps(content)
        self.status = 200
        self.body = {
            "id": "x",
            "object": "chat.completion",
            "created": 0,
            "model": "fake",
            "choices": [
                {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text}}
            ],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": tokens},
        }


@contextmanager
def fake_model() -> Iterator[FakeModel]:
    """A running server; it is stopped at the end of the block."""
    model = FakeModel()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            model.asked.append(json.loads(self.rfile.read(length)))
            if model.is_slow:
                model.hangs.wait(30)
            if model.refuses_effort and "reasoning_effort" in model.asked[-1]:
                self.send_error(400)
                return
            if model.asked[-1].get("stream") and model.status == 200:
                self.stream()
                return
            payload = model.body if isinstance(model.body, bytes) else json.dumps(model.body).encode()
            self.send_response(model.status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(payload) + (1000 if model.cuts else 0)))
            self.end_headers()
            self.wfile.write(payload[: len(payload) // 2] if model.cuts else payload)

        def stream(self) -> None:
            """Send the pieces as server-sent events, then how it ended and what it cost."""
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            for number, piece in enumerate(model.pieces):
                if number == model.stops_after:
                    return
                self.event({"delta": {"content": piece}, "finish_reason": None})
            self.event({"delta": {}, "finish_reason": "stop"})
            usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 77}
            self.event(None, usage=usage)
            self.wfile.write(b"data: [DONE]\n\n")

        def event(self, choice: dict[str, Any] | None, **more: Any) -> None:
            """One chunk."""
            chunk = {"id": "x", "object": "chat.completion.chunk", "created": 0, "model": "fake", **more}
            chunk["choices"] = [{"index": 0, **choice}] if choice else []
            self.wfile.write(b"data: " + json.dumps(chunk).encode() + b"\n\n")
            self.wfile.flush()

        def log_message(self, *args: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    model.url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield model
    finally:
        model.hangs.set()
        server.shutdown()
        server.server_close()
