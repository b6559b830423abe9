"""What travels between the house and a device in one exchange of the memory document."""

from __future__ import annotations

from dataclasses import dataclass

from memory.rules.merge import Memory, SoftAction, Tombstone


@dataclass(frozen=True)
class Push:
    """What a device sends of its copy, and the cursor up to which it has the house's."""

    since: str | None = None
    memories: tuple[Memory, ...] = ()
    tombstones: tuple[Tombstone, ...] = ()
    soft_actions: tuple[SoftAction, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether it only asks."""
        return not (self.memories or self.tombstones or self.soft_actions)


@dataclass(frozen=True)
class Refused:
    """One pushed document that was not taken, by its identity and a stable code."""

    kind: str
    gid: str
    code: str
