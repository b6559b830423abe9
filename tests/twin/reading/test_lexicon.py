"""The reader's word lists: every name they use exists, every phrase can be read."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest

from twin.reading import exemplars
from twin.reading.findings import target
from twin.reading.lexicon import DATA, load, spread
from twin.rules.categories import FIELDS, validate_signs

LANGUAGES = ("en", "tr")


def raw(language: str) -> dict[str, Any]:
    return tomllib.loads((DATA / f"lexicon_{language}.toml").read_text("utf-8"))


def check_target(name: str) -> None:
    category, sign, value = target(name)
    assert category in FIELDS, name
    if sign is not None and value is not None:
        assert validate_signs(category, {sign: value}) == {sign: value}, name


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sign_of_the_word_list_is_in_its_category(language: str) -> None:
    for name in raw(language)["signs"]:
        check_target(name)


def test_every_combination_means_a_sign_and_uses_known_words() -> None:
    table = tomllib.loads((DATA / "combinations.toml").read_text("utf-8"))
    parts = {part for language in LANGUAGES for part in raw(language)["parts"]}
    properties = {name for language in LANGUAGES for name in raw(language)["properties"]}
    for part, means in table.items():
        if part in ("category_of", "not_observed"):
            continue
        assert part == "alone" or part in parts
        assert set(means) <= properties, part
        for name in means.values():
            check_target(name)
    assert set(table["category_of"].values()) <= set(FIELDS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_both_languages_speak_of_every_category_and_sign(language: str) -> None:
    named = {target(name)[:2] for name in raw(language)["signs"]}
    for category, fields in FIELDS.items():
        for name, field in fields.items():
            if field.kind == "tri" and (category, name) not in {("blood_immune", "pale_gums")}:
                assert (category, name) in named or _combined(category, name), f"{category}.{name}"


def _combined(category: str, sign: str) -> bool:
    text = (DATA / "combinations.toml").read_text("utf-8")
    return f'"{category}.{sign}"' in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_phrase_compiles_to_something_to_look_for(language: str) -> None:
    lexicon = load(language)  # type: ignore[arg-type]
    patterns = [p for group in lexicon.patterns.values() for p in group] + lexicon.open_patterns
    assert len(patterns) > 1000
    for pattern in patterns:
        assert any(e.kind in ("word", "number") for e in pattern.elements), pattern.phrase
        assert pattern.elements[0].kind != "gap", pattern.phrase


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_phrase_is_written_with_an_unknown_mark(language: str) -> None:
    allowed = re.compile(r"^[\w|~#=*!'/ %<>&.+-]+$")
    for group in ("parts", "properties", "signs", "judgement", "talk", "slots", "topics"):
        for name, phrases in raw(language)[group].items():
            for phrase in phrases:
                assert allowed.match(phrase), f"{name}: {phrase}"


def test_an_alternative_of_several_words_stands_for_itself() -> None:
    assert spread("lost ~ words|eye_contact") == ["lost ~ words", "lost ~ eye contact"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_bundled_exemplar_holds_valid_signs(language: str) -> None:
    bank = exemplars.bundled(language)  # type: ignore[arg-type]
    assert bank
    for exemplar in bank:
        for category, signs in exemplar.entries:
            assert validate_signs(category, signs) is not None
