"""A family's own trackables: defined, logged by one tap or a form, counted, drawn, put away."""

from __future__ import annotations

import datetime as dt
import re
import uuid
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from household.access import seen_by, sight_of
from household.models import Heartbeat
from household.services.together import fetch_together
from tests.makers import a_cat, a_child, a_membership, a_person, a_record, now, signed_in
from tests.threads import at_once
from tests.twin.test_events import an_event
from tests.twin.test_medicines import a_medicine, give
from twin.models import (
    CourseDay,
    Medicine,
    Record,
    RoundRun,
    Subject,
    Trackable,
    TrackableEntry,
)
from twin.rules.trackables import KINDS, InvalidTrackable
from twin.services.days import day_of
from twin.services.today import gather_today
from twin.services.trackables import (
    FieldsInUse,
    NotFor,
    PutAway,
    change_trackable,
    define_trackable,
    log_entry,
    put_away,
    take_back_entry,
)

pytestmark = pytest.mark.django_db
NOON = dt.datetime(2025, 3, 3, 12, tzinfo=dt.UTC)
COUNT = {"key": "f1", "name": "New words", "kind": "count"}
SCALE = {"key": "f2", "name": "School", "kind": "scale"}
BUS = {"key": "f1", "name": "Way home", "kind": "choice", "options": ["bus", "car"]}
FIELD_OF = {
    "count": COUNT,
    "number": {"key": "f1", "name": "Milk", "kind": "number", "unit": "ml"},
    "scale": {**SCALE, "key": "f1"},
    "choice": BUS,
    "yes_no": {"key": "f1", "name": "Brushed", "kind": "yes_no"},
    "duration": {"key": "f1", "name": "Screen", "kind": "duration"},
}


def a_trackable(*subjects: Any, person: Any = None, **fields: Any) -> Trackable:
    values = {
        "client_id": str(uuid.uuid4()),
        "name": "New words",
        "icon": "star",
        "fields": [COUNT],
        "now": NOON,
        **fields,
    }
    subject_ids = [subject.pk for subject in subjects]
    return define_trackable(person=person or a_person(), subject_ids=subject_ids, **values)


def logged(row: Trackable, subject: Any, person: Any = None, **fields: Any) -> TrackableEntry:
    values = {"client_id": str(uuid.uuid4()), "values": {"f1": 1}, "at": NOON, **fields}
    return log_entry(person=person or a_person(), trackable_id=row.pk, subject_id=subject.pk, **values)


def filled(*subjects: Any, **fields: Any) -> dict[str, Any]:
    return {
        "client_id": str(uuid.uuid4()),
        "name": "New words",
        "icon": "star",
        "subjects": [subject.pk for subject in subjects],
        "kind_0": "count",
        **fields,
    }


# --- defining -------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_parent_defines_a_trackable_of_every_kind(kind):
    leo = a_child()
    sent = filled(leo, kind_0=kind, label_0="Milk", unit_0="ml", options_0="bus, car")
    response = signed_in(a_person()).post("/counts/add", sent)
    assert (response.status_code, response.headers["Location"]) == (302, f"/book/{leo.pk}/counts")
    (field,) = Trackable.objects.get().fields
    assert (field["kind"], field["name"]) == (kind, "Milk")
    assert field.get("unit") == ("ml" if kind == "number" else None)
    assert field.get("options") == (["bus", "car"] if kind == "choice" else None)


def test_one_trackable_for_two_subjects_with_two_fields_posted_twice():
    leo, mavi = a_child(), a_cat()
    browser = signed_in(a_person())
    sent = filled(leo, mavi, kind_1="scale", label_1="School")
    for _ in range(2):
        browser.post("/counts/add", sent)
    row = Trackable.objects.get()
    assert [(field["key"], field["name"]) for field in row.fields] == [("f1", "New words"), ("f2", "School")]
    assert set(row.subjects.all()) == {leo, mavi}


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"name": ""}, "name"),
        ({"name": "x" * 61}, "name"),
        ({"icon": "skull"}, "icon"),
        ({"subjects": []}, "subjects"),
        ({"kind_0": ""}, "kind_0"),
        ({"kind_0": "mood"}, "kind_0"),
        ({"kind_0": "choice", "options_0": ""}, "options_0"),
        ({"kind_0": "choice", "options_0": "bus"}, "options_0"),
        ({"kind_0": "choice", "options_0": "bus, bus"}, "options_0"),
        ({"kind_0": "choice", "options_0": ",".join(map(str, range(13)))}, "options_0"),
        ({"kind_1": "choice", "options_1": "bus"}, "options_1"),
    ],
)
def test_a_definition_that_does_not_fit_says_so_and_keeps_what_was_typed(fields, wrong):
    leo = a_child()
    sent = {**filled(leo, label_0="spoken or signed"), **fields}
    response = signed_in(a_person()).post("/counts/add", sent)
    assert response.status_code == 422
    assert set(response.context["form"].errors) == {wrong}
    assert "spoken or signed" in response.content.decode()
    assert not Trackable.objects.exists()


def test_nobody_defines_one_for_anothers_child():
    leo = a_child()
    eve = a_person("Eve")
    mine = a_cat(eve, name="Duman")
    response = signed_in(eve).post("/counts/add", filled(mine, leo))
    assert response.status_code == 422 and not Trackable.objects.exists()


def test_what_it_holds_changes_until_something_is_logged():
    leo, mavi = a_child(), a_cat()
    row = a_trackable(leo)
    browser = signed_in(a_person())
    browser.post(f"/counts/{row.pk}/change", filled(leo, mavi, name="Words", kind_0="scale"))
    row.refresh_from_db()
    assert (row.name, row.fields[0]["kind"], row.subjects.count()) == ("Words", "scale", 2)
    logged(row, leo, values={"f1": 3})
    page = browser.get(f"/counts/{row.pk}/change").content.decode()
    assert "kind_0" not in page and "It is in use" in page
    assert browser.post(f"/counts/{row.pk}/change", filled(leo, name="Sözler")).status_code == 302
    row.refresh_from_db()
    assert (row.name, row.fields[0]["kind"], row.subjects.count()) == ("Sözler", "scale", 1)
    with pytest.raises(FieldsInUse):
        change_trackable(trackable_id=row.pk, name="x", icon="star", fields=[COUNT], subject_ids=[leo.pk])


def test_put_away_keeps_the_history_and_comes_back():
    leo = a_child()
    row = a_trackable(leo)
    entry = logged(row, leo)
    browser = signed_in(a_person())
    for _ in range(2):
        assert browser.post(f"/counts/{row.pk}/put-away").status_code == 302
    assert 'id="tile-' not in browser.get("/").content.decode()
    page = browser.get(f"/book/{leo.pk}/counts/{row.pk}").content.decode()
    assert "What was logged stays" in page
    refused = browser.post(f"/book/{leo.pk}/counts/{row.pk}/log", {"client_id": "c", "tap": "1"})
    assert refused.status_code == 409 and "put away" in refused.content.decode()
    assert list(TrackableEntry.objects.all()) == [entry]
    browser.post(f"/counts/{row.pk}/put-away", {"bring": "back"})
    assert f'id="tile-{leo.pk}-{row.pk}"' in browser.get("/").content.decode()


# --- logging --------------------------------------------------------------------------------------


def test_one_tap_on_today_logs_counts_and_offers_undo():
    leo = a_child()
    row = a_trackable(leo)
    browser = signed_in(a_person())
    page = browser.get("/").content.decode()
    client_id = re.search(r'name="client_id" value="([^"]+)"><input type="hidden" name="back"', page)[1]
    sent = {"client_id": client_id, "tap": "1", "back": "today"}
    url = f"/book/{leo.pk}/counts/{row.pk}/log"
    done = browser.post(url, sent, headers={"HX-Request": "true"}).content.decode()
    assert f'id="tile-{leo.pk}-{row.pk}"' in done and "data-undo" in done
    assert browser.post(url, sent).headers["Location"] == "/"
    entry = TrackableEntry.objects.get()
    assert entry.values == {"f1": 1}
    undone = browser.post(f"/counts/entries/{entry.pk}/undo", headers={"HX-Request": "true"})
    assert "data-undo" not in undone.content.decode()
    entry.refresh_from_db()
    assert entry.undone_at is not None


@pytest.mark.parametrize(
    ("kind", "sent", "kept"),
    [
        ("count", "3", 3),
        ("number", "2.5", 2.5),
        ("scale", "4", 4),
        ("choice", "car", "car"),
        ("yes_no", "no", False),
        ("duration", "45", 45),
    ],
)
def test_a_value_of_every_kind_is_logged_by_the_form(kind, sent, kept):
    leo = a_child()
    row = a_trackable(leo, fields=[FIELD_OF[kind]])
    browser = signed_in(a_person())
    url = f"/book/{leo.pk}/counts/{row.pk}/log"
    assert 'name="value_f1"' in browser.get(url).content.decode()
    body = {"client_id": "c", "when": "now", "value_f1": sent}
    assert [browser.post(url, body).status_code for _ in range(2)] == [302, 302]
    assert TrackableEntry.objects.get().values == {"f1": kept}


@pytest.mark.parametrize(
    ("kind", "sent"),
    [
        ("count", "-1"),
        ("count", "10001"),
        ("count", "x"),
        ("number", "nan"),
        ("scale", "6"),
        ("choice", "train"),
        ("yes_no", "perhaps"),
        ("duration", "1441"),
        ("count", ""),
    ],
)
def test_a_value_that_does_not_fit_is_422(kind, sent):
    leo = a_child()
    row = a_trackable(leo, fields=[FIELD_OF[kind]])
    body = {"client_id": "c", "when": "now", "value_f1": sent}
    response = signed_in(a_person()).post(f"/book/{leo.pk}/counts/{row.pk}/log", body)
    assert response.status_code == 422
    assert set(response.context["form"].errors) == {"value_f1"}
    assert not TrackableEntry.objects.exists()


def test_one_tap_does_not_log_where_a_value_must_be_chosen():
    leo = a_child()
    row = a_trackable(leo, fields=[BUS])
    body = {"client_id": "c", "tap": "1"}
    assert signed_in(a_person()).post(f"/book/{leo.pk}/counts/{row.pk}/log", body).status_code == 422
    assert not TrackableEntry.objects.exists()


def test_of_two_fields_one_is_enough():
    leo = a_child()
    row = a_trackable(leo, fields=[COUNT, SCALE])
    body = {"client_id": "c", "when": "now", "value_f2": "4"}
    signed_in(a_person()).post(f"/book/{leo.pk}/counts/{row.pk}/log", body)
    assert TrackableEntry.objects.get().values == {"f2": 4}


def test_services_refuse_what_pages_never_send():
    leo, mavi = a_child(), a_cat()
    row = a_trackable(leo)
    with pytest.raises(NotFor):
        logged(row, mavi)
    with pytest.raises(InvalidTrackable):
        logged(row, leo, values={"f9": 1})
    with pytest.raises(InvalidTrackable):
        a_trackable(leo, fields=[])
    put_away(trackable_id=row.pk, now=NOON)
    with pytest.raises(PutAway):
        logged(row, leo)


def test_an_entry_and_its_undo_mark_a_closed_day():
    leo = a_child()
    row = a_trackable(leo)
    for step in ("log", "undo"):
        RoundRun.objects.update_or_create(
            subject=leo, day=NOON.date(), defaults={"ran_at": NOON, "is_dirty": False}
        )
        if step == "log":
            entry = logged(row, leo)
        else:
            take_back_entry(entry_id=entry.pk, now=NOON)
        assert RoundRun.objects.get().is_dirty


def test_counts_and_charts_leave_out_what_was_taken_back():
    leo = a_child()
    row = a_trackable(leo, fields=[COUNT, SCALE])
    moment = now()
    for days, values in ((0, {"f1": 2, "f2": 4}), (3, {"f1": 5}), (20, {"f1": 1}), (40, {"f1": 9})):
        logged(row, leo, at=moment - dt.timedelta(days=days), values=values)
    take_back_entry(entry_id=logged(row, leo, at=moment, values={"f1": 100}).pk, now=moment)
    page = signed_in(a_person()).get(f"/book/{leo.pk}/counts/{row.pk}")
    assert [value for value, _label in page.context["counts"]] == ["2", "7", "8"]
    (_, words), (_, school) = page.context["charts"]
    assert (len(words.bars), len(school.bars)) == (3, 1)
    assert words.text == "New words: logged on 3 of 30 days"
    assert 'role="img"' in page.content.decode()


@pytest.mark.django_db(transaction=True)
def test_of_one_tap_sent_four_times_at_once_one_row_stays():
    leo = a_child()
    row = a_trackable(leo)
    person = a_person()

    def tap() -> int:
        with seen_by(person, now=NOON):
            return logged(row, leo, person, client_id="tap").pk

    assert at_once(tap, tap, tap, tap) == [TrackableEntry.objects.get().pk] * 4


# --- who ------------------------------------------------------------------------------------------


def test_another_family_gets_404_everywhere():
    leo = a_child()
    row = a_trackable(leo)
    entry = logged(row, leo)
    eve = signed_in(a_person("Eve"))
    a_cat(a_person("Eve"), name="Duman")
    here = f"/book/{leo.pk}/counts"
    for page in (here, f"{here}/{row.pk}", f"{here}/{row.pk}/log", f"/counts/{row.pk}/change"):
        assert eve.get(page).status_code == 404
    for page in (
        f"{here}/{row.pk}/log",
        f"/counts/{row.pk}/change",
        f"/counts/{row.pk}/put-away",
        f"/counts/entries/{entry.pk}/undo",
    ):
        assert eve.post(page, {"client_id": "c", "tap": "1"}).status_code == 404
    entry.refresh_from_db()
    assert TrackableEntry.objects.count() == 1 and entry.undone_at is None


def test_a_parent_of_one_of_two_does_not_change_what_is_counted_for_both():
    leo, mavi = a_child(), a_cat()
    row = a_trackable(leo, mavi)
    bo = a_person("Bo")
    a_membership(bo, leo, "parent")
    browser = signed_in(bo)
    assert browser.get(f"/book/{leo.pk}/counts/{row.pk}").status_code == 200
    assert browser.get(f"/book/{mavi.pk}/counts/{row.pk}").status_code == 404
    assert browser.post(f"/counts/{row.pk}/put-away").status_code == 404
    row.refresh_from_db()
    assert row.put_away_at is None


@pytest.mark.parametrize(
    ("role", "overrides", "reads", "logs"),
    [
        ("family", {}, 200, 302),
        ("therapist", {}, 200, 302),
        ("therapist", {"observation:add": False}, 200, 404),
        ("teacher", {}, 404, 404),
        ("teacher", {"observation:view": True}, 200, 302),
    ],
)
def test_the_matrix_decides_who_reads_and_who_logs(role, overrides, reads, logs):
    leo = a_child()
    row = a_trackable(leo)
    of_ana = logged(row, leo)
    person = a_person("Ms. Kaya")
    a_membership(person, leo, role, overrides=overrides)
    browser = signed_in(person)
    here = f"/book/{leo.pk}/counts/{row.pk}"
    assert browser.get(here).status_code == reads
    assert browser.post(f"{here}/log", {"client_id": "c", "tap": "1"}).status_code == logs
    assert browser.post(f"/counts/entries/{of_ana.pk}/undo").status_code == 404
    if logs == 302:
        own = TrackableEntry.objects.get(author=person)
        assert browser.post(f"/counts/entries/{own.pk}/undo").status_code == 302
    assert browser.get("/counts/add").status_code == 404


# --- Today ----------------------------------------------------------------------------------------


def test_today_is_ten_queries_however_much_there_is():
    ana = a_person()
    subjects = [a_child(ana, name=f"Leo {n}") for n in range(4)]
    moment = now()
    for subject in subjects:
        for n in range(3):
            give(a_medicine(subject, ana, name=f"Drops {n}"), moment, ana)
            logged(a_trackable(subject, person=ana, name=f"Words {n}"), subject, ana, at=moment)
        an_event(subject, ana, at=moment, now=moment)
        course = a_record(
            subject,
            lifecycle="active",
            day=None,
            started_on=day_of(subject, moment),
            precision="day",
            severity=2,
        )
        CourseDay.objects.create(
            course=course,
            subject=subject,
            day=day_of(subject, moment),
            trajectory="onset",
            severity=2,
            polarity="abnormal",
            record=a_record(subject, day=day_of(subject, moment)),
        )
    Heartbeat.objects.create(worker="one", at=moment)
    browser = signed_in(ana)
    browser.get("/")
    with CaptureQueriesContext(connection) as seen:
        page = browser.get("/").content.decode()
    asked = [one["sql"] for one in seen if not one["sql"].startswith(("SAVEPOINT", "RELEASE"))]
    assert len(asked) <= 10, asked
    assert [page.count(words) for words in ("Drops 1</a>", "Words 1<", "Meltdown")] == [4, 4, 4]
    with seen_by(ana, now=moment):
        today = gather_today(ana, sight_of(ana), now=moment)
    for one in today.subjects:
        assert (len(one.medicines), len(one.trackables), len(one.entries), len(one.events)) == (3, 3, 3, 1)
        assert (len(one.noted), len(one.courses), one.courses[0].last_trajectory) == (1, 1, "onset")


def test_rows_fetched_together_are_those_fetched_alone():
    leo = a_child(born_on=dt.date(2019, 4, 2), born_precision="day")
    medicine = a_medicine(leo, dose="2.500", until_on=dt.date(2030, 1, 1))
    logged(a_trackable(leo, fields=[COUNT]), leo, at=NOON + dt.timedelta(microseconds=120))
    a_record(leo, signs={"smell": True, "side": "left"}, tags=["a", "b"], turns=["t1"])
    querysets = [
        Record.objects.order_by("pk"),
        TrackableEntry.objects.order_by("pk"),
        Medicine.objects.order_by("pk"),
        Trackable.objects.order_by("pk"),
        Subject.objects.filter(pk__in=[]),
        Subject.objects.order_by("-pk"),
    ]
    together = fetch_together(*querysets)
    for rows, queryset in zip(together, querysets, strict=True):
        alone = list(queryset)
        for field in queryset.model._meta.concrete_fields:
            values = [getattr(row, field.attname) for row in rows]
            assert values == [getattr(row, field.attname) for row in alone]
            assert [type(value) for value in values] == [type(getattr(row, field.attname)) for row in alone]
    assert medicine.pk == together[2][0].pk
