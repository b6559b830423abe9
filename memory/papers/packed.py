"""Word documents: paragraphs, tables, boxes, headers and footers; comments and hidden words kept apart.

The package is looked at before anything is unpacked: how much it would become, and whether a part declares
entities (a document type in its XML), which no word processor writes.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from typing import Any

from docx.oxml import parse_xml

from memory.papers.margins import RELATIONS, SETTINGS, margin_names
from memory.papers.pages import PageText
from memory.papers.refusing import Refused
from memory.rules.documents.limits import MAX_PAGES, MAX_PARTS, MAX_RATIO, MAX_TEXT, MAX_UNPACKED

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
W14 = "{http://schemas.microsoft.com/office/word/2010/wordml}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
CHECKED, UNCHECKED = "☑", "☐"
# Characters of the symbol fonts that stand for boxes and ticks.
SYMBOLS = {
    "F0A8": UNCHECKED,
    "F06F": UNCHECKED,
    "F0FE": CHECKED,
    "F0FD": CHECKED,
    "F052": CHECKED,
    "F0FC": "✓",
    "F0A3": UNCHECKED,
}
BOXES = {"☒": CHECKED, "☑": CHECKED, "✔": CHECKED}
SKIPPED = {f"{W}del", f"{W}instrText", f"{W}delText", f"{MC}Fallback", f"{W}pPr", f"{W}sectPr", f"{W}tblPr"}
LARGE = 1024 * 1024


def read_packed(content: bytes) -> Iterator[PageText]:
    """The pages of a Word document, as far as it says where they end. Raises Refused."""
    try:
        package = zipfile.ZipFile(io.BytesIO(content))
    except (zipfile.BadZipFile, ValueError, OSError):
        raise Refused("not_readable") from None
    _refuse_bombs(package)
    body = _part(package, "word/document.xml")
    if body is None:
        raise Refused("not_readable")
    comments = _part(package, "word/comments.xml")
    beside = _part(package, RELATIONS), _part(package, SETTINGS)
    paper = _Paper()
    paper.margins([_part(package, name) for name in margin_names("header", body, *beside)])
    paper.walk(body)
    for name in ("word/footnotes.xml", "word/endnotes.xml"):
        notes = _part(package, name)
        if notes is not None:
            paper.walk(notes)
    paper.margins([_part(package, name) for name in margin_names("footer", body, *beside)])
    yield from paper.pages(_comment_lines(comments) if comments is not None else "")


def _refuse_bombs(package: zipfile.ZipFile) -> None:
    parts = package.infolist()
    if len(parts) > MAX_PARTS or sum(part.file_size for part in parts) > MAX_UNPACKED:
        raise Refused("unpacks_too_large")
    for part in parts:
        is_large = part.file_size > LARGE
        if is_large and part.file_size > MAX_RATIO * max(part.compress_size, 1):
            raise Refused("unpacks_too_large")


def _part(package: zipfile.ZipFile, name: str) -> Any:
    """The root element of one part, None where there is none. Raises Refused."""
    if name not in package.NameToInfo:
        return None
    try:
        with package.open(name) as part:
            xml = part.read(MAX_UNPACKED + 1)  # a size that lies is found out here
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError, OSError):
        raise Refused("not_readable") from None
    if len(xml) > MAX_UNPACKED:
        raise Refused("unpacks_too_large")
    flat = xml.replace(b"\0", b"").upper()
    if b"<!DOCTYPE" in flat or b"<!ENTITY" in flat:
        raise Refused("declares_entities")
    try:
        return parse_xml(xml)
    except (SyntaxError, ValueError):
        raise Refused("not_readable") from None


def _comment_lines(comments: Any) -> str:
    lines = []
    for one in comments.iter(f"{W}comment"):
        words = "".join(piece.text or "" for piece in one.iter(f"{W}t"))
        if words.strip():
            lines.append(f"{one.get(f'{W}author') or ''}: {words}".strip(": "))
    return "\n".join(lines)


class _Paper:
    """The text of a document while it is walked through."""

    def __init__(self) -> None:
        self.texts: list[list[str]] = [[]]
        self.hidden: list[list[str]] = [[]]
        self.size = 0

    def pages(self, comments: str) -> Iterator[PageText]:
        """What was gathered; the comments stand with the first page."""
        both = zip(self.texts, self.hidden, strict=True)
        # A hard page end is often followed by the mark of where it was last drawn: no page lies between.
        kept = [pair for pair in both if any(pair)] or [([], [])]
        if len(kept) > MAX_PAGES:
            raise Refused("too_many_pages")
        for number, (shown, unseen) in enumerate(kept, start=1):
            yield PageText(
                number,
                "docx",
                "\n".join(shown).strip("\n"),
                "\n".join(unseen),
                comments if number == 1 else "",
            )

    def margins(self, parts: list[Any]) -> None:
        """Take in headers or footers, what several of them say alike once."""
        said: list[list[str]] = []
        for part in parts:
            inner = _Paper()
            if part is not None:
                inner.walk(part)
            lines = [line for page in inner.texts for line in page if line]
            self.hidden[-1] += [one for page in inner.hidden for one in page]
            if lines and lines not in said:
                said.append(lines)
                for line in lines:
                    self._add(line)
        if said:
            self._add("")

    def walk(self, element: Any) -> None:
        """Take in the blocks of an element, in order."""
        for child in element:
            if child.tag == f"{W}p":
                self._paragraph(child)
            elif child.tag == f"{W}tbl":
                self._table(child)
            elif child.tag not in SKIPPED:
                self.walk(child)

    def _add(self, line: str) -> None:
        self.size += len(line) + 1
        if self.size > MAX_TEXT:
            raise Refused("too_much_text")
        self.texts[-1].append(line)

    def _paragraph(self, paragraph: Any) -> None:
        line = _Line()
        line.take(paragraph)
        for number, piece in enumerate(line.pieces):
            if number:  # a page ends inside this paragraph
                self.texts.append([])
                self.hidden.append([])
            text = "".join(piece).strip()
            if text:
                self._add(text)
        if line.hidden:
            self.hidden[-1].append("".join(line.hidden))
        for box in line.boxes:
            self.walk(box)

    def _table(self, table: Any) -> None:
        for row in table.iter(f"{W}tr"):
            if _owner(row) is not table:
                continue
            cells = []
            for cell in row:
                if cell.tag in (f"{W}tc", f"{W}sdt"):
                    inner = _Paper()
                    inner.walk(cell)
                    cells.append(" ".join(" ".join(page) for page in inner.texts).strip())
                    self.hidden[-1] += [one for page in inner.hidden for one in page]
            if any(cells):
                self._add(" | ".join(cells))
        self._add("")


def _owner(row: Any) -> Any:
    """The table a row belongs to: the nearest above it."""
    one = row.getparent()
    while one is not None and one.tag != f"{W}tbl":
        one = one.getparent()
    return one


class _Line:
    """One paragraph: its text in pieces between page ends, hidden words, the boxes that hang on it."""

    def __init__(self) -> None:
        self.pieces: list[list[str]] = [[]]
        self.hidden: list[str] = []
        self.boxes: list[Any] = []

    def take(self, element: Any, *, is_hidden: bool = False) -> None:
        """Take in everything inside an element, in order."""
        for child in element:
            tag = child.tag
            if tag in SKIPPED or not isinstance(tag, str):
                continue
            if tag == f"{W}t":
                (self.hidden if is_hidden else self.pieces[-1]).append(_ticked(child.text or ""))
            elif tag == f"{W}r":
                self.take(child, is_hidden=is_hidden or _is_vanished(child))
            elif tag == f"{W}sdt":
                self._control(child, is_hidden)
            elif tag == f"{W}txbxContent":
                self.boxes.append(child)
            else:
                self._mark(child, is_hidden)

    def _mark(self, child: Any, is_hidden: bool) -> None:
        match child.tag.removeprefix(W):
            case "tab":
                self.pieces[-1].append("\t")
            case "br" | "cr":
                if child.get(f"{W}type") == "page":
                    self.pieces.append([])
                else:
                    self.pieces[-1].append("\n")
            case "lastRenderedPageBreak":
                self.pieces.append([])
            case "noBreakHyphen":
                self.pieces[-1].append("-")
            case "sym":
                self.pieces[-1].append(SYMBOLS.get((child.get(f"{W}char") or "").upper(), ""))
            case "ffData":
                self._old_box(child)
            case "rPr":
                pass
            case _:
                self.take(child, is_hidden=is_hidden)

    def _control(self, control: Any, is_hidden: bool) -> None:
        box = next(control.iter(f"{W14}checkbox"), None)
        if box is None:
            self.take(control, is_hidden=is_hidden)
            return
        state = next(box.iter(f"{W14}checked"), None)
        is_on = state is not None and state.get(f"{W14}val", "1") in ("1", "true", "on")
        self.pieces[-1].append(CHECKED if is_on else UNCHECKED)

    def _old_box(self, data: Any) -> None:
        for box in data.iter(f"{W}checkBox"):
            state = next(box.iter(f"{W}checked"), None)
            if state is None:
                state = next(box.iter(f"{W}default"), None)
            is_on = state is not None and state.get(f"{W}val", "1") in ("1", "true", "on")
            self.pieces[-1].append(CHECKED if is_on else UNCHECKED)


def _ticked(text: str) -> str:
    for sign, box in BOXES.items():
        text = text.replace(sign, box)
    return text


def _is_vanished(run: Any) -> bool:
    mark = run.find(f"{W}rPr/{W}vanish")
    return mark is not None and mark.get(f"{W}val", "1") not in ("0", "false", "off")
