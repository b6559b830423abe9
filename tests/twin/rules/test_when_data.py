"""Measures the time reader on public rows and our own cases, and keeps it above its floors.

Run as a module (`python -m tests.twin.rules.test_when_data`) to see the figures and every miss.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

from twin.rules.entries import Precision, ReadingContext, Since
from twin.rules.when import find_times, onset_of
from twin.rules.when.calendar import RANK, first_of

DATA = Path(os.environ.get("HEARTHBOOK_DATA", Path(__file__).parents[4] / "shared" / "data"))
CASES = DATA.parent / "cases"


def rows(path: Path) -> list[dict[str, Any]]:
    if not path.exists():
        pytest.skip(f"{path.name} is not here: set HEARTHBOOK_DATA to its folder")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def agrees(since: Since | None, earliest: date, latest: date, precision: Precision) -> bool:
    """Right: cut to its precision it names the wanted day or lies in the window, and is no finer."""
    if since is None or since.kind != "date" or since.on is None or since.precision is None:
        return False
    if (latest - earliest).days > 1 and since.precision == "day" and RANK[precision] > 0:
        return False
    return (
        first_of(since.on, since.precision) == first_of(earliest, since.precision)
        or earliest <= since.on <= latest
    )


def measured(row: dict[str, Any]) -> tuple[bool, Since | None]:
    """Whether the row's onset is right, and what was read."""
    got = onset_of(row["text"], language=row["lang"], reference=datetime.fromisoformat(row["ref"]))
    want = row["since_when"]
    if want is None:
        return got is None or got.kind != "date", got
    window = date.fromisoformat(want["earliest"]), date.fromisoformat(want["latest"])
    onset = date.fromisoformat(want["onset"])
    return agrees(got, min(onset, window[0]), window[1], want["precision"]), got


def expressions(language: str) -> list[dict[str, Any]]:
    return rows(DATA / f"time_expressions_{language}.dev.jsonl")


@pytest.mark.parametrize("language", ["en", "tr"])
def test_nine_onsets_in_ten_are_right(language: str) -> None:
    judged = [measured(row)[0] for row in expressions(language) if row["since_when"]]
    assert sum(judged) >= 0.90 * len(judged)


@pytest.mark.parametrize("language", ["en", "tr"])
def test_future_recurring_and_timeless_rows_have_no_onset(language: str) -> None:
    judged = [measured(row)[0] for row in expressions(language) if not row["since_when"]]
    assert sum(judged) >= 0.98 * len(judged)


def case_entries() -> Iterator[tuple[dict[str, Any], dict[str, Any], ReadingContext]]:
    """Each expected entry of our cases that has a time, with its case and context."""
    for case in rows(CASES / "reading.dev.jsonl"):
        spoken = datetime.fromisoformat(case["spoken_at"])
        context = ReadingContext(
            language=case["lang"],
            species=case["species"],
            spoken_on=spoken.date(),
            spoken_hour=spoken.hour,
            born_on=date.fromisoformat(case["born"]) if case["born"] else None,
        )
        for entry in case["expect"]["entries"]:
            yield case, entry, context


def same_since(got: Since | None, want: dict[str, Any] | None) -> bool:
    if want is None or got is None:
        return want is None and got is None
    if got.kind != want["kind"]:
        return False
    if got.kind == "date":
        on = date.fromisoformat(want["on"])
        assert got.on and got.precision
        return got.precision == want["precision"] and first_of(got.on, got.precision) == first_of(
            on, got.precision
        )
    if got.kind == "age":
        assert got.low_months is not None and got.high_months is not None
        return (
            abs(got.low_months - want["low_months"]) <= 3 and abs(got.high_months - want["high_months"]) <= 3
        )
    return True


def case_result(entry: dict[str, Any], context: ReadingContext) -> tuple[bool, bool, bool]:
    """Whether the entry's words give its since, its phrase (verbatim) and its today."""
    found = find_times(entry["words"], context=context)
    if entry["phrase"] is None:
        return all(m.since is None or m.role == "duration" for m in found), not found, True
    hit = next((m for m in found if m.words == entry["phrase"]), None)
    near = hit or next((m for m in found if m.words in entry["phrase"] or entry["phrase"] in m.words), None)
    if near is None:
        return entry["since"] is None, False, False
    return same_since(near.since, entry["since"]), hit is not None, near.today in (None, entry["today"])


def test_times_of_our_cases_are_read_as_labelled() -> None:
    judged = [
        case_result(entry, context)[0]
        for _, entry, context in case_entries()
        if entry["phrase"] and entry["phrase"] in entry["words"]
    ]
    assert sum(judged) >= 0.95 * len(judged)


def locomo_result(row: dict[str, Any]) -> tuple[bool, list[str]]:
    """Whether some mention lies in the gold window (none may, where the answer is future)."""
    said, gold = datetime.fromisoformat(row["said_at"]), row["gold"]
    context = ReadingContext(language="en", species="person", spoken_on=said.date(), spoken_hour=said.hour)
    context = ReadingContext(
        language="en", species="person", spoken_on=said.date(), spoken_hour=max(said.hour, 3)
    )
    found = find_times(row["text"], context=context)
    shown = [f"{m.words} -> {m.since.on if m.since else m.role}" for m in found]
    window = date.fromisoformat(gold["earliest"]), date.fromisoformat(gold["latest"])
    precision = "week" if gold["precision"] == "weekend" else gold["precision"]
    if row["future"]:
        late = any(m.since and m.since.on and window[0] <= m.since.on for m in found)
        return not late and any(m.role == "future" for m in found), shown
    return any(agrees(m.since, *window, precision) for m in found), shown


def owner_result(row: dict[str, Any]) -> tuple[bool, list[str]]:
    """Whether an owner's sentence gives the labelled onset in days, or no date where it has none."""
    context = ReadingContext(language="en", species="dog", spoken_on=date(2025, 5, 14), spoken_hour=18)
    found = find_times(row["text"], context=context)
    shown = [f"{m.words} -> {m.since.on if m.since else m.role}" for m in found]
    dates = [m.since.on for m in found if m.since and m.since.on]
    if "onset_days_ago" in row:
        return any((context.spoken_on - on).days == row["onset_days_ago"] for on in dates), shown
    if (row["onset"] or {}).get("month"):
        return any(28 <= (context.spoken_on - on).days <= 31 for on in dates), shown
    return not dates, shown


def main() -> None:
    """Prints every figure and miss."""
    for language in ("en", "tr"):
        for wanted in (True, False):
            chosen = [r for r in expressions(language) if bool(r["since_when"]) is wanted]
            judged = [(row, *measured(row)) for row in chosen]
            print(language, "onset" if wanted else "none", sum(ok for _, ok, _ in judged), "/", len(judged))
            for row, ok, got in judged:
                if not ok:
                    print(
                        "   ", row["id"], "|", row["text"], "|", row["ref"], "|", row["since_when"], "->", got
                    )
    totals: dict[str, list[bool]] = {"since": [], "phrase": [], "today": [], "quiet": []}
    for case, entry, context in case_entries():
        since, phrase, today = case_result(entry, context)
        timed = bool(entry["phrase"]) and entry["phrase"] in entry["words"]
        for name, value in (
            (("since", since), ("phrase", phrase), ("today", today)) if timed else (("quiet", since),)
        ):
            totals[name].append(value)
        if not (since and phrase and today) and (timed or not since):
            shown = [(m.words, m.role, m.since and (m.since.on or m.since.kind), m.today) for m in
                     find_times(entry["words"], context=context)]  # fmt: skip
            print("   ", case["id"], since, phrase, today, "|", entry["words"], "|", entry["phrase"],
            entry["since"],
                  entry["today"], "->", shown)  # fmt: skip
    print("cases", {name: f"{sum(v)}/{len(v)}" for name, v in totals.items()})
    for file, judge in (("locomo_relative_time_CC-BY-NC", locomo_result), ("pet_owner_time", owner_result)):
        judged_rows = [(row, *judge(row)) for row in rows(DATA / f"{file}.dev.jsonl")]
        print(file, sum(ok for _, ok, _ in judged_rows), "/", len(judged_rows))
        for row, ok, shown_words in judged_rows:
            if not ok:
                gold = row.get("gold") or row.get("onset_days_ago", row.get("onset"))
                print("   ", row["text"][:400], "|", row.get("said_at"), gold, "->", shown_words)


if __name__ == "__main__":
    main()
