"""Plain text of any encoding, in pages where it has form feeds."""

from __future__ import annotations

from collections.abc import Iterator

from memory.papers.pages import PageText
from memory.papers.refusing import Refused
from memory.rules.documents.limits import MAX_PAGES, MAX_TEXT
from memory.rules.documents.sniffing import decode


def read_plain(content: bytes) -> Iterator[PageText]:
    """The pages of a text. Raises Refused."""
    text = decode(content).lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if len(text) > MAX_TEXT:
        raise Refused("too_much_text")
    pages = text.rstrip("\f").split("\f")
    if len(pages) > MAX_PAGES:
        raise Refused("too_many_pages")
    for number, page in enumerate(pages, start=1):
        yield PageText(number, "txt", page.strip("\n"))
