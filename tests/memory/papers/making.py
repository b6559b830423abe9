"""Papers made by the tests: a text printed on a page, and scanned again askew and noisy."""

from __future__ import annotations

import datetime as dt
import hashlib
import io
import struct
import uuid
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from household.access import seen_by
from household.models import Person
from memory.models import Document
from memory.services.documents.adding import Added, add_document
from memory.services.documents.pipeline import read_document
from tests.makers import a_person, now
from twin.models import Subject

FONTS = (
    "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf",
    "/usr/share/fonts/truetype/liberation/LiberationMono-Regular.ttf",
)
WIDE, HIGH, LINE = 1654, 2339, 40  # A4 at 200 dpi


def printed(text: str) -> Image.Image:
    """A page with this text, as a printer would lay it down."""
    page = Image.new("L", (WIDE, HIGH), 255)
    name = next((one for one in FONTS if Path(one).exists()), None)
    font: Any = ImageFont.truetype(name, 27) if name else ImageFont.load_default(size=27)
    draw = ImageDraw.Draw(page)
    for number, line in enumerate(text.splitlines()):
        draw.text((130, 130 + number * LINE), line, font=font, fill=20)
    return page


def scanned(page: Image.Image, *, degrees: float = 1.4, turn: int = 0, seed: int = 7) -> bytes:
    """The page as a phone or scanner gives it back: askew, noisy, blurred, unevenly lit."""
    dice = np.random.default_rng(seed)
    tilted = page.rotate(degrees, resample=Image.Resampling.BICUBIC, fillcolor=235, expand=True)
    pixels = np.asarray(tilted.filter(ImageFilter.GaussianBlur(0.6)), dtype=np.float32)
    light = np.linspace(1.0, 0.72, pixels.shape[1], dtype=np.float32)[None, :]
    noisy = pixels * light + dice.normal(0, 7, pixels.shape)
    picture = Image.fromarray(np.clip(noisy, 0, 255).astype(np.uint8)).rotate(turn, expand=True)
    target = io.BytesIO()
    picture.save(target, format="JPEG", quality=82)
    return target.getvalue()


def photographed(page: Image.Image, *, turn: int = 0, seed: int = 11) -> Image.Image:
    """The page as a phone sees it lying on a table: from an angle, in the shade of a hand, with grain."""
    dice = np.random.default_rng(seed)
    wide, high = page.width + 320, page.height + 360
    corners = [(0, 0), (page.width, 0), (page.width, page.height), (0, page.height)]
    seen = [(190, 150), (wide - 150, 190), (wide - 110, high - 170), (120, high - 140)]
    where = _perspective(seen, corners)
    paper = page.transform((wide, high), Image.Transform.PERSPECTIVE, where, Image.Resampling.BICUBIC)
    mask = Image.new("L", page.size, 255).transform((wide, high), Image.Transform.PERSPECTIVE, where)
    table = Image.fromarray(np.clip(70 + dice.normal(0, 12, (high, wide)), 0, 255).astype(np.uint8))
    view = np.asarray(Image.composite(paper, table, mask), dtype=np.float32)
    down, across = np.mgrid[0:high, 0:wide]
    shade = 1.0 - 0.38 * np.exp(-(((across - 0.7 * wide) / 500) ** 2 + ((down - 0.62 * high) / 800) ** 2))
    noisy = view * shade * 0.93 + dice.normal(0, 6, view.shape)
    picture = Image.fromarray(np.clip(noisy, 0, 255).astype(np.uint8)).filter(ImageFilter.GaussianBlur(0.7))
    return picture.rotate(turn, expand=True).convert("RGB")


def _perspective(seen: list[tuple[int, int]], corners: list[tuple[int, int]]) -> list[float]:
    """The eight numbers by which PIL finds for each spot of the view the spot of the page."""
    rows, values = [], []
    for (x, y), (u, v) in zip(seen, corners, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        values += [u, v]
    return [float(one) for one in np.linalg.solve(np.array(rows, float), np.array(values, float))]


def as_heic(picture: Image.Image, *, quality: int = 60) -> bytes:
    """The picture as a phone stores it."""
    from pillow_heif import from_pillow

    target = io.BytesIO()
    from_pillow(picture).save(target, quality=quality)
    return target.getvalue()


def as_pdf(page: Image.Image) -> bytes:
    """The page as a PDF that is nothing but its picture."""
    target = io.BytesIO()
    page.convert("L").save(target, format="PDF", resolution=200)
    return target.getvalue()


def docx(body: str, **parts: str) -> bytes:
    """A Word package around the inside of a body; `parts` are further parts by name, without `word/`."""
    target = io.BytesIO()
    w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("[Content_Types].xml", "<Types/>")
        package.writestr("word/document.xml", f"<w:document {w}><w:body>{body}</w:body></w:document>")
        for name, xml in parts.items():
            package.writestr(f"word/{name}.xml", xml.replace("{w}", w))
    return target.getvalue()


PAD = bytes.fromhex("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a")


def locked(content: bytes, password: str) -> bytes:
    """A plain PDF with its words in object 4 under a password: 40-bit RC4, as old programs lock (PDF 1.4)."""
    filled = (password.encode("latin-1") + PAD)[:32]
    owner = _rc4(hashlib.md5(filled).digest()[:5], filled)
    key = hashlib.md5(filled + owner + struct.pack("<i", -4) + b"\1\2").digest()[:5]
    start = content.index(b"stream\n", content.index(b"4 0 obj")) + 7
    end = content.index(b"\nendstream", start)
    sealed = _rc4(hashlib.md5(key + b"\4\0\0\0\0").digest()[:10], content[start:end])
    lock = b"/Encrypt << /Filter /Standard /V 1 /R 2 /Length 40 /P -4 /O <%s> /U <%s> >> /ID [<0102> <0102>]"
    trailer = lock % (owner.hex().encode(), _rc4(key, PAD).hex().encode())
    return content[:start] + sealed + content[end:].replace(b"trailer << ", b"trailer << " + trailer + b" ")


def _rc4(key: bytes, text: bytes) -> bytes:
    box, j = list(range(256)), 0
    for i in range(256):
        j = (j + box[i] + key[i % len(key)]) % 256
        box[i], box[j] = box[j], box[i]
    out, i, j = bytearray(), 0, 0
    for one in text:
        i = (i + 1) % 256
        j = (j + box[i]) % 256
        box[i], box[j] = box[j], box[i]
        out.append(one ^ box[(box[i] + box[j]) % 256])
    return bytes(out)


def handed_in(
    content: bytes,
    subject: Subject,
    person: Person | None = None,
    *,
    name: str = "report.pdf",
    at: dt.datetime | None = None,
    **fields: Any,
) -> Added:
    """A file handed in by Ana unless another is named."""
    at, person = at or now(), person or a_person("Ana")
    with seen_by(person, now=at):
        return add_document(
            person=person,
            subject_id=subject.pk,
            content=content,
            file_name=name,
            client_id=fields.pop("client_id", str(uuid.uuid4())),
            now=at,
            **fields,
        )


def read_in(content: bytes, subject: Subject, person: Person | None = None, **fields: Any) -> Document:
    """A document that was handed in and read to its end."""
    at = fields.pop("at", None) or now()
    document = handed_in(content, subject, person, at=at, **fields).document
    read_document(document.pk, clock=lambda: at)
    document.refresh_from_db()
    return document
