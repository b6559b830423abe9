"""The plain page beside the TLS door: the authority's certificate, how to trust it, and the way in.

Served by the supervisor itself from the standard library, to whoever cannot open the secure page yet.
"""

from __future__ import annotations

import html
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from string import Template

from household.box import certificates
from household.box.network import Door
from household.box.places import CHECKOUT

PAGE = Path(__file__).with_name("porch.html")
STYLE = CHECKOUT / "static" / "css"
SHEETS = ("tokens.css", "base.css", "frame.css", "parts.css", "forms.css")
CERTIFICATE = "/hearthbook-ca.crt"
POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


class Porch:
    """A small web server on the plain port. It knows three files and leads everything else to TLS."""

    def __init__(self, house: Path, *, plain: Door, secure: Door) -> None:
        handler = type("PorchHandler", (_Handler,), {"house": house, "secure": secure})
        self.server = ThreadingHTTPServer((plain.host, plain.port), handler)
        self.server.daemon_threads = True
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)

    def open(self) -> None:
        """Begin to answer."""
        self.thread.start()

    def close(self) -> None:
        """Answer no more."""
        self.server.shutdown()
        self.server.server_close()


class _Handler(BaseHTTPRequestHandler):
    """Answers one request."""

    house: Path
    secure: Door
    server_version = "Hearthbook"
    sys_version = ""
    timeout = 10

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path == CERTIFICATE:
            self._send(certificates.ca_der(self.house), "application/x-x509-ca-cert")
        elif path == "/porch.css":
            sheet = "".join((STYLE / name).read_text() for name in SHEETS)
            self._send(sheet.encode(), "text/css; charset=utf-8")
        elif path in {"/", "/trust"}:
            self._send(self._page().encode(), "text/html; charset=utf-8")
        else:
            self.send_response(307)
            self.send_header("Location", self.secure.url(self._host()).rstrip("/") + _plain_path(self.path))
            self.send_header("Content-Length", "0")
            self.end_headers()

    do_HEAD = do_GET  # noqa: N815 - the name the standard library asks for

    def _page(self) -> str:
        language = "tr" if self.headers.get("Accept-Language", "").lower().startswith("tr") else "en"
        text = PAGE.read_text().split("<!-- tr -->")[language == "tr"]
        return Template(text).substitute(
            fingerprint=certificates.fingerprint(self.house),
            certificate=CERTIFICATE,
            secure=html.escape(self.secure.url(self._host())),
        )

    def _host(self) -> str:
        """The host the visitor named, if it is one a URL may hold."""
        host = self.headers.get("Host", "").rpartition("@")[2]
        name = host[1 : host.find("]")] if host.startswith("[") else host.partition(":")[0]
        is_plain = bool(name) and all(letter.isalnum() or letter in ".-:" for letter in name)
        return name if is_plain and name.isascii() else "hearthbook.local"

    def _send(self, body: bytes, kind: str) -> None:
        self.send_response(200)
        for name, value in (
            ("Content-Type", kind),
            ("Content-Length", str(len(body))),
            ("Content-Security-Policy", POLICY),
            ("X-Content-Type-Options", "nosniff"),
            ("Cache-Control", "no-store"),
        ):
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing: paths may hold what somebody typed."""


def _plain_path(path: str) -> str:
    """A path that stays on our host: one leading slash, printable ASCII only."""
    kept = "".join(letter for letter in path if 32 < ord(letter) < 127)
    return "/" + kept.lstrip("/\\")
