"""Headers and footers of Word documents: what stands on the pages is read, what is drawn nowhere is not."""

from __future__ import annotations

import io
import zipfile

import pytest

from memory.papers.pages import PageText
from memory.papers.reading import read_text
from tests.makers import a_child, a_person
from tests.memory.papers.making import read_in

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
OFFICE = "http://schemas.openxmlformats.org/package/2006/relationships"


def said(words: str) -> str:
    return f"<w:p><w:r><w:t>{words}</w:t></w:r></w:p>"


def letter(section: str, *, body: str = said("Leo avoids sticky textures."), settings: str = "") -> bytes:
    """A Word package with two headers and two footers, of which the section names some."""
    parts = {
        "header1": ("hdr", said("Riverside Children's Therapy Centre") + said("Date: 12.05.2026")),
        "header2": ("hdr", said("Page of the first")),
        "footer1": ("ftr", said("Evaluated by: Hanna Brandt")),
        "footer2": ("ftr", said("Evaluated by: Hanna Brandt")),
    }
    names = "".join(
        f'<Relationship Id="{name}" Type="x" Target="{name}.xml"/>' for name in [*parts, "nowhere"]
    )
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as package:
        package.writestr(
            "word/document.xml",
            f"<w:document {W} {R}><w:body>{body}<w:sectPr>{section}</w:sectPr></w:body></w:document>",
        )
        package.writestr(
            "word/_rels/document.xml.rels", f'<Relationships xmlns="{OFFICE}">{names}</Relationships>'
        )
        if settings:
            package.writestr("word/settings.xml", f"<w:settings {W}>{settings}</w:settings>")
        for name, (tag, words) in parts.items():
            package.writestr(f"word/{name}.xml", f"<w:{tag} {W}>{words}</w:{tag}>")
    return target.getvalue()


def named(kind: str, part: str, which: str = "default") -> str:
    return f'<w:{kind}Reference w:type="{which}" r:id="{part}"/>'


def read(content: bytes) -> PageText:
    (page,) = read_text(content, "docx")
    return page


HEAD = "Riverside Children's Therapy Centre\nDate: 12.05.2026"
BODY = "Leo avoids sticky textures."


@pytest.mark.parametrize(
    "section, settings, text",
    [
        (named("header", "header1"), "", f"{HEAD}\n\n{BODY}"),
        (named("footer", "footer1"), "", f"{BODY}\nEvaluated by: Hanna Brandt"),
        (named("footer", "footer1") + named("footer", "footer2", "first") + "<w:titlePg/>", "",
         f"{BODY}\nEvaluated by: Hanna Brandt"),
        (named("header", "header2", "first"), "", BODY),
        (named("header", "header1") + named("header", "header2", "first") + "<w:titlePg/>", "",
         f"Page of the first\n{HEAD}\n\n{BODY}"),
        (named("header", "header2", "even"), "", BODY),
        (named("header", "header2", "even"), "<w:evenAndOddHeaders/>", f"Page of the first\n\n{BODY}"),
        (named("header", "nowhere"), "", BODY),
        ("", "", BODY),
    ],
)  # fmt: skip
def test_what_is_drawn_is_read_once(section: str, settings: str, text: str) -> None:
    assert read(letter(section, settings=settings)).text == text


@pytest.mark.django_db
def test_a_letterhead_says_who_wrote_it_and_when() -> None:
    content = letter(named("header", "header1") + named("footer", "footer1"))
    document = read_in(content, a_child(a_person("Ana")), name="brief.docx")
    assert document.dated_on is not None and document.dated_on.isoformat() == "2026-05-12"
    assert (document.writer, document.kind) == ("Hanna Brandt", "therapy_evaluation")
    assert document.proposals.get().text == BODY
