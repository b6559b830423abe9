"""From one box to another through real pages: backed up, carried over, restored on the welcome page."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from household.box import places, restoring
from tests.household.box.running import Box, until
from tests.housemate import Housemate


@pytest.fixture(scope="module")
def rooms() -> Iterator[Path]:
    """A folder every user may enter."""
    folder = Path(tempfile.mkdtemp(prefix="hearthbook-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def manage(box: Box, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", *command],
        env=box.env,
        cwd=places.CHECKOUT,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )


def form_of(session: requests.Session, url: str) -> dict[str, str]:
    page = session.get(url, timeout=20).text
    (token,) = re.findall(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)[:1]
    return {"csrfmiddlewaretoken": token}


def test_a_household_moves_into_a_new_box(rooms: Path) -> None:
    old, new = Box(rooms / "old"), Box(rooms / "new")
    try:
        old.ready()
        ana = Housemate(old)
        ana.set_up(old)
        ana.add_cat("Boncuk")
        assert ana.tell("Boncuk is limping today", "one")
        secret = rooms / "passphrase"
        secret.write_text("warm bread and honey\n")
        file = rooms / "carried.hearthbook"
        made = manage(old, "backup", str(file), "--passphrase-file", str(secret))
        assert made.returncode == 0, made.stderr
        assert b"Boncuk" not in file.read_bytes()
        assert "Hearthbook is running" in manage(old, "restore", str(file), "--replace").stderr
        old.stop()

        new.ready()
        url = f"http://127.0.0.1:{new.port}/welcome/restore"
        (code,) = re.findall(r"enter the code\s+([A-Z0-9]{4}-[A-Z0-9]{4})", new.printed())
        with requests.Session() as guest:
            tries = [
                (
                    {"code": "AAAA-AAAA", "passphrase": "warm bread and honey"},
                    file.read_bytes(),
                    "not the code",
                ),
                ({"code": code, "passphrase": "cold bread"}, file.read_bytes(), "does not open"),
                ({"code": code, "passphrase": "x"}, file.read_bytes()[:-9], "does not open"),
                ({"code": code}, b"not a backup", "not a whole Hearthbook backup"),
                ({"code": code}, b"", "not a whole Hearthbook backup"),
            ]
            for fields, content, sentence in tries:
                sent = guest.post(
                    url,
                    data=form_of(guest, url) | fields,
                    files={"backup": ("b.hearthbook", content)},
                    timeout=60,
                )
                assert (sent.status_code, sentence in sent.text) == (422, True), sent.text
            right = form_of(guest, url) | {"code": code, "passphrase": "Warm-bread and honey"}
            with file.open("rb") as content:
                done = guest.post(url, data=right, files={"backup": content}, timeout=60)
            assert "is being restored" in done.text
        until(lambda: (restoring.outcome(new.house) or {}).get("state") == "restored", "restored")
        until(lambda: new.health() is not None, "pages back")
        assert not any(restoring.folder(new.house).glob("[!o]*"))
        moved = Housemate(new)
        moved.sign_in()
        assert "Boncuk" in moved.get("/book").text
        assert moved.get("/r/rec_000001").status_code == 200
        assert requests.get(url, timeout=20).status_code == 404
        assert new.stop() == 0
    finally:
        old.clear()
        new.clear()
