"""Files handed in together: a ZIP or several CSV files, as tables with their children. Pure."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from twin.rules.importing.babybuddy import Child, Row, row_name
from twin.rules.importing.tables import Table, recognise, unknown_columns
from twin.rules.importing.times import NotATime, parse_date

MOST_BYTES = 20 * 1024 * 1024  # of all files together, unpacked
MOST_ROWS = 100_000
MOST_FILES = 100
MOST_COLUMNS = 200
Refusal = Literal[
    "too_large", "too_many_rows", "too_many_files", "broken_archive", "no_file", "locked_archive"
]
FileTrouble = Literal["", "not_text", "not_a_table", "unknown_table", "empty"]


class Refused(ValueError):
    """The files as a whole cannot be read; `code` says why."""

    def __init__(self, code: Refusal) -> None:
        super().__init__(code)
        self.code: Refusal = code


@dataclass(frozen=True)
class Upload:
    """One file as it came."""

    name: str
    content: bytes


@dataclass(frozen=True)
class Sheet:
    """One file as rows under a header; with trouble it has none that can be read."""

    file: str
    header: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    table: Table | None = None
    unknown: tuple[str, ...] = ()
    trouble: FileTrouble = ""


def unpack(uploads: Sequence[Upload]) -> tuple[Upload, ...]:
    """The CSV files among what came, those inside ZIP archives included. Raises Refused."""
    found: list[Upload] = []
    left = MOST_BYTES
    for one in uploads:
        for upload in _members(one, left) if one.content[:4] == b"PK\x03\x04" else [one]:
            left -= len(upload.content)
            found.append(upload)
            if left < 0:
                raise Refused("too_large")
            if len(found) > MOST_FILES:
                raise Refused("too_many_files")
    if not found:
        raise Refused("no_file")
    return tuple(found)


def _members(archive: Upload, most: int) -> Iterator[Upload]:
    """The CSV files of a ZIP, never more bytes than may come: its own word for the size is not trusted."""
    try:
        with zipfile.ZipFile(io.BytesIO(archive.content)) as opened:
            for info in opened.infolist():
                name = info.filename.rsplit("/", 1)[-1]
                if info.is_dir() or name.startswith(".") or not name.casefold().endswith(".csv"):
                    continue
                if info.flag_bits & 1:
                    raise Refused("locked_archive")
                with opened.open(info) as file:
                    content = file.read(most + 1)
                if len(content) > most:
                    raise Refused("too_large")
                yield Upload(name, content)
    except (zipfile.BadZipFile, NotImplementedError, EOFError, OSError, ValueError) as error:
        if isinstance(error, Refused):
            raise
        raise Refused("broken_archive") from None


def read_sheets(uploads: Iterable[Upload]) -> tuple[Sheet, ...]:
    """Every file as a table. Raises Refused where there are too many rows in all."""
    sheets = tuple(read_sheet(one) for one in uploads)
    if sum(len(one.rows) for one in sheets) > MOST_ROWS:
        raise Refused("too_many_rows")
    return sheets


def read_sheet(upload: Upload) -> Sheet:
    """One file: its text in whatever Unicode it came, its delimiter by its header, its rows by their line."""
    text = decode(upload.content)
    if text is None:
        return Sheet(upload.name, trouble="not_text")
    try:
        header, rows = _rows(text)
    except csv.Error:
        return Sheet(upload.name, trouble="not_a_table")
    if not header:
        return Sheet(upload.name, trouble="empty")
    table = recognise(header)
    if table is None:
        return Sheet(upload.name, header, rows, trouble="unknown_table")
    kept = tuple(
        Row(row.line, {name: text for name, text in row.values.items() if name in table.columns})
        for row in rows
    )
    return Sheet(upload.name, header, kept, table, unknown_columns(table, header))


def decode(content: bytes) -> str | None:
    """The text of a file, its byte-order mark taken off; None where it is no Unicode text."""
    for mark, coding in ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"", "utf-8-sig")):
        if content.startswith(mark):
            try:
                text = content.decode(coding)
            except UnicodeDecodeError:
                return None
            return None if "\0" in text else text
    return None


def _rows(text: str) -> tuple[tuple[str, ...], tuple[Row, ...]]:
    first = text.lstrip("\r\n").split("\n", 1)[0]
    delimiter = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=False)
    header: tuple[str, ...] = ()
    rows: list[Row] = []
    before = 0
    for cells in reader:
        line, before = before + 1, reader.line_num
        if not any(cell.strip() for cell in cells):
            continue
        if not header:
            header = tuple(cell.strip().casefold() for cell in cells[:MOST_COLUMNS])
            continue
        rows.append(Row(line, dict(zip(header, cells, strict=False))))
    return header, tuple(rows)


def tag_names(sheets: Iterable[Sheet]) -> Mapping[str, str]:
    """Names of tags by their number; empty where no tag file with numbers came."""
    return {
        row.get("id"): row.get("name")
        for sheet in sheets
        if sheet.table is not None and sheet.table.name == "tag"
        for row in sheet.rows
        if row.get("id") and row.get("name")
    }


def children_of(sheets: Sequence[Sheet]) -> Mapping[tuple[str, str], Child]:
    """Every child that rows speak of, by its number and the name beside it, and those of a child file."""
    listed = [child for sheet in sheets if _is(sheet, "child") for child in map(_listed, sheet.rows)]
    by_number = {child.number: child for child in listed if child.number}
    found: dict[tuple[str, str], Child] = {}
    for sheet in sheets:
        if sheet.table is None or sheet.table.name in ("child", "tag"):
            continue
        for row in sheet.rows:
            key = (row.get("child_id"), row_name(row))
            if key[0] and key not in found:
                known = by_number.get(key[0])
                is_same = known is not None and key[1] in ("", known.name)
                found[key] = known if known is not None and is_same else Child(*key)
    spoken = set(found.values())
    return {**found, **{(child.number, f"\0{child.name}"): child for child in listed if child not in spoken}}


def _is(sheet: Sheet, name: str) -> bool:
    return sheet.table is not None and sheet.table.name == name


def _listed(row: Row) -> Child:
    name = " ".join(f"{row.get('first_name')} {row.get('last_name')}".split())
    try:
        return Child(row.get("id"), name, parse_date(row.get("birth_date")))
    except NotATime:
        return Child(row.get("id"), name)
