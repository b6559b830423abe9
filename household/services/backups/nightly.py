"""The night's backup: made once after three o'clock, rehearsed, and the oldest let go."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

from household.models import Backup, Household, Job
from household.rules.backups import is_due
from household.services.backups.making import make_backup
from household.services.backups.proving import prove_kept
from household.services.jobs import ask_job

KIND = "backup"


def ask_nightly(*, now: dt.datetime) -> Job | None:
    """Ask for the night's backup if it is due; None where it is not, or there is no household yet."""
    house = Household.objects.first()
    last = Backup.objects.order_by("-made_at").values_list("made_at", flat=True).first()
    if house is None or not is_due(last, now=now, zone=ZoneInfo(house.time_zone)):
        return None
    return ask_job(kind=KIND, target="kept", now=now)


def back_up(*, now: dt.datetime) -> Backup:
    """Make a kept backup and rehearse its restore. Raises Trouble where it cannot be made."""
    return prove_kept(make_backup(now=now).name, now=now)
