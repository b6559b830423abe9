"""Media files that are owed go from whatever storage holds them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from household.services.erasing import owing, sweeping
from tests.makers import now

pytestmark = pytest.mark.django_db(transaction=True)
STORES = {
    "disk": ("django.core.files.storage.FileSystemStorage", True),
    "elsewhere": ("django.core.files.storage.InMemoryStorage", False),
}


@pytest.mark.parametrize("store", STORES)
def test_an_owed_file_goes_and_the_others_stay(store: str, settings: Any, tmp_path: Path) -> None:
    backend, is_on_disk = STORES[store]
    options = {"location": str(tmp_path)} if is_on_disk else {}
    settings.STORAGES = {**settings.STORAGES, "default": {"BACKEND": backend, "OPTIONS": options}}
    gone, kept = (default_storage.save(f"documents/{name}", ContentFile(b"words")) for name in ("one", "two"))
    owing.owe(relations=[], files=[gone, "documents/never-there", "../../etc/hostname"])
    sweeping.sweep(now=now())
    assert (default_storage.exists(gone), default_storage.exists(kept)) == (False, True)
    assert Path("/etc/hostname").exists()
