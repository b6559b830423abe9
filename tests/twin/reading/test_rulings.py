"""The rulings of the reading page, one by one, on sentences of our own."""

from __future__ import annotations

from datetime import date

import pytest

from twin.reading.builtin import read
from twin.rules.entries import Entry, ReadingContext, Since

THURSDAY = date(2026, 3, 12)


def entries(text: str, language: str = "en", species: str = "dog", hour: int = 19) -> tuple[Entry, ...]:
    context = ReadingContext(language, species, THURSDAY, hour, date(2020, 1, 1))  # type: ignore[arg-type]
    return read(text, context=context).entries


def only(text: str, language: str = "en", species: str = "dog") -> Entry:
    (entry,) = entries(text, language, species)
    return entry


def kinds(text: str, language: str = "en") -> set[str]:
    return set(read(text, context=ReadingContext(language, "cat", THURSDAY)).kinds)  # type: ignore[arg-type]


DENIALS = [
    ("en", "isn't eating", "appetite_intake", {"amount": "none"}, "abnormal"),
    ("en", "won't stop shaking", "neurological", {"tremor": True}, "abnormal"),
    ("en", "hasn't pooped in three days", "lower_digestive", {"stool_count": 0}, "abnormal"),
    ("en", "stopped grooming", "skin_coat", {}, "abnormal"),
    ("en", "don't forget she coughed", "respiratory", {"coughing": True}, "abnormal"),
    ("en", "the vet said it wasn't fleas", "skin_coat", {"parasites": False}, "normal"),
    ("en", "no blood in his pee", "urinary", {"blood": False}, "normal"),
    ("en", "the cough hasn't stopped", "respiratory", {"coughing": True}, "abnormal"),
    ("en", "the cough has stopped", "respiratory", {"coughing": False}, "normal"),
    ("en", "no limping", "musculoskeletal", {"limping": False}, "normal"),
    ("en", "checked him for ticks, none found", "skin_coat", {"parasites": False}, "normal"),
    ("tr", "kusmadı", "upper_digestive", {"vomiting": False}, "normal"),
    ("tr", "yemiyor", "appetite_intake", {"amount": "none"}, "abnormal"),
    ("tr", "öksürüğü geçmedi", "respiratory", {"coughing": True}, "abnormal"),
    ("tr", "öksürüğü geçti", "respiratory", {"coughing": False}, "normal"),
    ("tr", "ayağa kalkamıyor", "musculoskeletal", {"cannot_rise": True}, "abnormal"),
    ("tr", "kusma yok", "upper_digestive", {"vomiting": False}, "normal"),
    ("tr", "pire değilmiş", "skin_coat", {"parasites": False}, "normal"),
]


@pytest.mark.parametrize(("language", "text", "category", "signs", "polarity"), DENIALS)
def test_a_negation_word_is_not_normality(
    language: str, text: str, category: str, signs: dict[str, object], polarity: str
) -> None:
    entry = only(text, language)
    assert (entry.category, entry.signs, entry.model_read) == (category, signs, polarity)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "she might have worms"),
        ("en", "could be an ear infection"),
        ("en", "possibly a seizure"),
        ("tr", "belki ateşi vardır"),
        ("tr", "uyuz olabilir"),
    ],
)
def test_what_is_only_possible_leaves_its_sign_out(language: str, text: str) -> None:
    assert not any(True in entry.signs.values() for entry in entries(text, language))


TIMES = [
    ("en", "threw up last night", "no", Since("date", date(2026, 3, 11), "day")),
    ("en", "threw up this morning", "yes", Since("date", THURSDAY, "day")),
    ("en", "coughing since Tuesday", "yes", Since("date", date(2026, 3, 10), "day")),
    ("en", "the cough started on Tuesday", "yes", Since("date", date(2026, 3, 10), "day")),
    ("en", "threw up", "yes", None),
    ("en", "still coughing", "yes", None),
    ("en", "diarrhoea after the operation", "unknown", None),
    ("en", "wheezing as a puppy", "no", Since("age", low_months=0, high_months=12)),
    ("en", "used to limp", "no", Since("phrase")),
    ("en", "the sitter says he vomited", "unknown", None),
    ("en", "found a lump, spotted it on Monday", "yes", Since("date", date(2026, 3, 9), "day")),
    ("en", "limping since he slipped on the ice", "yes", Since("phrase")),
    ("tr", "dün gece kustu", "no", Since("date", date(2026, 3, 11), "day")),
    ("tr", "bu sabah kustu", "yes", Since("date", THURSDAY, "day")),
    ("tr", "salıdan beri öksürüyor", "yes", Since("date", date(2026, 3, 10), "day")),
    ("tr", "kustu", "yes", None),
    ("tr", "ameliyattan sonra kustu", "unknown", None),
    ("tr", "yavruyken hırıldardı", "no", Since("age", low_months=0, high_months=12)),
    ("tr", "bakıcısı kustuğunu söyledi", "unknown", None),
]


@pytest.mark.parametrize(("language", "text", "today", "since"), TIMES)
def test_whether_it_is_of_today_and_since_when(
    language: str, text: str, today: str, since: Since | None
) -> None:
    entry = only(text, language)
    assert (entry.today, entry.since) == (today, since)


def test_a_leading_time_covers_the_list_and_a_trailing_one_its_own_clause() -> None:
    led = entries("yesterday: vomited twice, had a fever")
    assert [entry.today for entry in led] == ["no", "no"]
    trailed = entries("vomited twice yesterday. has a fever")
    assert [entry.today for entry in trailed] == ["no", "yes"]


def test_one_category_makes_two_entries_where_the_time_differs() -> None:
    was, is_now = entries("left ear was red on Monday, no redness now")
    assert (was.today, was.signs["redness"]) == ("no", True)
    assert (is_now.today, is_now.signs["redness"]) == ("yes", False)


def test_one_category_makes_two_entries_where_the_site_differs() -> None:
    assert {entry.signs["site"] for entry in entries("rash on her belly. lump on her neck")} == {
        "belly",
        "neck",
    }


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("temp 102.2 F", {"temperature_c": 39.0}),
        ("weighed 9 lb", {"weight_kg": 4.1}),
        ("drank 16 oz of water", {"water_ml": 473}),
        ("ate 2 oz of kibble", {"food_g": 57}),
        ("slept 7 and a half hours", {"hours": 7.5}),
        ("bcs 6/9", {"bcs": 6}),
        ("threw up three times", {"vomiting": True, "vomit_count": 3}),
    ],
)
def test_units_are_converted(text: str, signs: dict[str, object]) -> None:
    assert only(text).signs == signs


@pytest.mark.parametrize(
    ("text", "category", "sign"),
    [
        ("pale gums", "oral_dental", "gum_colour"),
        ("nosebleed", "blood_immune", "bleeding"),
        ("tummy ache", "whole_body", "pain"),
        ("loose stool", "lower_digestive", "form"),
        ("keeps retching", "upper_digestive", "nausea"),
        ("her gums are red", "oral_dental", "gum_redness"),
    ],
)
def test_overlaps_go_where_the_page_says(text: str, category: str, sign: str) -> None:
    entry = only(text)
    assert entry.category == category
    assert sign in entry.signs


def test_a_judgement_word_inside_a_sign_is_not_asserted() -> None:
    assert only("bad smell from his left ear").asserted is None
    assert only("sağ kulağında kötü koku var", "tr").asserted is None


def test_a_worry_belongs_to_the_observation_it_stands_with() -> None:
    assert only("blood in her stool, I'm really worried").asserted == "abnormal"
    assert only("kakasında kan var, çok endişeliyim", "tr").asserted == "abnormal"


def test_what_nobody_looked_at_has_no_reading_of_its_own() -> None:
    entry = only("didn't check how much he ate")
    assert (entry.signs, entry.model_read) == ({"amount": "not_observed"}, None)


def test_a_lifelong_habit_is_normal() -> None:
    assert only("snores since birth").model_read == "normal"
    assert only("snoring now").model_read == "abnormal"


KINDS = [
    ("en", "is his poop ok?", {"question"}),
    ("en", "why is he sneezing?", {"observation", "question"}),
    ("en", "yes, since Tuesday", {"answer"}),
    ("en", "an hour ago", {"answer"}),
    ("en", "thank you!", {"other"}),
    ("en", "gave him the tablet at 8", {"other"}),
    ("en", "he sneezed, is that bad?", {"observation", "question"}),
    ("tr", "kakası normal mi?", {"question"}),
    ("tr", "neden hapşırıyor?", {"observation", "question"}),
    ("tr", "evet salıdan beri", {"answer"}),
    ("tr", "bir saat önce", {"answer"}),
    ("tr", "teşekkürler!", {"other"}),
    ("tr", "ilacını verdim", {"other"}),
    ("tr", "bugün öksürdü mü bilmiyorum", {"other"}),
]


@pytest.mark.parametrize(("language", "text", "wanted"), KINDS)
def test_the_kinds_of_talk(language: str, text: str, wanted: set[str]) -> None:
    assert kinds(text, language) == wanted


def test_every_entry_says_which_words_decided() -> None:
    for entry in entries("limping on his left leg since Monday, no fever, gums look fine"):
        assert entry.why
        assert all("→" in line for line in entry.why)


def test_words_and_phrase_are_verbatim() -> None:
    text = "Threw UP twice Last Night, fever too"
    for entry in entries(text):
        assert entry.words in text
        assert entry.phrase is None or entry.phrase in text
