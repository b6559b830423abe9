"""The reading process: limits first, then one file from its input, then what was read as lines of JSON.

    python -m memory.papers.child

The first line of its input says what to do, the rest is the file; nothing is written to any disk. It ends
with its parent, whatever happens to that.
"""

from __future__ import annotations

import base64
import ctypes
import io
import json
import os
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from typing import Any

from memory.papers.refusing import Refused

PR_SET_PDEATHSIG = 1
Message = dict[str, Any]


def main() -> int:
    """Read one file within limits and say what stands in it."""
    told = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # a library that prints must not be taken for us
    order = json.loads(sys.stdin.buffer.readline())
    bind(cpu_s=int(order["cpu_s"]), memory_bytes=int(order["memory_bytes"]))
    try:
        for message in WORK[order["do"]](sys.stdin.buffer.read(), order):
            told.write(json.dumps(message) + "\n")
            told.flush()
        end: Message = {"end": "done"}
    except Refused as refused:
        end = {"end": refused.code}
    except MemoryError:
        end = {"end": "too_much_memory"}
    except Exception as error:  # whatever a broken file does to a parser, its name is all that leaves
        end = {"end": "not_readable", "why": type(error).__name__}
    told.write(json.dumps(end) + "\n")
    told.flush()
    return 0


def bind(*, cpu_s: int, memory_bytes: int) -> None:
    """Take limits nobody can raise again: memory, processor time, no files, no core."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    os.nice(5)
    for what, limit in (
        (resource.RLIMIT_AS, memory_bytes),
        (resource.RLIMIT_CPU, cpu_s),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(what, (limit, limit))


def _text(content: bytes, order: Message) -> Iterator[Message]:
    sort = order["format"]
    if sort == "docx":
        from memory.papers.packed import read_packed

        yield from _pages(read_packed(content))
    elif sort == "txt":
        from memory.papers.plain import read_plain

        yield from _pages(read_plain(content))
    elif sort == "pdf":
        yield from _pdf(content)
    else:
        from memory.papers.pages import PageText
        from memory.papers.pictures import open_picture

        yield _thumbnail(open_picture(content, sort))
        yield {"page": PageText(1, "ocr", needs_ocr=True).as_json()}


def _pages(pages: Any) -> Iterator[Message]:
    for one in pages:
        yield {"page": one.as_json()}


def _pdf(content: bytes) -> Iterator[Message]:
    from memory.papers import pdf

    document = pdf.open_pdf(content)
    yield {"total": len(document), "attachments": pdf.attachment_names(document)}
    yield from _pages(pdf.read_pdf(document))
    yield _thumbnail(pdf.thumbnail(document[0]))


def _thumbnail(picture: Any) -> Message:
    from memory.papers.pdf import THUMB

    small = picture.convert("RGB")
    small.thumbnail((THUMB, THUMB))
    target = io.BytesIO()
    small.save(target, format="JPEG", quality=80)
    return {"thumbnail": base64.b64encode(target.getvalue()).decode()}


def _ocr(content: bytes, order: Message) -> Iterator[Message]:
    from memory.papers import ocr, pdf
    from memory.papers.pages import PageText
    from memory.papers.pictures import open_picture

    sort, number = order["format"], int(order["page"])
    is_pdf = sort == "pdf"
    picture = pdf.scan(pdf.open_pdf(content)[number - 1]) if is_pdf else open_picture(content, sort)
    found = ocr.read_letters(picture)
    page = PageText(number, "ocr", found.text, confidence=found.confidence, unsure=found.unsure)
    yield {"page": page.as_json()}


def _unlock(content: bytes, order: Message) -> Iterator[Message]:
    from memory.papers.pdf import unlocked

    yield {"content": base64.b64encode(unlocked(content, order["password"])).decode()}


WORK: dict[str, Callable[[bytes, Message], Iterator[Message]]] = {
    "text": _text,
    "ocr": _ocr,
    "unlock": _unlock,
}

if __name__ == "__main__":
    sys.exit(main())
