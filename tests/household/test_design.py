"""What holds of every template and stylesheet, read as text."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
STYLES = sorted((ROOT / "static" / "css").glob("*.css"))
RAW_COLOUR = re.compile(r"#[0-9a-f]{3,8}\b|\brgba?\(", re.IGNORECASE)


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def icons() -> set[str]:
    sprite = ElementTree.parse(ROOT / "static" / "icons.svg").getroot()
    return {symbol.attrib["id"] for symbol in sprite}


def declarations(text: str, opening: str) -> list[str]:
    block = text.split(opening, 1)[1].split("}", 1)[0]
    return re.findall(r"(--[\w-]+:\s*[^;]+);", block)


@pytest.mark.parametrize("path", TEMPLATES, ids=name_of)
def test_a_template_holds_nothing_the_content_policy_refuses(path: Path) -> None:
    text = path.read_text()
    assert not re.search(r"\sstyle\s*=", text)
    assert not re.search(r"\son[a-z]+\s*=|hx-on|javascript:", text)
    assert not re.search(r"<script(?![^>]*(\ssrc=|application/json))[^>]*>", text)


@pytest.mark.parametrize("path", TEMPLATES, ids=name_of)
def test_every_icon_a_template_names_is_drawn(path: Path) -> None:
    named = re.findall(r'\{% icon "([\w-]+)"', path.read_text())
    assert set(named) <= icons()


def test_every_icon_has_its_own_name() -> None:
    sprite = ElementTree.parse(ROOT / "static" / "icons.svg").getroot()
    assert len(icons()) == len(list(sprite))


@pytest.mark.parametrize(
    "path", [p for p in STYLES if p.name not in {"tokens.css", "print.css"}], ids=name_of
)
def test_only_the_tokens_name_a_raw_colour(path: Path) -> None:
    rules = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)
    assert not RAW_COLOUR.findall(rules)


def test_both_dark_sets_are_the_same() -> None:
    text = (ROOT / "static" / "css" / "tokens.css").read_text()
    by_device = declarations(text, ':root:not([data-theme="light"]) {')
    by_switch = declarations(text, ':root[data-theme="dark"] {')
    assert by_device == by_switch
    assert len(by_device) > 30


def test_every_token_used_is_defined() -> None:
    defined = {token for path in STYLES for token in re.findall(r"(--[\w-]+)\s*:", path.read_text())}
    defined |= {"--undo-whole", "--undo-gone"}  # set by app.js
    used = {token for path in STYLES for token in re.findall(r"var\((--[\w-]+)", path.read_text())}
    assert used <= defined


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


PAIRS = (
    *((ink, ground) for ink in ("--ink", "--ink-soft") for ground in ("--paper", "--surface", "--sunken")),
    *((ink, ground) for ink in ("--act", "--ember", "--flag") for ground in ("--paper", "--surface")),
    *((f"--{word}", f"--{word}-tint") for word in ("abnormal", "normal", "question", "flag", "muted")),
    *((f"--{word}", ground) for word in ("abnormal", "normal") for ground in ("--paper", "--surface")),
    *((f"--hue-{n}", f"--hue-{n}-tint") for n in range(1, 7)),
    ("--on-act", "--act-fill"),
    ("--on-act", "--act-fill-hover"),
    ("--on-alarm", "--alarm"),
    ("--act", "--act-tint"),
    ("--cover-ink", "--cover"),
    ("--cover-ink", "--cover-edge"),
    ("--cover-soft", "--cover"),
)


@pytest.mark.parametrize("opening", [":root {", ':root[data-theme="dark"] {'], ids=["light", "dark"])
@pytest.mark.parametrize(("ink", "ground"), PAIRS)
def test_words_stand_out_from_their_ground(opening: str, ink: str, ground: str) -> None:
    text = (ROOT / "static" / "css" / "tokens.css").read_text()
    tokens = dict(line.split(":", 1) for line in declarations(text, opening))
    assert contrast(tokens[ink].strip(), tokens[ground].strip()) >= 4.5
