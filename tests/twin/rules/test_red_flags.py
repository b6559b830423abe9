"""Every red flag: what raises it, for whom, in which language, and what does not."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.twin.rules.signs import category_and_signs
from twin.rules.red_flags import (
    SPECIES,
    BadFlags,
    FlagRule,
    bundled_flags,
    gravest_first,
    parse_flags,
    red_flags,
)

RAW: list[dict[str, Any]] = tomllib.loads((files("twin") / "data" / "red_flags.toml").read_text("utf-8"))[
    "flag"
]
RULES = bundled_flags()
PHRASES = [(raw, words) for raw in RAW for words in raw["words"]]
CONDITIONS = [(raw, condition) for raw in RAW for condition in raw["signs"]]


def keys(species: str, words: str, *, sex: str | None = None) -> set[str]:
    return {flag.key for flag in red_flags(species, sex, None, {}, words)}


def meeting(wanted: Any) -> Any:
    """A value that meets a condition's sign."""
    return next(iter(wanted.values())) if isinstance(wanted, dict) else wanted


@pytest.mark.parametrize(("raw", "words"), PHRASES, ids=lambda x: x if isinstance(x, str) else x["key"])
def test_every_phrase_raises_its_flag_for_each_of_its_species(raw: dict[str, Any], words: str) -> None:
    said = words.replace("*", "di") if words.endswith("*") else words
    for species in raw["species"]:
        assert raw["key"] in keys(species, said, sex=raw.get("sex"))
        assert raw["key"] in keys(species, f"today: {said.upper()}!", sex=raw.get("sex"))


@pytest.mark.parametrize(("raw", "condition"), CONDITIONS, ids=lambda x: x.get("key", ""))
def test_every_condition_raises_its_flag_and_each_of_its_signs_is_needed(
    raw: dict[str, Any], condition: dict[str, Any]
) -> None:
    signs = {name: meeting(wanted) for name, wanted in condition["signs"].items()}
    age = condition.get("below_months", 12) - 1
    for species in raw["species"]:

        def raised(found: dict[str, Any], species: str = species) -> set[str]:
            flags = red_flags(species, raw.get("sex"), condition["category"], found, "", age_months=age)
            return {flag.key for flag in flags}

        assert raw["key"] in raised(signs)
        for name in signs:
            assert raw["key"] not in raised({k: v for k, v in signs.items() if k != name})


@pytest.mark.parametrize(("raw", "condition"), CONDITIONS, ids=lambda x: x.get("key", ""))
def test_what_was_looked_for_and_absent_raises_nothing(
    raw: dict[str, Any], condition: dict[str, Any]
) -> None:
    absent = {name: False for name, wanted in condition["signs"].items() if wanted is True}
    for species in raw["species"]:
        assert not absent or red_flags(species, raw.get("sex"), condition["category"], absent, "") == ()


def test_every_species_has_flags_with_both_languages_and_no_key_twice_for_one_subject() -> None:
    for species in SPECIES:
        rules = [rule for rule in RULES if species in rule.species]
        assert len(rules) >= 10
        for sex in ("female", "male"):
            found = [rule.flag.key for rule in rules if rule.concerns(species, sex)]
            assert len(found) == len(set(found))
    for rule in RULES:
        assert all(rule.flag.title(language) and rule.flag.text(language) for language in ("en", "tr"))
        assert rule.flag.text("en") != rule.flag.text("tr")
        assert rule.flag.text("de") == rule.flag.text("en")


def test_a_flag_says_whom_to_call_and_an_animal_is_never_sent_to_a_doctor() -> None:
    for rule in RULES:
        is_person = rule.species == {"person"}
        assert is_person or "person" not in rule.species
        assert (rule.flag.call == "vet") is not is_person
        assert "call" in rule.flag.text("en").lower() or "go to" in rule.flag.text("en").lower() or is_person


@pytest.mark.parametrize(
    ("species", "sex", "expected"),
    [
        ("cat", "male", {"blocked_bladder"}),
        ("cat", "female", {"no_urine"}),
        ("cat", "unknown", {"blocked_bladder", "no_urine"}),
        ("cat", None, {"blocked_bladder", "no_urine"}),
        ("dog", "male", {"no_urine"}),
        ("person", "male", {"dehydration"}),
        ("bird", "male", set()),
    ],
)
def test_no_urine_is_an_emergency_in_a_male_cat(species: str, sex: str | None, expected: set[str]) -> None:
    found = red_flags(species, sex, "urinary", {"no_urine": True}, "")
    assert {flag.key for flag in found} == expected
    assert all(flag.urgency == "now" for flag in found if flag.key == "blocked_bladder")


@pytest.mark.parametrize(("age", "expected"), [(0, True), (2, True), (3, False), (40, False), (None, False)])
def test_fever_in_a_young_baby_is_urgent_where_the_age_is_known(age: int | None, expected: bool) -> None:
    found = red_flags("person", None, "whole_body", {"temperature_c": 38.0}, "", age_months=age)
    assert ("fever_baby" in {flag.key for flag in found}) is expected


def test_the_most_urgent_flag_comes_first() -> None:
    found = red_flags("cat", "male", "urinary", {"blood": True, "no_urine": True}, "")
    assert [flag.urgency for flag in found] == sorted(flag.urgency for flag in found)
    assert {flag.urgency for flag in found} == {"now", "today"}


def test_the_flags_of_several_entries_stand_together_once_each() -> None:
    blood = red_flags("cat", "male", "urinary", {"blood": True}, "")
    blocked = red_flags("cat", "male", "urinary", {"no_urine": True}, "")
    assert gravest_first([*blood, *blocked, *blood]) == (*blocked, *blood)


DENIED = [
    "no seizure",
    "no seizures today",
    "he didn't have a seizure",
    "has not had any more seizures",
    "never had a seizure",
    "no vomiting, collapse or seizure",
    "without any sign of seizure",
    "the vet ruled out seizures",
    "what to do if he has a seizure",
    "in case of a seizure",
    "he isn't choking",
    "not gasping",
    "nöbet geçirmedi",
    "nöbet geçirmiyor",
    "nöbet geçirmemiş",
    "hiç nöbet geçirmez",
    "nöbet geçirirse ne yapmalı",
    "bayılmadı",
    "bayılmıyor",
    "bayılırsa",
    "yeni mamasına bayıldı",
    "oyuncağına bayılıyor",
    "nefes darlığı yok",
    "nefes darlığı görmedik",
    "nefes darlığı olmadı",
    "sara nöbeti değil",
    "kanlı ishal yok",
    "a great day, ate well",
    "her yer kar, çok mutlu",
    "burnu tıkandı",
    "",
]
RAISED = [
    ("he had a seizure", "seizure"),
    ("don't forget he had a seizure", "seizure"),
    ("not sure if he had a seizure", "seizure"),
    ("no idea why but he had a seizure", "seizure"),
    ("didn't eat today and then had a seizure", "seizure"),
    ("no food since morning, gasping for air", "breathing"),
    ("no energy, can’t breathe", "breathing"),
    ("I'm not joking, he collapsed", "collapse"),
    ("not only did he vomit, he collapsed", "collapse"),
    ("won't wake up", "collapse"),
    ("birden bayıldı", "collapse"),
    ("BAYILDI!!", "collapse"),
    ("nöbet geçirdi, nöbet durmuyor", "seizure"),
    ("nöbet geçiriyor durmuyor", "seizure"),
    ("nefes alamıyor uyanmıyor", "breathing"),
    ("nefes alamıyor hiç gücü yok", "breathing"),
    ("nefes darlığı var ateşi yok", "breathing"),
    ("nefes darlığı var", "breathing"),
    ("nefes darlığı geçmedi", "breathing"),
    ("nefes darlığı var, ateşi yok", "breathing"),
    ("Zor nefes alıyor", "breathing"),
    ("kanaması durmuyor", "bleeding"),
    ("çikolata yemiş", "poison_food"),
    ("balkondan düştü", "accident"),
]


@pytest.mark.parametrize("words", DENIED)
@pytest.mark.parametrize("species", ["cat", "dog"])
def test_denied_and_supposed_words_raise_nothing(words: str, species: str) -> None:
    assert keys(species, words) == set()


@pytest.mark.parametrize(("words", "key"), RAISED)
def test_a_denial_of_something_else_hides_no_flag(words: str, key: str) -> None:
    assert key in keys("dog", words)


def test_a_childs_words_about_dying_are_shown_and_small_talk_is_not() -> None:
    assert keys("person", "he says he wants to die") == {"wants_to_die"}
    assert keys("person", "okulda ölmek istiyorum demiş") == {"wants_to_die"}
    assert keys("person", "ölmek istemiyorum dedi") == set()
    assert keys("person", "a calm day at school") == set()
    assert keys("cat", "wants to die") == set()


@given(category_and_signs(), st.sampled_from(sorted(SPECIES)), st.text(max_size=60))
def test_any_entry_and_any_text_can_be_asked(
    drawn: tuple[str, dict[str, Any]], species: str, words: str
) -> None:
    category, signs = drawn
    found = red_flags(species, None, category, signs, words)
    assert len({flag.key for flag in found}) == len(found)


@given(category_and_signs(), st.sampled_from(sorted(SPECIES)))
def test_one_more_sign_never_hides_a_flag(drawn: tuple[str, dict[str, Any]], species: str) -> None:
    category, signs = drawn
    whole = set(red_flags(species, None, category, signs, ""))
    for name in signs:
        fewer = {k: v for k, v in signs.items() if k != name}
        assert set(red_flags(species, None, category, fewer, "")) <= whole


GOOD: dict[str, Any] = {
    "key": "x",
    "species": ["cat"],
    "urgency": "now",
    "call": "vet",
    "en_title": "T",
    "tr_title": "T",
    "en": "Call.",
    "tr": "Ara.",
    "words": ["falls over"],
    "signs": [{"category": "ears", "signs": {"pain": True}}],
}


@pytest.mark.parametrize(
    "change",
    [
        {"species": ["horse"]},
        {"species": []},
        {"urgency": "soon"},
        {"call": "nobody"},
        {"words": [], "signs": []},
        {"words": [""]},
        {"signs": [{"category": "ear", "signs": {"pain": True}}]},
        {"signs": [{"category": "ears", "signs": {"fever": True}}]},
        {"signs": [{"category": "ears", "signs": {"pain": 3}}]},
        {"signs": [{"category": "ears", "signs": {}}]},
        {"signs": [{"category": "whole_body", "signs": {"temperature_c": {"over": 40}}}]},
    ],
)
def test_a_flags_file_that_says_what_no_entry_can_hold_is_refused_by_name(change: dict[str, Any]) -> None:
    with pytest.raises(BadFlags, match="red flag x"):
        parse_flags({"flag": [GOOD | change]})


def test_a_flag_without_its_turkish_text_is_refused() -> None:
    with pytest.raises(BadFlags, match="tr"):
        parse_flags({"flag": [{k: v for k, v in GOOD.items() if k != "tr"}]})


def test_ones_own_flags_can_be_given() -> None:
    rules: tuple[FlagRule, ...] = parse_flags({"flag": [GOOD]})
    assert [flag.key for flag in red_flags("cat", None, "ears", {"pain": True}, "", rules=rules)] == ["x"]
    assert red_flags("dog", None, "ears", {"pain": True}, "", rules=rules) == ()
