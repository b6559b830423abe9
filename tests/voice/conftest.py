"""Fixtures of the voice's tests: a fake speaker above the services, the real one where sound counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from voice import clients
from voice.clients import Speaker
from voice.clients.fake import FakeSpeaker
from voice.clients.piper import Piper

Use = Callable[[Speaker], Speaker]


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Use:
    """Makes a speaker the house's own for one test."""

    def put(speaker: Speaker) -> Speaker:
        monkeypatch.setattr(clients, "speaker", lambda: speaker)
        return speaker

    return put


@pytest.fixture
def fake(use: Use) -> FakeSpeaker:
    """The house speaks in tones, one for each word."""
    speaker = FakeSpeaker()
    use(speaker)
    return speaker


@pytest.fixture(scope="session")
def joe(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Piper]:
    """The real Piper with the bundled voice, loaded once for all tests."""
    piper = Piper(tmp_path_factory.mktemp("voices"))
    yield piper
    piper.unload()


@pytest.fixture
def real(use: Use, joe: Piper) -> Piper:
    """The house speaks with its real bundled voice."""
    use(joe)
    return joe


@pytest.fixture
def empty_folder(tmp_path: Path) -> Path:
    """A folder for voices."""
    folder = tmp_path / "voices"
    folder.mkdir()
    return folder
