"""Reading letters in a picture, by Tesseract: the text, and how sure it is of its words."""

from __future__ import annotations

import csv
import io
import os
import re
import shutil
import subprocess
from dataclasses import dataclass

from PIL import Image

from memory.papers import pictures
from memory.papers.refusing import Refused
from memory.rules.documents.cells import Line, Seen, in_rows, lying

LANGUAGES = ("tur", "eng")  # the first decides where both could: Turkish letters, English loses nothing by it
UNSURE = 65  # mean confidence below which another way up is tried
TIMEOUT_S = 110
SURE = 75  # confidence below which a word is marked
LEAST_WORD = 12  # confidence of a word that is kept at all


@dataclass(frozen=True)
class Letters:
    """What was read in one picture: lines of text, and the mean confidence of its words, 0 to 100."""

    text: str
    confidence: int
    words: int
    unsure: tuple[tuple[int, int], ...] = ()  # where words stand that may be others
    lies: int = 0  # degrees clockwise by which the page must still be turned: its lines run up or down


def languages() -> str:
    """Those of our languages that are installed, as Tesseract names them. Raises Refused."""
    found = _run(["--list-langs"], b"").decode(errors="replace").split()
    known = [one for one in LANGUAGES if one in found]
    if not known:
        raise Refused("no_ocr_language")
    return "+".join(known)


def read_letters(picture: Image.Image) -> Letters:
    """The letters of one picture, whichever way up it lies. Raises Refused."""
    known = languages()
    page = pictures.without_grain(pictures.even_light(pictures.grey(picture)))
    first = _letters(pictures.straight(page), known)
    is_sure = first.confidence >= UNSURE
    if is_sure and first.words >= 8 and not first.lies:
        return first
    turn = first.lies if is_sure and first.lies else _turn(page)
    turns = [turn] if turn else [180, 90, 270] if first.words >= 3 and first.confidence < 40 else []
    best = first
    for degrees in turns:
        other = _letters(pictures.straight(page.rotate(-degrees, expand=True, fillcolor=255)), known)
        if (is_sure and best.lies) or _worth(other) > _worth(best):
            best = other
        if best.confidence >= UNSURE:
            break
    return best


def _worth(found: Letters) -> int:
    return found.confidence * min(found.words, 200)


def _turn(page: Image.Image) -> int:
    """By how many degrees clockwise the page must be turned to stand upright, 0 where nobody can tell."""
    try:
        said = _run(["stdin", "stdout", "--psm", "0", "-l", "osd"], _bytes(page)).decode(errors="replace")
    except Refused:
        return 0
    turn = re.search(r"Rotate: (\d+)", said)
    return int(turn[1]) if turn else 0


def _letters(picture: Image.Image, known: str) -> Letters:
    table = _run(["stdin", "stdout", "-l", known, "--psm", "3", "--dpi", "300", "tsv"], _bytes(picture))
    return parse(table.decode("utf-8", errors="replace"))


def parse(table: str) -> Letters:
    """The lines of Tesseract's table, blocks parted by an empty line, and the words it is unsure of."""
    text = ""
    unsure: list[tuple[int, int]] = []
    total, letters = 0.0, 0
    last: Line | None = None
    lines = _lines(table)
    for line in in_rows(lines):
        text += _between(last, line)
        for word in line.words:
            text += word.before + word.text
            if word.sure < SURE and any(map(str.isalnum, word.text)):
                unsure.append((len(text) - len(word.text), len(text)))
            total, letters = total + word.sure * len(word.text), letters + len(word.text)
        last = line
    mean = round(total / letters) if letters else 0
    return Letters(text, mean, len(text.split()), tuple(unsure), lying(lines))


def _lines(table: str) -> list[Line]:
    """The lines that hold words, in Tesseract's order."""
    words: dict[tuple[int, int, int], list[Seen]] = {}
    for row in csv.DictReader(io.StringIO(table), delimiter="\t", quoting=csv.QUOTE_NONE):
        word, sure = (row.get("text") or "").strip(), float(row.get("conf") or -1)
        if not word or sure < LEAST_WORD:
            continue
        x, y, wide, high = (int(row[name]) for name in ("left", "top", "width", "height"))
        here = (int(row["block_num"]), int(row["par_num"]), int(row["line_num"]))
        held = words.setdefault(here, [])
        held.append(Seen(word, sure, x, y, x + wide, y + high, " " if held else ""))
    return [Line(block, par, tuple(held)) for (block, par, _line), held in words.items()]


def _between(last: Line | None, here: Line) -> str:
    if last is None:
        return ""
    return "\n" if (here.block, here.paragraph) == (last.block, last.paragraph) else "\n\n"


def _bytes(picture: Image.Image) -> bytes:
    target = io.BytesIO()
    picture.convert("L").save(target, format="PPM")
    return target.getvalue()


def _run(argv: list[str], content: bytes) -> bytes:
    tesseract = shutil.which("tesseract")
    if tesseract is None:
        raise Refused("no_ocr")
    try:
        done = subprocess.run(  # noqa: S603 - a fixed command; the picture goes through a pipe
            [tesseract, *argv],
            input=content,
            capture_output=True,
            timeout=TIMEOUT_S,
            check=False,
            env={"OMP_THREAD_LIMIT": "1", "PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8"},
        )
    except subprocess.TimeoutExpired:
        raise Refused("too_slow") from None
    if done.returncode != 0:
        raise Refused("ocr_failed")
    return done.stdout
