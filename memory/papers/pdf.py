"""PDF files: the words of the text layer in reading order, what of it nobody sees, fields, page pictures.

Words are hidden where they are drawn in the invisible mode, without opacity, smaller than can be seen, under
a picture that covers the page, or without any contrast to what lies around them. Scripts are never run: the
library is built without an engine for them.
"""

from __future__ import annotations

import ctypes
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pypdfium2 as pdfium  # type: ignore[import-untyped]
from PIL import Image
from pypdfium2 import raw

from memory.papers.forms import field_lines
from memory.papers.pages import PageText
from memory.papers.refusing import Refused
from memory.rules.documents.columns import Word, reading_lines
from memory.rules.documents.garbage import is_garbage
from memory.rules.documents.limits import MAX_PAGES, MAX_PIXELS, MAX_TEXT

LOOK_DPI = 100
SCAN_DPI = 300
MOST_LOOK = 2400  # pixels of the longer side
MOST_SCAN = 3700
TINY_PT = 1.5
CONTRAST = 28  # of 255, between the darkest and the lightest pixel of a word
BLANK = 12
THUMB = 360
COVERS = 0.75  # of the page
FEW = 40  # letters: less text than a page that is read from its picture would have
INVISIBLE = {raw.FPDF_TEXTRENDERMODE_INVISIBLE, raw.FPDF_TEXTRENDERMODE_CLIP}


@dataclass(frozen=True)
class _Char:
    text: str
    box: tuple[float, float, float, float]  # left, right, bottom, top of the page's own space
    is_seen: bool
    is_odd: bool


def open_pdf(content: bytes, password: str | None = None) -> pdfium.PdfDocument:
    """The document. Raises Refused."""
    try:
        document = pdfium.PdfDocument(content, password=password)
        count = len(document)
    except pdfium.PdfiumError:
        if raw.FPDF_GetLastError() == raw.FPDF_ERR_PASSWORD:
            raise Refused("wrong_password" if password else "needs_password") from None
        raise Refused("not_readable") from None
    if count == 0:
        raise Refused("not_readable")
    if count > MAX_PAGES:
        raise Refused("too_many_pages")
    return document


def unlocked(content: bytes, password: str) -> bytes:
    """The same document without its password. Raises Refused."""
    document = open_pdf(content, password)
    target = io.BytesIO()
    document.save(target, flags=raw.FPDF_REMOVE_SECURITY)
    return target.getvalue()


def attachment_names(document: pdfium.PdfDocument) -> list[str]:
    """The names of files that hang on the document; they are named, and never opened."""
    names = []
    for number in range(min(document.count_attachments(), 50)):
        names.append(document.get_attachment(number).get_name()[:200])
    return names


def read_pdf(document: pdfium.PdfDocument) -> Iterator[PageText]:
    """The text layer of every page, and which pages must be read from their picture. Raises Refused."""
    document.init_forms()
    size = 0
    for number in range(len(document)):
        try:
            page = document[number]
            read = _read_page(document, page, number + 1)
            page.close()
        except pdfium.PdfiumError:
            read = PageText(number + 1, "layer")
        size += len(read.text) + len(read.hidden)
        if size > MAX_TEXT:
            raise Refused("too_much_text")
        yield read


def _read_page(document: pdfium.PdfDocument, page: pdfium.PdfPage, number: int) -> PageText:
    covering = _refuse_large_pictures(page)
    look = _look(page)
    shown, hidden, odd = _words(page, look)
    fields = field_lines(document, page)
    text = "\n".join(reading_lines(shown))
    is_blank = int(look.max()) - int(look.min()) < BLANK
    needs = not is_blank and _needs_ocr(text, covering=covering, odd=odd)
    if needs and is_garbage(text):
        text = ""
    body = "" if needs else text
    unseen = "\n".join(reading_lines(hidden))
    source = "form" if fields and not body else "layer"
    return PageText(number, source, "\n".join([body, *fields]).strip("\n"), unseen, needs_ocr=needs)


def _needs_ocr(text: str, *, covering: float, odd: float) -> bool:
    letters = sum(ch.isalnum() for ch in text)
    if letters == 0 or is_garbage(text) or odd > 0.3:
        return True
    return letters < FEW and covering >= 0.3


def _refuse_large_pictures(page: pdfium.PdfPage) -> float:
    """The share of the page that pictures cover. Raises Refused before a picture too large is unpacked."""
    area = max(page.get_width() * page.get_height(), 1.0)
    covered = 0.0
    for one in page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=4):
        width, height = one.get_px_size()
        if width * height > MAX_PIXELS:
            raise Refused("too_many_pixels")
        left, bottom, right, top = one.get_bounds()
        covered += max(right - left, 0) * max(top - bottom, 0)
    return float(min(covered / area, 1.0))


def _scale(page: pdfium.PdfPage, dpi: int, most: int) -> float:
    longest = max(page.get_width(), page.get_height(), 1.0)
    return float(min(dpi / 72, most / longest))


def _look(page: pdfium.PdfPage) -> Any:
    """The page as a reader sees it, small and grey."""
    return _grey(page, _scale(page, LOOK_DPI, MOST_LOOK))


def _grey(page: pdfium.PdfPage, scale: float) -> Any:
    bitmap = page.render(scale=scale, grayscale=True, may_draw_forms=True)
    return np.array(bitmap.to_numpy().reshape(bitmap.height, -1)[:, : bitmap.width])


def scan(page: pdfium.PdfPage) -> Image.Image:
    """The page at the size of a good scan, for reading letters in it. Raises Refused."""
    _refuse_large_pictures(page)
    return Image.fromarray(_grey(page, _scale(page, SCAN_DPI, MOST_SCAN)))


def thumbnail(page: pdfium.PdfPage) -> Image.Image:
    """A small picture of the page. Raises Refused."""
    _refuse_large_pictures(page)
    longest = max(page.get_width(), page.get_height(), 1.0)
    drawn: Image.Image = page.render(scale=THUMB / longest, may_draw_forms=True).to_pil()
    return drawn.convert("RGB")


def _words(page: pdfium.PdfPage, look: Any) -> tuple[list[Word], list[Word], float]:
    """Seen words, hidden words, and the share of characters whose font does not say which letter they are."""
    chars = list(_chars(page))
    place = _placer(page, look)
    shown: list[Word] = []
    hidden: list[Word] = []
    for run in _runs(chars):
        word = place(run)
        is_seen = all(one.is_seen for one in run) and not _is_tiny(run) and _has_contrast(look, word)
        (shown if is_seen else hidden).append(word)
    odd = sum(one.is_odd for one in chars) / len(chars) if chars else 0.0
    return shown, hidden, odd


def _chars(page: pdfium.PdfPage) -> Iterator[_Char]:
    layer = page.get_textpage()
    buried = _buried_below(page)
    modes: dict[int | None, bool] = {}
    numbers = [ctypes.c_double() for _ in range(4)]
    colour = [ctypes.c_uint() for _ in range(4)]
    for at in range(layer.count_chars()):
        code = raw.FPDFText_GetUnicode(layer, at)
        text = chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"
        if text.isspace() or raw.FPDFText_IsGenerated(layer, at) == 1:
            yield _Char(" ", (0, 0, 0, 0), True, False)
            continue
        if not raw.FPDFText_GetCharBox(layer, at, *numbers):
            continue
        box = tuple(one.value for one in numbers)
        thing = raw.FPDFText_GetTextObject(layer, at)
        key = ctypes.cast(thing, ctypes.c_void_p).value if thing else None
        if key not in modes:
            mode = raw.FPDFTextObj_GetTextRenderMode(thing) if thing else 0
            modes[key] = mode not in INVISIBLE and key not in buried
        is_seen = modes[key]
        if is_seen and raw.FPDFText_GetFillColor(layer, at, *colour):
            is_seen = colour[3].value > 10
        odd = raw.FPDFText_HasUnicodeMapError(layer, at) == 1
        yield _Char(text, box, is_seen, odd)  # type: ignore[arg-type]


def _buried_below(page: pdfium.PdfPage) -> set[int | None]:
    """The text drawn before a picture that covers the page: nobody sees it."""
    area = max(page.get_width() * page.get_height(), 1.0)
    earlier: set[int | None] = set()
    buried: set[int | None] = set()
    for one in page.get_objects(max_depth=2):
        if one.type == raw.FPDF_PAGEOBJ_TEXT:
            earlier.add(ctypes.cast(one.raw, ctypes.c_void_p).value)
        elif one.type == raw.FPDF_PAGEOBJ_IMAGE:
            left, bottom, right, top = one.get_bounds()
            if (right - left) * (top - bottom) >= COVERS * area:
                buried |= earlier
    return buried


def _runs(chars: Sequence[_Char]) -> Iterator[list[_Char]]:
    """Characters that make one word: no space between them, on one line, seen or hidden together."""
    run: list[_Char] = []
    for char in chars:
        if char.text == " ":
            if run:
                yield run
            run = []
            continue
        if run and (_is_far(run[-1], char) or run[-1].is_seen != char.is_seen):
            yield run
            run = []
        run.append(char)
    if run:
        yield run


def _is_tiny(run: list[_Char]) -> bool:
    """Whether letters are too small for any eye; a dot is small and no letter."""
    letters = [one.box[3] - one.box[2] for one in run if one.text.isalnum()]
    return bool(letters) and max(letters) < TINY_PT


def _is_far(left: _Char, right: _Char) -> bool:
    height = max(left.box[3] - left.box[2], right.box[3] - right.box[2], 1.0)
    gap_x = max(right.box[0] - left.box[1], left.box[0] - right.box[1])
    gap_y = max(right.box[2] - left.box[3], left.box[2] - right.box[3])
    return gap_x > 1.5 * height or gap_y > 0.7 * height


def _placer(page: pdfium.PdfPage, look: Any) -> Any:
    """A function that places a run of characters in pixels of the look, however the page is turned."""
    high, wide = look.shape[:2]
    x, y = ctypes.c_int(), ctypes.c_int()

    def spot(left: float, top: float) -> tuple[int, int]:
        raw.FPDF_PageToDevice(page, 0, 0, wide, high, 0, left, top, x, y)
        return x.value, y.value

    def place(run: list[_Char]) -> Word:
        one = spot(min(c.box[0] for c in run), max(c.box[3] for c in run))
        two = spot(max(c.box[1] for c in run), min(c.box[2] for c in run))
        (x0, x1), (y0, y1) = sorted((one[0], two[0])), sorted((one[1], two[1]))
        return Word("".join(c.text for c in run), x0, y0, max(x1, x0 + 1), max(y1, y0 + 1))

    return place


def _has_contrast(look: Any, word: Word) -> bool:
    """Whether anything can be seen where a word stands; what lies off the page cannot."""
    high, wide = look.shape[:2]
    x0, x1 = max(int(word.x0) - 1, 0), min(int(word.x1) + 2, wide)
    y0, y1 = max(int(word.y0) - 1, 0), min(int(word.y1) + 2, high)
    if x0 >= x1 or y0 >= y1:
        return False
    piece = look[y0:y1, x0:x1]
    return int(piece.max()) - int(piece.min()) >= CONTRAST
