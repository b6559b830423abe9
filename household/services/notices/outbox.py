"""What is to be told: noted once for each channel, sent by a sweep, tried again with growing pauses.

A row holds a kind and numbers. What they mean is asked of whoever noted them when it is sent, so that what
was answered, forgotten or taken from somebody's sight meanwhile is told no more.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _

from household.access import Sight, seen_by
from household.models import Backup, Channel, MailServer, Notice
from household.rules.notices import WHO_IS_TOLD, is_given_up, pause_after
from household.rules.permissions import Resource, Role
from household.senders import NotSent, send_mail, send_ntfy
from household.services.secrets import unlock


@dataclass(frozen=True)
class Thing:
    """Something to be told, by numbers; of the box itself it has no subject."""

    kind: str
    key: str
    subject_id: int | None = None


Teller = Callable[[str, dt.datetime], "tuple[int | None, str] | None"]
Collector = Callable[[dt.datetime], Iterable[Thing]]
# By kind: what a key means now, as (subject, words in the active language), None where it waits no more.
TELLERS: dict[str, Teller] = {}
COLLECTORS: dict[str, Collector] = {}


def collect(*, now: dt.datetime) -> int:
    """Note what somebody asked to be told of and was not yet. Gives how many are new."""
    channels = list(Channel.objects.exclude(kind="calendar").select_related("person").order_by("pk"))
    wanted = {kind for one in channels for kind in one.notices}
    things = [thing for kind in sorted(wanted & COLLECTORS.keys()) for thing in COLLECTORS[kind](now)]
    if not things:
        return 0
    sights: dict[int, Sight] = {}
    for one in channels:
        if one.person_id not in sights and one.person.is_active:
            with seen_by(one.person, now=now) as sight:
                sights[one.person_id] = sight
    rows = [
        Notice(channel=one, kind=thing.kind, key=thing.key, due_at=now)
        for one in channels
        for thing in things
        if thing.kind in one.notices
        and one.person_id in sights
        and may_be_told(sights[one.person_id], thing.kind, thing.subject_id)
    ]
    before = Notice.objects.count()
    Notice.objects.bulk_create(rows, ignore_conflicts=True)
    return Notice.objects.count() - before


def may_be_told(sight: Sight, kind: str, subject_id: int | None) -> bool:
    """Whether a person of this sight is told of such a thing."""
    if subject_id is None:
        return sight.is_parent()
    found = sight.subjects.get(subject_id)
    if found is None:
        return False
    if WHO_IS_TOLD[kind] == "parents":
        return Role.PARENT in found.roles
    return Resource.OBSERVATION in found.views and Resource.OBSERVATION not in found.windows


def send_due(*, clock: Callable[[], dt.datetime]) -> Mapping[str, int]:
    """Send what waits; how many were sent, dropped and failed."""
    outcomes = {"sent": 0, "dropped": 0, "failed": 0}
    for pk in Notice.objects.filter(state="waiting", due_at__lte=clock()).values_list("pk", flat=True):
        outcome = _send_one(pk, clock)
        if outcome is not None:
            outcomes[outcome] += 1
    return outcomes


def _send_one(pk: int, clock: Callable[[], dt.datetime]) -> str | None:
    """One notice. It counts as sent before it goes out: whoever is killed meanwhile tells nobody twice."""
    now = clock()
    claimed = Notice.objects.filter(pk=pk, state="waiting", due_at__lte=now).update(state="sent", sent_at=now)
    if not claimed:
        return None
    row = Notice.objects.select_related("channel__person").get(pk=pk)
    told = _words(row, now)
    if told is None:
        return _end(row, "dropped")
    try:
        _deliver(row.channel, told)
    except NotSent as error:
        return _again(row, error.code, now)
    row.attempts += 1
    row.save(update_fields=["attempts"])
    Channel.objects.filter(pk=row.channel_id).exclude(error_code="").update(error_code="")
    return "sent"


def _words(row: Notice, now: dt.datetime) -> str | None:
    """What the person reads: by default only that something waits; None where nothing does any more."""
    person = row.channel.person
    if row.kind not in row.channel.notices or row.kind not in TELLERS or not person.is_active:
        return None
    with seen_by(person, now=now) as sight, translation.override(person.language):
        told = TELLERS[row.kind](row.key, now)
        if told is None or not may_be_told(sight, row.kind, told[0]):
            return None
        return told[1] if row.channel.has_detail else _("Something waits in Hearthbook.")


def _deliver(channel: Channel, words: str) -> None:
    if channel.kind == "ntfy":
        token = unlock(bytes(channel.secret_encrypted))
        return send_ntfy(topic_url=channel.address, token=token, title="Hearthbook", text=words)
    server = MailServer.objects.first()
    if server is None:
        raise NotSent("no_mail_server")
    return send_mail(server=server, to=channel.address, title="Hearthbook", text=words)


def _again(row: Notice, code: str, now: dt.datetime) -> str | None:
    row.attempts += 1
    row.error_code, row.sent_at = code[:60], None
    waited = now - row.due_at if row.attempts == 1 else dt.timedelta(0)
    row.state = "failed" if is_given_up(row.attempts, waited) else "waiting"
    row.due_at = now + pause_after(row.attempts)
    row.save(update_fields=["attempts", "error_code", "sent_at", "state", "due_at"])
    Channel.objects.filter(pk=row.channel_id).update(error_code=code[:60])
    return "failed" if row.state == "failed" else None


def _end(row: Notice, state: str) -> str:
    row.state, row.sent_at = state, None
    row.save(update_fields=["state", "sent_at"])
    return state


def send_test(*, channel: Channel) -> None:
    """Send one word by a channel at once. Raises NotSent."""
    with translation.override(channel.person.language):
        _deliver(channel, _("Hearthbook can reach you here."))


def _failed_backups(now: dt.datetime) -> list[Thing]:
    rows = Backup.objects.filter(state="failed", made_at__gte=now - dt.timedelta(days=2))
    return [Thing("backup", f"backup:{pk}") for pk in rows.values_list("pk", flat=True)]


def _backup_words(key: str, now: dt.datetime) -> tuple[int | None, str] | None:
    pk = int(key.partition(":")[2])
    if not Backup.objects.filter(pk=pk, state="failed").exists():
        return None
    return None, _("A backup of the box failed.")


COLLECTORS["backup"] = _failed_backups
TELLERS["backup"] = _backup_words


@transaction.atomic
def clear_sent(*, now: dt.datetime) -> int:
    """Forget that things older than sixty days were told. Gives how many."""
    old = Notice.objects.exclude(state="waiting").filter(due_at__lt=now - dt.timedelta(days=60))
    return old.delete()[0]
