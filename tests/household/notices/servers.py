"""Real servers on this machine: one that speaks ntfy's publish API, one that speaks SMTP (RFC 5321)."""

from __future__ import annotations

import email
import email.policy
import json
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Ntfy:
    """What was published, and how the next publishing is answered."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.published: list[dict[str, str]] = []
        self.token = ""
        self.answers: list[int] = []


@contextmanager
def ntfy_server() -> Iterator[Ntfy]:
    """An ntfy server: POST to a topic publishes, with the token where one is asked for."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
            status = ntfy.answers.pop(0) if ntfy.answers else 200
            if ntfy.token and self.headers.get("Authorization") != f"Bearer {ntfy.token}":
                status = 403
            if status == 200:
                ntfy.published.append(
                    {"topic": self.path.strip("/"), "title": self.headers["Title"], "message": body}
                )
            answer = json.dumps({"event": "message"} if status == 200 else {"http": status}).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    ntfy = Ntfy(f"http://127.0.0.1:{server.server_port}")
    with _running(server):
        yield ntfy


class Mailbox:
    """What was delivered, to whom."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.mails: list[tuple[list[str], EmailMessage]] = []


@contextmanager
def smtp_server() -> Iterator[Mailbox]:
    """A mail server that takes whatever it is given."""

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            to: list[str] = []
            self._say("220 post.test ESMTP")
            while line := self.rfile.readline().decode().rstrip("\r\n"):
                verb = line[:4].upper()
                if verb == "DATA":
                    self._say("354 go on")
                    box.mails.append((to, self._message()))
                    to = []
                elif verb == "RCPT":
                    to.append(line.split(":", 1)[1].strip().strip("<>"))
                self._say("221 bye" if verb == "QUIT" else "250 ok")
                if verb == "QUIT":
                    return

        def _message(self) -> EmailMessage:
            lines: list[bytes] = []
            while (line := self.rfile.readline()) != b".\r\n":
                lines.append(line.removeprefix(b"."))
            return email.message_from_bytes(b"".join(lines), policy=email.policy.default)  # type: ignore[return-value]

        def _say(self, text: str) -> None:
            self.wfile.write(f"{text}\r\n".encode())

    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
    box = Mailbox(server.server_address[1])
    with _running(server):
        yield box


@contextmanager
def _running(server: socketserver.BaseServer) -> Iterator[None]:
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
