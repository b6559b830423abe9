"""Words that look like a sign and are none, or say it otherwise than they look, on sentences of our own."""

from __future__ import annotations

import pytest

from tests.twin.reading.test_rulings import entries, kinds, only

MEDICINES = [
    ("en", "gave him his flea treatment"),
    ("en", "put some itch cream on"),
    ("en", "cough syrup at 8"),
    ("en", "gave her some diarrhoea medicine"),
    ("tr", "parazit hapını verdim"),
    ("tr", "öksürük şurubu verdik"),
    ("tr", "ağrı kesici verdim"),
]


@pytest.mark.parametrize(("language", "text"), MEDICINES)
def test_what_a_medicine_is_for_is_no_sign(language: str, text: str) -> None:
    assert entries(text, language) == ()
    assert kinds(text, language) == {"other"}


def test_a_sign_beside_a_medicine_is_kept() -> None:
    assert only("flea treatment done and she is still itching").signs == {"itching": True}
    assert only("pain killers not touching the pain").signs == {"pain": True}
    assert only("öksürüyor, öksürük şurubu verdim", "tr").signs == {"coughing": True}


SEARCHES = [
    ("en", "checked for ticks and found none", "skin_coat", {"parasites": False}),
    ("en", "looked for fleas and found nothing", "skin_coat", {"parasites": False}),
    ("en", "checked him over for ticks and there were none", "skin_coat", {"parasites": False}),
    ("en", "combed her for fleas, no sign of any", "skin_coat", {"parasites": False}),
    ("en", "checked for lumps, couldn't find any", "skin_coat", {"lump": False}),
    ("en", "checked her for ticks and found two", "skin_coat", {"parasites": True}),
    ("tr", "kene aradım bulamadım", "skin_coat", {"parasites": False}),
    ("tr", "pire izi yok", "skin_coat", {"parasites": False}),
]


@pytest.mark.parametrize(("language", "text", "category", "signs"), SEARCHES)
def test_a_search_that_found_nothing_gives_the_absent_sign_alone(
    language: str, text: str, category: str, signs: dict[str, object]
) -> None:
    entry = only(text, language)
    assert (entry.category, entry.signs) == (category, signs)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "he's coughing but the vet said it isn't kennel cough"),
        ("en", "the vet said the cough isn't kennel cough"),
        ("tr", "öksürüyor ama veteriner kennel öksürüğü değil dedi"),
    ],
)
def test_an_illness_denied_leaves_the_sign_it_is_named_after(language: str, text: str) -> None:
    assert only(text, language).signs == {"coughing": True}


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "nope all normal"),
        ("en", "no he's fine"),
        ("en", "nope, everything fine"),
        ("tr", "yok her şey normal"),
        ("tr", "yok, her şey yolunda"),
    ],
)
def test_a_no_that_answers_turns_no_judgement_round(language: str, text: str) -> None:
    entry = only(text, language)
    assert (entry.asserted, entry.model_read) == ("normal", "normal")


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "temp was 38.6, down to 37.1 now"),
        ("en", "was 38.6, down to 37.1 now"),
        ("tr", "ateşi 38.6 idi şimdi 37.1"),
    ],
)
def test_a_falling_temperature_is_no_weight(language: str, text: str) -> None:
    assert [e.signs for e in entries(text, language)] == [{"temperature_c": 38.6}, {"temperature_c": 37.1}]


def test_a_falling_weight_stays_a_weight() -> None:
    assert only("her weight is down to 37.1").signs == {"weight_loss": True, "weight_kg": 37.1}


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "looked like she was about to faint"),
        ("en", "nearly fainted"),
        ("en", "almost threw up"),
        ("en", "nearly had a seizure"),
        ("tr", "bayılacak gibi oldu"),
        ("tr", "neredeyse kusuyordu"),
        ("tr", "az kalsın bayılıyordu"),
    ],
)
def test_what_only_nearly_happened_leaves_its_sign_out(language: str, text: str) -> None:
    assert only(text, language).signs == {}


@pytest.mark.parametrize(
    ("language", "text"), [("en", "nearly every day he vomits"), ("tr", "neredeyse her gün kusuyor")]
)
def test_nearly_every_day_is_no_near_miss(language: str, text: str) -> None:
    assert only(text, language).signs == {"vomiting": True}


NEITHER = [
    ("en", "neither vomiting nor diarrhoea", [{"vomiting": False}, {"diarrhoea": False}]),
    ("en", "neither coughing nor sneezing today", [{"coughing": False, "sneezing": False}]),
    ("tr", "ne kustu ne ishal oldu", [{"vomiting": False}, {"diarrhoea": False}]),
    ("tr", "ne öksürük ne hapşırık var", [{"coughing": False, "sneezing": False}]),
    ("tr", "ne yedi ne içti", [{"amount": "none"}, {"amount": "none"}]),
]


@pytest.mark.parametrize(("language", "text", "signs"), NEITHER)
def test_neither_this_nor_that_denies_both(language: str, text: str, signs: list[dict[str, object]]) -> None:
    assert [entry.signs for entry in entries(text, language)] == signs
    assert kinds(text, language) == {"observation"}


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "new collar, it's red"),
        ("en", "got him a red collar"),
        ("en", "her new collar is red"),
        ("tr", "yeni tasması kırmızı"),
        ("tr", "kırmızı bir tasma aldık"),
    ],
)
def test_the_colour_of_a_thing_is_no_redness(language: str, text: str) -> None:
    assert entries(text, language) == ()


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "red under his collar"),
        ("en", "back from the car, red ears"),
        ("en", "new collar and his neck is red"),
        ("tr", "yatakta, gözü kırmızı"),
    ],
)
def test_redness_of_the_body_beside_a_thing_is_kept(language: str, text: str) -> None:
    assert any(entry.signs.get("redness") is True for entry in entries(text, language))
