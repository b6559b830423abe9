"""The report of each night, in words, newest first."""

from __future__ import annotations

import datetime as dt

import pytest

from household.models import AccessLog
from tests.makers import a_cat, a_child, a_membership, a_person, now, signed_in, text_of
from tests.twin.course_makers import MARCH, queries_of
from twin.models import RoundRun, Subject
from twin.services.rounds.run import run_round
from twin.views.nights import LINES, night_lines

pytestmark = pytest.mark.django_db


def a_night(subject: Subject, day: dt.date = MARCH, **counts: dict[str, int]) -> RoundRun:
    return RoundRun.objects.create(subject=subject, day=day, counts=counts, ran_at=now())


def test_a_night_says_what_it_did_and_a_quiet_one_that_nothing_was():
    mavi = a_cat()
    a_night(mavi, courses={"opened": 1, "joined": 2}, lifecycle={"closed": 1}, ageing={"aged": 0})
    a_night(mavi, MARCH + dt.timedelta(days=1))
    page = text_of(signed_in(a_person("Ana")).get(f"/book/{mavi.pk}/nights"))
    for said in ("1 course began", "2 notes joined their courses", "1 course is over", "A quiet day"):
        assert said in page
    assert page.index("Sunday, 2 March") < page.index("Saturday, 1 March")


@pytest.mark.parametrize("count", [1, 2, 5])
def test_every_count_has_words_with_its_number(count: int):
    for step, name in LINES:
        (line,) = night_lines({step: {name: count}})
        assert str(count) in line
    assert night_lines({"courses": {"opened": 0}, "a step to come": {"made": 3}}) == []


def test_every_count_of_a_real_round_that_people_care_for_has_words():
    mavi = a_cat(now=dt.datetime(2026, 11, 2, 5, tzinfo=dt.UTC))
    run = run_round(
        subject_id=mavi.pk, day=dt.date(2026, 11, 2), now=dt.datetime(2026, 11, 3, 4, tzinfo=dt.UTC)
    )
    counted = {(step, name) for step, counts in run.counts.items() for name in counts}
    ours = {step for step, _name in LINES}
    assert {key for key in counted if key[0] in ours} <= LINES.keys()
    assert {"deadlines", "courses", "agenda", "ageing"} <= {step for step, _name in counted}


def test_late_words_are_said_and_nights_are_paged():
    mavi = a_cat()
    for n in range(35):
        a_night(mavi, MARCH + dt.timedelta(days=n))
    RoundRun.objects.filter(day=MARCH).update(is_dirty=True)
    browser = signed_in(a_person("Ana"))
    assert len(browser.get(f"/book/{mavi.pk}/nights").context["nights"]) == 30
    second = browser.get(f"/book/{mavi.pk}/nights?page=2")
    assert len(second.context["nights"]) == 5 and "late words: runs again" in text_of(second)


@pytest.mark.parametrize(
    ("role", "sees"), [("family", 200), ("therapist", 200), ("teacher", 404), ("child", 404), ("vet", 404)]
)
def test_the_matrix_says_who_reads_it(role, sees):
    leo = a_child()
    a_membership(a_person("Dr. Ito"), leo, role)
    assert signed_in(a_person("Dr. Ito")).get(f"/book/{leo.pk}/nights").status_code == sees
    assert signed_in(a_person("Eve")).get(f"/book/{leo.pk}/nights").status_code == 404
    assert AccessLog.objects.count() == (role == "therapist")


def test_many_nights_ask_no_more_than_few_and_an_empty_page_teaches():
    mavi, duman, yeni = a_cat(), a_cat(name="Duman"), a_cat(name="Yeni")
    a_night(mavi)
    for n in range(40):
        a_night(duman, MARCH + dt.timedelta(days=n), courses={"opened": 1})
    browser = signed_in(a_person("Ana"))
    counts = {queries_of(browser, f"/book/{subject.pk}/nights") for subject in (mavi, duman)}
    assert len(counts) == 1 and counts.pop() <= 10
    assert "No night has been closed yet" in text_of(browser.get(f"/book/{yeni.pk}/nights"))
