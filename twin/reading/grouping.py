"""Gathers findings into entries: one for each category, and another where time, side, site or word differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from twin.reading.timing import When
from twin.rules.entries import Polarity, SignValue, Since, Today


@dataclass
class Group:
    """An entry in the making."""

    category: str
    subject: str | None
    clauses: list[int]
    signs: dict[str, SignValue] = field(default_factory=dict)
    when: When | None = None
    today: Today = "yes"
    asserted: Polarity | None = None
    reads: list[Polarity] = field(default_factory=list)
    is_uncertain: bool = False
    first: int = 0
    last: int = 0
    why: list[str] = field(default_factory=list)
    sentence: int = 0
    is_fragment: bool = False

    @property
    def since(self) -> Since | None:
        """When it began or happened, where that was said."""
        return self.when.since if self.when else None


@dataclass(frozen=True)
class Piece:
    """What one clause says of one category."""

    category: str
    subject: str | None
    clause: int
    sentence: int
    signs: dict[str, SignValue]
    when: When | None
    today: Today
    is_fragment: bool
    is_short: bool = False
    asserted: Polarity | None = None
    reads: tuple[Polarity, ...] = ()
    is_uncertain: bool = False
    first: int = 0
    last: int = 0
    why: tuple[str, ...] = ()


# How many entries of one category a piece may still join, the latest first.
NEAREST = 8
LOCATED = ("side", "site", "limb")


def gather(pieces: Sequence[Piece]) -> list[Group]:
    """Entries from pieces in the order said."""
    groups: list[Group] = []
    near: dict[tuple[str, str | None], list[Group]] = {}
    for piece in pieces:
        kept = near.setdefault((piece.category, piece.subject), [])
        mine = kept[-NEAREST:]
        home = next((g for g in reversed(mine) if _joins(g, piece)), None)
        if home is None:
            home = Group(
                piece.category,
                piece.subject,
                [piece.clause],
                first=piece.first,
                when=piece.when,
                today=piece.today,
                is_fragment=piece.is_fragment,
            )
            groups.append(home)
            kept.append(home)
        _merge(home, piece)
    return groups


def _joins(group: Group, piece: Piece) -> bool:
    if _conflicts(group.signs, piece.signs) and not _is_outweighed(group, piece):
        return False
    return _same_time(group, piece)


def _is_outweighed(group: Group, piece: Piece) -> bool:
    """ "Always hungry, scoffing everything": a usual amount beside an unusual one says no more."""
    usual = piece.signs.get("amount") == "usual" and group.signs.get("amount") in ("more", "less", "none")
    rest = {name: value for name, value in piece.signs.items() if name != "amount"}
    plain = _said(piece.when) is None and piece.asserted is None and group.sentence == piece.sentence
    return usual and plain and group.today == piece.today and not _conflicts(group.signs, rest)


def _conflicts(one: dict[str, SignValue], other: dict[str, SignValue]) -> bool:
    for name, value in other.items():
        if name not in one or one[name] == value:
            continue
        if name in LOCATED:
            if _elsewhere(name, str(one[name]).lower(), str(value).lower()):
                return True
            continue
        if isinstance(value, bool) or name in (
            "amount",
            "form",
            "gum_colour",
            "weight_kg",
            "temperature_c",
            "bcs",
            "food_g",
            "water_ml",
            "hours",
        ):
            return True
    return False


NOW = frozenset({"now", "şimdi", "simdi"})
SIDES = (("left", "right"), ("sol", "sağ"), ("sol", "sag"))


def _elsewhere(name: str, one: str, other: str) -> bool:
    """Whether two sides, sites or limbs are different places."""
    if name == "limb":
        return any((a in one and b in other) or (b in one and a in other) for a, b in SIDES)
    return not ("both" in (one, other) or one in other or other in one)


def _said(when: When | None) -> When | None:
    """The time, unless it is only how often."""
    return None if when is None or (when.since is None and when.today is None) else when


def _same_time(group: Group, piece: Piece) -> bool:
    one, other = _said(group.when), _said(piece.when)
    if one is not None and other is not None:
        if one.since == other.since:
            return one.today == other.today or piece.today == group.today
        if one.since is None or other.since is None:
            is_news = other.since is None and other.role == "now" and (other.phrase or "").lower() in NOW
            fresh = any(v is True and k not in group.signs for k, v in piece.signs.items())
            return group.today == piece.today == "yes" and not (is_news and fresh)
        return False
    if one is None and other is None:
        return group.today == piece.today or (piece.is_fragment and group.today == "unknown")
    if other is None:
        if group.today == piece.today:
            return True
        if piece.asserted == "normal" and not piece.signs:
            return False
        reach = 1 if piece.is_short else 0
        return piece.is_fragment and piece.sentence - group.sentence <= reach and piece.today != "unknown"
    if group.today == piece.today:
        return True
    return group.is_fragment and group.sentence == piece.sentence and group.today == "yes"


def _merge(group: Group, piece: Piece) -> None:
    if piece.clause not in group.clauses:
        group.clauses.append(piece.clause)
    group.sentence = piece.sentence
    for name, value in piece.signs.items():
        if name == "amount" and value == "usual" and name in group.signs:
            continue
        if name in LOCATED and name in group.signs:
            if name == "side" and group.signs[name] != value:
                group.signs[name] = "both"
            continue
        group.signs[name] = value
    said, held = _said(piece.when), _said(group.when)
    if said is not None and (held is None or (held.since is None and said.since is not None)):
        group.when = piece.when
        group.today = piece.today
    elif group.when is None and piece.when is not None:
        group.when = piece.when
    if piece.asserted:
        group.asserted = "abnormal" if "abnormal" in (group.asserted, piece.asserted) else piece.asserted
    group.reads += piece.reads
    group.is_uncertain = group.is_uncertain or piece.is_uncertain
    group.first = min(group.first, piece.first)
    group.last = max(group.last, piece.last)
    group.why += piece.why
