"""The page of the box: only parents, only real backups, and the recovery sheet once."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from household.models import Backup, Job
from household.services.backups.keys import kept_key
from household.services.backups.making import folder, make_backup
from household.services.backups.nightly import ask_nightly
from household.services.backups.reading import Source, check
from household.tasks import make_due_backups
from tests.makers import a_cat, a_household, a_membership, a_person, signed_in
from tests.twin.course_makers import queries_of

NOW = dt.datetime(2026, 11, 30, 2, 0, tzinfo=dt.UTC)
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, settings: object) -> Iterator[Path]:
    """A data folder of this test's own."""
    settings.HOME = tmp_path  # type: ignore[attr-defined]
    yield tmp_path


def test_a_parent_sees_the_box_and_its_backups() -> None:
    a_household()
    ana = a_person()
    a_cat(ana, "Boncuk")
    path = make_backup(now=NOW)
    page = signed_in(ana)
    text = page.get("/system").content.decode()
    assert queries_of(page, "/system") <= 10
    assert path.name in text and "30 November 2026" in text


@pytest.mark.parametrize("role", ["family", "therapist", "vet"])
def test_nobody_else_sees_the_box_or_takes_a_backup(role: str) -> None:
    a_household()
    mavi = a_cat(a_person())
    path = make_backup(now=NOW)
    ben = a_person("Ben")
    a_membership(ben, mavi, role)
    page = signed_in(ben)
    for url in ("/system", f"/system/backups/{path.name}"):
        assert page.get(url).status_code in {302, 404}
    for url in ("make", "seal", f"{path.name}/delete"):
        assert page.post(f"/system/backups/{url}").status_code in {302, 404}
    assert path.exists() and kept_key() is None and not Job.objects.exists()


def test_a_downloaded_backup_is_the_very_file() -> None:
    a_household()
    ana = a_person()
    a_cat(ana)
    path = make_backup(now=NOW)
    answer = signed_in(ana).get(f"/system/backups/{path.name}")
    assert b"".join(answer.streaming_content) == path.read_bytes()
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{path.name}"'


@pytest.mark.parametrize("name", ["nothing", "book-20200101T000000Z.hearthbook", "..%2Fsecret.key"])
def test_a_name_that_is_no_backup_is_not_there(name: str) -> None:
    a_household()
    ana = a_person()
    a_cat(ana)
    assert signed_in(ana).get(f"/system/backups/{name}").status_code == 404
    assert signed_in(ana).post(f"/system/backups/{name}/delete").status_code == 404


def test_deleting_takes_file_and_row() -> None:
    a_household()
    ana = a_person()
    a_cat(ana)
    path = make_backup(now=NOW)
    assert signed_in(ana).post(f"/system/backups/{path.name}/delete").status_code == 302
    assert not path.exists() and not Backup.objects.exists()


def test_the_sheet_shows_the_passphrase_that_opens_the_next_backup() -> None:
    a_household()
    ana = a_person()
    a_cat(ana)
    text = signed_in(ana).post("/system/backups/seal").content.decode()
    (passphrase,) = re.findall(r"<code>([A-Z2-9]{5}(?:-[A-Z2-9]{5}){4})</code>", text)
    path = make_backup(now=NOW)
    (folder().parent / "backup.key").unlink()
    assert check(Source(path, passphrase)).is_sealed
    assert passphrase not in signed_in(ana).get("/system").content.decode()


def test_asked_for_twice_a_backup_is_one_job_and_the_worker_makes_and_proves_it() -> None:
    a_household()
    ana = a_person()
    a_cat(ana)
    page = signed_in(ana)
    for _time in range(2):
        assert page.post("/system/backups/make").status_code == 302
    assert Job.objects.count() == 1
    make_due_backups()
    backup = Backup.objects.get()
    assert (backup.state, Job.objects.get().state) == ("proved", "done")
    make_due_backups()
    assert Backup.objects.count() == 1


def test_the_nights_backup_is_asked_for_once_after_three() -> None:
    assert ask_nightly(now=NOW) is None  # no household yet
    a_household(time_zone="Europe/Berlin")
    before_three = dt.datetime(2026, 11, 30, 1, 30, tzinfo=dt.UTC)
    make_backup(now=dt.datetime(2026, 11, 29, 2, 30, tzinfo=dt.UTC))
    assert ask_nightly(now=before_three) is None
    assert ask_nightly(now=NOW + dt.timedelta(minutes=1)) is not None
    assert Job.objects.count() == 1
