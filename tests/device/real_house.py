"""The real house as a holder of histories: its endpoints, its tables, a clock that a test sets."""

from __future__ import annotations

import datetime as dt
import io
import itertools
import json
import struct
import uuid
from typing import Any

from django.core.cache import cache
from django.test import Client
from PIL import Image

from household.access import seen_by
from household.models import Household
from household.services.devices import make_code
from memory import models
from memory.device.house import ROOT, Refused, decoded
from memory.rules.journal import Line, join
from memory.rules.merge import StoreDoc
from memory.services.store.reading import memories_of, sessions_of, soft_actions_of, tombstones_of
from tests.device.histories import World
from tests.makers import a_child, a_person

_worlds = itertools.count(1)


class ClientHouse:
    """Django's own test client as the way to the house: every layer but the socket."""

    def __init__(self) -> None:
        self.client = Client(raise_request_exception=False)

    def ask(self, method: str, path: str, body: Any = None, *, token: str = "") -> Any:
        """The decoded answer of one request."""
        is_picture = isinstance(body, bytes)
        data = body if is_picture else b"" if body is None else json.dumps(body).encode()
        answer = self.client.generic(
            method,
            ROOT + path,
            data,
            content_type="application/octet-stream" if is_picture else "application/json",
            headers={"Authorization": f"Bearer {token}"} if token else {},
        )
        found = decoded(answer.headers, b"".join(answer) if answer.streaming else answer.content)
        if answer.status_code >= 400:
            assert answer.status_code < 500, answer.content
            raise Refused(answer.status_code, found if isinstance(found, dict) else {})
        return found


class RealWorld(World):
    """A world whose house is the real one; each has a child of its own, so many live in one database."""

    def __init__(self, skews: list[int], *, patch: Any, seed: int = 0) -> None:
        self.number = next(_worlds)
        self.ana = a_person("Ana")
        self.child = a_child(self.ana, f"Leo {self.number}")
        patch.setattr("django.utils.timezone.now", self.now)
        super().__init__(skews, seed=self.number << 32 | seed)  # no two worlds have a device in common

    def now(self) -> dt.datetime:
        """The house's clock."""
        return dt.datetime.fromtimestamp(self.now_ms / 1000, tz=dt.UTC)

    def make_house(self) -> Any:
        return ClientHouse()

    def code(self) -> str:
        cache.clear()  # many tablets are paired in one minute of ours
        with seen_by(self.ana, now=self.now()):
            return make_code(person=self.ana, child_id=self.child.pk, now=self.now())

    def gid(self, number: int) -> str:
        return f"m{self.number}-{number}"

    def fresh(self) -> str:
        return f"{self.number}-{super().fresh()}"

    def session(self, number: int) -> str:
        return f"session-{self.number}-{number}"

    def picture(self, gid: str) -> bytes:
        sent = io.BytesIO()
        shade = (sum(gid.encode()) * 7) % 256
        Image.new("RGB", (4, 4), (shade, 10, 200)).save(sent, "PNG")
        return sent.getvalue()

    def vector(self, gid: str, number: int) -> bytes:
        return struct.pack("<2f", number, len(gid))

    def backup_house(self) -> Any:
        return None

    def restore_house(self, backup: Any, *, is_same_box: bool) -> None:
        """A new epoch; going back in time is tried on the model, restoring by the backup's own tests."""

    def step_house_restore(self, holder: Any, gid: str, number: int) -> None:
        if number == 5:
            Household.objects.update(epoch=uuid.uuid4())

    # what the house holds of this child

    def house_store(self) -> StoreDoc:
        """The memory document as the tables hold it."""
        memories = models.Memory.objects.filter(subject=self.child)
        sessions = models.ChatSession.objects.filter(subject=self.child)
        return StoreDoc(
            memories=memories_of(memories),
            tombstones=tombstones_of(models.Tombstone.objects.filter(subject=self.child)),
            soft_actions=soft_actions_of(models.SoftAction.objects.filter(memory__in=memories)),
            sessions=sessions_of(sessions),
        )

    def house_lines(self) -> dict[tuple[str, int], Any]:
        """The child's lines as they travel."""
        rows = models.JournalLine.objects.filter(subject=self.child)
        values = rows.values_list("device", "seq", "envelope", "words__body")
        return {(device, seq): join(Line(envelope, body)) for device, seq, envelope, body in values}

    def changes(self) -> int:
        """The last change number given."""
        return models.ChangeCounter.objects.values_list("n", flat=True).get()
