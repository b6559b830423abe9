"""The page a citation opens, and correcting a record."""

from __future__ import annotations

import datetime as dt
import re
import uuid
from typing import Any

import pytest
from django.test import Client

from household.models import AccessLog
from tests.makers import (
    a_cat,
    a_child,
    a_household,
    a_membership,
    a_person,
    a_record,
    a_statement,
    now,
    signed_in,
    text_of,
)
from twin.models import CourseDay, CourseMove, CourseStatement, LedgerEntry, Record, RoundRun, Statement
from twin.rules.entries import Entry
from twin.services.filing import add_to_ledger, file_entry
from twin.services.records import AlreadyCorrected, Correction, NotCorrectable, correct_record

pytestmark = pytest.mark.django_db
MARCH = dt.date(2025, 3, 1)


def filled(record: Record, **fields: Any) -> dict[str, Any]:
    """The correction form as it opens, with changes."""
    signs = {
        f"sign_{name}": {True: "yes", False: "no"}.get(value, value) for name, value in record.signs.items()
    }
    return {
        "client_id": str(uuid.uuid4()),
        "asserted": record.asserted or "",
        "day": record.day or "",
        "started_on": record.started_on or "",
        "time_phrase": record.time_phrase or "",
        "note": "",
        **signs,
        **fields,
    }


def an_ear(**fields: Any) -> Record:
    """Mavi's itching ear of 1 March, with the sentence behind it."""
    row = a_record(a_cat(), "ears", **{"day": MARCH, "signs": {"scratching": True}, **fields})
    a_statement(row.subject, a_person("Ana"), "she scratches that ear", record=row, why=["scratches"])
    return row


@pytest.mark.parametrize("path", ["/r/rec_000001", "/r/rec_000001/correct"])
def test_a_guest_is_sent_to_the_sign_in_page(client: Client, path: str):
    a_household()
    assert client.get(path).headers["Location"] == f"/accounts/login/?next={path}"


@pytest.mark.parametrize(
    "rec_id", ["rec_1", "rec_", "1", "rec_999999", "rec_-00001", "rec_00000x", "rec_٠٠٠٠٠١"]
)
def test_an_id_that_names_no_record_is_not_found(rec_id: str):
    an_ear()
    assert signed_in(a_person("Ana")).get(f"/r/{rec_id}").status_code == 404


def test_another_family_gets_404_as_if_there_were_nothing():
    row = an_ear()
    eve = signed_in(a_person("Eve"))
    assert eve.get(f"/r/{row.rec_id}").status_code == 404
    assert eve.get(f"/r/{row.rec_id}/correct").status_code == 404
    assert eve.post(f"/r/{row.rec_id}/correct", filled(row)).status_code == 404
    assert Record.objects.count() == 1


def test_the_page_shows_fields_words_sources_and_how_it_was_read():
    row = an_ear(derived="abnormal", time_phrase="since Thursday")
    page = text_of(signed_in(a_person("Ana")).get(f"/r/{row.rec_id}"))
    for said in (
        row.rec_id,
        "Ears",
        "scratching",
        "Saturday, 1 March 2025",
        "“since Thursday”",
        "she scratches that ear",
        "Ana",
        "on a page",
        "1 March 2025, 09:00",
        "How this was read",
        "Said by the person",
        "says nothing",
    ):
        assert said in page, said


@pytest.mark.parametrize(
    ("fields", "shown", "never"),
    [
        ({"time_phrase": "once, long ago"}, "once, long ago", "20"),
        ({"age_low_months": 36, "age_high_months": 47, "time_phrase": "when three"}, "at 3 years", "2023"),
        ({"started_on": dt.date(2023, 6, 1), "precision": "month"}, "June 2023", "1 June"),
        ({"started_on": dt.date(2023, 6, 1), "precision": "year"}, "2023", "June"),
        ({"started_on": dt.date(2023, 6, 1), "precision": "week"}, "the week of 1 June 2023", "Thursday"),
    ],
)
def test_a_time_is_shown_no_more_exactly_than_it_was_told(fields, shown, never):
    row = a_record(a_cat(born_on=dt.date(2020, 1, 1), born_precision="day"), kind="history", **fields)
    page = signed_in(a_person("Ana")).get(f"/r/{row.rec_id}").content.decode()
    facts = re.sub(r"<[^>]+>", " ", page[page.index("<dl") : page.index("</dl>")])
    assert shown in facts
    assert never not in facts


def test_a_course_shows_its_days_and_how_its_life_went():
    mavi = a_cat()
    course = a_record(mavi, "ears", lifecycle="active", day=None, started_on=MARCH, precision="day")
    day = a_record(mavi, "ears", day=MARCH, signs={"odour": True}, course=course)
    said = a_statement(mavi, a_person("Ana"), "it smells", record=day)
    CourseStatement.objects.create(
        course=course,
        subject=mavi,
        entry=said.entries.get(),
        day=MARCH,
        said_at=said.said_at,
        words="it smells",
        signs={"odour": True},
    )
    CourseDay.objects.create(
        course=course,
        subject=mavi,
        day=MARCH,
        trajectory="onset",
        severity=1,
        polarity="abnormal",
        record=day,
    )
    CourseMove.objects.create(course=course, subject=mavi, day=MARCH, was="day", became="active")
    browser = signed_in(a_person("Ana"))
    page = text_of(browser.get(f"/r/{course.rec_id}"))
    assert "Began" in page and "smell" in page and "it smells" in page and "Open" in page
    assert browser.get(f"/r/{course.rec_id}/correct").status_code == 404
    assert course.rec_id in text_of(browser.get(f"/r/{day.rec_id}"))


def test_a_professionals_look_at_a_record_is_written_down():
    row = a_record(a_child(), "sleep")
    a_membership(a_person("Dr. Ito"), row.subject, "therapist")
    assert signed_in(a_person("Dr. Ito")).get(f"/r/{row.rec_id}").status_code == 200
    assert AccessLog.objects.get().row_ids == [row.rec_id]


@pytest.mark.parametrize("role", ["family", "therapist", "teacher"])
def test_only_a_parent_corrects(role: str):
    row = a_record(a_child(), "sleep", author=a_person("Dr. Ito"))
    a_membership(a_person("Dr. Ito"), row.subject, role)
    browser = signed_in(a_person("Dr. Ito"))
    assert "/correct" not in browser.get(f"/r/{row.rec_id}").content.decode()
    assert browser.post(f"/r/{row.rec_id}/correct", filled(row)).status_code == 404
    assert Record.objects.count() == 1


def test_a_correction_is_a_new_record_and_the_old_one_and_its_ledger_stay():
    row = an_ear()
    RoundRun.objects.create(subject=row.subject, day=MARCH, ran_at=now())
    browser = signed_in(a_person("Ana"))
    sent = filled(row, sign_scratching="no", sign_odour="no", asserted="normal", note="it was the other cat")
    response = browser.post(f"/r/{row.rec_id}/correct", sent)
    new = Record.objects.standing().get()
    assert (response.status_code, response.headers["Location"]) == (302, f"/r/{new.rec_id}")
    assert new.signs == {"scratching": False, "odour": False}
    assert (new.asserted, new.derived, new.polarity, new.provenance) == (
        "normal",
        "normal",
        "normal",
        "parent",
    )
    row.refresh_from_db()
    assert (row.superseded_by, row.polarity) == (new, "abnormal")
    assert [entry.words for entry in row.sources.all()] == ["she scratches that ear"]
    assert [entry.words for entry in new.sources.all()] == ["it was the other cat"]
    assert RoundRun.objects.get().is_dirty
    page = text_of(browser.get(f"/r/{new.rec_id}"))
    assert "she scratches that ear" in page and "it was the other cat" in page and row.rec_id in page
    assert new.rec_id in text_of(browser.get(f"/r/{row.rec_id}"))


def test_a_correction_posted_twice_is_one():
    row = an_ear()
    browser, sent = signed_in(a_person("Ana")), filled(row, asserted="normal", sign_scratching="no")
    places = {browser.post(f"/r/{row.rec_id}/correct", sent).headers["Location"] for _ in range(2)}
    assert len(places) == 1
    assert Record.objects.count() == 2
    assert Statement.objects.count() == LedgerEntry.objects.count() == 2


def test_two_parents_correcting_at_once_do_not_overwrite_each_other():
    row = an_ear()
    browser = signed_in(a_person("Ana"))
    browser.post(f"/r/{row.rec_id}/correct", filled(row, asserted="normal"))
    counts = Record.objects.standing().get()
    response = browser.post(f"/r/{row.rec_id}/correct", filled(row, sign_pain="yes"))
    assert response.headers["Location"] == f"/r/{counts.rec_id}"
    assert Record.objects.count() == 2


def test_a_correction_can_move_a_record_to_another_day_but_not_onto_another_record():
    row = an_ear()
    taken = a_record(row.subject, "ears", day=MARCH - dt.timedelta(days=1))
    browser = signed_in(a_person("Ana"))
    refused = browser.post(f"/r/{row.rec_id}/correct", filled(row, day=taken.day, time_phrase="last night"))
    assert refused.status_code == 422
    assert taken.rec_id in text_of(refused)
    assert 'value="last night"' in refused.content.decode()
    assert Record.objects.count() == 2
    moved = browser.post(f"/r/{row.rec_id}/correct", filled(row, day=MARCH - dt.timedelta(days=2)))
    assert moved.status_code == 302
    assert Record.objects.standing().order_by("-id")[0].sort_on == MARCH - dt.timedelta(days=2)


def test_a_record_without_its_day_becomes_history_in_the_owners_words():
    row = an_ear()
    signed_in(a_person("Ana")).post(
        f"/r/{row.rec_id}/correct", filled(row, day="", time_phrase="some time ago")
    )
    new = Record.objects.standing().get()
    assert (new.kind, new.day, new.sort_on, new.time_phrase) == ("history", None, None, "some time ago")


def test_an_age_stays_an_age_when_only_the_signs_are_corrected():
    row = an_ear(kind="history", day=None, age_low_months=12, age_high_months=18, time_phrase="as a kitten")
    signed_in(a_person("Ana")).post(f"/r/{row.rec_id}/correct", filled(row, sign_odour="yes"))
    new = Record.objects.standing().get()
    assert (new.age_low_months, new.age_high_months, new.time_phrase) == (12, 18, "as a kitten")


def test_an_onset_that_was_not_touched_stays_as_exact_as_it_was_known():
    row = an_ear(kind="history", day=None, started_on=dt.date(2023, 6, 1), precision="month")
    signed_in(a_person("Ana")).post(f"/r/{row.rec_id}/correct", filled(row, sign_odour="yes"))
    assert Record.objects.standing().get().precision == "month"


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"day": "2999-01-01"}, "day"),
        ({"day": "soon"}, "day"),
        ({"started_on": "2025-03-02"}, "started_on"),
        ({"sign_scratching": "maybe"}, "sign_scratching"),
        ({"sign_side": "top"}, "sign_side"),
        ({"asserted": "odd"}, "asserted"),
        ({"client_id": ""}, "client_id"),
    ],
)
def test_a_correction_that_cannot_be_says_why(fields, wrong):
    row = an_ear()
    response = signed_in(a_person("Ana")).post(
        f"/r/{row.rec_id}/correct", filled(row, **{"time_phrase": "that night", **fields})
    )
    assert response.status_code == 422
    assert set(response.context["form"].errors) == {wrong}
    assert 'value="that night"' in response.content.decode()
    assert Record.objects.count() == 1


def test_every_sign_of_every_category_can_be_corrected():
    from twin.rules.categories import SCHEMAS

    mavi, browser = a_cat(), signed_in(a_person("Ana"))
    values = {"tri": "yes", "number": "2", "text": "there"}
    for category, fields in SCHEMAS.items():
        row = a_record(mavi, category, day=MARCH)
        signs = {f"sign_{field.name}": values.get(field.kind) or field.members[0] for field in fields}
        limits = {f"sign_{f.name}": str(f.low) for f in fields if f.low and f.low > 2}
        response = browser.post(f"/r/{row.rec_id}/correct", filled(row, **{**signs, **limits}))
        assert response.status_code == 302, (category, response.context["form"].errors)
        assert set(Record.objects.get(superseded_by=None, category=category).signs) == {
            f.name for f in fields
        }


def test_late_words_fold_onto_the_correction_and_not_onto_what_it_corrected():
    row = an_ear()
    ana = a_person("Ana")
    new = correct_record(
        record_id=row.pk,
        person=ana,
        correction=Correction("normal", {"scratching": False}, MARCH),
        client_id="c1",
        now=now(),
    )
    statement = a_statement(row.subject, ana, "her ear smells")
    (entry,) = add_to_ledger(statement, (Entry("ears", signs={"odour": True}, today="yes", words="smells"),))
    file_entry(entry, subject=row.subject, now=now())
    new.refresh_from_db()
    assert entry.record == new
    assert new.signs == {"scratching": False, "odour": True}


def test_what_cannot_be_corrected_is_refused_by_the_service():
    ana, mavi = a_person("Ana"), a_cat()
    course = a_record(mavi, "ears", lifecycle="active", day=None, started_on=MARCH)
    shot = a_record(mavi, None, kind="vaccination", asserted=None)
    done = a_record(mavi, "eyes")
    change = {"person": ana, "correction": Correction("normal", {}, MARCH), "now": now()}
    for row in (course, shot):
        with pytest.raises(NotCorrectable):
            correct_record(record_id=row.pk, client_id=f"c{row.pk}", **change)
    correct_record(record_id=done.pk, client_id="first", **change)
    with pytest.raises(AlreadyCorrected):
        correct_record(record_id=done.pk, client_id="second", **change)
