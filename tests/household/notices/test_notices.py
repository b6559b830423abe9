"""People are told what they asked for, once, by real servers, and without a word of detail unless asked."""

from __future__ import annotations

import datetime as dt
import re

import icalendar
import pytest

from household.models import Backup, Channel, MailServer, Membership, Notice
from household.rules.notices import LONGEST_PAUSE, MOST_ATTEMPTS, is_given_up, pause_after
from household.services.notices.channels import keep_channel, keep_mail_server
from household.services.notices.outbox import collect, send_due
from household.services.secrets import unlock
from tests.household.notices.servers import ntfy_server, smtp_server
from tests.makers import a_child, a_membership, a_person, signed_in
from twin.models import AgendaItem, Medicine
from twin.services.doses import log_dose

pytestmark = pytest.mark.django_db
NOW = dt.datetime(2025, 3, 3, 12, tzinfo=dt.UTC)
ALL = ["agenda", "medicine", "red_flag", "round", "backup", "crisis"]


def a_medicine(subject, person) -> Medicine:
    return Medicine.objects.create(
        subject=subject,
        author=person,
        client_id="m",
        name="Amoxy",
        schedule={"kind": "times", "times": ["08:00", "20:00"]},
        started_on=dt.date(2025, 3, 1),
        created_at=dt.datetime(2025, 3, 1, tzinfo=dt.UTC),
    )


def a_topic(person, url: str, **fields) -> Channel:
    values = {"notices": ALL, "has_detail": False, "secret": None, "now": NOW, **fields}
    return keep_channel(person=person, kind="ntfy", address=f"{url}/house", **values)


def told(now: dt.datetime = NOW) -> None:
    collect(now=now)
    send_due(clock=lambda: now)


def test_an_overdue_medicine_is_told_once_and_without_a_word_of_it():
    ana = a_person()
    a_medicine(a_child(ana), ana)
    with ntfy_server() as ntfy:
        ntfy.token = "tk_secret"
        channel = a_topic(ana, ntfy.url, secret="tk_secret")
        told()
        told()
        told(NOW + dt.timedelta(minutes=5))
    assert ntfy.published == [
        {"topic": "house", "title": "Hearthbook", "message": "Something waits in Hearthbook."}
    ]
    assert b"tk_secret" not in bytes(channel.secret_encrypted)
    assert unlock(bytes(channel.secret_encrypted)) == "tk_secret"
    assert {one.key for one in Notice.objects.all()} == {f"{Medicine.objects.get().pk}:20250303T0800"}


def test_detail_is_told_to_whoever_asked_for_it_in_their_language():
    ana = a_person(language="en")
    a_medicine(a_child(ana), ana)
    with ntfy_server() as ntfy:
        a_topic(ana, ntfy.url, has_detail=True)
        told()
    assert [one["message"] for one in ntfy.published] == ["Amoxy is overdue for Leo."]


def test_what_was_answered_meanwhile_is_told_no_more():
    ana = a_person()
    medicine = a_medicine(a_child(ana), ana)
    with ntfy_server() as ntfy:
        a_topic(ana, ntfy.url)
        collect(now=NOW)
        log_dose(person=ana, medicine_id=medicine.pk, client_id="d", at=NOW, now=NOW)
        send_due(clock=lambda: NOW)
    assert ntfy.published == []
    assert Notice.objects.get().state == "dropped"


def test_a_failure_is_tried_again_with_pauses_and_then_given_up():
    ana = a_person()
    medicine = a_medicine(a_child(ana), ana)
    assert medicine.pk
    with ntfy_server() as ntfy:
        a_topic(ana, ntfy.url)
        ntfy.answers = [500, 429]
        told()
        assert Notice.objects.get().due_at == NOW + dt.timedelta(minutes=1)
        assert Channel.objects.get().error_code == "http_500"
        send_due(clock=lambda: NOW)
        assert len(ntfy.answers) == 1
        send_due(clock=lambda: NOW + dt.timedelta(minutes=1))
        assert Notice.objects.get().due_at == NOW + dt.timedelta(minutes=3)
        send_due(clock=lambda: NOW + dt.timedelta(minutes=3))
    assert len(ntfy.published) == 1
    assert (Notice.objects.get().state, Channel.objects.get().error_code) == ("sent", "")


@pytest.mark.parametrize("attempts", range(1, MOST_ATTEMPTS + 1))
def test_pauses_grow_to_a_limit_and_end(attempts):
    assert dt.timedelta(minutes=1) <= pause_after(attempts) <= pause_after(attempts + 1) <= LONGEST_PAUSE
    assert is_given_up(attempts, dt.timedelta(0)) == (attempts == MOST_ATTEMPTS)
    assert is_given_up(attempts, dt.timedelta(days=1, seconds=1))


def test_a_house_that_cannot_be_reached_is_said():
    ana = a_person()
    a_child(ana)
    with ntfy_server() as ntfy:
        a_topic(ana, ntfy.url)
    page = signed_in(ana).post("/account/told/ntfy/try", follow=True).content.decode()
    assert "It could not be sent (ConnectionRefusedError)" in page


def test_who_may_not_see_is_not_told():
    ana, gil, eve = a_person(), a_person("Gil"), a_person("Eve")
    leo = a_child(ana)
    a_membership(gil, leo, "teacher")  # a teacher sees no observations unless a parent says so
    a_child(eve, "Ida")
    a_medicine(leo, ana)
    Backup.objects.create(name="b", made_at=NOW, size_bytes=1, state="failed")
    with ntfy_server() as ntfy:
        for person in (gil, eve):
            a_topic(person, ntfy.url, has_detail=True)
        told()
    assert [one["message"] for one in ntfy.published] == ["A backup of the box failed."]


def test_whose_membership_ended_before_the_sending_is_not_told():
    ana, gil = a_person(), a_person("Gil")
    leo = a_child(ana)
    place = a_membership(gil, leo, "family")
    a_medicine(leo, ana)
    with ntfy_server() as ntfy:
        a_topic(gil, ntfy.url)
        assert collect(now=NOW) == 1
        Membership.objects.filter(pk=place.pk).update(ends_at=NOW)
        send_due(clock=lambda: NOW)
    assert ntfy.published == []


def test_an_email_goes_through_the_households_server():
    ana = a_person()
    a_medicine(a_child(ana), ana)
    with smtp_server() as box:
        keep_mail_server(
            host="127.0.0.1",
            port=box.port,
            security="none",
            username="",
            password="pw",
            sender="house@home.test",
        )
        values = {"notices": ALL, "has_detail": True, "secret": None, "now": NOW}
        keep_channel(person=ana, kind="email", address="ana@home.test", **values)
        told()
        told()
    ((to, mail),) = box.mails
    assert (to, mail["Subject"], mail["From"]) == (["ana@home.test"], "Hearthbook", "house@home.test")
    assert mail.get_content().strip() == "Amoxy is overdue for Leo."
    assert b"pw" not in bytes(MailServer.objects.get().password_encrypted)[:2]


def test_the_feed_is_a_calendar_of_doses_and_questions_and_its_address_is_stored_as_a_hash():
    ana = a_person()
    leo = a_child(ana)
    a_medicine(leo, ana)
    client = signed_in(ana)
    page = client.post(
        "/account/told", {"card": "calendar", "notices": ["medicine", "agenda"], "has_detail": "on"}
    ).content.decode()
    path = re.search(r"/calendar/[\w-]+\.ics", page)[0]
    assert path[10:-4] not in str(list(Channel.objects.values()))
    from django.utils import timezone

    from twin.services.days import day_of

    AgendaItem.objects.create(subject=leo, day=day_of(leo, timezone.now()), rank=1, key="profile")
    answer = client.__class__().get(path)
    calendar = icalendar.Calendar.from_ical(answer.content)
    events = list(calendar.walk("VEVENT"))
    doses = [one for one in events if str(one["SUMMARY"]) == "Amoxy for Leo"]
    assert 28 <= len(doses) <= 31
    assert {one["DTSTART"].dt.hour for one in doses} == {8, 20}
    assert [str(one["SUMMARY"]) for one in events if one not in doses] == ["Questions about Leo"]
    assert len({str(one["UID"]) for one in events}) == len(events)
    client.post("/account/told/calendar/drop")
    assert client.__class__().get(path).status_code == 404


def test_a_feed_says_nothing_unless_asked():
    ana = a_person()
    a_medicine(a_child(ana), ana)
    page = (
        signed_in(ana).post("/account/told", {"card": "calendar", "notices": ["medicine"]}).content.decode()
    )
    path = re.search(r"/calendar/[\w-]+\.ics", page)[0]
    text = signed_in(ana).get(path).content.decode()
    assert "Amoxy" not in text
    assert "Something waits" in text


@pytest.mark.parametrize(
    "address", ["", "ftp://x/y", "http://", "https://ntfy.test", "http://a b/c", "http://[::1/x"]
)
def test_an_address_that_is_no_topic_is_refused_with_a_word(address):
    ana = a_person()
    a_child(ana)
    answer = signed_in(ana).post("/account/told", {"card": "ntfy", "address": address, "notices": ["agenda"]})
    assert (answer.status_code, Channel.objects.count()) == (422, 0)


def test_the_pages_keep_channels_and_only_parents_name_the_server():
    ana, gil = a_person(), a_person("Gil")
    a_membership(gil, a_child(ana), "family")
    client = signed_in(ana)
    sent = {"card": "ntfy", "address": "https://ntfy.test/home", "notices": ["agenda"], "secret": "tk"}
    for _time in range(2):
        assert client.post("/account/told", sent).status_code == 302
    assert Channel.objects.count() == 1
    server = {
        "host": "post.test",
        "port": "587",
        "security": "starttls",
        "sender": "a@b.test",
        "password": "pw",
    }
    assert client.post("/household/mail", server).status_code == 302
    assert client.post("/household/mail", {**server, "password": "", "port": "25"}).status_code == 302
    assert unlock(bytes(MailServer.objects.get().password_encrypted)) == "pw"
    assert (
        "pw"
        not in client.get("/household/mail").content.decode().split("<main", 1)[1].split("password", 1)[0]
    )
    assert client.post("/household/mail", {**server, "port": "0"}).status_code == 422
    assert signed_in(gil).get("/household/mail").status_code == 404
    assert signed_in(gil).get("/account/told").status_code == 200
