"""The day's follow-ups: at most three, answered by one tap, and never asked again once answered."""

import datetime as dt

import pytest

from household.access import Denied, seen_by
from tests.makers import a_person
from tests.twin.test_rounds import a_watched_cat, at, day_number, ear, run_until, tell
from twin.models import AgendaItem, Record, Statement
from twin.services.agenda import answer_item

pytestmark = pytest.mark.django_db


def a_cat_with_a_course():
    cat = a_watched_cat()
    tell(cat, day_number(0), ear())
    tell(cat, day_number(1), ear())
    run_until(cat, day_number(1))
    return cat


def answer(person, item, choice, *, client_id="c", now=None):
    now = now or at(item.day, 9)
    with seen_by(person, now=now):
        return answer_item(
            person=person,
            item_id=item.pk,
            choice=choice,
            words="Left ear: gone",
            client_id=client_id,
            now=now,
        )


def test_an_open_course_is_asked_about_the_next_day():
    cat = a_cat_with_a_course()
    (item,) = AgendaItem.objects.filter(subject=cat, day=day_number(2))
    assert (item.rank, item.category, item.asks) == (1, "ears", {"signs": ["redness"]})


def test_gone_files_a_normal_finding_at_the_same_place_and_a_double_tap_is_one():
    cat = a_cat_with_a_course()
    item = AgendaItem.objects.get(subject=cat, day=day_number(2))
    for _ in range(2):
        answer(a_person(), item, "gone")
    record = Record.objects.get(subject=cat, day=day_number(2))
    assert (record.signs, record.polarity, record.site) == (
        {"side": "left", "redness": False},
        "normal",
        "left",
    )
    assert Statement.objects.filter(through="form").count() == 1
    run_until(cat, day_number(2))
    assert Record.objects.courses().get().days.get(day=day_number(2)).trajectory == "normal"


def test_still_there_files_what_was_last_seen():
    cat = a_cat_with_a_course()
    answer(a_person(), AgendaItem.objects.get(subject=cat, day=day_number(2)), "still")
    assert Record.objects.get(subject=cat, day=day_number(2)).signs == {"side": "left", "redness": True}


def test_didn_t_look_files_nothing():
    cat = a_cat_with_a_course()
    assert answer(a_person(), AgendaItem.objects.get(subject=cat, day=day_number(2)), "unseen") is None
    assert not Record.objects.filter(subject=cat, day=day_number(2)).exists()


def test_an_outsider_finds_no_question():
    cat = a_cat_with_a_course()
    with pytest.raises(Denied):
        answer(a_person("Eve"), AgendaItem.objects.get(subject=cat, day=day_number(2)), "gone")


def test_running_the_night_again_leaves_answers_answered():
    cat = a_cat_with_a_course()
    item = AgendaItem.objects.get(subject=cat, day=day_number(2))
    answer(a_person(), item, "gone")
    tell(cat, day_number(1), ear(), client_id="late", hour=13)
    from twin.services.days import mark_dirty

    mark_dirty(cat, day_number(1))
    run_until(cat, day_number(1))
    item.refresh_from_db()
    assert item.state == "answered"
    assert AgendaItem.objects.filter(subject=cat, day=day_number(2)).count() == 1


def test_a_course_asked_about_in_vain_for_weeks_is_still_at_most_three_questions_a_day():
    cat = a_cat_with_a_course()
    run_until(cat, day_number(30))
    by_day = AgendaItem.objects.filter(subject=cat).values_list("day", flat=True)
    assert max(list(by_day).count(day) for day in set(by_day)) <= 3
    assert dt.timedelta(days=1) <= max(by_day) - day_number(1)
