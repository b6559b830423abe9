"""Whatever leaves the house in words speaks the language of whoever reads it, with no sentence left over."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from typing import Any

import icalendar
import pytest
from django.test import Client

from household.models import Backup, Channel, Person
from household.services.notices.channels import keep_channel, keep_mail_server
from household.services.notices.outbox import TELLERS, collect, send_due, send_test
from memory.models import CrisisCard
from memory.models.companion import CRISIS_KINDS
from memory.services.turns import tell
from tests.household.notices.servers import smtp_server
from tests.household.notices.test_notices import NOW, a_medicine
from tests.makers import a_child, a_person, now, signed_in
from twin.models import AgendaItem, RoundRun, Subject
from twin.services.days import day_of

pytestmark = pytest.mark.django_db
LANGUAGES = ("en", "tr")
DAY = NOW.date()
# The family's own words, and the product's name.
OWN = {"leo", "leo’s", "leo’nun", "amoxy", "hearthbook"}


def agenda(leo: Subject, _ana: Person, *, day: dt.date = DAY) -> None:
    for rank in (1, 2):
        AgendaItem.objects.create(subject=leo, day=day, rank=rank, key=f"profile:{rank}")


def red_flag(leo: Subject, ana: Person) -> None:
    tell(person=ana, text="he had a seizure this morning", client_id="f", now=NOW, subject_id=leo.pk)


def a_round(leo: Subject, _ana: Person) -> None:
    RoundRun.objects.create(subject=leo, day=DAY - dt.timedelta(days=1), ran_at=NOW, counts={})


def crisis(leo: Subject, _ana: Person) -> None:
    CrisisCard.objects.create(
        subject=leo, device="d", turn=f"turn-{leo.pk}", kind=CRISIS_KINDS[0], at_ms=0, raised_at=NOW
    )


def backup(leo: Subject, _ana: Person) -> None:
    Backup.objects.all().delete()
    Backup.objects.create(name=f"{leo.pk}.hearthbook", state="failed", made_at=NOW, size_bytes=0)


WAITING: dict[str, Callable[[Subject, Person], Any]] = {
    "agenda": agenda,
    "medicine": a_medicine,
    "red_flag": red_flag,
    "round": a_round,
    "crisis": crisis,
    "backup": backup,
}


def words_of(text: str) -> set[str]:
    return {word for word in re.findall(r"[^\W\d_][\w’]*", text.casefold()) if word not in OWN}


def mails(language: str, kind: str, *, has_detail: bool) -> list[str]:
    """What the mail server got for somebody of that language when one thing of that kind waits."""
    ana = a_person(f"Ana {language}", language=language)
    leo = a_child(ana, now=NOW - dt.timedelta(days=9))
    WAITING[kind](leo, ana)
    with smtp_server() as box:
        keep_mail_server(
            host="127.0.0.1", port=box.port, security="none", username="", password=None, sender="h@home.test"
        )
        values = {"notices": [kind], "has_detail": has_detail, "secret": None, "now": NOW}
        channel = keep_channel(person=ana, kind="email", address="ana@home.test", **values)
        collect(now=NOW)
        send_due(clock=lambda: NOW)
        send_test(channel=channel)
    Channel.objects.all().delete()
    return [mail.get_content().strip() for _to, mail in box.mails]


def test_every_kind_of_notice_is_tried_here() -> None:
    assert WAITING.keys() == TELLERS.keys()


@pytest.mark.parametrize("has_detail", [True, False])
@pytest.mark.parametrize("kind", WAITING)
def test_an_email_of_each_kind_speaks_the_readers_language_and_no_other(kind: str, has_detail: bool) -> None:
    english, turkish = (mails(language, kind, has_detail=has_detail) for language in LANGUAGES)
    assert len(english) == len(turkish) == 2
    for one, other in zip(english, turkish, strict=True):
        assert words_of(one) and words_of(other)
        assert not words_of(one) & words_of(other), (one, other)


@pytest.mark.parametrize("detail", ["on", ""])
def test_the_calendar_speaks_the_readers_language_and_no_other(detail: str) -> None:
    said = []
    for language in LANGUAGES:
        ana = a_person(f"Ana {language}", language=language)
        leo = a_child(ana)
        a_medicine(leo, ana)
        agenda(leo, ana, day=day_of(leo, now()))
        sent = {"card": "calendar", "notices": ["medicine", "agenda"], "has_detail": detail}
        page = signed_in(ana).post("/account/told", sent).content.decode()
        path = re.search(r"/calendar/[\w-]+\.ics", page)
        assert path, page
        calendar = icalendar.Calendar.from_ical(Client().get(path[0]).content)
        said.append({str(event["SUMMARY"]) for event in calendar.walk("VEVENT")})
        assert len(said[-1]) == (2 if detail else 1), said
    english, turkish = (words_of(" ".join(one)) for one in said)
    assert english and turkish and not english & turkish
