"""The book, adding and changing a page, and the timeline of one subject."""

from __future__ import annotations

import datetime as dt
import re
import uuid
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from household.models import AccessLog, Membership
from tests.makers import (
    a_cat,
    a_child,
    a_household,
    a_membership,
    a_person,
    a_record,
    a_statement,
    signed_in,
    text_of,
)
from twin.models import CourseDay, Record, Subject

pytestmark = pytest.mark.django_db
MARCH = dt.date(2025, 3, 1)
PAGES = ("/book/{pk}", "/book/{pk}/change", "/book/{pk}/profile")


def filled(**fields: Any) -> dict[str, Any]:
    return {
        "client_id": str(uuid.uuid4()),
        "name": "Mavi",
        "born_year": "",
        "born_month": "",
        "born_day": "",
        "sex": "female",
        "breed": "",
        "neutered": "yes",
        "time_zone": "Europe/Istanbul",
        "day_starts_at": "03:00",
        **fields,
    }


def titles_of(response: Any) -> list[str]:
    return re.findall(r'class="mark-title"><a href="/r/(rec_\d+)"', response.content.decode())


@pytest.mark.parametrize("path", ["/book", "/book/add", *(page.format(pk=1) for page in PAGES)])
def test_a_guest_is_sent_to_the_sign_in_page(client: Client, path: str):
    a_household()
    response = client.get(path)
    assert (response.status_code, response.headers["Location"]) == (302, f"/accounts/login/?next={path}")


@pytest.mark.parametrize("page", PAGES)
def test_another_family_gets_404_as_if_there_were_nothing(page: str):
    leo = a_child()
    eve = signed_in(a_person("Eve"))
    assert eve.get(page.format(pk=leo.pk)).status_code == 404
    assert eve.post(page.format(pk=leo.pk), filled()).status_code == 404
    assert signed_in(a_person("Ana")).get(page.format(pk=leo.pk)).status_code == 200
    assert signed_in(a_person("Ana")).get(page.format(pk=leo.pk + 99)).status_code == 404


def test_an_empty_book_teaches_its_first_parent_and_nobody_else():
    ana = a_person("Ana")
    eve = a_person("Eve")
    assert "/book/add" in signed_in(ana).get("/book").content.decode()
    assert "/book/add" not in signed_in(eve).get("/book").content.decode()
    assert signed_in(eve).get("/book/add").status_code == 404


def test_the_book_shows_whom_one_may_see_and_what_goes_on():
    ana = a_person("Ana")
    mavi, leo = a_cat(ana), a_child(ana)
    a_cat(a_person("Eve"), name="Duman")
    a_record(mavi, lifecycle="active", day=None, started_on=MARCH, precision="day")
    a_record(leo, "sleep", day=MARCH)
    page = text_of(signed_in(ana).get("/book"))
    assert "Mavi" in page and "Leo" in page and "Duman" not in page
    assert "1 thing going on" in page
    assert "last noted 1 March 2025" in page


@pytest.mark.parametrize("kind", ["person", "cat", "dog", "rabbit", "bird", "other"])
def test_a_subject_of_every_kind_is_added_with_its_parent(kind: str):
    ana = a_person("Ana")
    response = signed_in(ana).post(f"/book/add?kind={kind}", filled())
    subject = Subject.objects.get()
    page = "/profile" if kind == "person" else ""
    assert (response.status_code, response.headers["Location"]) == (302, f"/book/{subject.pk}{page}")
    assert (subject.species, subject.name, subject.time_zone) == (kind, "Mavi", "Europe/Istanbul")
    assert subject.neutered is (None if kind == "person" else True)
    assert Membership.objects.filter(person=ana, subject=subject, role="parent").exists()
    assert hasattr(subject, "person") == (kind == "person")


@pytest.mark.parametrize(
    ("year", "month", "day", "born_on", "precision"),
    [
        ("", "", "", None, "unknown"),
        ("2021", "", "", dt.date(2021, 1, 1), "year"),
        ("2021", "5", "", dt.date(2021, 5, 1), "month"),
        ("2021", "5", "17", dt.date(2021, 5, 17), "day"),
        ("2024", "2", "29", dt.date(2024, 2, 29), "day"),
    ],
)
def test_a_birthday_is_as_exact_as_what_was_filled_in(year, month, day, born_on, precision):
    born = {"born_year": year, "born_month": month, "born_day": day}
    browser = signed_in(a_person("Ana"))
    browser.post("/book/add?kind=cat", filled(**born))
    subject = Subject.objects.get()
    assert (subject.born_on, subject.born_precision) == (born_on, precision)
    initial = browser.get(f"/book/{subject.pk}/change").context["form"].initial
    assert [str(initial[name] or "") for name in born] == [year, month, day]


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"name": "  "}, "name"),
        ({"name": "x" * 81}, "name"),
        ({"born_month": "5"}, "born_year"),
        ({"born_year": "2021", "born_day": "3"}, "born_month"),
        ({"born_year": "2021", "born_month": "2", "born_day": "30"}, "born_day"),
        ({"born_year": "9000"}, "born_year"),
        ({"born_year": "about 2020"}, "born_year"),
        ({"sex": "both"}, "sex"),
        ({"time_zone": "Moon/Sea"}, "time_zone"),
        ({"day_starts_at": "25:00"}, "day_starts_at"),
        ({"client_id": "not one"}, "client_id"),
    ],
)
def test_a_wrong_field_is_named_and_what_was_typed_stays(fields, wrong):
    browser = signed_in(a_person("Ana"))
    response = browser.post("/book/add?kind=cat", filled(breed="Van kedisi", **fields))
    assert response.status_code == 422
    assert set(response.context["form"].errors) == {wrong}
    assert 'value="Van kedisi"' in response.content.decode()
    assert not Subject.objects.exists()


def test_the_same_form_posted_twice_adds_one_subject():
    browser, form = signed_in(a_person("Ana")), filled()
    places = [browser.post("/book/add?kind=cat", form).headers["Location"] for _ in range(2)]
    assert len(set(places)) == 1
    assert Subject.objects.count() == Membership.objects.count() == 1


def test_changing_the_birthday_moves_what_was_told_by_age():
    mavi = a_cat(born_on=dt.date(2020, 1, 1), born_precision="day")
    row = a_record(mavi, kind="history", age_low_months=12, age_high_months=12)
    before = row.sort_on
    response = signed_in(a_person("Ana")).post(
        f"/book/{mavi.pk}/change", filled(born_year="2022", name="Mavi II")
    )
    assert response.status_code == 302
    row.refresh_from_db()
    mavi.refresh_from_db()
    assert mavi.name == "Mavi II"
    assert row.sort_on - before == dt.date(2022, 1, 1) - dt.date(2020, 1, 1)


def test_a_childs_profile_is_kept_line_by_line():
    leo = a_child()
    browser = signed_in(a_person("Ana"))
    sent = {
        "calming": " swing \n\ndeep pressure\nswing",
        "never_do": "hold his arms",
        "methodologies": ["PECS", "DIR"],
        "communication": "pictures",
    }
    assert browser.post(f"/book/{leo.pk}/profile", sent).status_code == 302
    leo.person.refresh_from_db()
    assert leo.person.calming == ["swing", "deep pressure"]
    assert leo.person.methodologies == ["PECS", "DIR"]
    page = text_of(browser.get(f"/book/{leo.pk}"))
    assert "hold his arms" in page and "swing, deep pressure" in page


@pytest.mark.parametrize(
    "sent", [{"calming": "x" * 121}, {"methodologies": "MAGIC"}, {"sensory": "x" * 4001}]
)
def test_a_profile_that_cannot_be_kept_says_so(sent):
    leo = a_child()
    response = signed_in(a_person("Ana")).post(f"/book/{leo.pk}/profile", {"interests": "trains", **sent})
    assert response.status_code == 422
    assert set(response.context["form"].errors) == set(sent)
    assert "trains" in response.content.decode()


def test_an_animal_has_no_person_profile():
    assert signed_in(a_person("Ana")).get(f"/book/{a_cat().pk}/profile").status_code == 404


@pytest.mark.parametrize(
    ("role", "sees", "changes"),
    [
        ("family", 200, 404),
        ("therapist", 200, 404),
        ("teacher", 200, 404),
        ("child", 404, 404),
        ("vet", 404, 404),
    ],
)
def test_only_parents_change_a_page_and_the_matrix_says_who_reads_it(role, sees, changes):
    leo = a_child()
    person = a_person("Dr. Ito")
    a_membership(person, leo, role)
    browser = signed_in(person)
    assert browser.get(f"/book/{leo.pk}").status_code == sees
    for page in ("change", "profile"):
        assert browser.get(f"/book/{leo.pk}/{page}").status_code == changes


def test_a_professionals_look_is_written_down_and_a_parents_is_not():
    leo = a_child()
    row = a_record(leo, "sleep")
    a_membership(a_person("Dr. Ito"), leo, "therapist")
    signed_in(a_person("Ana")).get(f"/book/{leo.pk}")
    assert not AccessLog.objects.exists()
    signed_in(a_person("Dr. Ito")).get(f"/book/{leo.pk}")
    look = AccessLog.objects.get()
    assert (look.person.name, look.subject, look.row_ids) == ("Dr. Ito", leo, [row.rec_id])


def test_a_teacher_who_may_not_see_observations_sees_their_own():
    leo = a_child()
    ms_kaya = a_person("Ms. Kaya")
    a_membership(ms_kaya, leo, "teacher")
    own = a_record(leo, "behaviour", author=ms_kaya)
    a_record(leo, "sleep", author=a_person("Ana"))
    assert titles_of(signed_in(ms_kaya).get(f"/book/{leo.pk}")) == [own.rec_id]


def test_the_timeline_is_newest_first_with_the_undated_last():
    mavi = a_cat(born_on=dt.date(2020, 1, 1), born_precision="day")
    old = a_record(mavi, "eyes", day=MARCH - dt.timedelta(days=9))
    undated = a_record(mavi, kind="history", time_phrase="once, long ago")
    aged = a_record(mavi, kind="history", age_low_months=12, age_high_months=12, time_phrase="as a kitten")
    new = a_record(mavi, "ears", day=MARCH)
    same_day = a_record(mavi, "sleep", day=MARCH)
    response = signed_in(a_person("Ana")).get(f"/book/{mavi.pk}")
    assert titles_of(response) == [row.rec_id for row in (same_day, new, old, aged, undated)]


def test_the_page_shows_the_owners_words_and_never_a_made_up_date():
    mavi = a_cat(born_on=dt.date(2020, 1, 1), born_precision="day")
    a_record(mavi, kind="history", age_low_months=12, age_high_months=12, time_phrase="as a kitten")
    a_record(mavi, "skin_coat", kind="history", time_phrase="once, long ago")
    a_record(mavi, "eyes", kind="history", started_on=dt.date(2023, 6, 1), precision="month")
    page = text_of(signed_in(a_person("Ana")).get(f"/book/{mavi.pk}"))
    for said in ("as a kitten", "at 1 year", "once, long ago", "No date", "June 2023"):
        assert said in page
    for made_up in ("2021", "1 June"):
        assert made_up not in page


def test_a_normal_finding_reads_as_what_was_checked():
    mavi = a_cat()
    a_record(mavi, "ears", asserted="normal", signs={"odour": False, "redness": False})
    assert "checked: no redness, no smell" in text_of(signed_in(a_person("Ana")).get(f"/book/{mavi.pk}"))


def test_a_corrected_record_is_out_of_the_timeline():
    mavi = a_cat()
    new = a_record(mavi, "ears", day=MARCH)
    a_record(mavi, "ears", day=MARCH - dt.timedelta(days=1), superseded_by=new)
    assert titles_of(signed_in(a_person("Ana")).get(f"/book/{mavi.pk}")) == [new.rec_id]


def test_filters_show_only_what_was_asked_for():
    mavi = a_cat()
    rows = {
        "ears": a_record(mavi, "ears"),
        "eyes": a_record(mavi, "eyes", asserted="normal"),
        "course": a_record(mavi, "skin_coat", lifecycle="active", day=None, started_on=MARCH),
        "shot": a_record(mavi, None, kind="vaccination", asserted=None, started_on=MARCH, precision="day"),
    }
    browser = signed_in(a_person("Ana"))
    for query, names in {
        "show=abnormal": ["course", "ears"],
        "show=normal": ["eyes"],
        "show=courses": ["course"],
        "category=eyes": ["eyes"],
        "kind=vaccination": ["shot"],
        "category=ears&show=normal": [],
        "show=nonsense&category=nothing&kind=x": ["shot", "course", "eyes", "ears"],
    }.items():
        found = titles_of(browser.get(f"/book/{mavi.pk}?{query}"))
        assert found == [rows[name].rec_id for name in names], query


def many(subject: Subject, count: int) -> list[Record]:
    """Records of which some share a day and some have none, as they should be shown."""
    rows = []
    for n in range(count):
        if n % 10 == 9:
            rows.append(a_record(subject, "ears", kind="history", time_phrase=f"time {n}"))
        else:
            rows.append(a_record(subject, "ears", site=str(n), day=MARCH - dt.timedelta(days=n // 3)))
    return sorted(rows, key=lambda row: (row.sort_on is None, -(row.sort_on or MARCH).toordinal(), -row.pk))


def test_scrolling_shows_every_record_once_and_in_order():
    mavi = a_cat()
    rows = many(mavi, 95)
    browser = signed_in(a_person("Ana"))
    seen, address = [], f"/book/{mavi.pk}?show="
    for _ in range(10):
        response = browser.get(address, headers={"HX-Request": "true"})
        seen += titles_of(response)
        more = re.search(r'hx-get="([^"]+after=[^"]+)"', response.content.decode())
        if more is None:
            break
        address = more[1].replace("&amp;", "&")
    assert seen == [row.rec_id for row in rows]
    assert "<html" not in response.content.decode()


@pytest.mark.parametrize("after", ["x", "2025-03-01", "2025-13-01~4", "~", "~-1", "2025-03-01~4;drop"])
def test_a_place_that_is_none_is_not_found(after: str):
    assert signed_in(a_person("Ana")).get(f"/book/{a_cat().pk}", {"after": after}).status_code == 404


def queries_of(browser: Client, address: str) -> int:
    browser.get(address)  # the first visit also asks whether the household stands
    with CaptureQueriesContext(
        connection,
    ) as captured:
        assert browser.get(address).status_code == 200
    return len([query for query in captured if "SAVEPOINT" not in query["sql"]])


def test_a_full_page_asks_no_more_than_a_nearly_empty_one():
    ana = a_person("Ana")
    small, big = a_child(ana), a_child(ana, name="Deniz")
    for subject, count in ((small, 5), (big, 200)):
        rows = many(subject, count)
        for row in rows[:5]:
            a_statement(subject, ana, record=row)
        course = a_record(subject, "sleep", lifecycle="active", day=None, started_on=MARCH)
        for n, row in enumerate(rows[:3]):
            CourseDay.objects.create(
                course=course,
                subject=subject,
                day=MARCH - dt.timedelta(days=n),
                trajectory="unchanged",
                severity=1,
                polarity="abnormal",
                record=row,
            )
    browser = signed_in(ana)
    counts = {queries_of(browser, f"/book/{subject.pk}") for subject in (small, big)}
    assert len(counts) == 1
    assert counts.pop() <= 10


def test_the_pages_speak_turkish_to_who_reads_turkish():
    ana = a_person("Ana", language="tr")
    mavi = a_cat(ana)
    page = signed_in(ana).get(f"/book/{mavi.pk}").content.decode()
    assert '<html lang="tr"' in page


@pytest.mark.parametrize(
    "path", ["", "/now", "/months", "/events", "/medicines", "/counts", "/usual", "/documents", "/buttons"]
)
def test_the_way_to_the_other_pages_stands_below_the_heading_on_each(path: str) -> None:
    leo = a_child(a_person("Ana"))
    html = signed_in(a_person("Ana")).get(f"/book/{leo.pk}{path}").content.decode()
    assert 0 < html.index("<h1") < html.index('class="subnav')
