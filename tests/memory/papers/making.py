"""Papers made by the tests: a text printed on a page, and scanned again askew and noisy."""

from __future__ import annotations

import datetime as dt
import io
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
