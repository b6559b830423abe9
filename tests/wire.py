"""A device as the wire sees it: a token, and bodies in JSON."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass, field
from typing import Any

from django.test import Client
from django.utils import timezone

from household.models import Device, Person
from household.rules.text import sanitise
from household.services.devices import hash_token
from memory.rules.merge import to_json
from twin.models import Subject

BASE = "/api/v1/"


@dataclass
class Wire:
    """One paired device talking to the house."""

    device: Device
    token: str
    client: Client = field(default_factory=lambda: Client(raise_request_exception=False))
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def gid(self) -> str:
        """Its own identity."""
        return str(self.device.pk)

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """One request; the answer has `status_code`, headers and `json()`."""
        sent = body if isinstance(body, bytes) else json.dumps(body).encode() if body is not None else b""
        known = {"Authorization": f"Bearer {self.token}", **self.headers, **headers}
        return self.client.generic(method, BASE + path, sent, content_type="application/json", headers=known)

    def get(self, path: str, **headers: str) -> Any:
        """What a GET gives."""
        return self.ask("GET", path, **headers)

    def post(self, path: str, body: Any, **headers: str) -> Any:
        """What a POST gives."""
        return self.ask("POST", path, body, **headers)

    def told(self, path: str, body: Any) -> dict[str, Any]:
        """The answer to a POST that succeeds."""
        response = self.post(path, body)
        assert response.status_code == 200, (response.status_code, response.content)
        found: dict[str, Any] = response.json()
        return found

    def memory(self, *documents: Any, since: str | None = None, **more: Any) -> dict[str, Any]:
        """One exchange of memories, given as documents."""
        body = {"since": since, "memories": [to_json(one) for one in documents]}
        body |= {name: [to_json(one) for one in items] for name, items in more.items()}
        return self.told("memory", body)


def a_device(parent: Person, child: Subject | None = None, name: str = "tablet") -> Wire:
    """A device that was just paired: a child's companion, or the household's own."""
    token = sanitise(uuid.uuid4().hex)
    device = Device.objects.create(
        name=name, token_hash=hash_token(token), child=child, paired_by=parent, seen_at=timezone.now()
    )
    return Wire(device, token)


def now_ms() -> int:
    """The clock in milliseconds."""
    return int(timezone.now().timestamp() * 1000)
