"""Every wording a memory ever had, in one order on every holder.

The rows of revisions are a function of the set of known wordings: sorted by the stamp each began at, each
but the last was replaced when the next began, and the last is the current text. Two wordings of one stamp
stand in order too, the smaller text last, since on a tie the smaller text wins. So merging is the union of
two sets, and every order of merging gives the same rows.
"""

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

from memory.rules.merge.documents import Memory, Revision

# (the stamp the words began at, the words) -> the device that wrote them, "" where not known
Versions = Mapping[tuple[int, str], str]


def known_writer(a: str, b: str) -> str:
    """The one device two holders name: one that is named beats none, then the smaller."""
    return min(filter(None, (a, b)), default="")


def unite(a: Versions, b: Versions) -> dict[tuple[int, str], str]:
    """All wordings of both."""
    return {key: known_writer(a.get(key, ""), b.get(key, "")) for key in {**a, **b}}


def in_order(versions: Versions) -> list[tuple[int, str]]:
    """The wordings as they followed each other, the current one last."""
    smallest_last = sorted(versions, key=lambda version: version[1], reverse=True)
    return sorted(smallest_last, key=lambda version: version[0])


def versions_of(memory: Memory) -> dict[tuple[int, str], str]:
    """The wordings a memory knows, with who wrote each."""
    rows = {(row.text_at_ms, row.text): row.device for row in memory.revisions}
    ordered = in_order({**rows, (memory.text_at_ms, memory.text): ""})
    writers = {after: rows.get(before, "") for before, after in pairwise(ordered)}
    return {version: writers.get(version, "") for version in ordered}


def with_versions(memory: Memory, versions: Versions) -> Memory:
    """The memory with exactly these wordings: the last as its text, the others as its revisions."""
    ordered = in_order(versions)
    text_at_ms, text = ordered[-1]
    revisions = tuple(
        Revision(at_ms=after[0], text_at_ms=before[0], text=before[1], device=versions[after])
        for before, after in pairwise(ordered)
    )
    return replace(memory, text=text, text_at_ms=text_at_ms, revisions=revisions)
