"""Decisions about backups: which to keep, which may be restored here, which hold what was forgotten since."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo

SUFFIX = ".hearthbook"
NAME = re.compile(r"book-(\d{8}T\d{6}Z)\.hearthbook")
STAMP = "%Y%m%dT%H%M%SZ"
# The household's hour after which the night's backup is made.
BACKUP_HOUR = 3
# How many are kept: the newest of each of so many days, ISO weeks and months.
KEPT_DAYS = 7
KEPT_WEEKS = 4
KEPT_MONTHS = 6
# Words of a recovery passphrase: five groups of five letters, 120 bits, none easily misread.
GROUPS = 5
GROUP_LETTERS = 5
ALPHABET = "ABCDEFGHJKMNPQRSTVWXYZ23456789"


@dataclass(frozen=True)
class Kept:
    """One backup file: its name and when it was made (aware, UTC)."""

    name: str
    made_at: datetime


def name_of(made_at: datetime) -> str:
    """The file name of a backup made at an instant; names sort by time."""
    return f"book-{made_at.astimezone(UTC).strftime(STAMP)}{SUFFIX}"


def made_at_of(name: str) -> datetime | None:
    """When a file of this name was made; None where the name is not one of ours."""
    found = NAME.fullmatch(name)
    if found is None:
        return None
    try:
        return datetime.strptime(found.group(1), STAMP).replace(tzinfo=UTC)
    except ValueError:
        return None


def to_drop(backups: Iterable[Kept]) -> tuple[Kept, ...]:
    """The backups rotation lets go: all but the newest of 7 days, 4 weeks and 6 months. The newest stays."""
    newest_first = sorted(backups, key=lambda one: one.made_at, reverse=True)
    kept: set[str] = set()
    for count, period in ((KEPT_DAYS, _day), (KEPT_WEEKS, _week), (KEPT_MONTHS, _month)):
        seen: dict[object, Kept] = {}
        for one in newest_first:
            seen.setdefault(period(one.made_at), one)
        kept |= {one.name for one in list(seen.values())[:count]}
    return tuple(one for one in newest_first if one.name not in kept)


def _day(at: datetime) -> object:
    return at.date()


def _week(at: datetime) -> object:
    return at.isocalendar()[:2]


def _month(at: datetime) -> object:
    return (at.year, at.month)


def unknown_migrations(
    written: Mapping[str, Sequence[str]], known: Mapping[str, Sequence[str]]
) -> tuple[str, ...]:
    """Migrations a backup has that this build does not: any at all means it was made by a newer one."""
    return tuple(
        sorted(f"{app}.{name}" for app, names in written.items() for name in {*names} - {*known.get(app, ())})
    )


def predating(backups: Iterable[Kept], forgotten_at: Iterable[datetime]) -> Mapping[str, int]:
    """For each backup that still holds something forgotten later: how many forgettings came after it."""
    moments = sorted(forgotten_at)
    counts = {one.name: sum(at > one.made_at for at in moments) for one in backups}
    return {name: count for name, count in counts.items() if count}


def groups(letters: str) -> str:
    """A recovery passphrase as it is printed: groups of five with hyphens between."""
    return "-".join(letters[i : i + GROUP_LETTERS] for i in range(0, len(letters), GROUP_LETTERS))


def normalised(passphrase: str) -> str:
    """A passphrase as the key is made from it: case, spaces and hyphens do not matter."""
    return "".join(letter for letter in passphrase.upper() if letter.isalnum())


def is_due(last: datetime | None, *, now: datetime, zone: tzinfo) -> bool:
    """Whether the night's backup is still to be made: none since the household's last three o'clock."""
    local = now.astimezone(zone)
    three = local.replace(hour=BACKUP_HOUR, minute=0, second=0, microsecond=0)
    if local < three:
        three -= timedelta(days=1)
    return last is None or last < three.astimezone(UTC)
