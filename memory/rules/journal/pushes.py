"""What the house makes of lines a device pushes: kept, held already, or refused as a whole."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from household.rules.clock import is_skewed
from memory.rules.journal.emptying import NOTHING, Reach, as_kept
from memory.rules.journal.lines import Event, Line


class Refusal(StrEnum):
    """Why nothing of a push was kept; the values are the codes on the wire."""

    GAP = "gap"
    CONFLICT = "conflict"
    CLOCK_SKEW = "clock_skew"


@dataclass(frozen=True)
class Push:
    """The plan for one push: lines to store by seq, or a refusal; `next_seq` is what to send next.

    Also after a refusal all below `next_seq` is held, so a device re-stamps only what is not.
    """

    next_seq: int
    to_store: tuple[tuple[int, Line], ...] = ()
    refusal: Refusal | None = None
    conflicts: tuple[int, ...] = ()


def accept(
    next_seq: int,
    held: Mapping[int, Line],
    pushed: Sequence[Line],
    *,
    from_seq: int,
    now_ms: int,
    reach: Reach = NOTHING,
) -> Push:
    """Plan a push of one device's lines from `from_seq` on; `held` has those of them below `next_seq`."""
    if from_seq > next_seq:
        return Push(next_seq, refusal=Refusal.GAP)
    numbered = list(enumerate(pushed, from_seq))
    conflicts = tuple(seq for seq, line in numbered if seq < next_seq and not is_done(held[seq], line))
    if conflicts:
        return Push(next_seq, refusal=Refusal.CONFLICT, conflicts=conflicts)
    new = [(seq, line) for seq, line in numbered if seq >= next_seq]
    if new and is_skewed(max(line.at_ms for _, line in new), now_ms):
        return Push(next_seq, refusal=Refusal.CLOCK_SKEW)
    if reach != NOTHING:
        new = [(seq, as_kept(line, reach)) for seq, line in new]
    return Push(next_seq + len(new), tuple(new))


def is_done(held: Line, pushed: Line) -> bool:
    """Whether a push of a held line is answered as done, nothing being written.

    It is for the very same line, for any where the held one lost its words (they are compared with
    nothing), and where the device's own copy lost them first.
    """
    if held.is_emptied or not held.is_live or held.is_same(pushed):
        return True
    if pushed.event == Event.EXPIRED:
        return pushed.at_ms == held.at_ms
    return pushed.is_emptied and Line(held.envelope).is_same(Line(pushed.envelope))
