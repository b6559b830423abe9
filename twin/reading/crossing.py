"""How much the bundled exemplars help with others: read by four fifths, scored on the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from twin.reading import builtin, exemplars
from twin.reading.exemplars import Bank, Exemplar
from twin.reading.lexicon import Language
from twin.reading.scoring import same_value
from twin.rules.entries import Entry, ReadingContext

FOLDS = 5
SPOKEN_ON = date(2026, 3, 12)
LANGUAGES: tuple[Language, ...] = ("en", "tr")


def cross_validate(folds: int = FOLDS) -> dict[str, Any]:
    """For each language, entry and sign F1 of the held-out fifths, with the others and without."""
    return {language: _validate(language, exemplars.bundled(language), folds) for language in LANGUAGES}


def _validate(language: Language, bank: Sequence[Exemplar], folds: int) -> dict[str, Any]:
    without = [0.0] * 5
    fitted = [0.0] * 5
    for fold in range(folds):
        held = bank[fold::folds]
        rest = Bank(language, [e for i, e in enumerate(bank) if i % folds != fold])
        for exemplar in held:
            _add(without, exemplar, language, None)
            _add(fitted, exemplar, language, rest)
    return {"exemplars": len(bank), "lexicon_alone": _figures(without), "with_exemplars": _figures(fitted)}


def _add(counts: list[float], exemplar: Exemplar, language: Language, bank: Bank | None) -> None:
    context = ReadingContext(language, "other", SPOKEN_ON)
    read = builtin.read(exemplar.text, context=context, fallback=bank).entries
    left = list(exemplar.entries)
    for entry in read:
        same = next((e for e in left if e[0] == entry.category), None)
        if same:
            left.remove(same)
            counts[0] += 1
            counts[3] += _signs_right(same[1], entry)
    counts[1] += len(exemplar.entries) + len(read)
    counts[4] += sum(len(signs) for _, signs in exemplar.entries) + sum(len(e.signs) for e in read)


def _signs_right(signs: Mapping[str, Any], entry: Entry) -> int:
    return sum(
        name in entry.signs and same_value(name, value, entry.signs[name]) for name, value in signs.items()
    )


def _figures(counts: Sequence[float]) -> dict[str, float]:
    return {
        "entry_f1": 2 * counts[0] / counts[1] if counts[1] else 1.0,
        "signs_f1": 2 * counts[3] / counts[4] if counts[4] else 1.0,
    }
