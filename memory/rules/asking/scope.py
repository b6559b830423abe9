"""What an asker could view, as a short text: two people with the same one may see the same rows. Pure."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping


def scope_of(resources: Iterable[str], windows: Mapping[str, dt.date]) -> str:
    """Resources in order, each with the first visible day where it has a data window."""
    return ",".join(
        f"{name}>{windows[name].isoformat()}" if name in windows else name for name in sorted(resources)
    )


def covers(now: str, then: str) -> bool:
    """Whether everything that could be viewed in `then` may be viewed in `now`."""
    mine, old = _read(now), _read(then)
    return all(name in mine and (mine[name] <= first) for name, first in old.items())


def _read(scope: str) -> dict[str, str]:
    """{resource: first visible day, empty for all of them}."""
    rows = (one.partition(">") for one in scope.split(",") if one)
    return {name: first for name, _sign, first in rows}
