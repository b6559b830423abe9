"""Quick logs: one action on one subject behind a secret address, for a button, a shortcut, a home automation.

Only the hash of a token is kept. A token does what its author may do: it ends with the author's right to add.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import hmac
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import transaction

from household.models import Person
from twin.models import Dose, FormFill, Medicine, QuickLog, Trackable, TrackableEntry
from twin.rules.form_fields import is_level
from twin.rules.trackables import parse_fields, validate_values
from twin.services.doses import log_dose
from twin.services.filing import lock_subject
from twin.services.forms import UnknownTap, tap
from twin.services.trackables import log_entry

TOKEN_BYTES = 24


class UnknownAction(ValueError):
    """The action is none a quick log can do."""


class Revoked(ValueError):
    """The quick log of this client id was revoked."""


@dataclass(frozen=True)
class MadeQuickLog:
    """A quick log and its token, which is shown once and kept nowhere."""

    row: QuickLog
    token: str


@transaction.atomic
def make_quick_log(
    *, person: Person, subject_id: int, client_id: str, label: str, action: dict[str, Any], now: dt.datetime
) -> MadeQuickLog:
    """A new quick log; the same client id twice is one row and one token. Raises UnknownAction, Revoked."""
    subject = lock_subject(subject_id)
    _check_action(action, subject_id, subject.kind)
    token = _token_of(person, client_id)
    row, _ = QuickLog.objects.get_or_create(
        token_hash=hash_of(token),
        defaults={
            "subject": subject,
            "label": label,
            "action": action,
            "author": person,
            "created_at": now,
        },
    )
    if row.revoked_at is not None:
        raise Revoked
    return MadeQuickLog(row, token)


@transaction.atomic
def revoke_quick_log(*, quick_log_id: int, now: dt.datetime) -> QuickLog:
    """End a quick log at once. Twice changes nothing."""
    row = QuickLog.objects.select_for_update(no_key=True).get(pk=quick_log_id)
    if row.revoked_at is None:
        row.revoked_at = now
        row.save(update_fields=["revoked_at"])
    return row


def standing_quick_log(token: str) -> QuickLog | None:
    """The quick log of a token that is not revoked, its author and subject loaded; None for any other."""
    rows = QuickLog.objects.filter(token_hash=hash_of(token), revoked_at=None, author__is_active=True)
    return rows.select_related("author", "subject").first()


@transaction.atomic
def run_quick_log(
    *, row: QuickLog, client_id: str, now: dt.datetime, despite: int | None = None
) -> Dose | TrackableEntry | FormFill:
    """Do what the quick log says, as its author, by the same services as a page. Raises what they raise."""
    assert row.author is not None
    common: dict[str, Any] = {"person": row.author, "client_id": client_id, "device": f"quick-{row.pk}"}
    action = row.action
    done: Dose | TrackableEntry | FormFill
    match action["kind"]:
        case "dose":
            done = log_dose(medicine_id=action["id"], at=now, now=now, despite=despite, **common)
        case "trackable":
            done = log_entry(
                trackable_id=action["id"],
                subject_id=row.subject_id,
                values=action["values"],
                at=now,
                **common,
            )
        case _:
            done = tap(
                subject_id=row.subject_id, field=action["field"], level=action["level"], now=now, **common
            )
    QuickLog.objects.filter(pk=row.pk).update(used_at=now)
    return done


def hash_of(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def _token_of(person: Person, client_id: str) -> str:
    """A token only this house can make, the same one for a form that is posted twice."""
    secret = hmac.new(settings.SECRET_KEY.encode(), f"quick:{person.pk}:{client_id}".encode(), "sha256")
    return urlsafe_b64encode(secret.digest()[:TOKEN_BYTES]).decode()


def _check_action(action: dict[str, Any], subject_id: int, subject_kind: str) -> None:
    """Refuse what could never be done. Raises UnknownAction, InvalidTrackable, UnknownTap."""
    match action.get("kind"):
        case "dose":
            if not Medicine.objects.filter(pk=action["id"], subject_id=subject_id, ended_at=None).exists():
                raise UnknownAction
        case "trackable":
            rows = Trackable.objects.filter(pk=action["id"], put_away_at=None)
            row = rows.filter(trackablesubject__subject_id=subject_id).first()
            if row is None:
                raise UnknownAction
            validate_values(parse_fields(row.fields), action["values"])
        case "form":
            if not is_level(subject_kind, action["field"], action["level"]):
                raise UnknownTap(action["field"])
        case _:
            raise UnknownAction
