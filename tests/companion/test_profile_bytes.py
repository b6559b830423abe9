"""After a forgetting no file of a tablet's browser holds the words: no database, cache, worker or history."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import Browser

from memory.models import Memory
from memory.rules.forgetting import Target
from memory.services.forgetting.forget import forget
from tests.browser.conftest import CHROMIUM
from tests.companion.conftest import PATIENCE_MS, House, Tablet

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.django_db(transaction=True)]
SECRET = "walrusquietmoon"


@pytest.fixture
def profile() -> Iterator[Path]:
    """The folder a browser keeps everything in."""
    folder = Path(tempfile.mkdtemp(prefix="hearthbook-profile-"))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def opened(chromium: Browser, house: House, profile: Path) -> Tablet:
    """The tablet with a profile of its own on the disk."""
    context = chromium.browser_type.launch_persistent_context(profile, **CHROMIUM, locale="en-GB")
    context.set_default_timeout(PATIENCE_MS)
    return Tablet(house, context, context.pages[0])


def files_with(folder: Path, words: str) -> list[str]:
    """The files that hold some words, in either encoding of a browser."""
    spelled = (words.encode(), words.encode("utf-16-le"))
    found = []
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink() and any(one in path.read_bytes() for one in spelled):
            found.append(str(path.relative_to(folder)))
    return found


def test_no_file_of_the_browser_holds_forgotten_words(chromium: Browser, house: House, profile: Path) -> None:
    tablet = opened(chromium, house, profile).paired()
    tablet.say(f"the {SECRET} sings")
    tablet.keep(f"the {SECRET} sings")
    tablet.say("the harmless pond")
    tablet.sync()
    tablet.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    tablet.context.close()
    assert files_with(profile, SECRET)  # the search finds what is there
    forget(
        Target("memory", str(Memory.objects.get().gid)), person=house.ana, client_id="one", now=timezone.now()
    )
    tablet = opened(chromium, house, profile).open()
    tablet.sync()
    tablet.go("cards")
    assert "harmless pond" in tablet.kept()
    tablet.context.close()
    assert files_with(profile, SECRET) == []
    assert files_with(profile, "harmless pond")
