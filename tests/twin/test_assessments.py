"""The assessment: made by a button, kept under its inputs, out of date when they are others."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any

import pytest

from household.models import AccessLog, ThinkingSpend
from household.services.registers import write_register
from household.services.thinking import choose_endpoint
from tests.fake_model import FakeModel, fake_model
from tests.makers import (
    a_cat,
    a_child,
    a_household,
    a_membership,
    a_person,
    a_record,
    now,
    signed_in,
    text_of,
)
from tests.twin.course_makers import a_course, queries_of
from twin.models import Assessment, Medicine, Record, Subject
from twin.services.assessments import chronic_label, input_label, long_medicines
from twin.services.days import day_of
from twin.services.profiles import archive_profile

pytestmark = pytest.mark.django_db(transaction=True)
TODAY = dt.date(2025, 6, 1)


@pytest.fixture
def model() -> Iterator[FakeModel]:
    with fake_model() as running:
        choose_endpoint(
            purpose="analytical", base_url=running.url, model="fake", key=None, timeout_s=5, is_on=True
        )
        yield running


def a_medicine(subject: Subject, name: str = "Semintra", **fields: Any) -> Medicine:
    values = {"dose": "1.5", "unit": "mg", "schedule": {"kind": "needed"}, "started_on": dt.date(2025, 1, 1)}
    author = a_person("Ana")
    client_id = f"{name}{Medicine.objects.count()}"
    return Medicine.objects.create(
        subject=subject, name=name, author=author, client_id=client_id, **{**values, **fields}
    )


def make(subject: Subject, person: str = "Ana", **headers: str) -> Any:
    return signed_in(a_person(person), **headers).post(f"/book/{subject.pk}/assessment/make")


def show(subject: Subject, person: str = "Ana") -> Any:
    return signed_in(a_person(person)).get(f"/book/{subject.pk}/assessment")


def a_full_cat() -> Subject:
    mavi = a_cat(breed="Van", born_on=dt.date(2016, 1, 1), born_precision="year")
    a_record(mavi, None, kind="background", asserted=None, text="thin kidneys")
    a_course(mavi, "skin_coat", chronic=True)
    a_medicine(mavi)
    values = {"weight_kg": 5.0, "mood": 4}
    for n, change in enumerate(({}, {"weight_kg": 3.0, "mood": 3})):
        archive_profile(
            person=a_person("Ana"),
            subject_id=mavi.pk,
            client_id=f"p{n}",
            values={**values, **change},
            measured_on=dt.date(2025, 1 + n, 1),
            now=now(),
        )
    return mavi


def test_rules_write_it_from_what_lasts_and_say_so():
    mavi = a_full_cat()
    assert "No assessment yet" in text_of(show(mavi))
    assert make(mavi).headers["Location"] == f"/book/{mavi.pk}/assessment"
    page = text_of(show(mavi))
    for said in (
        "Life stage: senior.",
        "Breed: Van.",
        "Chronic background: Skin and coat, thin kidneys.",
        "Long-term medicine: Semintra 1.5 mg.",
        "Clearly changed since the last profile: Weight (kg).",
        "Slightly changed since the last profile: Mood (1-5).",
        "up to date",
        "the house’s own rules",
    ):
        assert said in page, said
    kept = Assessment.objects.get()
    assert (kept.source, kept.language, len(kept.inputs_hash)) == ("rules", "en", 64)
    assert "Life stage: senior." in kept.text


def test_the_same_inputs_twice_are_one_row_and_looking_makes_none():
    mavi = a_full_cat()
    for _ in range(2):
        show(mavi)
        make(mavi)
    assert Assessment.objects.count() == 1


def test_what_changed_is_named_and_nothing_refreshes_by_itself():
    mavi = a_full_cat()
    make(mavi)
    before = Assessment.objects.get().text
    a_record(mavi, None, kind="background", asserted=None, text="asthma")
    a_medicine(mavi, "Fluticasone")
    mavi.neutered = True
    mavi.save()
    archive_profile(
        person=a_person("Ana"),
        subject_id=mavi.pk,
        client_id="p9",
        values={"weight_kg": 3.1, "mood": 3},
        measured_on=dt.date(2025, 5, 1),
        now=now(),
    )
    page = show(mavi)
    assert page.context["is_stale"] is True
    assert page.context["changed"] == [
        "Long-term background",
        "Drift of: Mood (1-5)",
        "Drift of: Weight (kg)",
        "Long-term medicines",
        "Neutered",
        "A new measurement of the usual",
        "Weight (kg)",
    ]
    assert "Out of date: what changed" in text_of(page)
    assert Assessment.objects.get().text == before
    make(mavi)
    assert show(mavi).context["is_stale"] is False and Assessment.objects.count() == 2


def test_what_passes_by_makes_nothing_out_of_date():
    mavi = a_full_cat()
    make(mavi)
    a_course(mavi, "ears")
    a_record(mavi, "eyes")
    a_medicine(mavi, "Amoxicillin", started_on=day_of(mavi, now()))
    assert show(mavi).context["is_stale"] is False


def test_a_long_term_course_that_is_over_is_background_no_more():
    mavi = a_full_cat()
    make(mavi)
    Record.objects.filter(chronic=True).update(lifecycle="closed", ended_on=TODAY)
    assert show(mavi).context["changed"] == ["Long-term background"]


def test_inputs_that_come_back_stand_newest_again():
    mavi = a_full_cat()
    make(mavi)
    mavi.neutered = True
    mavi.save()
    make(mavi)
    mavi.neutered = None
    mavi.save()
    assert show(mavi).context["is_stale"] is True
    make(mavi)
    assert show(mavi).context["is_stale"] is False and Assessment.objects.count() == 2


@pytest.mark.parametrize(
    ("started", "until", "ended", "is_long"),
    [
        (30, None, None, True),
        (29, None, None, False),
        (90, 0, None, True),
        (90, 1, None, False),
        (90, None, 1, False),
    ],
)
def test_a_medicine_is_long_term_after_thirty_days(started, until, ended, is_long):
    row = a_medicine(
        a_cat(),
        started_on=TODAY - dt.timedelta(days=started),
        until_on=None if until is None else TODAY - dt.timedelta(days=until),
        ended_at=None if ended is None else dt.datetime(2025, 6, 1 + 1 - ended, tzinfo=dt.UTC),
    )
    assert [each.name for each in long_medicines([row], TODAY)] == (["Semintra"] if is_long else [])


def test_a_changed_dose_goes_on_from_the_one_before_and_a_pause_begins_anew():
    mavi = a_cat()
    ended = dt.datetime(2025, 5, 20, 8, tzinfo=dt.UTC)
    old = a_medicine(mavi, started_on=dt.date(2025, 3, 1), ended_at=ended)
    new = a_medicine(mavi, "semintra", dose="2", started_on=dt.date(2025, 5, 20))
    assert [(each.name, each.dose) for each in long_medicines([old, new], TODAY)] == [("semintra", 2.0)]
    new.started_on = dt.date(2025, 5, 25)
    assert long_medicines([old, new], TODAY) == []


def test_it_reads_in_the_readers_language_whoever_made_it():
    mavi = a_full_cat()
    deniz = a_person("Deniz", language="tr")
    a_membership(deniz, mavi, "parent")
    make(mavi)
    page = text_of(show(mavi, "Deniz"))
    assert "Life stage" not in page and "Semintra" in page
    make(mavi, "Deniz")
    assert sorted(Assessment.objects.values_list("language", flat=True)) == ["en", "tr"]


def test_a_model_writes_it_where_one_is_chosen(model: FakeModel):
    mavi = a_full_cat()
    model.says({"text": "Mavi is a senior who weighs 3 kg and takes 1.5 mg of Semintra."}, tokens=80)
    make(mavi)
    make(mavi)
    kept = Assessment.objects.get()
    assert (kept.source, kept.text[:16]) == ("model", "Mavi is a senior")
    assert len(model.asked) == 1
    asked = model.asked[0]["messages"]
    assert "English" in asked[0]["content"] and "thin kidneys" in asked[1]["content"]
    assert ThinkingSpend.objects.get().state == "settled"
    page = text_of(show(mavi))
    assert "written by a model" in page and "Long-term medicine: Semintra 1.5 mg." in page


def test_a_model_s_text_in_another_language_stands_beside_the_rules(model: FakeModel):
    mavi = a_full_cat()
    a_membership(a_person("Deniz", language="tr"), mavi, "parent")
    model.says({"text": "Mavi is steady."})
    make(mavi)
    page = show(mavi, "Deniz").content.decode()
    assert '<div class="prose" lang="en"><p>Mavi is steady.</p></div>' in page


@pytest.mark.parametrize(
    "answer",
    [
        "not json",
        {"words": "x"},
        {"text": "   "},
        {"text": "x" * 4001},
        {"text": "She has been ill for 17 weeks."},
    ],
)
def test_what_a_model_should_not_say_falls_back_to_rules_with_a_note(model: FakeModel, answer: Any):
    mavi = a_full_cat()
    model.says(answer)
    browser = signed_in(a_person("Ana"))
    page = browser.post(f"/book/{mavi.pk}/assessment/make", follow=True)
    assert "by its own rules" in text_of(page)
    assert Assessment.objects.get().source == "rules"


def test_a_model_that_fails_or_costs_too_much_falls_back_too(model: FakeModel):
    mavi = a_full_cat()
    model.status = 500
    make(mavi)
    a_household()
    write_register("tokens_per_window", 10, 1)
    make(mavi)
    assert Assessment.objects.get().source == "rules"
    assert len(model.asked) == 1


@pytest.mark.parametrize(
    ("role", "sees"), [("family", 200), ("therapist", 200), ("teacher", 200), ("child", 404), ("vet", 404)]
)
def test_parents_make_it_and_the_matrix_says_who_reads(role, sees):
    leo = a_child()
    a_membership(a_person("Dr. Ito"), leo, role)
    assert show(leo, "Dr. Ito").status_code == sees
    assert make(leo, "Dr. Ito").status_code == 404
    assert show(leo, "Eve").status_code == make(leo, "Eve").status_code == 404
    assert not Assessment.objects.exists()
    assert AccessLog.objects.count() == (role in ("therapist", "teacher"))


def test_who_may_not_see_observations_reads_no_medicine_and_no_background_in_it(model: FakeModel):
    leo = a_child(born_on=dt.date(2019, 1, 1), born_precision="year")
    a_record(leo, None, kind="background", asserted=None, text="asthma")
    a_medicine(leo, "Melatonin")
    model.says({"text": "Leo has asthma and takes Melatonin."})
    make(leo)
    a_membership(a_person("Ms. Kaya"), leo, "teacher")
    page = text_of(show(leo, "Ms. Kaya"))
    assert "Life stage" in page and "is left out" in page
    for hidden in ("asthma", "Melatonin", "Out of date", "up to date", "No chronic background"):
        assert hidden not in page


def test_labels_know_every_input_and_leave_words_as_they_are():
    assert chronic_label("ears:left") == "Ears (left)"
    assert chronic_label("asthma: since birth") == "asthma: since birth"
    assert input_label("profile.weight_kg") == "Weight (kg)"


def test_the_page_asks_few_queries_however_much_there_is():
    mavi, yeni = a_full_cat(), a_cat(name="Yeni")
    for n in range(8):
        a_medicine(mavi, f"Drug {n}")
        a_record(mavi, None, kind="background", asserted=None, text=f"thing {n}")
    browser = signed_in(a_person("Ana"))
    for subject in (mavi, yeni):
        browser.post(f"/book/{subject.pk}/assessment/make")
    counts = {queries_of(browser, f"/book/{subject.pk}/assessment") for subject in (mavi, yeni)}
    assert len(counts) == 1 and counts.pop() <= 10
