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
        self.url = ""

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
            payload = model.body if isinstance(model.body, bytes) else json.dumps(model.body).encode()
            self.send_response(model.status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(payload) + (1000 if model.cuts else 0)))
            self.end_headers()
            self.wfile.write(payload[: len(payload) // 2] if model.cuts else payload)

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
