"""How each person is told: setting a channel up, changing it, ending it."""

from __future__ import annotations

import datetime as dt
import hashlib
import secrets
from collections.abc import Iterable

from django.db import transaction

from household.models import Channel, MailServer, Person
from household.services.secrets import lock_up


@transaction.atomic
def keep_channel(
    *,
    person: Person,
    kind: str,
    address: str,
    notices: Iterable[str],
    has_detail: bool,
    secret: str | None,
    now: dt.datetime,
) -> Channel:
    """Set a way of sending up, or change it; a secret of None keeps the one there is."""
    row = Channel.objects.filter(person=person, kind=kind).first() or Channel(
        person=person, kind=kind, created_at=now
    )
    row.address, row.notices, row.has_detail = address, sorted(set(notices)), has_detail
    row.error_code = ""
    if secret is not None:
        row.secret_encrypted = lock_up(secret)
    row.save()
    return row


@transaction.atomic
def make_feed(*, person: Person, notices: Iterable[str], has_detail: bool, now: dt.datetime) -> str:
    """A calendar feed with a new address; the token is given this once, and the old address ends."""
    token = secrets.token_urlsafe(32)
    Channel.objects.update_or_create(
        person=person,
        kind="calendar",
        defaults={
            "token_hash": hash_token(token),
            "notices": sorted(set(notices)),
            "has_detail": has_detail,
            "created_at": now,
        },
    )
    return token


def hash_token(token: str) -> str:
    """A feed's token as it is stored."""
    return hashlib.sha256(token.encode()).hexdigest()


def feed_of(token: str) -> Channel | None:
    """The feed a token opens, None for no such one or somebody who is gone."""
    rows = Channel.objects.filter(token_hash=hash_token(token), kind="calendar", person__is_active=True)
    return rows.select_related("person").first()


def drop_channel(*, person: Person, kind: str) -> None:
    """Tell this person nothing any more this way."""
    Channel.objects.filter(person=person, kind=kind).delete()


@transaction.atomic
def keep_mail_server(
    *, host: str, port: int, security: str, username: str, password: str | None, sender: str
) -> MailServer:
    """Where the household's e-mails go through; a password of None keeps the one there is."""
    row = MailServer.objects.first() or MailServer()
    row.host, row.port, row.security, row.username, row.sender = host, port, security, username, sender
    if password is not None:
        row.password_encrypted = lock_up(password)
    row.save()
    return row


def drop_mail_server() -> None:
    """Send no e-mails any more."""
    MailServer.objects.all().delete()
