"""A visit's print: everything over some days, each section as far as its reader may see it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

import pytest

from household.models import AccessLog
from tests.makers import a_cat, a_child, a_membership, a_person, a_record, now, signed_in, text_of
from tests.twin.course_makers import MARCH, a_course, queries_of
from twin.labels import SignLabel
from twin.models import Event, Medicine, Record, Subject
from twin.services.profiles import archive_profile
from twin.views.courses import Said
from twin.views.prints import MOST_TICKED, told_and_counted

pytestmark = pytest.mark.django_db
RANGE = {"from": "2025-02-01", "to": "2025-04-30"}


def after(days: int) -> dt.date:
    return MARCH + dt.timedelta(days=days)


def the_print(subject: Subject, person: str = "Ana", **query: str) -> Any:
    return signed_in(a_person(person)).get(f"/book/{subject.pk}/print", {**RANGE, **query})


def an_event(subject: Subject, day: dt.date = MARCH, **fields: Any) -> Event:
    at = dt.datetime.combine(day, dt.time(12), dt.UTC)
    values = {"kind": "meltdown", "place": "the shop", "antecedent": "loud music", "impact": -2, **fields}
    key = f"e{Event.objects.count()}"
    return Event.objects.create(
        subject=subject, author=a_person("Ana"), client_id=key, turn=key, at=at, local_day=day, **values
    )


def a_medicine(subject: Subject, name: str, **fields: Any) -> Medicine:
    values = {"dose": "1.5", "unit": "mg", "schedule": {"kind": "times", "times": ["08:00"]}, **fields}
    values.setdefault("started_on", after(-100))
    return Medicine.objects.create(
        subject=subject, name=name, author=a_person("Ana"), client_id=name, **values
    )


def a_full_child() -> dict[str, Record]:
    leo = a_child(born_on=dt.date(2019, 5, 1), born_precision="month")
    leo.person.never_do = ["hold his arms"]
    leo.person.save()
    for n, weight in enumerate((20.0, 30.0)):
        archive_profile(
            person=a_person("Ana"),
            subject_id=leo.pk,
            client_id=f"p{n}",
            values={"weight_kg": weight, **({"mood": 3} if n else {})},
            measured_on=after(n),
            now=now(),
        )
    a_medicine(leo, "Melatonin")
    a_medicine(leo, "Old drops", until_on=after(-60))
    an_event(leo)
    an_event(leo, after(-90), place="long ago")
    return {
        "open": a_course(leo, "ears", severities=[1, 2], author=a_person("Ana")),
        "over": a_course(leo, "eyes", lifecycle="closed", ended_on=after(1), severities=[1]),
        "before": a_course(leo, "urinary", first=after(-90), lifecycle="closed", ended_on=after(-80)),
        "withdrawn": a_course(
            leo, "oral_dental", lifecycle="closed", ended_on=after(1), closed_reason="withdrawn"
        ),
        "single": a_record(leo, "upper_digestive", day=after(3), signs={"vomiting": True}),
        "fine": a_record(leo, "skin_coat", day=after(4), asserted="normal", signs={"itching": False}),
        "outside": a_record(leo, "musculoskeletal", day=after(100)),
        "sleep": a_record(leo, "sleep", day=after(5), asserted="normal", signs={"hours": 9.5}),
        "weight": a_record(
            leo, "metabolic_weight", day=after(6), asserted="normal", signs={"weight_kg": 21.5}
        ),
        "chronic": a_record(leo, None, kind="background", asserted=None, text="asthma", sort_on=None),
        "shot": a_record(
            leo, None, kind="vaccination", asserted=None, started_on=after(2), precision="day", text="MMR"
        ),
    }


def test_the_print_holds_every_section_with_its_records():
    rows = a_full_child()
    page = text_of(the_print(rows["open"].subject))
    for name in ("open", "over", "single", "fine", "weight", "chronic", "shot"):
        assert rows[name].rec_id in page, name
    for name in ("before", "withdrawn", "outside"):
        assert rows[name].rec_id not in page, name
    for said in (
        "hold his arms",
        "asthma",
        "Melatonin 1.5 mg, every day at 08:00",
        "“words of 2025-03-01”",
        "vomiting",
        "Skin and coat : 1 time, last on 5 March 2025",
        "21.5",
        "noted on 1 day",
        "on average 9.5 h (1 values)",
        "Meltdown , the shop",
        "loud music",
        "MMR",
        "Weight (kg) up by 50 %",
        "no change is told: Mood (1-5)",
        "Not a diagnosis",
    ):
        assert said in page, said
    assert "Old drops" not in page and "long ago" not in page


def test_a_single_finding_of_a_course_stands_with_the_course_only():
    course = a_course(a_cat(), severities=[1, 2])
    assert the_print(course.subject).context["abnormal"] == []


def test_every_course_has_its_chart_and_words_of_these_days_only():
    course = a_course(a_cat(), severities=[1] * 10)
    page = the_print(course.subject, to=str(after(4)))
    (row,) = page.context["open_courses"]
    assert len(row["chart"].points) == 5 and len(row["said"]) == 5
    later = the_print(course.subject, **{"from": str(after(8))})
    (row,) = later.context["open_courses"]
    assert len(row["chart"].points) == 10 and len(row["said"]) == 2


def test_many_ticked_days_are_counted_and_not_printed_one_by_one():
    ticked = said_words("", found=["slept badly"])
    told = said_words("He was awake from three to five.", found=["woke at night"])
    calm = said_words("", checked=["did not sleep badly"])
    few = [told, *[ticked] * MOST_TICKED]
    assert told_and_counted(few) == (few, [])
    said, counted = told_and_counted([*few, calm])
    assert said == [told]
    assert counted == [("slept badly", MOST_TICKED), ("checked: did not sleep badly", 1)]


def said_words(words: str, *, found: Sequence[str] = (), checked: Sequence[str] = ()) -> Said:
    signs = [[SignLabel("", text, "") for text in one] for one in (found, checked)]
    return Said(words, "Ana", "1 March 2025", dt.date(2025, 3, 1), *signs, [])


@pytest.mark.parametrize(
    ("query", "wrong"),
    [
        ({"from": "2025-05-01"}, "from"),
        ({"from": "yesterday"}, "from"),
        ({"to": "2025-02-31"}, "to"),
        ({"from": "2001-01-01"}, "from"),
    ],
)
def test_days_that_cannot_be_are_refused_and_stay_typed(query, wrong):
    page = the_print(a_cat(), **query)
    assert page.status_code == 422
    assert set(page.context["form"].errors) == {wrong}
    assert f'value="{query[wrong]}"' in page.content.decode()
    assert "report" not in page.context


def test_without_days_it_covers_the_last_three_months():
    mavi = a_cat()
    browser = signed_in(a_person("Ana"))
    report = browser.get(f"/book/{mavi.pk}/print").context["report"]
    assert (report.last - report.first).days == 90
    half = browser.get(f"/book/{mavi.pk}/print", {"from": "", "to": "2025-03-31"}).context["report"]
    assert half.first == dt.date(2025, 3, 31) - dt.timedelta(days=90)
    assert "Nothing was noted in these days" in text_of(browser.get(f"/book/{mavi.pk}/print"))


@pytest.mark.parametrize(
    ("role", "sees"), [("family", 200), ("therapist", 200), ("teacher", 200), ("child", 404), ("vet", 404)]
)
def test_each_section_obeys_its_own_resource(role, sees):
    rows = a_full_child()
    leo = rows["open"].subject
    a_membership(a_person("Dr. Ito"), leo, role)
    page = the_print(leo, "Dr. Ito")
    assert page.status_code == sees
    if role == "teacher":
        said = text_of(page)
        assert "hold his arms" in said and "Observations are not open to you" in said
        assert "rec_" not in said and "Melatonin" not in said and "loud music" not in said


def test_a_vet_who_may_not_see_memories_prints_an_animal_whole():
    course = a_course(a_cat())
    a_membership(a_person("Dr. Kaya"), course.subject, "vet")
    assert course.rec_id in text_of(the_print(course.subject, "Dr. Kaya"))


def test_a_therapist_without_the_profile_gets_no_profile():
    rows = a_full_child()
    overrides = {"profile:view": False}
    a_membership(a_person("Dr. Ito"), rows["open"].subject, "therapist", overrides=overrides)
    page = text_of(the_print(rows["open"].subject, "Dr. Ito"))
    assert rows["open"].rec_id in page and "The profile is not open to you" in page
    assert "hold his arms" not in page and "up by 50" not in page


def test_a_data_window_cuts_what_lies_before_it():
    rows = a_full_child()
    leo = rows["open"].subject
    a_membership(a_person("Dr. Ito"), leo, "therapist", data_from=after(5))
    page = text_of(the_print(leo, "Dr. Ito"))
    assert rows["single"].rec_id not in page and rows["weight"].rec_id in page
    assert "words of 2025-03-01" not in page


def test_another_family_gets_404_and_a_professionals_print_is_written_down():
    rows = a_full_child()
    leo = rows["open"].subject
    assert the_print(leo, "Eve").status_code == 404
    the_print(leo)
    assert not AccessLog.objects.exists()
    a_membership(a_person("Dr. Ito"), leo, "therapist")
    the_print(leo, "Dr. Ito")
    looks = {look.resource: look.row_ids for look in AccessLog.objects.all()}
    assert set(looks) == {"observation", "profile"}
    assert {rows["open"].rec_id, rows["single"].rec_id, rows["chronic"].rec_id} <= set(looks["observation"])


def test_a_full_print_asks_no_more_than_a_nearly_empty_one():
    ana = a_person("Ana")
    small, big = a_child(ana), a_child(ana, name="Deniz")
    for subject, count in ((small, 1), (big, 12)):
        for n in range(count):
            a_course(subject, "ears", site=f"place {n}", severities=[1, 0, 2], author=ana)
            a_record(subject, "eyes", site=f"place {n}", day=after(n))
            a_medicine(subject, f"Drug {n} of {subject.name}")
            an_event(subject, after(n))
    browser = signed_in(ana)
    query = "from=2025-02-01&to=2025-04-30"
    counts = {queries_of(browser, f"/book/{subject.pk}/print?{query}") for subject in (small, big)}
    assert len(counts) == 1 and counts.pop() <= 10
    a_membership(a_person("Dr. Ito"), big, "therapist")
    asked = queries_of(signed_in(a_person("Dr. Ito")), f"/book/{big.pk}/print?{query}")
    assert asked <= 10 + 2  # and a line of the access log for each resource
