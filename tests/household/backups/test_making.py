"""Backups of a living database: whole, proved, kept in rotation, and never in anybody's way."""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import connection, connections

from household.box.trouble import Trouble
from household.box.vault import Damaged, WrongPassphrase
from household.models import Backup, Heartbeat
from household.rules.backups import name_of
from household.services.backups import scratch, tools
from household.services.backups.keys import forget_key, make_passphrase
from household.services.backups.making import folder, make_backup
from household.services.backups.proving import prove, prove_kept
from household.services.backups.reading import MadeByNewer, Source, check
from household.services.backups.restoring import put_in_place
from tests import makers
from tests.household.box.running import a_small_disk, until

NOW = dt.datetime(2026, 11, 30, 2, 0, tzinfo=dt.UTC)
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, settings: object) -> Iterator[Path]:
    """A data folder of this test's own, its media too."""
    settings.HOME = tmp_path  # type: ignore[attr-defined]
    settings.STORAGES = {  # type: ignore[attr-defined]
        **settings.STORAGES,  # type: ignore[attr-defined]
        "default": {
            "BACKEND": "django.core.files.storage.FileSystemStorage",
            "OPTIONS": {"location": tmp_path / "media"},
        },
    }
    yield tmp_path


def test_a_backup_is_whole_and_proved(home: Path) -> None:
    makers.a_cat(name="Boncuk")
    default_storage.save("pictures/a.png", ContentFile(b"\x89PNG picture"))
    path = make_backup(now=NOW)
    assert path == folder() / name_of(NOW)
    backup = prove_kept(path.name, now=NOW)
    proof = prove(Source(path))
    assert (backup.state, backup.error_code, backup.is_sealed) == ("proved", "", False)
    assert proof.contents.media == ("pictures/a.png",)
    assert proof.rows is not None and proof.rows["twin_subject"] == 1
    assert_no_scratch_is_left()


def assert_no_scratch_is_left() -> None:
    """The database in which a backup was proved is gone."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_database WHERE datname = %s",
            [f"{scratch.owner_database()['NAME']}_scratch"],
        )
        assert cursor.fetchone() == (0,)


def test_a_sealed_backup_opens_with_the_recovery_sheet_alone(home: Path) -> None:
    makers.a_cat(name="Zebrafinch")
    passphrase = make_passphrase()
    path = make_backup(now=NOW)
    assert b"Zebrafinch" not in path.read_bytes()
    assert prove(Source(path)).contents.is_sealed  # the box's own key
    forget_key()
    assert prove(Source(path, passphrase.lower())).contents.is_sealed
    for wrong in (None, "AAAAA-AAAAA-AAAAA-AAAAA-AAAAA"):
        with pytest.raises(WrongPassphrase):
            prove(Source(path, wrong))


def test_four_writers_go_on_writing_and_the_dump_is_of_one_moment() -> None:
    stop = threading.Event()
    counts = [0] * 4

    def write(number: int) -> None:
        while not stop.is_set():
            with connection.cursor() as cursor:
                cursor.execute(
                    "WITH a AS (INSERT INTO household_heartbeat VALUES (%s, now()), (%s, now()) RETURNING 1)"
                    " SELECT count(*) FROM a",
                    [f"{number}-{counts[number]}-a", f"{number}-{counts[number]}-b"],
                )
            counts[number] += 1
        connection.close()

    threads = [threading.Thread(target=write, args=[number]) for number in range(4)]
    for thread in threads:
        thread.start()
    until(lambda: min(counts) >= 5, "everybody writes")
    before = sum(counts)
    path = make_backup(now=NOW)
    after = list(counts)
    until(lambda: all(now - then >= 2 for now, then in zip(counts, after, strict=True)), "all go on")
    stop.set()
    for thread in threads:
        thread.join()
    rows = prove(Source(path)).rows
    assert rows is not None
    assert rows["household_heartbeat"] % 2 == 0
    assert 2 * before - 8 <= rows["household_heartbeat"] <= Heartbeat.objects.count()


def test_a_backup_that_cannot_be_written_leaves_nothing(home: Path) -> None:
    blocked = home / "blocked"
    blocked.write_text("a file where a folder should be")
    with pytest.raises(Trouble, match="cannot be written"):
        make_backup(now=NOW, path=blocked / "here.hearthbook")
    assert Backup.objects.count() == 0


def test_a_disk_that_fills_under_a_backup_is_said_and_leaves_nothing() -> None:
    with a_small_disk(size="64k") as disk:
        with pytest.raises(Trouble, match="no space left"):
            make_backup(now=NOW, path=disk / "here.hearthbook")
        assert list(disk.iterdir()) == []
        assert not Backup.objects.filter(state="made").exists()


def test_a_dump_that_fails_leaves_no_half_file(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tools, "DUMP", ["--no-such-option"])
    with pytest.raises(Trouble, match="could not be dumped"):
        make_backup(now=NOW)
    assert list(folder().iterdir()) == []


def test_rotation_deletes_files_and_rows_and_what_a_killed_backup_left(home: Path) -> None:
    folder().mkdir()
    (folder() / ".book-20200101T000000Z.hearthbook.part").write_bytes(b"half")
    for back in range(12):
        make_backup(now=NOW - dt.timedelta(days=12 - back))
    names = {path.name for path in folder().iterdir()}
    assert names == {*Backup.objects.values_list("name", flat=True)}
    assert 7 <= len(names) <= 9


def test_a_damaged_kept_backup_is_told() -> None:
    path = make_backup(now=NOW)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    backup = prove_kept(path.name, now=NOW)
    assert (backup.state, backup.error_code) == ("failed", "Damaged")


def test_a_backup_of_a_newer_build_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from household.services.backups import making

    monkeypatch.setattr(making, "applied_migrations", lambda: {"twin": ["0999_from_the_future"]})
    path = make_backup(now=NOW)
    with pytest.raises(MadeByNewer, match="0999_from_the_future"):
        check(Source(path))


def test_a_damaged_backup_touches_nothing_on_restore(home: Path) -> None:
    path = make_backup(now=NOW)
    path.write_bytes(path.read_bytes()[:-1])
    makers.a_cat(name="Boncuk")
    with pytest.raises(Damaged):
        put_in_place(Source(path))
    with connections["default"].cursor() as cursor:
        cursor.execute("SELECT name FROM twin_subject")
        assert cursor.fetchall() == [("Boncuk",)]


def test_a_restore_takes_the_place_of_database_and_media(home: Path) -> None:
    makers.a_cat(name="Boncuk")
    default_storage.save("pictures/kept.png", ContentFile(b"kept"))
    path = make_backup(now=NOW)
    makers.a_cat(name="Later")
    default_storage.delete("pictures/kept.png")
    default_storage.save("pictures/later.png", ContentFile(b"later"))
    live = scratch.owner_database()["NAME"]
    contents = put_in_place(Source(path))
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM twin_subject")
        assert cursor.fetchall() == [("Boncuk",)]
        cursor.execute("SELECT current_database()")
        assert cursor.fetchone() == (live,)
        cursor.execute("SELECT relrowsecurity FROM pg_class WHERE relname = 'twin_subject'")
        assert cursor.fetchone() == (True,)
    assert contents.made_at == NOW
    assert default_storage.open("pictures/kept.png").read() == b"kept"
    assert not default_storage.exists("pictures/later.png")


def test_a_restore_into_a_server_of_others_is_one_transaction(
    monkeypatch: pytest.MonkeyPatch, database_urls: dict[str, str]
) -> None:
    monkeypatch.setattr(scratch, "is_embedded", lambda: False)
    monkeypatch.setenv("DATABASE_URL", database_urls["web"])
    monkeypatch.setenv("OWNER_DATABASE_URL", database_urls["owner"])
    makers.a_cat(name="Boncuk")
    path = make_backup(now=NOW)
    makers.a_cat(name="Later")
    put_in_place(Source(path))
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM twin_subject")
        assert cursor.fetchall() == [("Boncuk",)]
