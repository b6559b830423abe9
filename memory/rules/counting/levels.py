"""What a day says of each level, from its forms, records, events and a family's own trackables. Pure.

A day nobody kept says nothing: it is missing, and counts neither for nor against. A level asked on the form,
or a sign that is looked for, is known only where somebody tapped or said it; "didn't look" is not a no. What
a family tells only when it happens (an outing, a visit, an illness) is a no on a day that was kept, which is
one with a fill of the form, and unknown on any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from memory.rules.counting.tables import Pair
from twin.rules.form_fields import level_of, worst

MOST_PAIRS = 100
KEPT_KINDS = ("yes_no", "count", "scale")  # the trackable's fields that make a level
HIGH_ON_SCALE = 4


class InvalidLevels(ValueError):
    """The data file names a level or a pair that cannot be."""


@dataclass(frozen=True)
class Level:
    """One binary fact about a day, and where it is looked for."""

    key: str
    field: str = ""  # of the tap form, with the taps that mean yes
    taps: frozenset[str] = frozenset()
    signs: tuple[tuple[str, str, tuple[Any, ...]], ...] = ()  # (category, sign, values that mean yes)
    categories: frozenset[str] = frozenset()  # an abnormal record in one of these means yes
    events: frozenset[str] = frozenset()
    trackable: tuple[int, str, str] | None = None  # (its id, its field's key, the field's kind)

    @property
    def is_told(self) -> bool:
        """Whether it is told only when it happens, so that a kept day without it is a no."""
        return not self.field and self.trackable is None and bool(self.events or self.categories)


@dataclass(frozen=True)
class Fill:
    """One fill of the form."""

    id: int
    levels: Mapping[str, str]


@dataclass(frozen=True)
class Finding:
    """One day record."""

    id: int
    category: str
    signs: Mapping[str, Any]
    polarity: str | None = None


@dataclass(frozen=True)
class Happening:
    """One event."""

    id: int
    kind: str


@dataclass(frozen=True)
class Tracked:
    """One logged value of a trackable."""

    id: int
    trackable: int
    values: Mapping[str, Any]


@dataclass
class Day:
    """All that was kept of one day."""

    fills: list[Fill] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    happenings: list[Happening] = field(default_factory=list)
    tracked: list[Tracked] = field(default_factory=list)


@dataclass(frozen=True)
class Said:
    """What a day says of one level, and by which rows, such as `fill:3`."""

    is_so: bool
    rows: tuple[str, ...]


def day_levels(kind: str, levels: Iterable[Level], day: Day) -> dict[str, Said]:
    """What a day of a person or an animal says of each level; what it does not say is left out."""
    found = {level.key: _said(kind, level, day) for level in levels}
    return {key: said for key, said in found.items() if said is not None}


def _said(kind: str, level: Level, day: Day) -> Said | None:
    yes: list[str] = []
    no: list[str] = []
    _from_form(kind, level, day, yes, no)
    _from_findings(level, day, yes, no)
    yes += [f"event:{one.id}" for one in day.happenings if one.kind in level.events]
    _from_tracked(level, day, yes, no)
    if not yes and not no and level.is_told:
        no = [f"fill:{one.id}" for one in day.fills if one.levels]
    rows = yes or no
    return Said(bool(yes), tuple(dict.fromkeys(rows))) if rows else None


def _from_form(kind: str, level: Level, day: Day, yes: list[str], no: list[str]) -> None:
    """The worst tap of the day's fills decides; those who did not look decide nothing."""
    tapped = [
        (one.id, tap)
        for one in day.fills
        if (tap := level_of(kind, level.field, one.levels.get(level.field, ""))) and tap.rank >= 0
    ]
    hardest = worst(tap for _id, tap in tapped)
    if hardest is None:
        return
    is_so = hardest.key in level.taps
    for fill, tap in tapped:
        if not is_so:
            no.append(f"fill:{fill}")
        elif tap.key == hardest.key:
            yes.append(f"fill:{fill}")


def _from_findings(level: Level, day: Day, yes: list[str], no: list[str]) -> None:
    """Signs that were told; what the form already says the same way is not cited twice."""
    has_form = bool(yes or no)
    for one in day.findings:
        said = _finding_says(level, one)
        if said is None or (has_form and (not said or yes)):
            continue
        (yes if said else no).append(f"record:{one.id}")


def _finding_says(level: Level, one: Finding) -> bool | None:
    if one.category in level.categories and one.polarity:
        return one.polarity == "abnormal"
    looked = [
        one.signs[sign] in values
        for category, sign, values in level.signs
        if category == one.category and sign in one.signs and one.signs[sign] != "not_observed"
    ]
    return any(looked) if looked else None


def _from_tracked(level: Level, day: Day, yes: list[str], no: list[str]) -> None:
    if level.trackable is None:
        return
    trackable, key, kind = level.trackable
    for one in day.tracked:
        if one.trackable == trackable and key in one.values:
            is_so = _is_high(kind, one.values[key])
            (yes if is_so else no).append(f"entry:{one.id}")


def _is_high(kind: str, value: Any) -> bool:
    match kind:
        case "yes_no":
            return value is True
        case "scale":
            return bool(value >= HIGH_ON_SCALE)
        case _:
            return bool(value > 0)


@dataclass(frozen=True)
class Catalogue:
    """The levels of one subject and the pairs that are counted, at most a hundred."""

    levels: tuple[Level, ...]
    pairs: tuple[Pair, ...]


def parse_level(key: str, raw: Mapping[str, Any]) -> Level:
    """One level of the data file. Raises InvalidLevels."""
    if len(key) > 20:
        raise InvalidLevels(f"{key}: a key has at most 20 letters")
    form = raw.get("form", {})
    if len(form) > 1:
        raise InvalidLevels(f"{key}: one field of the form")
    name = next(iter(form), "")
    signs = tuple(
        (category, sign, tuple(values))
        for category, named in raw.get("signs", {}).items()
        for sign, values in named.items()
    )
    return Level(
        key,
        field=name,
        taps=frozenset(form.get(name, ())),
        signs=signs,
        categories=frozenset(raw.get("categories", ())),
        events=frozenset(raw.get("events", ())),
    )


def parse_catalogue(raw: Mapping[str, Any]) -> Catalogue:
    """The levels and pairs of one kind of subject, as the data file lists them. Raises InvalidLevels."""
    levels = tuple(parse_level(key, one) for key, one in raw["level"].items())
    known = {level.key: level for level in levels}
    pairs: dict[Pair, None] = {}
    for block in raw["pairs"]:
        for antecedent in block["antecedents"]:
            for outcome in block["outcomes"]:
                if not {antecedent, outcome} <= known.keys():
                    raise InvalidLevels(f"{antecedent}, {outcome}: no such level")
                if not _is_one_thing(known[antecedent], known[outcome], block["lag"]):
                    pairs[Pair(antecedent, outcome, block["lag"])] = None
    if len(pairs) > MOST_PAIRS:
        raise InvalidLevels(f"{len(pairs)} pairs: at most {MOST_PAIRS}")
    return Catalogue(levels, tuple(pairs))


def _is_one_thing(one: Level, other: Level, lag: int) -> bool:
    """Whether two levels of one day are two answers to one question, or one level twice."""
    if one.key == other.key:
        return True
    return not lag and bool(one.field) and one.field == other.field


def with_trackables(
    base: Catalogue, outcomes: Sequence[str], tracked: Iterable[tuple[int, Sequence[tuple[str, str, int]]]]
) -> Catalogue:
    """The catalogue with a family's own trackables, (id, [(field key, kind, position)]), oldest first.

    Each of their fields stands before every listed outcome, on the same day and the day before, while pairs
    are left.
    """
    levels, pairs = list(base.levels), list(base.pairs)
    for trackable, fields in tracked:
        for key, kind, position in fields:
            own = Level(f"t{trackable}.{position}", trackable=(trackable, key, kind))
            new = [Pair(own.key, outcome, lag) for outcome in outcomes for lag in (0, 1)]
            if kind in KEPT_KINDS and len(pairs) + len(new) <= MOST_PAIRS:
                levels.append(own)
                pairs += new
    return Catalogue(tuple(levels), tuple(pairs))
