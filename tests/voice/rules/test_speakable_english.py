"""English texts as they are said: our own table, and the measured rows of public material."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from voice.rules.speakable import speakable

DATA = Path(os.environ.get("HEARTHBOOK_DATA", Path(__file__).resolve().parents[4] / "shared" / "data"))
ROWS = DATA / "tts_numbers_en.dev.jsonl"

TABLE = [
    # what the book writes
    ("Temperature 38.9 C", "Temperature thirty eight point nine degrees Celsius"),
    ("He weighs 4.2 kg.", "He weighs four point two kilograms."),
    ("2x/day", "two times a day"),
    ("1x daily", "one time a day"),
    ("twice, 2-3x a week", "twice, two to three times a week"),
    ("Ears again [E1].", "Ears again."),
    ("Ears again [E1, E12], as in May [E3].", "Ears again, as in May."),
    ("See rec_000123 for more", "See for more"),
    ("It was seen before (rec_000123, rec_000124).", "It was seen before."),
    ("She is well 😀🐈 today", "She is well today"),
    ("👩‍👧 came", "came"),
    ("- first\n- second", "first\nsecond"),
    ("-5 outside", "minus five outside"),
    ("-0.5 kg since May", "minus zero point five kilograms since May"),
    ("**Well** done", "Well done"),
    ("5 mg/kg/day", "five milligrams per kilogram per day"),
    ("10-20 mg", "ten to twenty milligrams"),
    ("every 4-6 hours", "every four to six hours"),
    ("1 ml", "one milliliter"),
    ("½ tablet", "half a tablet"),
    ("1½ cups", "one and a half cups"),
    ("1/2 tablet", "half a tablet"),
    ("3/4 cup", "three quarters of a cup"),
    ("pain 7/10", "pain seven out of ten"),
    ("20% less", "twenty percent less"),
    ("12-year-old", "twelve-year-old"),
    # clock and calendar
    ("at 14:30", "at fourteen thirty"),
    ("at 9:05", "at nine oh five"),
    ("at 0:00", "at midnight"),
    ("8:30-9:45", "eight thirty to nine forty five"),
    ("at 5 p.m. She slept", "at five PM. She slept"),
    ("9-11 am", "nine to eleven AM"),
    ("on 2025-03-01", "on March first twenty twenty five"),
    ("2025-03-01T09:30", "March first twenty twenty five, nine thirty"),
    ("on 3 May", "on the third of May"),
    ("the 3rd of May 2024", "the third of May twenty twenty four"),
    ("May 3-5", "May third to fifth"),
    ("she may 5 times", "she may five times"),
    ("in March 2024", "in March twenty twenty four"),
    ("31/12/1999", "the thirty first of December nineteen ninety nine"),
    ("since 2019, she", "since twenty nineteen, she"),
    ("the mid-1990s", "the mid-nineteen nineties"),
    ("Q3 2022", "the third quarter of twenty twenty two"),
    # numbers
    ("1500 steps", "one thousand five hundred steps"),
    ("12,345.67", "twelve thousand three hundred forty five point six seven"),
    ("1,234th", "one thousand two hundred thirty fourth"),
    ("007", "zero zero seven"),
    ("2+2=4", "two plus two equals four"),
    ("< 5", "less than five"),
    ("3:1", "three to one"),
    ("24/7", "twenty four seven"),
    ("#5", "number five"),
    ("B12", "B twelve"),
    ("COVID-19", "COVID-nineteen"),
    ("£2.50", "two pounds fifty pence"),
    ("$0.99", "ninety nine cents"),
    ("5'10\"", "five foot ten"),
    # names and addresses
    ("Dr. Ito said so.", "doctor Ito said so."),
    ("St. Mary lives at 12 Oak St.", "Saint Mary lives at twelve Oak Street."),
    ("apples, pears, etc.", "apples, pears, et cetera."),
    ("e.g. apples", "for example apples"),
    ("Henry VIII", "Henry the eighth"),
    ("call 555-1234", "call five five five, one two three four"),
    ("bob@example.org", "bob at example dot org"),
    ("https://example.org/a?b=1", "example dot org"),
    # nothing to change
    ("Nothing to change here, is there?", "Nothing to change here, is there?"),
    ("Leo's \"dinosaurs\"", "Leo's \"dinosaurs\""),
    ("well-known", "well-known"),
    ("", ""),
    ("😀", ""),
]  # fmt: skip


@pytest.mark.parametrize(("written", "said"), TABLE)
def test_an_english_text_is_said_in_words(written: str, said: str) -> None:
    assert speakable(written, "en").words.strip() == said


def plainly(text: str) -> str:
    """Equivalent ways of writing what is said: case, punctuation and "and" make no difference to hear."""
    words = re.sub(r"[^\w\s<>/\[\]&']", " ", text.lower()).split()
    return " ".join(word for word in words if word != "and")


@pytest.mark.skipif(not ROWS.exists(), reason="the public material is not here (HEARTHBOOK_DATA)")
def test_nine_in_ten_public_rows_are_said_as_their_authors_say_them() -> None:
    rows = [json.loads(line) for line in ROWS.read_text(encoding="utf-8").splitlines()]
    wrong = [
        (row["written"], row["spoken"], said)
        for row in rows
        if plainly(said := speakable(row["written"], "en").words) != plainly(row["spoken"])
    ]
    assert len(wrong) <= 0.05 * len(rows), wrong
