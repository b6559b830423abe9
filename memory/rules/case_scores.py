"""Scores unseen case files of questions' complexity and of paraphrases that share a drawer. Pure."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from memory.rules.complexity import complexity
from memory.rules.drawers import Drawer, drawer_for
from memory.rules.topics import intents_of, known_intents

Case = Mapping[str, Any]
# Other names a case file may give the same field.
QUESTION = ("question", "text", "q", "phrase")
TIER = ("tier", "expect", "label", "complexity", "expected")
PHRASES = ("phrases", "paraphrases", "same", "texts", "wordings")
ELSEWHERE = ("not", "others", "elsewhere", "different", "negatives")
INTENTS = ("intents", "intent", "drawer", "key")
LANGUAGE = ("lang", "language")
SIMPLE = frozenset({"routine", "simple", "small", "low"})
_EPOCH = dt.datetime(2000, 1, 1, tzinfo=dt.UTC)


class BadCase(ValueError):
    """A line without the fields its kind needs; the message names the line."""


def _field(case: Case, names: Sequence[str], default: Any = None) -> Any:
    found = next((case[name] for name in names if name in case), default)
    if found is None:
        raise BadCase(f"{case.get('id', '?')}: no {names[0]}")
    return found


def _language(case: Case) -> Any:
    said = str(_field(case, LANGUAGE, ""))[:2].lower()
    return said if said in ("en", "tr") else None


def score_complexity(cases: Sequence[Case]) -> dict[str, Any]:
    """The share of questions put into their tier, overall and by language, and each miss."""
    return _report(cases, _complexity_miss)


def _complexity_miss(case: Case) -> dict[str, Any] | None:
    names = tuple(case.get("names", ()))
    found = complexity(str(_field(case, QUESTION)), language=_language(case), names=names)
    wanted = "routine" if str(_field(case, TIER)).lower() in SIMPLE else "analytical"
    effort = case.get("effort")
    if found.tier == wanted and effort in (None, found.effort):
        return None
    return {"found": found.tier, "effort": found.effort, "indicators": list(found.indicators)}


def score_drawers(cases: Sequence[Case]) -> dict[str, Any]:
    """The share of cases whose paraphrases all land in one drawer and whose others do not.

    Beside it the share of single phrases that land where they should, and of keys that hold the intents
    the case names, as far as these are of the vocabulary.
    """
    report = _report(cases, _drawer_miss)
    for tongue, scores in report.items():
        if tongue != "cases":
            mine = [one for one in cases if tongue in ("all", _language(one))]
            scores["phrases"] = _mean([hit for one in mine for hit in _hits(one)])
            scores["intents"] = _mean([hit for one in mine for hit in _intent_hits(one)])
    return report


def _landings(case: Case) -> tuple[list[str], list[str], list[int | None], list[int | None]]:
    """The phrases and others of a case with the drawer each lands in; the first phrase opens drawer 1."""
    phrases, others = list(_field(case, PHRASES)), list(case.get("not") or _field(case, ELSEWHERE, []))
    tongue = _language(case)
    drawers = [Drawer(1, intents_of(phrases[0], language=tongue), _EPOCH)]
    if not drawers[0].intents:
        return phrases, others, [None] * len(phrases), [None] * len(others)

    def land(phrase: str) -> int | None:
        return drawer_for(intents_of(phrase, language=tongue), drawers)

    return phrases, others, [land(one) for one in phrases], [land(one) for one in others]


def _hits(case: Case) -> list[bool]:
    _phrases, _others, landed, elsewhere = _landings(case)
    return [one == 1 for one in landed] + [one != 1 for one in elsewhere]


def _intent_hits(case: Case) -> list[bool]:
    wanted = _field(case, INTENTS, [])
    named = frozenset([wanted] if isinstance(wanted, str) else wanted) & known_intents()
    key = intents_of(next(iter(_field(case, PHRASES))), language=_language(case))
    return [one in key for one in sorted(named)]


def _drawer_miss(case: Case) -> dict[str, Any] | None:
    phrases, others, landed, elsewhere = _landings(case)
    tongue = _language(case)
    missed = [one for one, place in zip(phrases, landed, strict=True) if place != 1]
    strayed = [one for one, place in zip(others, elsewhere, strict=True) if place == 1]
    if not missed and not strayed:
        return None
    shown = {one: sorted(intents_of(one, language=tongue)) for one in [phrases[0], *missed, *strayed]}
    return {"missed": missed, "strayed": strayed, "intents": shown}


def _report(cases: Sequence[Case], miss_of: Callable[[Case], dict[str, Any] | None]) -> dict[str, Any]:
    misses = [miss_of(case) for case in cases]
    report: dict[str, Any] = {}
    for tongue in ("all", "en", "tr"):
        mine = [
            miss is None
            for case, miss in zip(cases, misses, strict=True)
            if tongue in ("all", _language(case))
        ]
        if mine:
            report[tongue] = {"accuracy": _mean(mine), "cases": len(mine)}
    report["cases"] = [
        {"id": case.get("id"), **miss} for case, miss in zip(cases, misses, strict=True) if miss is not None
    ]
    return report


def _mean(hits: Sequence[bool]) -> float:
    return round(sum(hits) / len(hits), 4) if hits else 0.0


def as_text(report: Mapping[str, Any]) -> str:
    """The figures as lines a person reads, misses last."""
    lines = [
        f"{tongue}: " + ", ".join(f"{name} {value}" for name, value in scores.items())
        for tongue, scores in report.items()
        if tongue != "cases"
    ]
    return "\n".join([*lines, *(f"  {miss}" for miss in report["cases"])])
