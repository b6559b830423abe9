"""The documents every holder has alike: memories, tombstones, soft actions, chat sessions, time."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from household.rules.limits import TimeRow


@dataclass(frozen=True, order=True)
class Mention:
    """One telling of a memory; `turn` is empty where it came from no conversation."""

    at_ms: int
    device: str
    turn: str


@dataclass(frozen=True, order=True)
class Revision:
    """Words a memory had from `text_at_ms` until they were replaced at `at_ms` by `device`.

    `device` is empty where the replacing was only learned of. No revision is ever on a path to a prompt.
    """

    at_ms: int
    text_at_ms: int
    text: str
    device: str = ""


@dataclass(frozen=True, order=True)
class Embedding:
    """The current words of a memory as one model sees them."""

    model: str
    data: bytes


@dataclass(frozen=True, order=True)
class PictureLink:
    """A picture of a memory by its name, and where it stands among them; the bytes may come later."""

    position: int
    name: str


@dataclass(frozen=True)
class Memory:
    """One memory the child told, as it is now; embeddings are outside its equality."""

    gid: str
    text: str
    learned_at_ms: int
    text_at_ms: int = 0
    hidden: bool = False
    visibility_at_ms: int = 0
    cover_picture: str | None = None
    cover_at_ms: int | None = None
    icon: str | None = None
    kind: str = ""
    who: str = ""
    place: str = ""
    said_when: str = ""
    mentions: frozenset[Mention] = frozenset()
    revisions: tuple[Revision, ...] = ()
    pictures: tuple[PictureLink, ...] = ()
    embeddings: frozenset[Embedding] = field(default=frozenset(), compare=False)

    def __post_init__(self) -> None:
        if (self.cover_picture is None) != (self.cover_at_ms is None):
            raise ValueError("a cover picture and its stamp are both there or neither")


@dataclass(frozen=True)
class Tombstone:
    """That something was forgotten, by identities alone; `at_ms` 0 is a duplicate dropped, no forgetting."""

    gid: str
    kind: str
    at_ms: int = 0
    device: str = ""
    turns: frozenset[str] = frozenset()
    pictures: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if self.kind not in TOMBSTONE_KINDS:
            raise ValueError("an unknown kind of tombstone")

    @property
    def is_forgetting(self) -> bool:
        """Whether somebody forgot this, so that conversations and pictures go too."""
        return self.at_ms > 0


TOMBSTONE_KINDS = frozenset({"memory", "statement", "record", "event", "document", "turn", "day", "subject"})


@dataclass(frozen=True)
class SoftAction:
    """One putting away of a memory, which can be undone once for a few seconds."""

    id: str
    gid: str
    at_ms: int
    undone_at_ms: int | None = None

    @property
    def key(self) -> tuple[str, str]:
        """What it is matched by: its memory too, so that no id can move to another memory."""
        return self.gid, self.id


@dataclass(frozen=True)
class ChatTurn:
    """One utterance of a conversation, recent enough not to be in the summary yet."""

    turn: str
    who: str
    text: str
    at_ms: int


@dataclass(frozen=True)
class ChatSession:
    """One conversation as it is carried on; version 0 is an empty one, lowest in order.

    `scrubbed` names what was forgotten while this copy was there, and that it was emptied for.
    """

    gid: str
    last_activity_at_ms: int
    version: int = 0
    stamp_ms: int = 0
    summary: str = ""
    turns: tuple[ChatTurn, ...] = ()
    scrubbed: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if self.version == 0 and (self.summary or self.turns or self.stamp_ms):
            raise ValueError("a conversation of version 0 is empty")


@dataclass(frozen=True)
class StoreDoc:
    """All that one holder has of the memory document, or any part of it that travels."""

    memories: Mapping[str, Memory] = field(default_factory=dict)
    tombstones: Mapping[str, Tombstone] = field(default_factory=dict)
    soft_actions: Mapping[tuple[str, str], SoftAction] = field(default_factory=dict)
    sessions: Mapping[str, ChatSession] = field(default_factory=dict)
    time: Mapping[tuple[str, date], TimeRow] = field(default_factory=dict)
