"""What this machine offers a box: its memory, or what a container leaves of it, and its processors."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from household.box.trouble import Trouble
from household.box.tuning import Machine

LEAST_MB, MOST_MB = 256, 1 << 22
# Of a container, in the newer and the older way.
LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


def this_machine(environ: Mapping[str, str], *, limits: tuple[str, ...] = LIMITS) -> Machine:
    """The machine we run on, with the memory that HEARTHBOOK_MEMORY_MB grants. Raises Trouble."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    granted = environ.get("HEARTHBOOK_MEMORY_MB", "").strip()
    if not granted:
        return Machine(_memory_mb(limits), cores)
    if not (granted.isascii() and granted.isdigit() and LEAST_MB <= int(granted) <= MOST_MB):
        raise Trouble(
            f"HEARTHBOOK_MEMORY_MB must be a whole number from {LEAST_MB} to {MOST_MB}, not {granted!r}."
        )
    return Machine(int(granted), cores)


def _memory_mb(limits: tuple[str, ...]) -> int:
    sizes = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    for limit in limits:
        # There is none outside a container, and one without a limit says "max" or a very large number.
        with suppress(OSError, ValueError):
            sizes.append(int(Path(limit).read_text()))
    return max(LEAST_MB, min(sizes) // 2**20)
