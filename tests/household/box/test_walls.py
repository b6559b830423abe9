"""A web process whose role row-level security does not bind refuses to start."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from household.box import places, walls
from tests import shared_cluster


@pytest.mark.django_db
@pytest.mark.parametrize(("role", "is_unbound"), [("web", False), ("owner", True), ("postgres", True)])
def test_who_is_unbound(role: str, is_unbound: bool) -> None:
    with shared_cluster.connect(shared_cluster.database_name(), role) as someone:
        assert someone.execute(walls.UNBOUND).fetchone() == (is_unbound,)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("role", "wall", "starts"),
    [("web", "on", True), ("owner", "on", False), ("owner", "off", True)],
)
def test_the_web_process_starts_only_behind_the_wall_or_where_it_is_known_to_be_off(
    role: str, wall: str, starts: bool
) -> None:
    outcome = subprocess.run(
        [sys.executable, "-c", "import household.wsgi"],
        cwd=places.CHECKOUT,
        env={
            **os.environ,
            "HEARTHBOOK_ROLE": "web",
            "DATABASE_URL": shared_cluster.url(role, shared_cluster.database_name()),
            walls.VARIABLE: wall,
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert (outcome.returncode == 0) == starts
    assert ("must not connect as the database's owner" in outcome.stderr) != starts
