"""The words of the companion's page: each that is named is there, and each that is there is named."""

from __future__ import annotations

import re
from pathlib import Path

from memory.companion_words import LANGUAGES, WORDS, words
from memory.rules.companion.icons import icons

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = sorted((ROOT / "static" / "companion").rglob("*.js"))
SHELL = ROOT / "templates" / "memory" / "companion_show.html"


def named() -> set[str]:
    """Names of words in templates and scripts, whole families for those that are put together."""
    found = set(re.findall(r'data-(?:word|label|label-title|hint)="(\w+)"', SHELL.read_text()))
    for path in SCRIPTS:
        text = path.read_text()
        found |= set(re.findall(r'"([a-z]+(?:_[a-z0-9]+)*)"', text)) & WORDS.keys()
        found |= set(re.findall(r"""\bt\("(\w+)"\)""", text))
        found |= {name for name in re.findall(r"^  (\w+): \[", text, re.MULTILINE) if name in WORDS}
    return found | {name for name in WORDS if name.startswith("rest_")}


def test_every_word_is_named_and_every_name_has_its_word() -> None:
    assert named() == set(WORDS)


def test_both_languages_have_every_word() -> None:
    found = words()
    assert set(found) == set(LANGUAGES)
    assert all(set(texts) == set(WORDS) and all(texts.values()) for texts in found.values())


def test_nothing_of_the_page_comes_from_elsewhere_or_is_inline() -> None:
    for path in (*SCRIPTS, SHELL, ROOT / "static" / "companion" / "companion.css"):
        text = path.read_text().replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?://|innerHTML|\beval\(|new Function", text), path.name


def test_every_icon_of_a_memory_is_drawn() -> None:
    text = (ROOT / "static" / "companion" / "face" / "signs.js").read_text()
    drawn = set(re.findall(r"^  (\w+): \[", text, re.MULTILINE))
    alike = dict(re.findall(r'(\w+): "(\w+)"', text))
    assert set(alike.values()) <= drawn
    assert set(icons()) <= drawn | set(alike)
    assert all(re.fullmatch(r"[a-z.]{8}", row) for row in re.findall(r'"([a-z.]{8})"', text))
