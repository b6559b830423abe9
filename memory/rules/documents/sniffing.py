"""What sort of file some bytes are, by their content alone: a name or a declared type decides nothing. Pure.

A file that begins like one sort and carries another inside (a polyglot) is what it begins like; it is only
ever opened as that, and served as a download.
"""

from __future__ import annotations

import codecs
import re
from typing import Literal

Format = Literal["pdf", "docx", "txt", "jpeg", "png", "heic"]

HEIF_BRANDS = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1")
HEAD = 1024
SAMPLE = 64 * 1024
# Text that a browser would draw or run: no paper is handed in as this.
MARKUP = re.compile(
    r"\A\s*(?:<\?xml|<!doctype|<html|<svg|<script|<!entity|<head|<body|<math|<!--|\{\\rtf|%!ps|#!)", re.I
)
BOMS = (codecs.BOM_UTF8, codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
MOST_ODD = 0.005  # of a text's characters


class NotADocument(ValueError):
    """Neither a PDF, a Word document, plain text nor a picture the house can read."""


def sniff(content: bytes) -> Format:
    """The sort of file. Raises NotADocument."""
    if content.startswith(b"\xff\xd8\xff"):
        return "jpeg"
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return "png"
    if content[4:8] == b"ftyp" and content[8:12] in HEIF_BRANDS:
        return "heic"
    if content.startswith(b"PK\x03\x04"):
        if b"word/document.xml" in content:
            return "docx"
        raise NotADocument
    if b"%PDF-" in content[:HEAD] and not content.startswith((b"GIF8", b"BM", b"RIFF", b"MZ", b"\x7fELF")):
        return "pdf"
    if not content.startswith(b"GIF8") and is_plain_text(content):
        return "txt"
    raise NotADocument


def is_plain_text(content: bytes) -> bool:
    """Whether the bytes are words in some encoding, and no markup."""
    text = decode(content[:SAMPLE])
    if not text.strip() or MARKUP.search(text.lstrip("\ufeff")):
        return False
    odd = sum(ch == "\ufffd" or (ord(ch) < 32 and ch not in "\t\n\r\f\v") or ch == "\x7f" for ch in text)
    return odd <= MOST_ODD * len(text)


def decode(content: bytes) -> str:
    """The text of bytes of unnamed encoding: by its mark, UTF-8, UTF-16 by its zeros, else Turkish ANSI.

    Windows-1254 equals Latin-1 but for six Turkish letters, so it reads Western text as well.
    """
    if content.startswith(BOMS):
        for mark, name in (
            (codecs.BOM_UTF8, "utf-8-sig"),
            (codecs.BOM_UTF32_LE, "utf-32"),
            (codecs.BOM_UTF32_BE, "utf-32"),
            (codecs.BOM_UTF16_LE, "utf-16"),
            (codecs.BOM_UTF16_BE, "utf-16"),
        ):
            if content.startswith(mark):
                return content.decode(name, errors="replace")
    wide = _utf16_without_mark(content)
    if wide:
        return content.decode(wide, errors="replace")
    try:
        return codecs.getincrementaldecoder("utf-8")().decode(content)  # a sample may end in half a letter
    except UnicodeDecodeError:
        return content.decode("cp1254", errors="replace")


def _utf16_without_mark(content: bytes) -> str:
    sample = content[:4096]
    if len(sample) < 4:
        return ""
    half = len(sample) // 2
    if sample[1::2].count(0) > 0.6 * half and sample[::2].count(0) < 0.1 * half:
        return "utf-16-le"
    if sample[::2].count(0) > 0.6 * half and sample[1::2].count(0) < 0.1 * half:
        return "utf-16-be"
    return ""
