"""A restore keeps the promises made since: what was forgotten stays forgotten, and no number comes twice."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.sessions.models import Session

from household.models import Device, Household
from household.services.backups.making import make_backup
from household.services.backups.reading import Source
from memory.models import JournalWords, Tombstone
from memory.rules.forgetting import Target
from memory.services.forgetting import forget
from memory.services.restoring import restore
from memory.services.turns import tell
from tests.makers import a_cat, a_household, a_person, now, signed_in
from twin.models import LedgerEntry, Record, Statement

pytestmark = pytest.mark.django_db(transaction=True)
LATER = dt.timedelta(hours=1)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, settings: object) -> Iterator[Path]:
    """A data folder of this test's own."""
    settings.HOME = tmp_path  # type: ignore[attr-defined]
    yield tmp_path


def say(subject: object, words: str) -> str:
    """One told statement; its turn."""
    told = tell(
        person=a_person(),
        text=words,
        client_id=str(uuid.uuid4()),
        now=now(),
        subject_id=subject.pk,  # type: ignore[attr-defined]
    )
    return told.turn


def test_what_was_forgotten_after_the_backup_is_forgotten_again() -> None:
    a_household()
    mavi = a_cat()
    kept, gone = say(mavi, "her left ear is red"), say(mavi, "she vomited twice zqxgone")
    statement = Statement.objects.get(turn=gone)
    path = make_backup(now=now())
    forget(Target("statement", str(statement.pk)), person=a_person(), client_id="one", now=now() + LATER)
    done = restore(Source(path), now=now() + 2 * LATER)
    assert done.forgotten_again >= 1
    assert [row.turn for row in Statement.objects.all()] == [kept]
    assert not LedgerEntry.objects.filter(statement__turn=gone).exists()
    assert {row.category for row in Record.objects.all()} == {"ears"}
    assert not any("zqxgone" in str(row.body) for row in JournalWords.objects.all())
    assert Tombstone.objects.filter(kind="statement").count() == 1


def test_what_was_forgotten_before_the_backup_counts_for_nothing_again() -> None:
    a_household()
    turn = say(a_cat(), "she vomited twice")
    forget(Target("turn", turn), person=a_person(), client_id="one", now=now())
    path = make_backup(now=now())
    assert restore(Source(path), now=now() + LATER).forgotten_again == 0


def test_what_the_backup_never_knew_is_buried_all_the_same() -> None:
    a_household()
    mavi = a_cat()
    path = make_backup(now=now())
    turn = say(mavi, "she vomited twice")
    forget(Target("turn", turn), person=a_person(), client_id="one", now=now() + LATER)
    assert restore(Source(path), now=now() + 2 * LATER).forgotten_again == 1
    assert Tombstone.objects.filter(turns__turn=turn).exists()


def test_a_new_epoch_begins_and_no_number_is_given_twice() -> None:
    a_household()
    mavi = a_cat()
    path = make_backup(now=now())
    say(mavi, "her left ear is red")
    last, epoch = Record.objects.latest("pk").pk, Household.objects.get().epoch
    restore(Source(path), now=now() + LATER)
    say(a_cat(), "her left ear is red")
    assert Record.objects.latest("pk").pk >= last + 1_000_000
    assert Household.objects.get().epoch != epoch


def test_everybody_signs_in_anew_and_a_revoked_device_stays_revoked() -> None:
    a_household()
    a_cat()
    device = Device.objects.create(name="Tablet", token_hash="x" * 64)
    browser = signed_in(a_person())
    path = make_backup(now=now())
    Device.objects.filter(pk=device.pk).update(revoked_at=now(), revoked_why="parent")
    restore(Source(path), now=now() + LATER)
    assert not Session.objects.exists()
    assert browser.get("/").status_code == 302
    row = Device.objects.get(pk=device.pk)
    assert (row.token_hash, row.revoked_why) == (None, "parent")
