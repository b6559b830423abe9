"""What a device forgets reaches the book: what was said and filed in the same turns goes with it."""

from __future__ import annotations

import datetime as dt
import uuid

import pytest
from django.utils import timezone

from memory.models import Forgetting
from memory.models import Tombstone as MemoryTombstone
from memory.rules.merge import Memory, Mention, Tombstone
from memory.services.forgetting import devices, forget, forget_in_the_book
from tests.makers import a_cat, a_child, a_membership, a_person
from tests.memory.forgetting.test_forget import say
from tests.wire import a_device, now_ms
from twin.models import LedgerEntry, Record, Statement

pytestmark = pytest.mark.django_db


def a_stone(wire, turn, *, kind="turn", gid="t-1"):
    return Tombstone(gid, kind, now_ms(), wire.gid, frozenset({turn}))


def test_a_parents_device_forgets_a_turn_of_the_house_with_all_that_was_filed_from_it():
    ana = a_person("Ana")
    leo = a_child(ana)
    gone, kept = say(leo, "zqxgone he vomited twice"), say(leo, "his left ear is red")
    phone = a_device(ana, None)
    assert phone.memory(tombstones=[a_stone(phone, gone)])["rejected"] == []
    assert forget_in_the_book(now=timezone.now()) == 1
    assert list(Statement.objects.values_list("turn", flat=True)) == [kept]
    assert Record.objects.count() == LedgerEntry.objects.count() == 1
    assert Forgetting.objects.get().author == ana
    assert forget_in_the_book(now=timezone.now()) == 0


def test_a_child_who_forgets_a_memory_on_a_tablet_takes_what_the_parents_were_told_of_the_same_words():
    ana = a_person("Ana")
    leo = a_child(ana)
    tablet = a_device(ana, leo)
    turn = "t1700000000000-1"
    tablet.memory(Memory("m-1", "a tummy ache", 1, mentions=frozenset({Mention(1, tablet.gid, turn)})))
    Statement.objects.create(
        subject=leo,
        client_id=turn,
        turn=turn,
        text="my tummy hurts",
        said_at=timezone.now(),
        local_day=timezone.now().date(),
        device=tablet.gid,
    )
    tablet.memory(tombstones=[Tombstone("m-1", "memory", now_ms(), tablet.gid)])
    assert forget_in_the_book(now=timezone.now()) == 1
    assert not Statement.objects.exists()


def test_a_turn_that_is_not_its_parents_alone_stays_and_others_do_not_wait_for_it():
    ana, ben = a_person("Ana"), a_person("Ben")
    leo, rex = a_child(ana), a_cat(ben, "Rex")
    a_membership(ben, leo, "family")
    shared, own = say(leo, "he vomited"), say(leo, "his ear is red")
    Statement.objects.create(
        subject=rex,
        author=ben,
        client_id=str(uuid.uuid4()),
        turn=shared,
        text="Rex too",
        said_at=timezone.now(),
        local_day=timezone.now().date(),
    )
    phone = a_device(ana, None)
    phone.memory(tombstones=[a_stone(phone, shared), a_stone(phone, own, gid="t-2")])
    assert forget_in_the_book(now=timezone.now()) == 1
    assert set(Statement.objects.values_list("turn", flat=True)) == {shared}


def test_one_that_fails_is_tried_again_later_and_keeps_no_other_waiting(monkeypatch):
    ana = a_person("Ana")
    leo = a_child(ana)
    fails, goes = say(leo, "he vomited"), say(leo, "his ear is red")
    phone = a_device(ana, None)
    phone.memory(tombstones=[a_stone(phone, fails), a_stone(phone, goes, gid="t-2")])
    tried = []

    def forget_or_not(target, **more):
        tried.append(target.key)
        if target.key == fails and len(tried) < 4:
            raise RuntimeError
        return forget(target, **more)

    monkeypatch.setattr(devices, "forget", forget_or_not)
    now, change = timezone.now(), MemoryTombstone.objects.get(gid="t-1").change
    assert forget_in_the_book(now=now) == 1 and set(tried) == {fails, goes}
    assert forget_in_the_book(now=now) == 0 and len(tried) == 2
    for minutes, times in ((1, 3), (2, 3), (3, 4)):
        forget_in_the_book(now=now + dt.timedelta(minutes=minutes))
        assert len(tried) == times
    assert not Statement.objects.exists()
    assert MemoryTombstone.objects.get(gid="t-1").change == change


def test_a_turn_that_cannot_go_stands_in_the_way_of_none(monkeypatch):
    monkeypatch.setattr(devices, "AT_ONCE", 1)
    ana, ben = a_person("Ana"), a_person("Ben")
    leo, rex = a_child(ana), a_cat(ben, "Rex")
    shared, own = say(leo, "he vomited"), say(leo, "his ear is red")
    values = {"text": "Rex too", "said_at": timezone.now(), "local_day": timezone.now().date()}
    Statement.objects.create(subject=rex, author=ben, client_id="r", turn=shared, **values)
    phone = a_device(ana, None)
    phone.memory(tombstones=[a_stone(phone, shared), a_stone(phone, own, gid="t-2")])
    assert [forget_in_the_book(now=timezone.now()) for _again in range(3)] == [0, 1, 0]


def test_a_turn_that_two_devices_forgot_is_forgotten_once(caplog):
    ana = a_person("Ana")
    turn = say(a_child(ana), "he vomited")
    for n in range(2):
        phone = a_device(ana, None, f"phone {n}")
        phone.memory(tombstones=[a_stone(phone, turn, gid=f"t-{n}")])
    assert forget_in_the_book(now=timezone.now()) == 1
    assert Forgetting.objects.count() == 1 and not caplog.records


def test_while_a_device_waits_only_a_few_are_taken():
    ana = a_person("Ana")
    leo = a_child(ana)
    phone = a_device(ana, None)
    turns = [say(leo, "he vomited") for _n in range(devices.HURRIED + 2)]
    phone.memory(tombstones=[a_stone(phone, turn, gid=f"t-{n}") for n, turn in enumerate(turns)])
    assert forget_in_the_book(now=timezone.now(), is_hurried=True) == devices.HURRIED
    assert forget_in_the_book(now=timezone.now()) == 2


def test_a_duplicate_that_was_dropped_forgets_nothing():
    ana = a_person("Ana")
    leo = a_child(ana)
    turn = say(leo, "he vomited")
    phone = a_device(ana, None)
    phone.memory(tombstones=[Tombstone("t-1", "turn", 0, "", frozenset({turn}))])
    assert forget_in_the_book(now=timezone.now()) == 0 and Statement.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_without_a_worker_the_book_forgets_at_once():
    ana = a_person("Ana")
    leo = a_child(ana)
    turn = say(leo, "he vomited")
    phone = a_device(ana, None)
    phone.memory(tombstones=[a_stone(phone, turn)])
    assert not Statement.objects.exists() and not Record.objects.exists()
