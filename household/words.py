"""The words of the product in its languages: found in code and templates, kept in .po files.

Works without xgettext: Babel reads Python, Django itself turns a template into something Babel can read.
"""

from __future__ import annotations

import ast
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

KEYWORDS: dict[str, Any] = {
    "_": None,
    "_now": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
}
LITERAL = r"""u?('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")"""
CALL = re.compile(rf"\b(n?p?gettext|_)\(\s*{LITERAL}(?:\s*,\s*{LITERAL})?(?:\s*,\s*{LITERAL})?")
PLACES = ("household", "twin", "memory", "voice", "templates")


@dataclass(frozen=True)
class Message:
    """One message: its words, plural and context, and where it stands."""

    text: str
    plural: str | None = None
    context: str | None = None
    places: list[str] = field(default_factory=list, compare=False)


def messages_in(root: Path) -> dict[tuple[str | None, str], Message]:
    """Every translatable message of the tree under `root`, by (context, text)."""
    found: dict[tuple[str | None, str], Message] = {}
    for path in _files(root):
        for line, text, plural, context in _extract(path):
            if not text:
                continue
            message = found.setdefault((context, text), Message(text, plural, context))
            message.places.append(f"{path.relative_to(root)}:{line}")
    return found


def _files(root: Path) -> Iterator[Path]:
    for place in PLACES:
        for path in sorted((root / place).rglob("*")):
            if path.suffix in {".py", ".html", ".txt"} and "migrations" not in path.parts:
                yield path


def _extract(path: Path) -> Iterator[tuple[int, str, str | None, str | None]]:
    source = path.read_text(encoding="utf-8")
    yield from _from_python(source) if path.suffix == ".py" else _from_template(source, path)


def _from_python(source: str) -> Iterator[tuple[int, str, str | None, str | None]]:
    from babel.messages.extract import extract

    stream = io.BytesIO(source.encode())
    found = extract("python", stream, keywords=KEYWORDS, options={"encoding": "utf-8"})
    for line, texts, _comments, context in found:
        one = texts if isinstance(texts, str) else texts[0]
        yield line, one, None if isinstance(texts, str) else texts[1], context


def _from_template(source: str, path: Path) -> Iterator[tuple[int, str, str | None, str | None]]:
    """Django turns a template into calls of gettext; their literals are read one by one."""
    from django.utils.translation.template import templatize

    called = templatize(source, origin=str(path))
    for call in CALL.finditer(called):
        texts = [ast.literal_eval(text) for text in call.groups()[1:] if text]
        context = texts.pop(0) if "p" in call[1].removesuffix("gettext") else None
        plural = texts[1] if call[1].startswith("n") else None
        yield called.count("\n", 0, call.start()) + 1, texts[0], plural, context


def update_catalogue(path: Path, found: dict[tuple[str | None, str], Message]) -> tuple[int, int]:
    """Add what is new to a .po file and take out what is gone. Gives both counts."""
    import polib

    catalogue = polib.pofile(str(path), wrapwidth=100)
    held = {(entry.msgctxt, entry.msgid): entry for entry in catalogue}
    gone = [entry for key, entry in held.items() if key not in found]
    for entry in gone:
        catalogue.remove(entry)
    new = [message for key, message in found.items() if key not in held]
    for message in new:
        plural = {"msgid_plural": message.plural, "msgstr_plural": {0: "", 1: ""}} if message.plural else {}
        catalogue.append(polib.POEntry(msgid=message.text, msgctxt=message.context, **plural))
    for entry in catalogue:
        entry.occurrences = []
        entry.flags = [flag for flag in entry.flags if flag != "fuzzy"]
        if "%(" in entry.msgid and "python-format" not in entry.flags:
            entry.flags.append("python-format")
    catalogue.sort(key=lambda entry: (entry.msgid.casefold(), entry.msgctxt or ""))
    catalogue.save(str(path))
    return len(new), len(gone)


def faults_of(path: Path, found: dict[tuple[str | None, str], Message]) -> list[str]:
    """What is wrong with a .po file: missing, left over, untranslated, or with other placeholders."""
    import polib

    catalogue = polib.pofile(str(path))
    held = {(entry.msgctxt, entry.msgid): entry for entry in catalogue}
    faults = [
        f"missing: {text!r} ({found[(context, text)].places[0]})"
        for context, text in found.keys() - held.keys()
    ]
    faults += [f"left over: {text!r}" for _context, text in held.keys() - found.keys()]
    for entry in held.values():
        said = list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]
        if not all(text.strip() for text in said):
            faults.append(f"untranslated: {entry.msgid!r}")
        elif any(
            _placeholders(text) - _placeholders(entry.msgid + (entry.msgid_plural or "")) for text in said
        ):
            faults.append(f"placeholders differ: {entry.msgid!r}")
    return sorted(faults)


def _placeholders(text: str) -> set[str]:
    return set(re.findall(r"%\(\w+\)[sd]|\{\w*\}", text))
