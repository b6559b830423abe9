"""A tablet's copy moves to a new place: wherever the power is cut, one whole copy is believed."""

from __future__ import annotations

import textwrap
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.companion.conftest import NOBODY

pytestmark = pytest.mark.browser
PRELUDE = """
  const {Copy} = await import('/static/companion/store.js');
  const {Device} = await import('/static/companion/device.js');
  const tell = async (copy, many) => {
    const device = await new Device(copy).begin();
    for (let at = 0; at < many; at += 1) await device.hear(`told ${at}`);
    return device;
  };
  const owing = async () => {
    const {copy} = await tell(await Copy.open(), 5);
    await copy.write(() => copy.note({owes_move: true}));
    return copy;
  };
  const told = async (copy) => (await copy.lines()).map((row) => row.line.text);
  const placesNow = () => navigator.storageBuckets.keys();
"""
# The power goes after so many rows were written; what the page would have tidied up is not tidied up.
CUT = """
  const put = IDBObjectStore.prototype.put;
  let left = ROWS;
  IDBObjectStore.prototype.put = function (...row) {
    left -= 1;
    if (left < 0) throw new Error('the power is gone');
    return put.apply(this, row);
  };
  const drop = StorageBucketManager.prototype.delete;
  StorageBucketManager.prototype.delete = function (name) {
    return left < 0 ? new Promise(() => {}) : drop.call(this, name);
  };
"""
TOLD = [f"told {at}" for at in range(5)]


def played(page: Page, script: str) -> Any:
    """What a script with `Copy` and `Device` at hand gives."""
    return page.evaluate(f"async () => {{{PRELUDE}{textwrap.dedent(script)}}}")


def reopened(page: Page) -> Any:
    """What the copy holds when the page is opened anew, and where it lies."""
    page.goto(NOBODY)
    return played(
        page,
        """
        const copy = await Copy.open();
        return {told: await told(copy), device: copy.known('device'), places: await placesNow(),
          pages: (await indexedDB.databases()).map((one) => one.name)};
        """,
    )


def test_a_move_takes_everything_to_one_new_place(modules: Page) -> None:
    before = played(
        modules,
        """
        const {copy} = await tell(await Copy.open(), 5);
        const held = await placesNow();
        await copy.write(() => copy.note({owes_move: true}));
        await copy.move();
        return {held, device: copy.known('device'), told: await told(copy), owes: copy.known('owes_move')};
        """,
    )
    assert (before["told"], before["owes"]) == (TOLD, False)
    after = reopened(modules)
    assert (after["told"], after["device"]) == (TOLD, before["device"])
    assert len(after["places"]) == 1
    assert after["places"] != before["held"]


@pytest.mark.parametrize("rows", [0, 1, 3, 8, 12])
def test_a_move_that_is_cut_leaves_the_copy_it_came_from(modules: Page, rows: int) -> None:
    device = played(
        modules,
        f"""
        const copy = await owing();
        {CUT.replace("ROWS", str(rows))}
        const isLeft = new Promise((cut) => setTimeout(cut, 1000));
        await Promise.race([copy.move().catch(() => {{}}), isLeft]);
        return copy.known('device');
        """,
    )
    after = reopened(modules)
    assert (after["told"], after["device"]) == (TOLD, device)
    assert len(after["places"]) == 1


@pytest.mark.parametrize("rows", [0, 3, 9, 50])
def test_what_an_older_page_kept_comes_along_though_the_power_is_cut(modules: Page, rows: int) -> None:
    """Whether it is cut before the copy is whole or after it, it is there once when the page opens again."""
    played(
        modules,
        """
        const {database} = await import('/static/companion/places.js');
        const copy = new Copy();
        copy.lies({db: await database(indexedDB), bucket: ''});
        await copy.load();
        await tell(copy, 5);
        """,
    )
    modules.goto(NOBODY)
    script = """
      const dropOld = IDBFactory.prototype.deleteDatabase;
      IDBFactory.prototype.deleteDatabase = function (...name) { dropOld.apply(this, name); return {}; };
      const isLeft = new Promise((cut) => setTimeout(cut, 1000));
      await Promise.race([Copy.open().catch(() => {}), isLeft]);
    """
    played(modules, CUT.replace("ROWS", str(rows)) + script)
    after = reopened(modules)
    assert after["told"] == TOLD
    assert "hearthbook-companion" not in after["pages"]


def test_a_move_that_fails_stops_nothing_and_is_tried_again(modules: Page) -> None:
    found = played(
        modules,
        """
        const copy = await owing();
        const open = StorageBucketManager.prototype.open;
        StorageBucketManager.prototype.open = () => Promise.reject(new DOMException('no', 'UnknownError'));
        const device = await new Device(copy).begin();
        const missed = copy.known('missed_move');
        await device.hear('told after');
        StorageBucketManager.prototype.open = open;
        await copy.move();
        const [owes, now] = ['owes_move', 'missed_move'].map((name) => copy.known(name));
        return {missed, told: await told(copy), owes, now};
        """,
    )
    assert found == {"missed": "UnknownError", "told": [*TOLD, "told after"], "owes": False, "now": ""}


def test_an_old_place_that_does_not_go_is_let_go_of_another_time(modules: Page) -> None:
    found = played(
        modules,
        """
        const copy = await owing();
        const dropOld = StorageBucketManager.prototype.delete;
        StorageBucketManager.prototype.delete = () => Promise.reject(new DOMException('no', 'UnknownError'));
        const device = await new Device(copy).begin();
        await device.hear('told after');
        const first = {owes: copy.known('owes_move'), missed: copy.known('missed_move')};
        StorageBucketManager.prototype.delete = dropOld;
        await copy.move();
        const many = (await placesNow()).length;
        return {first, owes: copy.known('owes_move'), told: await told(copy), many};
        """,
    )
    assert found["first"] == {"owes": True, "missed": "UnknownError"}
    assert (found["owes"], found["many"]) == (False, 1)
    assert found["told"] == [*TOLD, "told after"]
    assert reopened(modules)["told"] == [*TOLD, "told after"]


def test_what_fails_alone_stops_no_write_behind_it(modules: Page) -> None:
    found = played(
        modules,
        """
        const {copy} = await tell(await Copy.open(), 5);
        const half = () => { copy.note({first: 1}); copy.owed.push(['about', 'put', () => {}, 'second']); };
        const fault = await copy.write(half).catch((error) => error.name);
        const again = await Copy.open();
        return {fault, here: copy.known('first'), there: again.known('first')};
        """,
    )
    assert found == {"fault": "DataCloneError", "here": None, "there": None}


def test_a_place_that_is_opened_twice_answers_for_as_long_as_either_is_used(modules: Page) -> None:
    """A browser collects a bucket that no script holds, and its database then answers no more."""
    played(modules, "window.copy = (await tell(await Copy.open(), 5)).copy; await Copy.open();")
    control = modules.context.new_cdp_session(modules)
    for _ in range(3):
        control.send("HeapProfiler.collectGarbage")
    answer = """
      const isLost = new Promise((lose) => setTimeout(() => lose('no answer'), 5000));
      return Promise.race([told(window.copy), isLost]);
    """
    assert played(modules, answer) == TOLD
