"""Adding a child or an animal to the book, and changing what is known of one."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any

from django.db import IntegrityError, transaction

from household.access import Denied, beginning, look_again
from household.models import Membership, Person
from household.zones import zones
from twin.models import PersonProfile, Record, Subject
from twin.rules.timeline import sort_position


class UnknownZone(ValueError):
    """The time zone is in no list."""


@transaction.atomic
def add_subject(*, person: Person, now: dt.datetime, **fields: Any) -> Subject:
    """A new subject with `person` as its parent; the same gid twice is one subject.

    Raises UnknownZone, and Denied where somebody else's subject has that gid.
    """
    if fields.get("time_zone", "UTC") not in zones():
        raise UnknownZone(fields["time_zone"])
    gid = fields.pop("gid", None) or uuid.uuid4()
    return _of_gid(person, gid) or _begin(person, gid, now=now, **fields)


def _of_gid(person: Person, gid: uuid.UUID) -> Subject | None:
    return Subject.objects.filter(gid=gid, memberships__person=person).first()


def _begin(person: Person, gid: uuid.UUID, *, now: dt.datetime, **fields: Any) -> Subject:
    try:
        with beginning() as number, transaction.atomic():
            subject = Subject.objects.create(pk=number, gid=gid, created_at=now, **fields)
            if subject.species == "person":
                PersonProfile.objects.create(subject=subject)
            Membership.objects.create(person=person, subject=subject, role="parent", starts_at=now)
            return subject
    except IntegrityError:  # posted twice at once, or not this person's
        look_again(person, now=now)
        found = _of_gid(person, gid)
        if found is None:
            raise Denied from None
        return found


@transaction.atomic
def change_subject(*, subject: Subject, **fields: Any) -> Subject:
    """Change what is known; age-anchored rows move on the timeline when the birth date does."""
    if fields.get("time_zone", subject.time_zone) not in zones():
        raise UnknownZone(fields["time_zone"])
    born_before = subject.born_on
    for name, value in fields.items():
        setattr(subject, name, value)
    subject.save(update_fields=list(fields))
    if subject.born_on != born_before:
        _place_anchored_rows(subject)
    return subject


@transaction.atomic
def change_profile(*, profile: PersonProfile, now: dt.datetime, **fields: Any) -> PersonProfile:
    """Change what everybody who helps a child should know."""
    for name, value in fields.items():
        setattr(profile, name, value)
    profile.changed_at = now
    profile.save(update_fields=[*fields, "changed_at"])
    return profile


def _place_anchored_rows(subject: Subject) -> None:
    rows = list(Record.objects.filter(subject=subject, age_low_months__isnull=False))
    for row in rows:
        row.sort_on = sort_position(
            started_on=row.started_on,
            day=row.day,
            born_on=subject.born_on,
            low_months=row.age_low_months,
            high_months=row.age_high_months,
        )
    Record.objects.bulk_update(rows, ["sort_on"])
