"""From one box to another through real pages: backed up, carried over, restored on the welcome page."""

from __future__ import annotations

import re
from pathlib import Path

import requests

from household.box import restoring
from tests.household.box.running import a_running_box, until
from tests.housemate import PASSPHRASE, Housemate


def form_of(session: requests.Session, url: str) -> dict[str, str]:
    page = session.get(url, timeout=20).text
    (token,) = re.findall(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)[:1]
    return {"csrfmiddlewaretoken": token}


def test_a_household_moves_into_a_new_box(tmp_path: Path) -> None:
    with a_running_box() as old, a_running_box() as new:
        ana = Housemate(old)
        ana.set_up(old)
        ana.add_cat("Boncuk")
        assert ana.tell("Boncuk is limping today", "one")
        secret = tmp_path / "passphrase"
        secret.write_text(f"{PASSPHRASE}\n")
        file = tmp_path / "carried.hearthbook"
        made = old.manage("backup", str(file), "--passphrase-file", str(secret))
        assert made.returncode == 0, made.stderr
        assert b"Boncuk" not in file.read_bytes()
        assert "Hearthbook is running" in old.manage("restore", str(file), "--replace").stderr
        old.stop()

        url = f"http://127.0.0.1:{new.port}/welcome/restore"
        (code,) = re.findall(r"enter the code\s+([A-Z0-9]{4}-[A-Z0-9]{4})", new.printed())
        with requests.Session() as guest:
            tries = [
                (
                    {"code": "AAAA-AAAA", "passphrase": PASSPHRASE},
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
        still = Housemate(new)
        still.session.cookies.update(ana.session.cookies)  # signed by the old box, whose key came along
        assert "Boncuk" in still.get("/book").text
        moved = Housemate(new)
        moved.sign_in()
        assert "Boncuk" in moved.get("/book").text
        assert moved.get("/r/rec_000001").status_code == 200
        assert requests.get(url, timeout=20).status_code == 404
        assert new.stop() == 0
