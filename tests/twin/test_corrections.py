"""A correction by two taps: what counts changes, and such words are read rightly from then on."""

import datetime as dt

import pytest

from household.access import seen_by
from memory.services.turns import tell
from tests.makers import a_cat, a_child, a_person, signed_in
from twin.models import ReadingCorrection, Record
from twin.services.corrections import corrections_for, judge_reading, turned

pytestmark = pytest.mark.django_db(transaction=True)
NOW = dt.datetime(2026, 11, 30, 18, 0, tzinfo=dt.UTC)
ODD = "his left ear is singing red songs"


def said(person, subject, text, client_id, *, now=NOW):
    tell(person=person, text=text, client_id=client_id, now=now, subject_id=subject.pk)
    return Record.objects.standing().filter(subject=subject).order_by("-id").first()


def test_it_is_fine_turns_the_signs_and_keeps_the_earlier_record():
    ana = a_person()
    cat = a_cat(parent=ana)
    record = said(ana, cat, ODD, "a")
    assert record.polarity == "abnormal"
    browser = signed_in(ana)
    answer = browser.post(f"/r/{record.rec_id}/judge", {"verdict": "normal", "client_id": "j"})
    new = Record.objects.standing().get(subject=cat)
    assert answer.url == f"/r/{new.rec_id}"
    assert (new.polarity, new.signs["side"]) == ("normal", "left")
    record.refresh_from_db()
    assert record.superseded_by == new
    correction = ReadingCorrection.objects.get()
    assert correction.words
    assert correction.was["category"] == "ears"
    assert correction.became["polarity"] == "normal"


def test_the_same_words_are_read_as_they_were_corrected_from_then_on():
    ana = a_person()
    cat = a_cat(parent=ana)
    record = said(ana, cat, ODD, "a")
    with seen_by(ana, now=NOW):
        judge_reading(record=record, person=ana, verdict="normal", client_id="j", now=NOW)
    tomorrow = NOW + dt.timedelta(days=1)
    again = said(ana, cat, ODD, "b", now=tomorrow)
    assert (again.day, again.polarity) == (dt.date(2026, 12, 1), "normal")


def test_nothing_like_that_takes_the_record_out_and_the_ledger_stays():
    ana = a_person()
    cat = a_cat(parent=ana)
    record = said(ana, cat, ODD, "a")
    browser = signed_in(ana)
    browser.post(f"/r/{record.rec_id}/judge", {"verdict": "nothing", "client_id": "j"})
    assert not Record.objects.filter(subject=cat).exists()
    assert ReadingCorrection.objects.get().entry.state == "undone"


def test_corrections_are_only_for_those_who_may_see_them():
    ana, eve = a_person(), a_person("Eve")
    cat = a_cat(parent=ana)
    a_child(parent=eve)
    record = said(ana, cat, ODD, "a")
    with seen_by(ana, now=NOW):
        judge_reading(record=record, person=ana, verdict="normal", client_id="j", now=NOW)
        assert corrections_for(ana, "en") is not None
    with seen_by(eve, now=NOW):
        assert corrections_for(eve, "en") is None
    assert signed_in(eve).post(f"/r/{record.rec_id}/judge", {"verdict": "normal"}).status_code == 404


def test_a_tap_of_no_panel_is_refused_and_a_double_tap_is_one():
    ana = a_person()
    cat = a_cat(parent=ana)
    record = said(ana, cat, ODD, "a")
    browser = signed_in(ana)
    assert browser.post(f"/r/{record.rec_id}/judge", {"verdict": "purple"}).status_code == 422
    for _ in range(2):
        browser.post(f"/r/{record.rec_id}/judge", {"verdict": "normal", "client_id": "j"})
    assert Record.objects.filter(subject=cat).count() == 2
    assert ReadingCorrection.objects.count() == 1


@pytest.mark.parametrize(
    ("signs", "is_there", "expected"),
    [
        ({"redness": True, "side": "left"}, False, {"redness": False, "side": "left"}),
        ({"redness": False, "side": "left"}, True, {"redness": True, "side": "left"}),
        ({}, False, {}),
    ],
)
def test_signs_are_turned_and_the_place_stays(signs, is_there, expected):
    assert turned("ears", signs, is_there=is_there) == expected


def test_a_count_of_what_was_not_is_left_out():
    assert turned("upper_digestive", {"vomiting": True, "vomit_count": 2}, is_there=False) == {
        "vomiting": False
    }
