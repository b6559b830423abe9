"""What a device needs of a house: JSON and pictures over HTTP, and refusals with their codes."""

from __future__ import annotations

import gzip
import http.client
import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from email.message import Message
from typing import Any, Protocol

TIMEOUT_S = 30
ROOT = "/api/v1/"


class Unreachable(Exception):
    """The house did not answer, or its answer was lost: whatever was sent may have been done or not."""


class Refused(Exception):
    """The house said no; `code` is the stable code of the protocol and `body` all that it said."""

    def __init__(self, status: int, body: Mapping[str, Any]) -> None:
        self.status = status
        self.body = body
        self.code = str(body.get("code", ""))
        super().__init__(f"{status} {self.code}")


class Answering(Protocol):
    """Whoever answers for a house: over HTTP, or in a test one that loses answers on the way."""

    def ask(self, method: str, path: str, body: Any = None, *, token: str = "") -> Any:
        """The decoded answer. Raises Refused and Unreachable."""
        ...


class House:
    """A running box, spoken to over HTTP."""

    def __init__(self, address: str, *, timeout_s: float = TIMEOUT_S) -> None:
        self.address = address.rstrip("/")
        self.timeout_s = timeout_s

    def ask(self, method: str, path: str, body: Any = None, *, token: str = "") -> Any:
        """The decoded answer of one request; bytes are a picture, all else is JSON."""
        request = urllib.request.Request(  # noqa: S310 - the address is the person's own choice
            self.address + ROOT + path, method=method, headers={"Accept-Encoding": "gzip"}
        )
        if token:
            request.add_header("Authorization", f"Bearer {token}")
        if isinstance(body, bytes):
            request.data = body
            request.add_header("Content-Type", "application/octet-stream")
        elif body is not None:
            request.data = gzip.compress(json.dumps(body).encode(), 5, mtime=0)
            request.add_header("Content-Type", "application/json")
            request.add_header("Content-Encoding", "gzip")
        try:
            with urllib.request.urlopen(request, timeout=self.timeout_s) as answer:  # noqa: S310
                return decoded(answer.headers, answer.read())
        except urllib.error.HTTPError as error:
            raise Refused(error.code, _problem(error)) from None
        except (http.client.HTTPException, OSError, EOFError, ValueError) as error:
            raise Unreachable(str(error)) from None


def decoded(headers: Message | Mapping[str, str], body: bytes) -> Any:
    """A body as what it is: a picture's bytes, JSON, or None for nothing."""
    if headers.get("Content-Encoding") == "gzip":
        body = gzip.decompress(body)
    if "json" in (headers.get("Content-Type") or ""):
        return json.loads(body)
    return body or None


def _problem(error: urllib.error.HTTPError) -> Mapping[str, Any]:
    try:
        found = decoded(error.headers, error.read())
    except (ValueError, OSError):
        found = None
    return found if isinstance(found, dict) else {}
