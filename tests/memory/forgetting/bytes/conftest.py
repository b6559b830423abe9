"""One house with a cluster of its own for the tests of this folder."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.memory.forgetting.bytes.house import House


@pytest.fixture(scope="session")
def a_house(django_db_setup: None, django_db_blocker: Any) -> Iterator[House]:
    """A running house with the migrated schema, thrown away afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="hearthbook-bytes-"))
    folder.chmod(0o755)
    house = House(folder / "house")
    try:
        house.start()
        house.fill_from_tests()
        yield house
    finally:
        house.cluster.stop()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def house(a_house: House, django_db_blocker: Any) -> Iterator[House]:
    """The house, running, with Django pointed at it."""
    if a_house.cluster.child is None:
        a_house.start()
    with django_db_blocker.unblock(), a_house.django():
        yield a_house
