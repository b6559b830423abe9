"""The laws with the real house as one of the holders: its tables end as its tablets do."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from household.rules.canonical import canonical
from memory import models
from memory.device.lines import all_lines
from memory.device.syncing import send_all_again, sync
from memory.rules.journal import join
from memory.rules.merge import forgotten, to_json
from tests.device.histories import moves, play, secret, skews
from tests.device.real_house import RealWorld
from tests.slices import IS_LONG

EXAMPLES = settings(
    max_examples=200 if IS_LONG else 4,
    deadline=None,
    derandomize=not IS_LONG,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # shrinking would take an hour
    suppress_health_check=[*HealthCheck],
)
KINDS = ("memories", "tombstones", "soft_actions", "sessions")


def spelled(store):
    return {kind: canonical(to_json(getattr(store, kind))) for kind in KINDS}


@pytest.mark.django_db(transaction=True)
@EXAMPLES
@given(skews(), moves(30 if IS_LONG else 14), st.integers(0, 2**32))
def test_every_history_ends_alike_in_the_house_and_on_its_tablets(clocks, history, seed):
    with pytest.MonkeyPatch.context() as patch:
        world = play(RealWorld(clocks, patch=patch, seed=seed), history)
        knew = {g for h in world.holders for g in forgotten(h.tablet.store.tombstones.values())}
        world.settle()
        check_alike(world)
        check_nothing_left(world, knew)
        check_silence(world)


def check_alike(world):
    store, lines = world.house_store(), world.house_lines()
    for holder in world.holders:
        tablet = holder.tablet
        assert spelled(tablet.store) == spelled(store)
        own = {(held.device, held.seq): join(held.line) for held in all_lines(tablet.copy)}
        assert own == lines


def check_nothing_left(world, knew):
    store = world.house_store()
    assert knew <= forgotten(store.tombstones.values())
    assert not store.tombstones.keys() & store.memories.keys()
    everything = canonical(to_json(store)) + canonical(list(world.house_lines().values()))
    for gid in forgotten(store.tombstones.values()):
        assert secret(gid) not in everything
        assert not models.Picture.objects.filter(name__startswith=f"{gid}-").exists()
        for holder in world.holders:
            assert secret(gid).encode() not in holder.tablet.copy.db.serialize()


def check_silence(world):
    """What was kept is no change: no change number, no line, though everything is sent again."""
    before = (world.changes(), models.JournalLine.objects.count())
    for holder in world.holders:
        report = sync(holder.tablet)
        assert (report.sent, report.came, report.lines_sent) == (0, 0, 0)
        send_all_again(holder.tablet)
        with holder.tablet.writing():
            holder.tablet.copy.note(next_seq=0)
        sync(holder.tablet)
    assert (world.changes(), models.JournalLine.objects.count()) == before
