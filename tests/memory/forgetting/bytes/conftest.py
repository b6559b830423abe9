"""One house with a cluster of its own for the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.household.box.running import a_roomy_folder
from tests.memory.forgetting.bytes.house import House


@pytest.fixture(scope="session")
def a_house(django_db_setup: None) -> Iterator[House]:
    """A running house with the migrated schema, thrown away afterwards."""
    with a_roomy_folder() as folder:
        house = House(folder / "house")
        try:
            house.start()
            house.fill_from_tests()
            yield house
        finally:
            house.cluster.stop()


@pytest.fixture
def house(a_house: House, django_db_blocker: Any) -> Iterator[House]:
    """The house, running, with Django pointed at it."""
    if a_house.cluster.child is None:
        a_house.start()
    with django_db_blocker.unblock(), a_house.django():
        yield a_house
