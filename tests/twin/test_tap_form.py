"""The tap form: one tap saves, another replaces it, each fill is a row, the worst counts."""

import datetime as dt

import pytest

from tests.makers import a_cat, a_child, a_membership, a_person, signed_in
from twin.models import FormFill, LedgerEntry, Record
from twin.rules.form_fields import fields_for, level_of, worst
from twin.services.forms import UnknownTap, open_fill, tap

pytestmark = pytest.mark.django_db
NOW = dt.datetime(2026, 11, 30, 18, 0, tzinfo=dt.UTC)


def tapped(person, subject, field, level, *, client_id="f", now=NOW):
    return tap(person=person, subject_id=subject.pk, client_id=client_id, field=field, level=level, now=now)


def test_one_tap_saves_and_files_by_the_table():
    ana, leo = a_person(), a_child()
    fill = tapped(ana, leo, "sleep", "bad")
    assert fill.levels == {"sleep": "bad"}
    record = Record.objects.get()
    assert (record.category, record.signs, record.polarity) == ("sleep", {"poor_sleep": True}, "abnormal")


def test_tapping_another_level_replaces_the_first_and_the_ledger_keeps_both():
    ana, leo = a_person(), a_child()
    tapped(ana, leo, "sleep", "bad")
    tapped(ana, leo, "sleep", "good")
    tapped(ana, leo, "sleep", "good")
    assert Record.objects.get().signs == {"poor_sleep": False}
    assert list(LedgerEntry.objects.order_by("id").values_list("state", flat=True)) == ["undone", "filed"]
    assert FormFill.objects.count() == 1


def test_two_people_fill_two_rows_and_the_worst_counts():
    ana, gran, leo = a_person(), a_person("Gran"), a_child()
    a_membership(gran, leo)
    tapped(ana, leo, "sleep", "good", client_id="a")
    tapped(gran, leo, "sleep", "bad", client_id="b")
    assert FormFill.objects.count() == 2
    levels = [
        level_of("person", "sleep", fill.levels["sleep"]) for fill in FormFill.objects.order_by("at", "id")
    ]
    assert worst(levels).key == "bad"


@pytest.mark.parametrize("kind", ["person", "animal"])
def test_every_level_of_every_field_can_be_tapped(kind):
    ana = a_person()
    subject = a_child() if kind == "person" else a_cat()
    for field in fields_for(kind).values():
        for level in field.levels:
            fill = tapped(ana, subject, field.key, level.key)
            assert fill.levels[field.key] == level.key
    assert set(FormFill.objects.get().levels) == set(fields_for(kind))


@pytest.mark.parametrize(("field", "level"), [("sleep", "purple"), ("nonsense", "good"), ("urine", "none")])
def test_a_tap_of_no_form_is_refused(field, level):
    with pytest.raises(UnknownTap):
        tapped(a_person(), a_child(), field, level)
    assert FormFill.objects.count() == 0


def test_a_fill_goes_on_for_an_hour_and_then_another_begins():
    ana, leo = a_person(), a_child()
    fill = tapped(ana, leo, "sleep", "good")
    assert open_fill(ana, leo, now=NOW + dt.timedelta(minutes=59)) == fill
    assert open_fill(ana, leo, now=NOW + dt.timedelta(minutes=61)) is None
    assert open_fill(a_person("Gran"), leo, now=NOW) is None


def test_the_page_saves_taps_and_text_without_scripts_and_shows_them_again():
    ana, leo = a_person(), a_child()
    browser = signed_in(ana)
    sent = {"client_id": "x", "sleep": "bad", "arousal": "high", "note": "wind all night"}
    assert browser.post(f"/book/{leo.pk}/form/tap", sent).status_code == 302
    browser.post(f"/book/{leo.pk}/form/tap", sent)
    fill = FormFill.objects.get()
    assert (fill.levels, fill.note) == ({"sleep": "bad", "arousal": "high"}, "wind all night")
    page = browser.get(f"/book/{leo.pk}/form").content.decode()
    assert "wind all night" in page
    assert page.count(" checked hx-post") == 2


def test_the_page_is_not_there_for_an_outsider_and_refuses_nonsense():
    leo = a_child(parent=a_person())
    eve = signed_in(a_person("Eve"))
    a_cat(parent=a_person("Eve"))
    assert eve.get(f"/book/{leo.pk}/form").status_code == 404
    assert eve.post(f"/book/{leo.pk}/form/tap", {"client_id": "x", "sleep": "bad"}).status_code == 404
    ana = signed_in(a_person())
    assert ana.post(f"/book/{leo.pk}/form/tap", {"client_id": "x", "sleep": "purple"}).status_code == 422
    assert FormFill.objects.count() == 0


def test_red_flag_words_in_the_free_text_show_the_flag_and_offer_to_tell_it():
    ana, leo = a_person(), a_child()
    browser = signed_in(ana)
    note = {"client_id": "x", "note": "he had a seizure this morning"}
    answer = browser.post(f"/book/{leo.pk}/form/tap", note, headers={"HX-Request": "true"}).content.decode()
    assert 'class="flag"' in answer
    assert "seizure" in answer
    assert "/tell" in answer
    assert LedgerEntry.objects.count() == 0
    calm = {"client_id": "x", "note": "no seizure, a calm day"}
    answer = browser.post(f"/book/{leo.pk}/form/tap", calm, headers={"HX-Request": "true"}).content.decode()
    assert 'class="flag"' not in answer
