"""Scores readings against labelled cases, field by field. Pure: the command reads and prints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import cache
from typing import Any

from twin.reading.tokens import lower
from twin.rules.entries import Entry, Polarity, Reading, ReadingContext, SignValue, Since
from twin.rules.polarity import PolarityContext, derived_polarity, resolve_polarity

TEXT_SIGNS = frozenset({"limb", "site", "place", "trigger", "calmed_by"})
FIELDS = ("entry_f1", "polarity", "today", "since", "signs_f1", "kinds")
AGE_TOLERANCE_MONTHS = 3
SEASON_STARTS = (3, 6, 9, 12)


@dataclass
class Tally:
    """Counts behind the figures of one language, or of all."""

    cases: int = 0
    kinds_right: int = 0
    expected: int = 0
    read: int = 0
    matched: int = 0
    right: dict[str, int] = field(default_factory=lambda: {"polarity": 0, "today": 0, "since": 0})
    signs_expected: int = 0
    signs_read: int = 0
    signs_right: int = 0

    def figures(self) -> dict[str, float]:
        """Each field's figure, 0 to 1."""
        return {
            "entry_f1": _f1(self.matched, self.expected, self.read),
            **{name: right / self.matched if self.matched else 1.0 for name, right in self.right.items()},
            "signs_f1": _f1(self.signs_right, self.signs_expected, self.signs_read),
            "kinds": self.kinds_right / self.cases if self.cases else 1.0,
        }


def score(cases: Sequence[Mapping[str, Any]], readings: Sequence[Reading]) -> dict[str, Any]:
    """Figures for all cases and for each language, and each case's misses."""
    tallies = {"all": Tally(), "en": Tally(), "tr": Tally()}
    misses: list[dict[str, Any]] = []
    for case, reading in zip(cases, readings, strict=True):
        missed: list[str] = []
        for name in ("all", case["lang"]):
            missed = _count(tallies[name], case, reading)
        if missed:
            misses.append({"id": case["id"], "misses": missed})
    return {**{name: tally.figures() for name, tally in tallies.items()}, "cases": misses}


def entry_of(raw: Mapping[str, Any]) -> Entry:
    """A labelled entry, absent members meaning null."""
    return Entry(
        category=raw["category"],
        asserted=raw.get("asserted"),
        model_read=raw.get("model_read"),
        signs=dict(raw.get("signs") or {}),
        today=raw.get("today") or "unknown",
        since=since_of(raw.get("since")),
        phrase=raw.get("phrase"),
        words=raw.get("words") or "",
    )


def since_of(raw: Mapping[str, Any] | None) -> Since | None:
    """A labelled onset."""
    if raw is None:
        return None
    on = date.fromisoformat(raw["on"]) if raw.get("on") else None
    return Since(raw["kind"], on, raw.get("precision"), raw.get("low_months"), raw.get("high_months"))


def _count(tally: Tally, case: Mapping[str, Any], reading: Reading) -> list[str]:
    """Add one case to a tally and say what was missed."""
    wanted = [entry_of(raw) for raw in case["expect"]["entries"]]
    context = PolarityContext(species=case["species"])
    misses: list[str] = []
    tally.cases += 1
    if frozenset(case["expect"]["kinds"]) == reading.kinds:
        tally.kinds_right += 1
    else:
        misses.append(f"kinds {sorted(reading.kinds)} for {sorted(case['expect']['kinds'])}")
    tally.expected += len(wanted)
    tally.read += len(reading.entries)
    pairs = pair(wanted, reading.entries, context)
    tally.matched += len(pairs)
    misses += [f"missing {e.category}" for i, e in enumerate(wanted) if i not in {w for w, _ in pairs}]
    misses += [f"extra {e.category}" for i, e in enumerate(reading.entries) if i not in {r for _, r in pairs}]
    for w, r in pairs:
        misses += _compare(tally, wanted[w], reading.entries[r], context)
    return misses


def _compare(tally: Tally, want: Entry, got: Entry, context: PolarityContext) -> list[str]:
    misses: list[str] = []
    for name, agrees in _agreements(want, got, context).items():
        tally.right[name] += agrees
        if not agrees:
            misses.append(
                f"{want.category} {name}: {_shown(got, name, context)} for {_shown(want, name, context)}"
            )
    right = _signs_right(want.signs, got.signs)
    tally.signs_expected += len(want.signs)
    tally.signs_read += len(got.signs)
    tally.signs_right += right
    if right < max(len(want.signs), len(got.signs)):
        misses.append(f"{want.category} signs: {got.signs} for {want.signs}")
    return misses


def _shown(entry: Entry, name: str, context: PolarityContext) -> object:
    return polarity_of(entry, context) if name == "polarity" else getattr(entry, name)


def _agreements(want: Entry, got: Entry, context: PolarityContext) -> dict[str, bool]:
    return {
        "polarity": polarity_of(want, context) == polarity_of(got, context),
        "today": want.today == got.today,
        "since": same_since(want.since, got.since),
    }


def polarity_of(entry: Entry, context: PolarityContext) -> Polarity:
    """The polarity the database would give the entry."""
    known = {k: v for k, v in entry.signs.items() if k not in TEXT_SIGNS}
    derived = derived_polarity(entry.category, known, context)
    return resolve_polarity(entry.asserted, derived, entry.model_read)


def pair(wanted: Sequence[Entry], read: Sequence[Entry], context: PolarityContext) -> list[tuple[int, int]]:
    """Entries of one category paired one to one by the best total agreement."""
    pairs: list[tuple[int, int]] = []
    for category in sorted({e.category for e in wanted} & {e.category for e in read}):
        left = tuple(i for i, e in enumerate(wanted) if e.category == category)[:8]
        right = tuple(i for i, e in enumerate(read) if e.category == category)[:8]
        pairs += _best_pairs(left, right, wanted, read, context)
    return sorted(pairs)


def _best_pairs(
    left: tuple[int, ...],
    right: tuple[int, ...],
    wanted: Sequence[Entry],
    read: Sequence[Entry],
    context: PolarityContext,
) -> list[tuple[int, int]]:
    @cache
    def best(n: int, free: frozenset[int]) -> tuple[float, tuple[tuple[int, int], ...]]:
        if n == len(left):
            return 0.0, ()
        options = [best(n + 1, free)]
        for r in free:
            worth, rest = best(n + 1, free - {r})
            options.append(
                (worth + 10 + _closeness(wanted[left[n]], read[r], context), ((left[n], r), *rest))
            )
        return max(options, key=lambda option: option[0])

    return list(best(0, frozenset(right))[1])


def _closeness(want: Entry, got: Entry, context: PolarityContext) -> float:
    signs = _f1(_signs_right(want.signs, got.signs), len(want.signs), len(got.signs))
    return sum(_agreements(want, got, context).values()) + signs


def same_since(want: Since | None, got: Since | None) -> bool:
    """Whether two onsets agree: the same date cut to its precision, age bounds near, or the same kind."""
    if want is None or got is None:
        return want is got
    if want.kind != got.kind:
        return False
    if want.kind == "date":
        return want.precision == got.precision and cut(want) == cut(got)
    if want.kind == "age":
        return _near(want.low_months, got.low_months) and _near(want.high_months, got.high_months)
    return True


def cut(since: Since) -> date | None:
    """The first day of the period the date's precision names."""
    on = since.on
    if on is None:
        return None
    if since.precision == "week":
        return on - timedelta(days=on.weekday())
    if since.precision == "month":
        return on.replace(day=1)
    if since.precision == "season":
        return _season_start(on)
    return on.replace(month=1, day=1) if since.precision == "year" else on


def _season_start(on: date) -> date:
    if on.month < SEASON_STARTS[0]:
        return date(on.year - 1, 12, 1)
    return date(on.year, max(m for m in SEASON_STARTS if m <= on.month), 1)


def _near(want: int | None, got: int | None) -> bool:
    if want is None or got is None:
        return want is got
    return abs(want - got) <= AGE_TOLERANCE_MONTHS


def _signs_right(want: Mapping[str, SignValue], got: Mapping[str, SignValue]) -> int:
    return sum(name in got and same_value(name, value, got[name]) for name, value in want.items())


def same_value(name: str, want: SignValue, got: SignValue) -> bool:
    """Whether two values of a sign agree; the speaker's words agree when one contains the other."""
    if isinstance(want, bool) or isinstance(got, bool):
        return want is got
    if name in TEXT_SIGNS:
        return any(_contains(str(want), str(got), language) for language in ("en", "tr"))
    if isinstance(want, int | float) and isinstance(got, int | float):
        return abs(want - got) < 0.051
    return want == got


def _contains(want: str, got: str, language: str) -> bool:
    one, other = lower(want, language).strip(), lower(got, language).strip()
    return bool(one and other) and (one in other or other in one)


def _f1(right: int, expected: int, read: int) -> float:
    return 2 * right / (expected + read) if expected + read else 1.0


def languages(report: Mapping[str, Any]) -> Iterable[str]:
    """The language blocks of a report, the whole first."""
    return (name for name in ("all", "en", "tr") if name in report)


DAY_STARTS_AT_HOUR = 3


def context_of(case: Mapping[str, Any]) -> ReadingContext:
    """What the reader may know beside a case's words; before three it is still the day before."""
    spoken_at = datetime.fromisoformat(case["spoken_at"])
    day = spoken_at.date() - timedelta(days=spoken_at.hour < DAY_STARTS_AT_HOUR)
    born = date.fromisoformat(case["born"]) if case.get("born") else None
    return ReadingContext(case["lang"], case["species"], day, spoken_at.hour, born)


def as_text(report: Mapping[str, Any]) -> str:
    """A report as lines for people: figures by language, then each case's misses."""
    lines = [f"{'':14}" + "".join(f"{name:>8}" for name in languages(report))]
    for name in FIELDS:
        lines.append(f"{name:14}" + "".join(f"{report[block][name]:8.3f}" for block in languages(report)))
    for case in report["cases"]:
        lines += [case["id"], *(f"    {miss}" for miss in case["misses"])]
    for language, figures in report.get("cross_validated", {}).items():
        lines.append(f"cross-validated {language}: {figures}")
    return "\n".join(lines)
