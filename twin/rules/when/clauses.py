"""What several time words of one statement mean together: verbs of the future, spans in a dated moment."""

from __future__ import annotations

from dataclasses import replace

from twin.rules.when.english.words import FUTURE_WORDS
from twin.rules.when.shapes import Hit, Scene
from twin.rules.when.tokens import Line

Found = tuple[tuple[int, Hit], ...]
STOPS = frozenset({".", "!", "?", ";"})
BREAKS: dict[str, frozenset[str]] = {
    "en": STOPS | {",", "and", "but", "then", "because", "so", "now", "though"},
    "tr": STOPS | {",", "ve", "ama", "fakat", "sonra", "cunku", "simdi"},
}
FUTURE_ENDINGS = ("acak", "ecek", "acagiz", "ecegiz", "acagim", "ecegim", "acaklar", "ecekler", "acaz",
"ecez",
                  "icaz", "icez", "cam", "cem", "acaksin", "eceksin", "acaksiniz", "eceksiniz")  # fmt: skip
OWED = frozenset({"asisi", "ameliyati", "muayenesi", "testi", "tahlili", "gorusmesi", "seansi"})
FUTURE_WORDS_TR = frozenset(
    {"randevu", "randevusu", "randevumuz", "randevum", "randevuya", "planliyoruz", "kontrolu"}
)


def settle(line: Line, found: Found, scene: Scene, language: str) -> Found:
    """The finds with their final meaning: future beside a future verb, lengths of events, "since then"."""
    clauses = _clauses(line, language)
    future = {clauses[i] for i in range(len(line)) if _is_future(line, i, language)}
    future |= {clauses[start] for start, hit in found if hit.role == "future"}
    anchored = {clauses[start] for start, hit in found if hit.role == "moment" and hit.since}
    settled: list[tuple[int, Hit]] = []
    for start, hit in found:
        clause = clauses[start]
        beside = bool(settled) and clauses[settled[-1][0]] == clause and language == "tr"
        if hit.why == "since then" or (hit.why == "since an event" and beside):
            settled.append((start, _since_then(hit, settled)))
        elif scene.past_only and not hit.why.startswith(("season", "clock time")):
            settled.append((start, hit))
        else:
            settled.append((start, _in_clause(hit, is_future=clause in future, is_dated=clause in anchored)))
    return tuple(settled)


def _in_clause(hit: Hit, *, is_future: bool, is_dated: bool) -> Hit:
    """The hit as its clause has it: a verb of the future takes it along, a dated moment holds its length."""
    if hit.open and is_future:
        return Hit(hit.end, "future", None, None, f"{hit.why}, with a verb of the future")
    if hit.role == "duration" and is_future:
        return Hit(hit.end, "future", None, None, "a length still to come")
    if hit.role == "duration" and is_dated:
        return replace(hit, since=None, today=None, why="a length inside a dated moment")
    return hit


def _since_then(hit: Hit, before: list[tuple[int, Hit]]) -> Hit:
    """ "ever since", "o zamandan beri": since the moment named just before, where it has a date."""
    if not before:
        return hit
    earlier = before[-1][1]
    if earlier.since and earlier.since.kind != "phrase" and earlier.role in ("moment", "age"):
        return replace(hit, since=earlier.since, why="since the moment named before")
    return hit


def _clauses(line: Line, language: str) -> list[int]:
    """A clause number for each token."""
    numbers, current = [], 0
    for i in range(len(line)):
        glued_figure = line.at(i) in (".", ",") and line.at(i + 1).isdigit() and line.glued(i + 1)
        if line.at(i) in BREAKS[language] and not glued_figure:
            current += 1
        numbers.append(current)
    return numbers


def _is_future(line: Line, i: int, language: str) -> bool:
    word = line.at(i)
    if language == "tr":
        if word in OWED and line.at(i + 1) == "var":
            return True
        return (len(word) > 5 and word.endswith(FUTURE_ENDINGS)) or word in FUTURE_WORDS_TR
    raw = line.raw(i).lower()
    if raw.endswith(("'ll", "’ll")):
        return True
    if word == "going" and line.at(i + 1) == "to" and line.at(i + 2) not in ("the", "a", "his", "her", "bed"):
        return line.raw(i - 1).lower() not in ("been", "was", "were", "keeps", "kept")
    if word == "wont" or (word == "due" and line.at(i + 1) == "to"):
        return False
    return word in FUTURE_WORDS
