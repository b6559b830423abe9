"""The page of a course: its chart, words, moves and recurrence; closing it and marking it by hand."""

from __future__ import annotations

import datetime as dt

import pytest

from household.models import AccessLog
from tests.makers import a_cat, a_child, a_membership, a_person, a_record, now, signed_in, text_of
from tests.twin.course_makers import MARCH, a_course, a_course_day, queries_of
from twin.charts_course import course_chart
from twin.models import CourseMove, Record
from twin.rules.entries import Entry, Reading
from twin.rules.lifecycle import RefusedClosing
from twin.rules.subjects import Known
from twin.services import statements
from twin.services.closing import close_course, mark_chronic
from twin.services.days import day_of
from twin.services.rounds.run import catch_up
from twin.views.courses import ORDINALS, recurrence_text

pytestmark = pytest.mark.django_db


def closed(course: Record, person: str = "Ana", reason: str = "the drops worked") -> Record:
    return close_course(person=a_person(person), course_id=course.pk, reason=reason, now=now())


def test_a_course_says_how_long_how_often_and_every_word_about_it():
    mavi = a_cat()
    ana = a_person("Ana")
    for first in (dt.date(2024, 6, 1), dt.date(2024, 11, 3)):
        a_course(mavi, first=first, lifecycle="closed", ended_on=first)
    course = a_course(mavi, severities=[1, None, 2, 0], author=ana)
    page = text_of(signed_in(ana).get(f"/r/{course.rec_id}"))
    assert "third course of this kind since June 2024" in page
    days = (day_of(mavi, now()) - MARCH).days + 1
    assert f"day {days} · since 1 March 2025" in page
    said = [f"words of {MARCH + dt.timedelta(days=n)}" for n in (0, 2, 3)]
    assert sorted(said, key=page.index) == said
    assert "grave from the first day" in page
    assert "checked: no smell" in page


@pytest.mark.parametrize("count", range(1, 13))
def test_a_course_is_numbered_among_those_of_its_year(count: int):
    mavi = a_cat()
    course = a_course(mavi)
    earlier = [MARCH - dt.timedelta(days=n) for n in range(1, count)]
    text = recurrence_text(course, earlier)
    word = str(ORDINALS.get(count, f"number {count}"))
    assert text == "" if count == 1 else word in text
    assert recurrence_text(course, [MARCH - dt.timedelta(days=366)]) == ""


def test_other_places_withdrawn_courses_and_other_subjects_are_not_of_its_kind():
    mavi, duman = a_cat(), a_cat(name="Duman")
    before = MARCH - dt.timedelta(days=60)
    over = {"first": before, "lifecycle": "closed", "ended_on": before}
    a_course(mavi, site="right", **over)
    a_course(mavi, "eyes", **over)
    a_course(mavi, closed_reason="withdrawn", **over)
    a_course(duman, **over)
    course = a_course(mavi)
    assert signed_in(a_person("Ana")).get(f"/r/{course.rec_id}").context["recurrence"] == ""


def test_a_withdrawn_course_says_so_and_is_not_among_those_that_are_over():
    mavi = a_cat()
    course = a_course(mavi, lifecycle="closed", ended_on=MARCH, closed_reason="withdrawn", severities=[])
    browser = signed_in(a_person("Ana"))
    page = text_of(browser.get(f"/r/{course.rec_id}"))
    assert "It is not counted as a course any more" in page and "withdrawn" not in page
    assert browser.get(f"/book/{mavi.pk}").context["closed_courses"] == []


def days_of(course: Record) -> list[object]:
    return list(course.days.select_related("record").order_by("day"))


def test_the_chart_has_a_point_for_each_look_and_a_hollow_for_each_day_without():
    course = a_course(a_cat(), severities=[1, 3, None, None, 0])
    chart = course_chart(days_of(course), list(course.moves.all()), last=MARCH + dt.timedelta(days=6))
    assert [point.tone for point in chart.points] == ["abnormal", "abnormal", "normal"]
    assert chart.points[1].y < chart.points[0].y < chart.points[2].y
    assert len(chart.hollows) == 4
    assert {hollow.title for hollow in chart.hollows} >= {"3 March: not looked", "7 March: not looked"}
    assert chart.path.count("M") == 1 and chart.gaps.count("M") == 1
    xs = [place.x for place in (*chart.points, *chart.hollows)]
    assert len(set(xs)) == 7 and max(xs) < chart.width
    assert "looked at on 3 days of 7" in chart.text and "worst on 2 March: high" in chart.text


def test_a_long_silence_is_one_stretch_and_the_chart_stays_as_wide_as_paper():
    course = a_course(a_cat(), severities=[1])
    a_course_day(course, MARCH + dt.timedelta(days=200), 2)
    chart = course_chart(days_of(course), [], last=MARCH + dt.timedelta(days=300))
    assert [hollow.title for hollow in chart.hollows] == [
        "2 March – 16 September: not looked",
        "18 September – 26 December: not looked",
    ]
    assert chart.is_long and chart.width <= 700


def test_a_course_nobody_looked_at_has_no_chart():
    course = a_course(a_cat(), severities=[])
    assert course_chart([], [], last=MARCH) is None
    assert "No day of it was looked at yet" in text_of(signed_in(a_person("Ana")).get(f"/r/{course.rec_id}"))


def test_a_parent_closes_a_course_with_a_reason_once():
    mavi = a_cat()
    course = a_course(mavi, severities=[1, 2])
    browser = signed_in(a_person("Ana"))
    for _ in range(2):
        done = browser.post(f"/r/{course.rec_id}/close", {"reason": " the drops worked "})
        assert done.headers["Location"] == f"/r/{course.rec_id}"
    course.refresh_from_db()
    assert (course.lifecycle, course.closed_reason, course.closed_by.name) == (
        "closed",
        "the drops worked",
        "Ana",
    )
    assert course.ended_on == MARCH + dt.timedelta(days=1)
    move = CourseMove.objects.get(course=course, became="closed")
    assert (move.was, move.by.name, move.reason) == ("active", "Ana", "the drops worked")
    page = text_of(browser.get(f"/r/{course.rec_id}"))
    assert "the drops worked" in page and "Close it" not in page


def test_closing_what_is_over_is_refused_and_a_reason_is_asked_for():
    mavi = a_cat()
    course = a_course(mavi)
    browser = signed_in(a_person("Ana"))
    assert browser.post(f"/r/{course.rec_id}/close", {"reason": "  "}).status_code == 422
    assert "Say in a few words" in text_of(browser.post(f"/r/{course.rec_id}/close"))
    closed(course)
    again = browser.post(f"/r/{course.rec_id}/close", {"reason": "something else"})
    assert again.status_code == 409 and "It is over already" in text_of(again)
    assert browser.post(f"/r/{course.rec_id}/chronic", {"chronic": "yes"}).status_code == 409
    assert CourseMove.objects.filter(course=course, became="closed").count() == 1
    day = a_record(mavi, "eyes")
    assert browser.post(f"/r/{day.rec_id}/close", {"reason": "x"}).status_code == 404
    with pytest.raises(RefusedClosing):
        mark_chronic(course_id=day.pk, chronic=True, now=now())


def test_a_chronic_course_is_marked_and_unmarked():
    course = a_course(a_cat())
    browser = signed_in(a_person("Ana"))
    for chronic in (True, True, False):
        browser.post(f"/r/{course.rec_id}/chronic", {"chronic": "yes" if chronic else "no"})
        course.refresh_from_db()
        assert course.chronic is chronic
    browser.post(f"/r/{course.rec_id}/chronic", {"chronic": "yes"})
    assert "never closes by itself" in text_of(browser.get(f"/r/{course.rec_id}"))


MONDAY = dt.date(2026, 11, 2)


def tell(subject, day: dt.date, *, hour: int = 12, bad: bool = True) -> None:
    at = dt.datetime.combine(day, dt.time(hour), dt.UTC)
    read = "abnormal" if bad else "normal"
    entry = Entry("ears", model_read=read, signs={"redness": bad, "side": "left"}, today="yes", words="ear")
    row, _is_new = statements.keep_statement(
        author_id=None, subject=subject, text="ear", turn=f"t{day}{hour}", client_id=f"{day}{hour}", at=at
    )
    known = [Known(subject.pk, subject.name, subject.species)]
    statements.file_reading(row, Reading(frozenset({"observation"}), (entry,)), known=known, now=at)


def test_what_a_person_closed_stays_closed_when_late_words_run_its_days_again():
    mavi = a_cat(now=dt.datetime.combine(MONDAY, dt.time(5), dt.UTC))
    for n in range(3):
        tell(mavi, MONDAY + dt.timedelta(days=n))
    closing_at = dt.datetime.combine(MONDAY + dt.timedelta(days=4), dt.time(15), dt.UTC)
    list(catch_up(mavi, now=closing_at))
    course = Record.objects.courses().get()
    close_course(person=a_person("Ana"), course_id=course.pk, reason="it healed", now=closing_at)
    later = dt.datetime.combine(MONDAY + dt.timedelta(days=8), dt.time(15), dt.UTC)
    list(catch_up(mavi, now=later))
    tell(mavi, MONDAY + dt.timedelta(days=1), hour=20)
    list(catch_up(mavi, now=later))
    course = Record.objects.courses().get()
    assert (course.lifecycle, course.closed_reason, course.closed_by.name) == ("closed", "it healed", "Ana")
    assert course.ended_on == MONDAY + dt.timedelta(days=2)
    assert list(course.moves.order_by("day", "id").values_list("became", flat=True)) == ["active", "closed"]


@pytest.mark.parametrize(
    ("role", "sees"), [("family", 200), ("therapist", 200), ("teacher", 404), ("child", 404), ("vet", 404)]
)
def test_only_parents_decide_and_the_matrix_says_who_reads(role, sees):
    leo = a_child()
    course = a_course(leo, "sleep")
    a_membership(a_person("Dr. Ito"), leo, role)
    browser = signed_in(a_person("Dr. Ito"))
    page = browser.get(f"/r/{course.rec_id}")
    assert page.status_code == sees
    assert b"Decide by hand" not in page.content
    for action in ("close", "chronic"):
        assert browser.post(f"/r/{course.rec_id}/{action}", {"reason": "x"}).status_code == 404
    course.refresh_from_db()
    assert (course.lifecycle, course.chronic) == ("active", False)


def test_another_family_gets_404():
    course = a_course(a_cat())
    eve = signed_in(a_person("Eve"))
    assert eve.get(f"/r/{course.rec_id}").status_code == 404
    for action in ("close", "chronic"):
        assert eve.post(f"/r/{course.rec_id}/{action}", {"reason": "x"}).status_code == 404
        assert signed_in(a_person("Ana")).get(f"/r/{course.rec_id}/{action}").status_code == 405


def test_a_professionals_look_at_a_course_is_written_down():
    leo = a_child()
    course = a_course(leo, "sleep")
    a_membership(a_person("Dr. Ito"), leo, "therapist")
    signed_in(a_person("Dr. Ito")).get(f"/r/{course.rec_id}")
    assert AccessLog.objects.get().row_ids == [course.rec_id]


def test_every_word_of_a_long_course_is_shown_page_by_page_at_the_same_cost():
    mavi = a_cat()
    ana = a_person("Ana")
    short = a_course(mavi, "eyes", severities=[1])
    long = a_course(mavi, severities=[1] * 105, author=ana)
    a_course(mavi, "skin_coat", severities=[1])
    browser = signed_in(ana)
    counts = {queries_of(browser, f"/r/{course.rec_id}") for course in (short, long)}
    assert len(counts) == 1 and counts.pop() <= 10
    pages = [browser.get(f"/r/{long.rec_id}?page={n}").context["statements"] for n in (1, 2, 3)]
    assert [len(page) for page in pages] == [100, 5, 0]
    assert len({said.words for page in pages for said in page}) == 105
    assert browser.get(f"/r/{long.rec_id}?page=x").status_code == 200


def test_the_page_speaks_turkish():
    course = a_course(a_cat(a_person("Ana", language="tr")), severities=[1, 0])
    page = signed_in(a_person("Ana")).get(f"/r/{course.rec_id}").content.decode()
    assert '<html lang="tr"' in page and "Open" not in page
