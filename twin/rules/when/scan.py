"""Walks over a statement, lets each rule try each position, and settles what the finds mean together."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Literal

from twin.rules.entries import ReadingContext, Since
from twin.rules.when.clauses import settle
from twin.rules.when.english import grammar as english
from twin.rules.when.english import parts as english_parts
from twin.rules.when.english.days import extend
from twin.rules.when.shapes import Hit, Scene, TimeMention, dated
from twin.rules.when.tokens import Line, fold
from twin.rules.when.turkish import grammar as turkish
from twin.rules.when.turkish import parts as turkish_parts

DAY_START_HOUR = 3
RULES = {"en": english.RULES, "tr": turkish.RULES}
SPELL = {"en": english_parts.spell, "tr": turkish_parts.spell}
STRENGTH = {"moment": 3, "onset": 3, "duration": 2, "age": 1}


def find_times(text: str, *, context: ReadingContext) -> tuple[TimeMention, ...]:
    """Every run of time words in `text`, in order and not overlapping. Never raises on any text.

    The day of speaking is the subject's day: at 01:30 it is the evening before, so "this morning", "tonight"
    and "yesterday" all count from that day.
    """
    if not 1000 <= context.spoken_on.year <= 9000:
        return ()
    late = 24 if context.spoken_hour < DAY_START_HOUR else 0
    scene = Scene(
        day=context.spoken_on,
        minute=(context.spoken_hour + late) * 60 + 59,
        species=context.species,
        born_on=context.born_on,
        names=frozenset(fold(name) for name, _ in context.names),
    )
    return _mentions(text, context.language, scene)


def onset_of(text: str, *, language: Literal["en", "tr"], reference: datetime) -> Since | None:
    """The onset the time words of `text` give, read backwards from a plain calendar moment; None for none.

    Verbs are not asked: "I'll go back on Friday" gives the Friday gone. "Now" points at the reference day.
    """
    scene = Scene(reference.date(), reference.hour * 60 + reference.minute, day_start=0, past_only=True)
    found = _mentions(text, language, scene)
    if any(m.role in ("future", "frequency") for m in found):
        return next((m.since for m in found if m.role in ("onset", "moment") and _is_date(m.since)), None)
    dates = [m for m in found if _is_date(m.since)]
    if dates:
        return max(dates, key=lambda m: STRENGTH.get(m.role, 0)).since
    if any(m.role == "now" and m.why == "now" for m in found):
        return dated(scene.day, "day")
    return next((m.since for m in found if m.since), None)


def _is_date(since: Since | None) -> bool:
    return since is not None and since.kind == "date"


def _mentions(text: str, language: str, scene: Scene) -> tuple[TimeMention, ...]:
    line = Line(text, SPELL[language])
    found: list[tuple[int, Hit]] = []
    i = 0
    while i < len(line):
        hit = _best(line, i, scene, language) if line.at(i)[:1].isalnum() else None
        if hit is None:
            i += 1
            continue
        found.append((i, hit))
        i = max(hit.end, i + 1)
    settled = settle(line, tuple(found), scene, language)
    return tuple(_mention(line, start, hit) for start, hit in settled)


def _best(line: Line, i: int, scene: Scene, language: str) -> Hit | None:
    """The reading from `i` that takes the most words; the earlier rule where two take as many."""
    best: Hit | None = None
    for rule in RULES[language]:
        hit = rule(line, i, scene)
        if hit and hit.end > i and (best is None or hit.end > best.end):
            best = hit
    if best is None:
        return None
    whole = extend(line, best) if language == "en" else best
    return replace(whole, end=min(whole.end, len(line)))


def _mention(line: Line, first: int, hit: Hit) -> TimeMention:
    start, end = line.tokens[first].start, line.tokens[hit.end - 1].end
    return TimeMention(start, end, line.text[start:end], hit.role, hit.since, hit.today, hit.why)
