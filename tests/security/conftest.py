"""What the walks through every page share: the meaning of a text, worked out once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Any

import pytest
from django.db import transaction

from memory.clients.embedder import BundledEmbedder
from tests.makers import stored_in_memory
from tests.security.world import World, a_world, store_files


@pytest.fixture(scope="module")
def planted(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    """Everybody and every canary, planted once for the tests of a file."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield a_world()
        transaction.set_rollback(True)


@pytest.fixture
def world(planted: World, db: None) -> Iterator[World]:
    """Everybody, every canary, and the planted documents' files; what a test changes is taken back."""
    with stored_in_memory():
        store_files(planted)
        yield deepcopy(planted)


@pytest.fixture(scope="session", autouse=True)
def vectors_made_once() -> Iterator[None]:
    """The same words are looked for by every role: their real vectors are kept after the first."""
    real = BundledEmbedder._embed
    kept: dict[tuple[str, bool], list[float]] = {}

    def embed(self: BundledEmbedder, texts: Sequence[str], *, is_query: bool) -> list[list[float]]:
        new = [text for text in dict.fromkeys(texts) if (text, is_query) not in kept]
        for text, vector in zip(new, real(self, new, is_query=is_query), strict=True):
            kept[text, is_query] = vector
        return [kept[text, is_query] for text in texts]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BundledEmbedder, "_embed", embed)
        yield
