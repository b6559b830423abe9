"""The worker is killed while it reads a scan: the next one goes on at the page it was at."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil
import psycopg
import pytest

from household.box import places
from memory.papers.ocr import is_there
from tests.household.box.running import Box, until
from tests.housemate import Housemate
from tests.memory.papers.making import printed
from tests.memory.papers.samples import SAMPLES

pytestmark = [pytest.mark.long, pytest.mark.skipif(not is_there(), reason="Tesseract is not installed")]


@pytest.fixture
def box() -> Iterator[Box]:
    """A running box with an empty book."""
    folder = Path(tempfile.mkdtemp(prefix="hearthbook-"))
    folder.chmod(0o755)
    made = Box(folder / "house")
    try:
        yield made.ready()
    finally:
        made.clear()
        shutil.rmtree(folder, ignore_errors=True)


def ask(box: Box, query: str) -> list[tuple[object, ...]]:
    with psycopg.connect(places.embedded_url(box.house, places.OWNER)) as connection:
        return connection.execute(query).fetchall()


def worker_of(box: Box) -> int:
    assert box.process is not None
    for child in psutil.Process(box.process.pid).children(recursive=True):
        if "household.box.worker" in child.cmdline():
            return child.pid
    raise AssertionError("no worker runs")


def test_a_killed_worker_loses_no_page_and_reads_none_twice(box: Box, tmp_path: Path) -> None:
    mate = Housemate(box)
    mate.set_up(box)
    mate.add_cat()
    paper = tmp_path / "scan.pdf"
    sheets = [printed(one.text) for one in SAMPLES if one.language == "en"]
    sheets[0].save(paper, format="PDF", resolution=200, save_all=True, append_images=sheets[1:])
    token = mate.session.cookies.get("csrftoken", "")
    done = mate.session.post(
        f"{mate.base}/book/1/documents/add",
        data={"client_id": "one"},
        files={"files": ("scan.pdf", paper.read_bytes())},
        headers={"X-CSRFToken": token, "Referer": mate.base},
        allow_redirects=False,
        timeout=60,
    )
    assert done.status_code == 302
    read = "SELECT count(*) FROM memory_documenttext WHERE source = 'ocr' AND NOT needs_ocr"
    until(lambda: ask(box, read)[0][0] >= 1, "a first page is read")  # type: ignore[operator]
    first = ask(box, "SELECT id, text FROM memory_documenttext WHERE NOT needs_ocr ORDER BY id")
    os.kill(worker_of(box), signal.SIGKILL)
    until(lambda: ask(box, "SELECT state FROM memory_document") == [("ready",)], "it is read to its end")
    pages = ask(box, "SELECT page, needs_ocr FROM memory_documenttext ORDER BY page")
    assert pages == [(1, False), (2, False), (3, False), (4, False)]
    assert set(first) <= set(ask(box, "SELECT id, text FROM memory_documenttext"))
    attempts = dict(ask(box, "SELECT name, attempts FROM memory_documentstage"))
    assert attempts["text"] == 1
