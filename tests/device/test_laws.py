"""The laws of the whole protocol: whatever was lost, repeated, restored or forgotten, all end alike."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from household.rules.canonical import canonical
from memory.device.lines import all_lines
from memory.device.syncing import send_all_again, sync
from memory.rules.journal import join
from memory.rules.merge import forgotten, to_json
from tests.device.histories import World, moves, play, secret, skews
from tests.laws import LAWS
from tests.slices import IS_LONG

STEPS = 30 if IS_LONG else 20


def spelled(store):
    """All of a store, embeddings included."""
    return canonical(to_json(store))


def bytes_of(tablet):
    """The very bytes of a tablet's file."""
    return tablet.copy.db.serialize()


@LAWS
@given(skews(), moves(STEPS), st.integers(0, 2**32))
def test_every_history_ends_alike_everywhere_and_nothing_forgotten_comes_back(clocks, history, seed):
    world = play(World(clocks, seed=seed), history)
    knew = known_forgettings(world)
    world.settle()
    house = world.house.kept
    for holder in world.holders:
        tablet = holder.tablet
        assert spelled(tablet.store) == spelled(tablet.copy.store())
        assert spelled(of_the_living(tablet.store, world)) == spelled(of_the_living(house.store, world))
        assert tablet.registers() == house.registers
        check_lines(tablet, house)
        check_nothing_left(tablet, house)
    assert knew == forgotten(house.store.tombstones.values())
    assert not knew & house.store.memories.keys()
    check_silence(world)


def of_the_living(store, world):
    """A store with the minutes of living tablets alone: nobody else may tell a house of a dead one's."""
    living = {holder.tablet.device for holder in world.holders}
    return replace(store, time={at: row for at, row in store.time.items() if at[0] in living})


def known_forgettings(world):
    """What somebody still knows to be forgotten: all of it, unless whoever knew went back in time."""
    stores = [holder.tablet.store for holder in world.holders] + [world.house.kept.store]
    knew = forgotten(tombstone for store in stores for tombstone in store.tombstones.values())
    assert world.lost_knowledge or world.forgotten <= knew
    return knew


def check_lines(tablet, house):
    """Every line the house holds is there, in its place, and alike; it lacks none of a living tablet."""
    own = {(held.device, held.seq): canonical(join(held.line)) for held in all_lines(tablet.copy)}
    theirs = {
        (device, seq): canonical(join(line))
        for device, lines in house.lines.items()
        for seq, line in enumerate(lines)
    }
    living = {tablet.device, *tablet.copy.about("former", [])}
    assert theirs == {at: line for at, line in own.items() if at in theirs or at[0] in living}


def check_nothing_left(tablet, house):
    """No word of anything forgotten stands in the tablet's file or in the house."""
    gone = forgotten(house.store.tombstones.values())
    everything = canonical(to_json(house.store)) + canonical(
        [join(line) for lines in house.lines.values() for line in lines]
    )
    raw = bytes_of(tablet)
    for gid in gone:
        assert secret(gid) not in everything
        assert secret(gid).encode() not in raw
        assert b"picture of " + gid.encode() not in raw


def check_silence(world):
    """Merging what was kept is no change and writes nothing, also when everything is sent again."""
    before = world.house.written
    for holder in world.holders:
        report = sync(holder.tablet)
        assert (report.sent, report.came, report.lines_sent) == (0, 0, 0)
        send_all_again(holder.tablet)
        with holder.tablet.writing():
            holder.tablet.copy.note(next_seq=0)
        sync(holder.tablet)
    assert world.house.written == before
