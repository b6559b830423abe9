"""What a box takes of its machine."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from household.box.machine import LEAST_MB, this_machine
from household.box.trouble import Trouble
from household.box.tuning import SMALL, Machine, Threads, settings, sized, threads


@pytest.mark.parametrize(
    ("machine", "buffers", "work", "how_many"),
    [
        (Machine(512, 1), "32MB", "4MB", Threads(4, 2)),
        (SMALL, "32MB", "4MB", Threads(8, 2)),
        (Machine(4_096, 4), "64MB", "8MB", Threads(12, 2)),
        (Machine(8_192, 4), "128MB", "16MB", Threads(12, 2)),
        (Machine(65_536, 16), "256MB", "32MB", Threads(12, 4)),
    ],
)
def test_a_larger_machine_gives_more(machine: Machine, buffers: str, work: str, how_many: Threads) -> None:
    assert sized(machine)["shared_buffers"] == buffers
    assert sized(machine)["work_mem"] == work
    assert threads(machine) == how_many


@given(memory=st.integers(LEAST_MB, 1 << 22), cores=st.integers(1, 512))
def test_connections_suffice_and_memory_is_left_on_any_machine(memory: int, cores: int) -> None:
    machine = Machine(memory, cores)
    told = settings(durable=True, machine=machine)
    many = threads(machine)
    # Two of Django's aliases a thread, the queue's own, a few for commands and the server.
    assert 2 * (many.web + many.worker) - many.web + 8 <= int(told["max_connections"])
    sorting = int(told["work_mem"].removesuffix("MB")) * many.web
    assert int(told["shared_buffers"].removesuffix("MB")) + sorting <= memory // 4


def test_a_container_leaves_less(tmp_path: Path) -> None:
    limit, none = tmp_path / "memory.max", tmp_path / "none"
    limit.write_text(f"{1_500 * 2**20}\n")
    none.write_text("max\n")
    whole = this_machine({}, limits=())
    assert whole.memory_mb == os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2**20
    assert this_machine({}, limits=(str(none), str(tmp_path / "not there"))) == whole
    assert this_machine({}, limits=(str(limit),)).memory_mb == 1_500
    assert this_machine({"HEARTHBOOK_MEMORY_MB": "3000"}, limits=(str(limit),)).memory_mb == 3_000


@pytest.mark.parametrize("said", ["0", "255", "2GB", "-2048", "2048.5", "٢٠٤٨", "9" * 30])
def test_memory_that_is_no_number_is_refused(said: str) -> None:
    with pytest.raises(Trouble, match="HEARTHBOOK_MEMORY_MB must be a whole number from 256"):
        this_machine({"HEARTHBOOK_MEMORY_MB": said})
