"""What stands now, in words, and how it stood on each day."""

from __future__ import annotations

import datetime as dt

import pytest

from household.models import AccessLog
from tests.makers import a_cat, a_child, a_membership, a_person, a_record, now, signed_in, text_of
from tests.twin.course_makers import MARCH, queries_of
from twin.models import Frame, FrameLog, Subject
from twin.rules.frame import Cited, Consideration, Finding, FrameCourse, frame
from twin.rules.red_flags import bundled_flags

pytestmark = pytest.mark.django_db


def a_frame(subject: Subject, day: dt.date = MARCH, **parts: object) -> dict:
    row = a_record(subject, "ears", day=day, site=str(day))
    given = {
        "courses": [
            FrameCourse(
                row.rec_id, "ears", "left", "active", MARCH, 2, "worsening", day, ("odour", "redness"), True
            )
        ],
        "findings": [Finding(row.rec_id, day, "ears", {"discharge": False, "odour": True})],
        "red_flags": [(bundled_flags()[0].flag.key, row.rec_id)],
        "chronic": [Cited(row.rec_id, "thin kidneys")],
        "ruled_out": [Cited(row.rec_id, "mites")],
        "considerations": [Consideration("the pollen season", "small-model")],
        **parts,
    }
    body = frame(day, **given)
    Frame.objects.update_or_create(subject=subject, defaults={"day": day, "body": body, "made_at": now()})
    FrameLog.objects.create(subject=subject, day=day, body=body, body_hash=str(day), made_at=now())
    return body


def test_a_frame_reads_in_words_with_the_records_it_stands_in():
    mavi = a_cat()
    body = a_frame(mavi)
    response = signed_in(a_person("Ana")).get(f"/book/{mavi.pk}/now")
    page = text_of(response)
    for said in (
        "Left ear",
        "marked",
        "Worsening",
        "last not as usual on 1 March",
        "no discharge",
        "Ears : smell, redness",
        "thin kidneys",
        "ruled out: mites",
        "the pollen season",
        "small-model",
        bundled_flags()[0].flag.title("en"),
    ):
        assert said in page, said
    assert f'/r/{body["open"][0]["record"]}"' in response.content.decode()


def test_every_flag_of_the_house_can_be_shown():
    mavi = a_cat()
    keys = [rule.flag.key for rule in bundled_flags()]
    a_frame(mavi, red_flags=[(key, "rec_000001") for key in keys])
    shown = signed_in(a_person("Ana")).get(f"/book/{mavi.pk}/now").context["frame"]["flags"]
    assert len(shown) == len(set(keys)) and all(flag["title"] and flag["text"] for flag in shown)


def test_the_log_opens_the_frame_of_a_day_and_the_last_one_of_it():
    mavi = a_cat()
    days = [MARCH + dt.timedelta(days=n) for n in range(3)]
    for day in days:
        a_frame(mavi, day)
    body = frame(days[0], courses=[], findings=[])
    FrameLog.objects.create(subject=mavi, day=days[0], body=body, body_hash="late", made_at=now())
    browser = signed_in(a_person("Ana"))
    assert [row.day for row, _ in browser.get(f"/book/{mavi.pk}/now").context["log"]] == [
        days[2],
        days[1],
        days[0],
        days[0],
    ]
    old = browser.get(f"/book/{mavi.pk}/now?day={days[0]}")
    assert old.context["frame"]["open"] == [] and "As it stood on 1 March 2025" in text_of(old)
    for nothing in ("2024-01-01", "2025-13-40", "yesterday"):
        assert browser.get(f"/book/{mavi.pk}/now?day={nothing}").status_code == 404


def test_a_forgotten_frame_says_so():
    mavi = a_cat()
    FrameLog.objects.create(subject=mavi, day=MARCH, body={}, body_hash="gone", made_at=now())
    page = signed_in(a_person("Ana")).get(f"/book/{mavi.pk}/now?day={MARCH}")
    assert "This was forgotten" in text_of(page)


def test_before_the_first_night_the_page_teaches():
    page = signed_in(a_person("Ana")).get(f"/book/{a_cat().pk}/now")
    assert "No night has been closed yet" in text_of(page)


@pytest.mark.parametrize(
    ("role", "sees"), [("family", 200), ("therapist", 200), ("teacher", 404), ("child", 404), ("vet", 404)]
)
def test_the_matrix_says_who_reads_it(role, sees):
    leo = a_child()
    a_membership(a_person("Dr. Ito"), leo, role)
    assert signed_in(a_person("Dr. Ito")).get(f"/book/{leo.pk}/now").status_code == sees
    assert signed_in(a_person("Eve")).get(f"/book/{leo.pk}/now").status_code == 404
    assert AccessLog.objects.count() == (role == "therapist")


def test_many_nights_ask_no_more_than_few():
    mavi, duman = a_cat(), a_cat(name="Duman")
    a_frame(mavi)
    for n in range(40):
        a_frame(duman, MARCH + dt.timedelta(days=n))
    browser = signed_in(a_person("Ana"))
    counts = {queries_of(browser, f"/book/{subject.pk}/now") for subject in (mavi, duman)}
    assert len(counts) == 1 and counts.pop() <= 10
    assert len(browser.get(f"/book/{duman.pk}/now?page=2").context["log"]) == 10
