"""A professional's home: cards, what changed, the feed, and a teacher's two taps."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest

from household.models import AccessLog, Heartbeat
from household.rules.permissions import Resource
from household.services.looks import note_look
from tests.makers import (
    a_cat,
    a_child,
    a_membership,
    a_person,
    a_record,
    a_statement,
    now,
    signed_in,
    text_of,
)
from twin.models import Event, LedgerEntry, Statement, Subject
from twin.services.caseload import ANSWERS, PARTS
from twin.services.days import day_of
from twin.services.timeline import PAGE_SIZE

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def a_worker() -> None:
    Heartbeat.objects.create(worker="w", at=now())


def today_of(subject: Subject) -> dt.date:
    return day_of(subject, now())


def a_therapist(*subjects: Subject, name: str = "Dr. Ito", role: str = "therapist", **fields: Any) -> Any:
    person = a_person(name)
    for subject in subjects:
        a_membership(person, subject, role, **fields)
    return signed_in(person)


@pytest.mark.parametrize("role", ["therapist", "teacher", "vet"])
def test_the_caseload_is_a_professionals_home(role: str):
    browser = a_therapist(a_cat(), role=role)
    assert browser.get("/")["Location"] == "/caseload"
    page = browser.get("/caseload").content.decode()
    assert "Mavi" in page
    assert 'href="/caseload" aria-current="page"' in page and "/household" not in page


@pytest.mark.parametrize("role", ["parent", "family", "child"])
def test_the_family_lives_on_today(role: str):
    leo = a_child()
    ben = a_person("Ben")
    a_membership(ben, leo, role)
    a_membership(ben, a_child(name="Zoe"), "therapist")
    browser = signed_in(ben)
    page = browser.get("/")
    assert page.status_code == 200
    assert b'href="/caseload"' not in page.content


def test_somebody_without_a_subject_is_told_whom_to_ask():
    a_child()
    browser = signed_in(a_person("Eve"))
    assert browser.get("/")["Location"] == "/caseload"
    assert "Ask them for an invitation" in text_of(browser.get("/caseload"))


def test_whoever_founded_an_empty_house_is_at_home_on_today():
    assert signed_in(a_person("Ana")).get("/").status_code == 200


def test_a_card_shows_the_last_days_and_what_goes_on():
    leo = a_child()
    today = today_of(leo)
    a_record(leo, "sleep", day=today)
    a_record(leo, "ears", day=today - dt.timedelta(days=9))
    a_record(
        leo,
        "skin_coat",
        lifecycle="active",
        day=None,
        started_on=today - dt.timedelta(days=4),
        precision="day",
    )
    page = a_therapist(leo).get("/caseload").content.decode()
    card = page.partition("<article")[2].partition("</article>")[0]
    assert len(set(re.findall(r"/r/rec_\d+", card))) == 2
    assert "Your first visit" in card


def test_a_card_says_what_came_since_the_last_visit_and_not_ones_own_words():
    leo = a_child()
    ito = a_person("Dr. Ito")
    browser = a_therapist(leo)
    yesterday = now() - dt.timedelta(days=1)
    note_look(person=ito, subject_id=leo.pk, resource=Resource.OBSERVATION, now=yesterday)
    assert "nothing new" in text_of(browser.get("/caseload"))
    told = ((a_person("Ana"), now(), "ears"), (a_person("Ana"), yesterday, "sleep"), (ito, now(), "eyes"))
    for author, at, category in told:
        record = a_record(leo, category, day=at.date())
        a_statement(leo, author, record=record, said_at=at - dt.timedelta(minutes=5))
    page = text_of(browser.get("/caseload"))
    assert "1 new observation" in page
    assert LedgerEntry.objects.count() == 3


def test_a_visit_does_not_make_itself_unnew():
    leo = a_child()
    browser = a_therapist(leo)
    yesterday = now() - dt.timedelta(days=1)
    note_look(person=a_person("Dr. Ito"), subject_id=leo.pk, resource=Resource.OBSERVATION, now=yesterday)
    a_statement(leo, a_person("Ana"), record=a_record(leo, day=today_of(leo)), said_at=now())
    for _ in range(2):
        assert "1 new observation" in text_of(browser.get("/caseload"))


def test_the_feed_goes_across_the_caseload_and_is_filtered():
    leo, mavi, zoe = a_child(), a_cat(), a_child(a_person("Olga"), "Zoe")
    ours = [a_record(leo, "sleep"), a_record(mavi, "ears")]
    other = a_record(zoe, "sleep")
    browser = a_therapist(leo, mavi)

    def ids(query: str) -> set[str]:
        feed = browser.get(f"/caseload{query}").content.decode().partition('id="feed"')[2]
        return set(re.findall(r"rec_\d+", feed.partition("</section>")[0]))

    assert ids("") == {one.rec_id for one in ours}
    assert ids(f"?about={leo.pk}") == {ours[0].rec_id}
    assert ids("?category=ears") == {ours[1].rec_id}
    assert ids("?show=normal") == set()
    assert ids(f"?about={zoe.pk}") == ids("?about=x") == ids("")
    assert other.rec_id not in browser.get("/caseload").content.decode()


def test_the_feed_goes_on_as_it_is_scrolled_and_each_look_is_written_down():
    leo = a_child()
    for n in range(35):
        a_record(leo, "sleep", day=dt.date(2025, 1, 1) + dt.timedelta(days=n))
    browser = a_therapist(leo)
    first = browser.get("/caseload").content.decode()
    more = re.search(r'hx-get="(/caseload\?[^"]*after=[^"]+)"', first).group(1).replace("&amp;", "&")  # type: ignore[union-attr]
    rest = browser.get(more, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in rest
    assert len(set(re.findall(r"rec_\d+", first)) | set(re.findall(r"rec_\d+", rest))) == 35
    assert [len(row.row_ids) for row in AccessLog.objects.order_by("pk")] == [PAGE_SIZE, 35 - PAGE_SIZE]
    assert browser.get("/caseload?after=nonsense").status_code == 404


def test_what_a_teacher_may_not_see_is_not_on_the_page():
    leo = a_child()
    a_statement(leo, a_person("Ana"), "a private word", record=a_record(leo, day=today_of(leo)))
    page = a_therapist(leo, role="teacher").get("/caseload").content.decode()
    assert "rec_" not in page and "a private word" not in page
    assert "How was school?" in page


def test_an_observation_is_added_from_here():
    leo = a_child()
    browser = a_therapist(leo)
    assert f'name="subject" value="{leo.pk}"' in browser.get("/caseload").content.decode()
    sent = {"subject": str(leo.pk), "words": "he covered his ears", "client_id": "one"}
    assert browser.post("/tell", sent).status_code == 302
    assert Statement.objects.get().subject == leo


# the school log


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("impact", ANSWERS)
def test_one_tap_is_one_event_of_school(part: str, impact: int):
    leo = a_child()
    browser = a_therapist(leo, role="teacher")
    url = f"/caseload/{leo.pk}/school"
    assert f'value="{part}:{impact}"' in browser.get(url).content.decode()
    for _ in range(2):
        assert browser.post(url, {"tap": f"{part}:{impact}"}).status_code == 302
    row = Event.objects.get()
    assert (row.kind, row.impact, row.author.name, row.local_day) == (
        "school",
        impact,
        "Dr. Ito",
        today_of(leo),
    )  # type: ignore[union-attr]
    assert re.search(rf'value="{part}:{impact}" aria-pressed="true"', browser.get(url).content.decode())


def test_another_tap_the_same_day_replaces_it_and_another_part_stands_beside_it():
    leo = a_child()
    browser = a_therapist(leo, role="teacher")
    for tap in ("morning:2", "morning:-2", "day:0"):
        browser.post(f"/caseload/{leo.pk}/school", {"tap": tap})
    assert sorted(Event.objects.values_list("impact", flat=True)) == [-2, 0]


@pytest.mark.parametrize("tap", ["", "morning", "morning:", "morning:9", "night:1", "day:x"])
def test_a_tap_of_nothing_is_refused(tap: str):
    leo = a_child()
    assert (
        a_therapist(leo, role="teacher").post(f"/caseload/{leo.pk}/school", {"tap": tap}).status_code == 422
    )
    assert not Event.objects.exists()


def test_a_teacher_who_may_not_add_finds_no_log():
    leo = a_child()
    browser = a_therapist(leo, role="teacher", overrides={"observation:add": False})
    assert "How was school?" not in browser.get("/caseload").content.decode()
    assert browser.get(f"/caseload/{leo.pk}/school").status_code == 404
    assert browser.post(f"/caseload/{leo.pk}/school", {"tap": "day:1"}).status_code == 404
    assert not Event.objects.exists() and not Statement.objects.exists()
