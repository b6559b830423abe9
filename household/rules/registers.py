"""Settings as last-writer-wins registers: the later stamp wins, on a tie the greater canonical JSON."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from household.rules.canonical import canonical
from household.rules.clock import is_skewed
from household.rules.settings import VOICE_PREFIX, InvalidSetting, check, reading

# These are one register per companion child where the household has several.
PER_CHILD = frozenset(
    {
        "child",
        "character",
        "cat_theme",
        "daily_minutes",
        "quiet",
        "tokens_per_window",
        "token_window_hours",
        "voice_daily_chars",
    }
)
COMPANION_WRITES = frozenset({"character", "cat_theme", "keep_mic_open", "utc_offset_minutes"})

Address = tuple[str, str]


class Writer(StrEnum):
    """Who asks to write a register; `pin` is a companion's device with a PIN that the house verified."""

    COMPANION = "companion"
    PIN = "pin"
    PARENT = "parent"
    HOUSE = "house"
    OTHER = "other"


@dataclass(frozen=True)
class Register:
    """One setting as somebody wrote it at `at_ms`; `child` is a subject's gid, empty for the household."""

    key: str
    value: Any
    at_ms: int
    child: str = ""

    @property
    def address(self) -> Address:
        """What two holders' registers are matched by."""
        return self.child, self.key


Registers = Mapping[Address, Register]


def merge(a: Register, b: Register) -> Register:
    """The register that wins. Raises ValueError for registers of two settings."""
    if a.address != b.address:
        raise ValueError(f"{a.address} and {b.address} are two settings")
    return max(a, b, key=lambda register: (register.at_ms, canonical(register.value)))


def merge_all(a: Registers, b: Registers) -> dict[Address, Register]:
    """Both holders' settings; a setting only one of them wrote stays as it is."""
    both = {**a, **b}
    return {
        at: merge(a[at], b[at]) if at in a and at in b else register
        for at, register in sorted(both.items(), key=lambda item: item[0])
    }


def by_address(registers: Iterable[Register]) -> dict[Address, Register]:
    """Registers by what they are matched by, the same one given twice merged."""
    held: dict[Address, Register] = {}
    for register in registers:
        held = merge_all(held, {register.address: register})
    return held


def row(registers: Registers, key: str, child: str = "") -> Register | None:
    """The register that counts for a child: its own, else the household's, else None."""
    own = registers.get((child, key)) if key in PER_CHILD else None
    return own or registers.get(("", key))


def read(registers: Registers, key: str, child: str = "") -> Any:
    """A setting's value as it counts, None where nobody wrote it or it is none the setting may hold."""
    found = row(registers, key, child)
    return None if found is None else reading(key, found.value)


def shown_character(registers: Registers, child: str = "") -> Address | None:
    """Which of `cat_theme` and `character` shows and its value: the later written of those that hold one.

    Until the child chooses, `character` holds nothing, so the theme shows; on a tie the character does.
    """
    written = [
        (found.at_ms, key == "character", key, str(found.value))
        for key in ("cat_theme", "character")
        if (found := row(registers, key, child)) is not None and reading(key, found.value) is not None
    ]
    return max(written)[2:] if written else None


def voice_of(registers: Registers, character: str) -> str | None:
    """The voice a character speaks in; None is the household's base voice, never another character's."""
    voice: str | None = read(registers, VOICE_PREFIX + character)
    return voice


def may_write(key: str, writer: Writer, *, child: str = "", own_child: str = "") -> bool:
    """Whether a writer may write a setting; a companion's device only what is its child's or everyone's."""
    if writer in {Writer.PARENT, Writer.HOUSE}:
        return True
    if writer == Writer.OTHER or child not in {"", own_child}:
        return False
    return writer == Writer.PIN or key in COMPANION_WRITES


@dataclass(frozen=True)
class Push:
    """What the house makes of pushed registers: those to store, and the keys it refused, by reason."""

    to_store: tuple[Register, ...] = ()
    forbidden: tuple[Address, ...] = ()
    skewed: tuple[Address, ...] = ()
    invalid: tuple[Address, ...] = ()


def _is_well_formed(register: Register) -> bool:
    try:
        check(register.key, register.value)
    except InvalidSetting:
        return False
    return not register.child or register.key in PER_CHILD


def accept(
    held: Registers, pushed: Iterable[Register], *, writer: Writer, now_ms: int, own_child: str = ""
) -> Push:
    """Plan a push: each register stands or is refused by itself, and only what changes is stored.

    A register that is just what the house holds is no write, so a device may send its whole copy back.
    """
    invalid: list[Address] = []
    forbidden: list[Address] = []
    skewed: list[Address] = []
    winners: dict[Address, Register] = {}
    for register in pushed:
        at = register.address
        if not _is_well_formed(register):
            invalid.append(at)
        elif _changes_nothing(register, winners.get(at, held.get(at))):
            continue
        elif not may_write(register.key, writer, child=register.child, own_child=own_child):
            forbidden.append(at)
        elif is_skewed(register.at_ms, now_ms):
            skewed.append(at)
        else:
            winners[at] = register
    return Push(tuple(winners.values()), tuple(forbidden), tuple(skewed), tuple(invalid))


def take_over(own: Registers, house: Registers, forbidden: Iterable[Address]) -> dict[Address, Register]:
    """A device's settings after a push: merged with the house's, whose value stands where it forbade."""
    refused = frozenset(forbidden)
    kept = {at: register for at, register in own.items() if at not in refused}
    return merge_all(kept, house)


def _changes_nothing(register: Register, current: Register | None) -> bool:
    if current is None:
        return False
    winner = merge(current, register)
    return winner.at_ms == current.at_ms and canonical(winner.value) == canonical(current.value)
