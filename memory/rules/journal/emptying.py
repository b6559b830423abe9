"""Which lines lose their words for a forgetting, and which pictures a line shows."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from memory.rules.journal.lines import Event, Line
from memory.rules.merge.documents import Memory, Tombstone
from memory.rules.merge.tombstones import forgotten, forgotten_pictures, forgotten_turns

# What was heard and answered in a forgotten turn goes; lines about other memories name those, and stay.
EMPTIED_WITH_TURN = frozenset(
    {Event.HEARD, Event.SAID, Event.MODEL_WROTE, Event.PICTURE_SEEN, Event.NOT_REMEMBERED}
)


@dataclass(frozen=True)
class Reach:
    """All that a holder's forgettings reach, by identities."""

    gids: frozenset[str] = frozenset()
    turns: frozenset[str] = frozenset()
    pictures: frozenset[str] = frozenset()


NOTHING = Reach()
NONE: frozenset[str] = frozenset()


def reach_of(tombstones: Collection[Tombstone], memories: Mapping[str, Memory]) -> Reach:
    """What these tombstones reach; those of time 0, which are no forgettings, reach nothing."""
    return Reach(forgotten(tombstones), forgotten_turns(tombstones), forgotten_pictures(tombstones, memories))


def gids_of(line: Line) -> frozenset[str]:
    """The memories a line names."""
    named = [line.envelope["gid"]] if "gid" in line.envelope else line.envelope.get("entries", [])
    return frozenset(named)


def pictures_of(line: Line) -> frozenset[str]:
    """The pictures a line shows; an emptied line shows none."""
    shown = line.envelope.get("pictures", [])
    if (not shown and "picture" not in line.envelope) or line.is_emptied:
        return NONE
    return frozenset([*shown, line.envelope["picture"]] if "picture" in line.envelope else shown)


def loses_words(line: Line, reach: Reach) -> bool:
    """Whether a line with words has to lose them: held or just arriving, the rule is the same."""
    if line.words is None:
        return False
    is_named = bool(gids_of(line) & reach.gids)
    is_of_turn = line.event in EMPTIED_WITH_TURN and line.turn in reach.turns
    is_of_picture = line.event == Event.PICTURE_SEEN and line.envelope["picture"] in reach.pictures
    return is_named or is_of_turn or is_of_picture


def emptied(line: Line) -> Line:
    """The line without its words; its place, time and writer stay."""
    return replace(line, words=None)


def as_kept(line: Line, reach: Reach) -> Line:
    """The line as a holder with these tombstones keeps it."""
    if reach == NOTHING:
        return line
    return emptied(line) if loses_words(line, reach) else line
