"""What a device forgets reaches the book: what was said and filed in the same turns goes with it."""

from __future__ import annotations

import uuid

import pytest
from django.utils import timezone

from memory.models import Forgetting
from memory.rules.merge import Memory, Mention, Tombstone
from memory.services.forgetting import forget_in_the_book
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
