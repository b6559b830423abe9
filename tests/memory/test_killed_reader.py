"""The worker is killed while it reads a scan: the sweep goes on at the page it was at."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.test import override_settings

from household.box import places
from memory.models import Document, DocumentStage, DocumentText
from memory.papers.reading import has_tesseract
from memory.services.documents.pipeline import due_documents, read_document
from tests.household.box.running import until
from tests.makers import a_cat, a_person, now
from tests.memory.papers.making import handed_in, printed

PAGES = 4


def a_scan(path: Path) -> bytes:
    """Four short pages, each nothing but its picture."""
    sheets = [
        printed(f"This is page {number} of the report.\nThe left ear is red.") for number in range(1, 5)
    ]
    small = [sheet.crop((0, 0, 1100, 420)) for sheet in sheets]
    small[0].save(path, format="PDF", resolution=200, save_all=True, append_images=small[1:])
    return path.read_bytes()


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(not has_tesseract(), reason="Tesseract is not installed")
def test_a_killed_worker_loses_no_page_and_reads_none_twice(
    database_urls: dict[str, str], tmp_path: Path
) -> None:
    on_disk = {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {"location": tmp_path / "media"},
    }
    with override_settings(STORAGES={**settings.STORAGES, "default": on_disk}):
        document = handed_in(a_scan(tmp_path / "scan.pdf"), a_cat(a_person("Ana"))).document
        worker = subprocess.Popen(
            [sys.executable, "-m", "household.box.worker"],
            cwd=places.CHECKOUT,
            env={
                **os.environ,
                "HEARTHBOOK_HOME": str(tmp_path),
                "HEARTHBOOK_ROLE": "owner",
                "DATABASE_URL": database_urls["owner"],
                "OWNER_DATABASE_URL": database_urls["owner"],
                "DJANGO_SETTINGS_MODULE": "household.settings",
            },
        )
        read = DocumentText.objects.filter(source="ocr", needs_ocr=False)
        try:
            until(lambda: read.exists() or worker.poll() is not None, "a first page is read")
            assert worker.poll() is None
        finally:
            os.kill(worker.pid, signal.SIGKILL)
            worker.wait()
        before = dict(read.values_list("page", "pk"))
        assert due_documents(now=now()) == [document.pk]
        until(lambda: read_document(document.pk, clock=now), "the killed worker let go of it")
    document.refresh_from_db()
    assert (document.state, document.pages) == ("ready", PAGES)
    after = dict(read.values_list("page", "pk"))
    assert set(after) == {1, 2, 3, 4}
    assert before.items() <= after.items()
    assert all("left ear is red" in one.text for one in read)
    assert Document.objects.count() == 1
    assert DocumentStage.objects.get(name="text").attempts == 1
