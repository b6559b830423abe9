"""A household's corrections are read from then on; bundled sentences lend only where no word fits."""

from __future__ import annotations

from datetime import date

from twin.reading import crossing
from twin.reading.builtin import read
from twin.reading.exemplars import Bank, Exemplar, usable_signs
from twin.rules.entries import ReadingContext

CONTEXT = ReadingContext("en", "person", date(2026, 3, 12), 19)
DRAGON = Exemplar("he did his dragon thing", (("behaviour", {"stimming": True, "minutes": 5}),))


def test_a_correction_is_read_as_it_was_corrected() -> None:
    bank = Bank("en", [DRAGON])
    (entry,) = read("He did his dragon thing!", context=CONTEXT, corrections=bank).entries
    assert (entry.category, entry.signs, entry.today) == ("behaviour", {"stimming": True}, "yes")


def test_a_correction_outweighs_the_lexicon() -> None:
    bank = Bank("en", [Exemplar("he is coughing like a seal", (("behaviour", {"repetitive": True}),))])
    (entry,) = read("he is coughing like a seal", context=CONTEXT, corrections=bank).entries
    assert entry.category == "behaviour"


def test_other_words_are_not_touched_by_a_correction() -> None:
    bank = Bank("en", [DRAGON])
    (entry,) = read("he is coughing", context=CONTEXT, corrections=bank).entries
    assert entry.category == "respiratory"


def test_a_fallback_lends_only_where_nothing_was_found() -> None:
    bank = Bank("en", [DRAGON, Exemplar("we went to the shops", ())])
    assert read("he did his dragon thing again", context=CONTEXT, fallback=bank).entries
    assert not read("the kettle is on", context=CONTEXT, fallback=bank).entries
    (entry,) = read("he is coughing and did his dragon thing", context=CONTEXT, fallback=bank).entries
    assert entry.category == "respiratory"


def test_a_question_borrows_nothing() -> None:
    assert not read("did he do his dragon thing?", context=CONTEXT, fallback=Bank("en", [DRAGON])).entries


def test_numbers_and_words_are_not_lent() -> None:
    assert usable_signs("behaviour", {"stimming": True, "minutes": 5, "place": "park"}) == {"stimming": True}


def test_cross_validation_reports_both_languages_with_and_without() -> None:
    report = crossing.cross_validate()
    for language in ("en", "tr"):
        for name in ("lexicon_alone", "with_exemplars"):
            assert 0.9 <= report[language][name]["entry_f1"] <= 1
            assert 0.8 <= report[language][name]["signs_f1"] <= 1
