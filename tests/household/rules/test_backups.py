"""Which backups are kept, which may be restored, which hold what was forgotten since."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from household.rules.backups import (
    Kept,
    groups,
    made_at_of,
    name_of,
    normalised,
    predating,
    to_drop,
    unknown_migrations,
)

NIGHT = dt.datetime(2026, 11, 30, 2, 0, tzinfo=dt.UTC)
moments = st.datetimes(dt.datetime(2000, 1, 1), dt.datetime(2099, 1, 1)).map(
    lambda at: at.replace(microsecond=0, tzinfo=dt.UTC)
)


def kept(days: int) -> list[Kept]:
    nights = [NIGHT - dt.timedelta(days=back) for back in range(days)]
    return [Kept(name_of(at), at) for at in nights]


@given(moments)
def test_a_name_tells_when_the_backup_was_made(at: dt.datetime) -> None:
    assert made_at_of(name_of(at)) == at


@pytest.mark.parametrize(
    "name",
    ["", "book-.hearthbook", "../book-20261130T020000Z.hearthbook", "book-20261399T990000Z.hearthbook"],
)
def test_other_names_are_not_ours(name: str) -> None:
    assert made_at_of(name) is None


def test_a_week_of_nights_is_kept_whole() -> None:
    assert to_drop(kept(7)) == ()


def test_a_year_of_nights_leaves_seven_days_four_weeks_and_six_months() -> None:
    nights = kept(365)
    gone = {one.name for one in to_drop(nights)}
    left = sorted(made_at_of(one.name).date().isoformat() for one in nights if one.name not in gone)
    assert left == [
        "2026-06-30",
        "2026-07-31",
        "2026-08-31",
        "2026-09-30",
        "2026-10-31",
        "2026-11-15",
        "2026-11-22",
        *(f"2026-11-{day}" for day in range(24, 31)),
    ]


@given(st.lists(moments, unique=True, max_size=60))
def test_rotation_keeps_the_newest_and_is_done_after_once(made: list[dt.datetime]) -> None:
    backups = [Kept(name_of(at), at) for at in made]
    gone = set(to_drop(backups))
    left = [one for one in backups if one not in gone]
    assert to_drop(left) == ()
    assert not made or max(backups, key=lambda one: one.made_at) in left
    assert len(left) <= 17


def test_a_migration_this_build_lacks_marks_a_newer_backup() -> None:
    known = {"twin": ["0001_a", "0002_b"]}
    assert unknown_migrations({"twin": ["0001_a"]}, known) == ()
    assert unknown_migrations({"twin": ["0001_a", "0003_c"], "new": ["0001_x"]}, known) == (
        "new.0001_x",
        "twin.0003_c",
    )


def test_a_backup_says_how_many_forgettings_came_after_it() -> None:
    backups = kept(3)
    forgotten = [NIGHT - dt.timedelta(hours=30), NIGHT - dt.timedelta(hours=2)]
    assert predating(backups, forgotten) == {backups[1].name: 1, backups[2].name: 2}


def test_a_passphrase_is_read_as_it_is_typed() -> None:
    assert normalised(groups("ABCDEFGHJKMNPQRSTVWXYZ234") + " ") == normalised("abcdefghjk mnpqr-stvwxyz234")
