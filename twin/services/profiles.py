"""Keeping a re-measurement of the steady state: one version for each session, once."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

from django.db import transaction

from household.models import Person
from twin.models import AgendaItem, ProfileVersion, Subject
from twin.rules.drift import validate_profile
from twin.services.days import day_of
from twin.services.filing import lock_subject


class NothingMeasured(ValueError):
    """A session without a single value leaves no version."""


class WrongDay(ValueError):
    """The day lies ahead, or before the version that stands; `code` says which, `last` is that version's."""

    def __init__(self, code: str, last: dt.date | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.last = last


@transaction.atomic
def archive_profile(
    *,
    person: Person,
    subject_id: int,
    client_id: str,
    values: Mapping[str, object],
    measured_on: dt.date,
    now: dt.datetime,
) -> ProfileVersion:
    """The next version of a subject's profile; the same session twice is one version.

    Raises InvalidProfile, NothingMeasured, WrongDay.
    """
    subject = lock_subject(subject_id)
    done = ProfileVersion.objects.filter(author=person, client_id=client_id).first()
    if done is not None:
        return done
    measured = validate_profile(subject.species, values)
    if not measured:
        raise NothingMeasured
    last = ProfileVersion.objects.filter(subject=subject).order_by("-version").first()
    _check_day(subject, measured_on, last, now=now)
    version = ProfileVersion.objects.create(
        subject=subject,
        version=last.version + 1 if last else 1,
        measured_on=measured_on,
        values=measured,
        author=person,
        client_id=client_id,
        created_at=now,
    )
    _answer_agenda(subject, now=now)
    return version


def _check_day(
    subject: Subject, measured_on: dt.date, last: ProfileVersion | None, *, now: dt.datetime
) -> None:
    if measured_on > day_of(subject, now):
        raise WrongDay("ahead")
    if last is not None and measured_on < last.measured_on:
        raise WrongDay("before_last", last.measured_on)


def _answer_agenda(subject: Subject, *, now: dt.datetime) -> None:
    """What asked for a measurement is answered by it."""
    asked = AgendaItem.objects.filter(subject=subject, key="profile", state="open")
    asked.update(state="answered", answered_at=now)
