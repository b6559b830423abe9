"""The container image, really run: alone with its own database, and on one that compose.yaml describes.

Build it first (`docker build` or `buildah bud -t hearthbook:local -f docker/Dockerfile .`) and name it:
HEARTHBOOK_IMAGE=localhost/hearthbook:local.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from household.box import places
from tests.household.box.container import Container, Image, make_roles
from tests.household.box.running import a_roomy_folder
from tests.scale.server import NetworkCluster

IMAGE = os.environ.get("HEARTHBOOK_IMAGE", "")
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not IMAGE, reason="HEARTHBOOK_IMAGE names no image that was built"),
    pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("buildah"), reason="needs root and buildah"),
]


@pytest.fixture(scope="module")
def image() -> Iterator[Image]:
    """The image's files, mounted."""
    made = Image(IMAGE)
    yield made
    made.remove()


@pytest.fixture
def data(image: Image) -> Iterator[Path]:
    """A new volume, owned as the image's own folder is."""
    with a_roomy_folder() as folder:
        made = folder / "data"
        shutil.copytree(image.root / "data", made)
        os.chown(made, *image.ids())
        yield made


def test_it_is_nobody_special_and_says_what_it_offers(image: Image) -> None:
    assert image.ids()[0] > 0
    assert {"8000/tcp", "8443/tcp"} <= image.config["ExposedPorts"].keys()
    assert "/data" in image.config["Volumes"]
    assert (image.root / "app" / "locale" / "tr" / "LC_MESSAGES" / "django.mo").stat().st_size > 10_000
    for name in ("tests", "tools", ".git", "var"):
        assert not (image.root / "app" / name).exists()


def test_alone_it_serves_from_a_database_inside_and_stops_cleanly(image: Image, data: Path) -> None:
    box = Container(image, data, {})
    try:
        box.settle()
        assert box.is_well(), box.output.read_text()
        assert json.loads(box.get("/healthz")[1])["schema"]
        assert box.get("/welcome")[0] == 200
        assert "enter the code" in box.output.read_text()
        assert {folder.stat().st_uid for folder in box.processes()} == {image.ids()[0]}
        assert box.run("touch", "/app/written").returncode != 0
        assert {"eng", "tur"} <= set(box.run("tesseract", "--list-langs").stdout.split())
        made = box.run("/app/.venv/bin/python", "manage.py", "backup")
        assert made.returncode == 0, made.stderr
        assert list((data / "backups").glob("*.hearthbook"))
        assert box.stop() == 0, box.output.read_text()
        assert "Hearthbook has stopped." in box.output.read_text()
    finally:
        box.clear()


@pytest.fixture
def server() -> Iterator[NetworkCluster]:
    """A PostgreSQL as the database container of compose.yaml is after its first start."""
    with a_roomy_folder() as folder:
        cluster = NetworkCluster(folder / "home", address="127.0.0.1")
        cluster.start()
        try:
            make_roles(cluster, owner="owner", web="web")
            yield cluster
        finally:
            cluster.stop()


def test_on_the_database_of_compose_it_serves_with_both_walls(
    image: Image, data: Path, server: NetworkCluster
) -> None:
    at = f"{server.address}:{places.SOCKET_PORT}/hearthbook"
    env = {
        "DATABASE_URL": f"postgresql://hearthbook_web:web@{at}",
        "OWNER_DATABASE_URL": f"postgresql://hearthbook:owner@{at}",
    }
    box = Container(image, data, env)
    try:
        box.settle()
        assert box.is_well(), box.output.read_text()
        assert "row-level security is off" not in box.output.read_text()
        assert not (data / "postgres").exists()
        with psycopg.connect(server.url("hearthbook", "hearthbook")) as base:
            said = base.execute("SELECT count(*) FROM pg_stat_activity WHERE usename = 'hearthbook_web'")
            assert said.fetchone() != (0,)
            walled = base.execute("SELECT relrowsecurity FROM pg_class WHERE relname = 'twin_statement'")
            assert walled.fetchone() == (True,)
        assert box.stop() == 0, box.output.read_text()
    finally:
        box.clear()
