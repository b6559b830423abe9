"""What Baby Buddy's tables say: headers in any order, both nights of the clock change, bad rows named."""

from __future__ import annotations

import datetime as dt
import itertools
import os
import random
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twin.rules.importing.babybuddy import Settings, read_table
from twin.rules.importing.bundle import (
    Refused,
    Upload,
    children_of,
    read_sheet,
    read_sheets,
    tag_names,
    unpack,
)
from twin.rules.importing.tables import TABLES, recognise
from twin.rules.importing.times import instant, interval
from twin.rules.importing.units import Units, to_book

DATA = Path(os.environ.get("HEARTHBOOK_DATA", Path(__file__).parents[4] / "shared" / "data"))
FOLDERS = ("babybuddy_export", "babybuddy_upstream_import_samples")
ZONE = "America/New_York"
US = Units(weight="lb", length="in", temperature="F", volume="oz")


def folder_of(name: str) -> list[Upload]:
    folder = DATA / name
    if not folder.is_dir():
        pytest.skip(f"{name} is not here: set HEARTHBOOK_DATA to its folder")
    return [Upload(one.name, one.read_bytes()) for one in sorted(folder.glob("*.csv"))]


def read(text: str, zone: str = ZONE, units: Units = US, tags: str = ""):
    sheets = read_sheets(
        unpack([Upload("one.csv", text.encode())] + ([Upload("tag.csv", tags.encode())] if tags else []))
    )
    settings = Settings(zone, units, tag_names(sheets), children_of(sheets))
    assert sheets[0].table is not None
    return read_table(sheets[0].table.name, sheets[0].rows, file="one.csv", settings=settings)


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_row_of_every_file_is_read(folder):
    sheets = read_sheets(unpack(folder_of(folder)))
    settings = Settings(ZONE, US, tag_names(sheets), children_of(sheets))
    for sheet in sheets:
        assert sheet.table is not None, sheet.file
        assert (sheet.trouble, sheet.unknown) == ("", ())
        if sheet.table.name in ("child", "tag"):
            continue
        found, problems = read_table(sheet.table.name, sheet.rows, file=sheet.file, settings=settings)
        assert (len(found), problems) == (len(sheet.rows), ()), sheet.file
        assert len({one.digest for one in found}) == len(found), sheet.file


def test_the_night_of_the_clock_change_is_that_of_the_same_rows_in_utc():
    files = {one.name: one for one in folder_of("babybuddy_export")}

    def instants(name: str, zone: str):
        sheets = read_sheets([files[name]])
        settings = Settings(zone, US, {}, children_of(sheets))
        found, _problems = read_table("sleep", sheets[0].rows, file=name, settings=settings)
        return [(one.at, one.values["minutes"]) for one in found]

    local = instants("dst_new_york_sleep.csv", ZONE)
    assert local == instants("dst_same_rows_utc_sleep.csv", "UTC")


@pytest.mark.parametrize("table", TABLES, ids=lambda table: f"{table.name}-{len(table.needs)}")
def test_a_table_is_known_by_its_columns_in_whatever_order_and_with_or_without_ids(table):
    full = sorted(table.columns)
    random.Random(table.name).shuffle(full)
    assert recognise(full).name == table.name
    assert recognise([name.upper() for name in full]).name == table.name
    assert recognise(sorted(table.needs)).name == table.name


def test_an_unknown_table_and_an_unknown_column_are_named():
    assert read_sheet(Upload("x.csv", b"a,b\n1,2\n")).trouble == "unknown_table"
    sheet = read_sheet(Upload("x.csv", b"child_id,weight,mood,date\n1,4,fine,2025-01-01\n"))
    assert sheet.unknown == ("mood",)
    assert "mood" not in sheet.rows[0].values


@pytest.mark.parametrize("coding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_text_stays_as_it_was_written(coding, end):
    words = '=1+1 "güldü" 🐱; İğne\nikinci satır'
    text = end.join(["child_id,time,note", '1,2025-01-01 10:00:00,"' + words.replace('"', '""') + '"', ""])
    sheets = read_sheets([Upload("x.csv", text.encode(coding))])
    settings = Settings(ZONE, US, {}, children_of(sheets))
    found, _problems = read_table("note", sheets[0].rows, file="x.csv", settings=settings)
    assert [one.note for one in found] == [words]


def test_of_two_rows_at_one_time_of_the_long_night_the_lower_number_came_first():
    head = "id,child_id,time,wet,solid\n"
    for order in itertools.permutations(["7,1,2025-11-02 01:30:00,1,0", "8,1,2025-11-02 01:30:00,0,1"]):
        found, _problems = read(head + "\n".join(order))
        at = {one.values["wet"]: one.at for one in found}
        assert at[True] == dt.datetime(2025, 11, 2, 5, 30, tzinfo=dt.UTC)
        assert at[False] == dt.datetime(2025, 11, 2, 6, 30, tzinfo=dt.UTC)


def test_two_children_at_one_time_of_the_long_night_are_not_compared():
    found, _problems = read(
        "id,child_id,time,wet,solid\n7,1,2025-11-02 01:30:00,1,0\n8,2,2025-11-02 01:30:00,0,1\n"
    )
    assert {one.at for one in found} == {dt.datetime(2025, 11, 2, 5, 30, tzinfo=dt.UTC)}


def test_a_time_the_clock_skipped_is_moved_and_said():
    found, problems = read("child_id,time,note\n1,2025-03-09 02:30:00,woke\n")
    assert found[0].at == dt.datetime(2025, 3, 9, 7, 30, tzinfo=dt.UTC)
    assert [(one.reason, one.is_kept, one.line) for one in problems] == [("moved_time", True, 2)]


BAD = {
    "child_id,time,note\n,2025-01-01 10:00:00,x\n": ("no_child", False),
    "child_id,time,note\n1,yesterday,x\n": ("not_a_time", False),
    "child_id,time,note\n1,2025-01-01 10:00:00,\n": ("nothing_said", False),
    "child_id,weight,date\n1,heavy,2025-01-01\n": ("not_a_number", False),
    "child_id,weight,date\n1,nan,2025-01-01\n": ("not_a_number", False),
    "child_id,weight,date\n1,4.2,01.01.\n": ("not_a_time", False),
    "child_id,weight,date\n1,4200,2025-01-01\n": ("unlikely", True),
    "child_id,start,end,nap\n1,2025-01-01 10:00:00,2025-01-01 09:00:00,0\n": ("ends_before_start", False),
    "child_id,start,end,nap\n1,2025-01-01 10:00:00,2025-01-03 09:00:00,0\n": ("too_long", False),
    "child_id,start,end,nap\n1,2025-01-01 10:00:00,2025-01-01 11:00:00,perhaps\n": ("not_yes_or_no", False),
    "child_id,time,wet,solid,color\n1,2025-01-01 10:00:00,1,0,mauve\n": ("unknown_choice", True),
}


@pytest.mark.parametrize(("text", "expected"), BAD.items(), ids=lambda one: str(one)[:40])
def test_a_bad_row_is_named_with_its_line_and_its_reason(text, expected):
    found, problems = read(text)
    assert [(one.reason, one.is_kept) for one in problems] == [expected]
    assert problems[0].line == 2
    assert len(found) == int(expected[1])


def test_the_line_of_a_row_counts_the_lines_of_the_texts_before_it():
    _found, problems = read('child_id,time,note\n1,2025-01-01 10:00:00,"a\nb\nc"\n1,never,x\n')
    assert [one.line for one in problems] == [5]


def test_tags_become_names_and_a_number_without_one_is_said():
    text = 'child_id,time,note,tags\n1,2025-01-01 10:00:00,x,"2, 9"\n'
    found, problems = read(text, tags="id,name,color\n2,bedtime,#fff\n")
    assert found[0].tags == ("bedtime",)
    assert [one.reason for one in problems] == ["unknown_tag"]


UNITS = [
    ("10.75", "weight", "lb", "4.876"),
    ("4876", "weight", "g", "4.876"),
    ("172", "weight", "oz", "4.876"),
    ("97.99", "temperature", "F", "36.7"),
    ("36.65", "temperature", "C", "36.65"),
    ("20", "length", "in", "50.8"),
    ("4", "volume", "oz", "118.3"),
]


@pytest.mark.parametrize(("number", "quantity", "unit", "expected"), UNITS)
def test_a_number_comes_into_the_units_of_the_book(number, quantity, unit, expected):
    assert to_book(Decimal(number), quantity, unit) == Decimal(expected)


@given(
    st.integers(0, 2**32), st.integers(1, 86_400), st.sampled_from([ZONE, "Europe/Istanbul", "Europe/Berlin"])
)
def test_an_interval_written_down_in_its_zone_comes_back_with_its_length(seconds, length, zone):
    from zoneinfo import ZoneInfo

    start = dt.datetime.fromtimestamp(seconds, dt.UTC)
    local = [one.astimezone(ZoneInfo(zone)) for one in (start, start + dt.timedelta(seconds=length))]
    begin, end = interval(*(one.replace(tzinfo=None, fold=0) for one in local), zone=zone)
    assert end > begin or length > 3_600
    if not any(one.fold for one in local) and all(
        instant(one.replace(tzinfo=None), zone=zone) == one for one in local
    ):
        assert (begin, end - begin) == (start, dt.timedelta(seconds=length))


def test_a_row_keeps_its_name_whatever_is_added_around_it():
    head, row = (
        "id,child_id,child_first_name,child_last_name,time,note\n",
        "3,1,Mia,Oak,2025-01-01 10:00:00,x\n",
    )
    (alone,), _ = read(head + row)
    more, _ = read(head + "4,1,Mia,Oak,2025-01-02 10:00:00,y\n" + row)
    assert alone.digest == more[1].digest != more[0].digest


def test_rows_without_numbers_are_told_apart_by_what_they_say_and_how_often():
    row = "1,2025-01-01 10:00:00,x\n"
    twice, _ = read("child_id,time,note\n" + row + row)
    assert len({one.digest for one in twice}) == 2
    other_order, _ = read("note,child_id,time\nx,1,2025-01-01 10:00:00\n")
    assert other_order[0].digest == twice[0].digest


def test_one_number_under_two_names_is_two_children():
    sheets = read_sheets(
        [
            Upload(
                f"{name}.csv",
                f"child_id,child_first_name,child_last_name,note,time\n1,{name},Oak,x,2025-01-01\n".encode(),
            )
            for name in ("Mia", "Sam")
        ]
    )
    assert {one.name for one in children_of(sheets).values()} == {"Mia Oak", "Sam Oak"}


@pytest.mark.parametrize(
    ("uploads", "code"),
    [
        ([Upload("a.zip", b"PK\x03\x04 broken")], "broken_archive"),
        ([], "no_file"),
        ([Upload("a.csv", b"x" * (20 * 1024 * 1024 + 1))], "too_large"),
        ([Upload(f"{n}.csv", b"a\n") for n in range(101)], "too_many_files"),
    ],
    ids=["broken", "none", "large", "many"],
)
def test_files_that_cannot_be_taken_are_refused_with_a_reason(uploads, code):
    with pytest.raises(Refused) as refused:
        unpack(uploads)
    assert refused.value.code == code
