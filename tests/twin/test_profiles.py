"""The usual: the wizard that archives once, its versions, and what drifted between two."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any

import pytest
from django.test import Client

from household.models import AccessLog
from tests.makers import a_cat, a_child, a_membership, a_person, now, signed_in, text_of
from tests.twin.course_makers import queries_of
from twin.charts_profile import drift_chart, share_of_clear
from twin.models import AgendaItem, ProfileVersion, Subject
from twin.profile_forms import LEVELS, steps_for
from twin.rules.drift import FIELDS, drift_of, fields_of
from twin.services.days import day_of
from twin.services.profiles import NothingMeasured, WrongDay, archive_profile

pytestmark = pytest.mark.django_db
KEEP = 6  # the last step: five that ask, and this one


def step_of(subject: Subject, session: str, number: int) -> str:
    return f"/book/{subject.pk}/usual/measure/{session}/{number}"


def a_version(
    subject: Subject, values: dict[str, Any], *, measured_on: dt.date, **fields: Any
) -> ProfileVersion:
    return archive_profile(
        person=fields.get("person") or a_person("Ana"),
        subject_id=subject.pk,
        client_id=str(uuid.uuid4()),
        values=values,
        measured_on=measured_on,
        now=now(),
    )


def measure(browser: Client, subject: Subject, session: str, **values: str) -> None:
    for number, step in enumerate(steps_for(subject.species), start=1):
        given = {name: values[name] for name in step.names if name in values}
        response = browser.post(step_of(subject, session, number), {**given, "go": "next"})
        assert response.headers["Location"] == step_of(subject, session, number + 1)


def keep(browser: Client, subject: Subject, session: str, **fields: str) -> Any:
    today = day_of(subject, now()).isoformat()
    return browser.post(step_of(subject, session, KEEP), {"measured_on": today, **fields})


@pytest.mark.parametrize("species", ["person", "cat"])
def test_the_steps_ask_for_every_field_of_the_species_once(species: str):
    asked = [name for step in steps_for(species) for name in step.names]
    assert sorted(asked) == sorted(field.name for field in fields_of(species))


def test_every_ordinal_level_has_its_word():
    for name, field in FIELDS.items():
        if field.kind == "ordinal":
            assert len(LEVELS[name]) == field.high - field.low + 1


def test_a_finished_session_is_archived_as_one_version():
    mavi = a_cat()
    browser, session = signed_in(a_person("Ana")), str(uuid.uuid4())
    measure(browser, mavi, session, weight_kg="4,2", bcs="5", food_g="60", mood="4", sleep_hours="15.5")
    assert not ProfileVersion.objects.exists()
    look = text_of(browser.get(step_of(mavi, session, KEEP)))
    assert "Weight (kg) 4.2" in look and "Not measured: Stools a day" in look
    assert keep(browser, mavi, session).headers["Location"] == f"/book/{mavi.pk}/usual"
    version = ProfileVersion.objects.get()
    assert (version.version, version.author.name, version.client_id) == (1, "Ana", session)
    assert version.values == {"food_g": 60, "sleep_hours": 15.5, "weight_kg": 4.2, "bcs": 5, "mood": 4}


def test_keeping_twice_and_coming_back_to_a_kept_session_leave_one_version():
    mavi = a_cat()
    browser, session = signed_in(a_person("Ana")), str(uuid.uuid4())
    measure(browser, mavi, session, weight_kg="4.2")
    assert [keep(browser, mavi, session).status_code for _ in range(2)] == [302, 302]
    for number in (1, 3, KEEP):
        assert browser.get(step_of(mavi, session, number)).headers["Location"] == f"/book/{mavi.pk}/usual"
    assert ProfileVersion.objects.count() == 1


def test_an_abandoned_session_archives_nothing():
    mavi = a_cat()
    browser = signed_in(a_person("Ana"))
    first, second = str(uuid.uuid4()), str(uuid.uuid4())
    measure(browser, mavi, first, weight_kg="4.2")
    measure(browser, mavi, second, weight_kg="5.1")
    keep(browser, mavi, second)
    assert [version.values for version in ProfileVersion.objects.all()] == [{"weight_kg": 5.1}]


def test_going_back_and_reloading_keep_what_was_typed():
    mavi = a_cat()
    browser, session = signed_in(a_person("Ana")), str(uuid.uuid4())
    browser.post(step_of(mavi, session, 1), {"weight_kg": "4.2", "bcs": "5"})
    back = browser.post(step_of(mavi, session, 2), {"food_g": "60", "go": "back"})
    assert back.headers["Location"] == step_of(mavi, session, 1)
    for _ in range(2):
        assert 'value="4.2"' in browser.get(step_of(mavi, session, 1)).content.decode()
    assert 'value="60"' in browser.get(step_of(mavi, session, 2)).content.decode()
    browser.post(step_of(mavi, session, 1), {"weight_kg": "", "bcs": "5"})
    measure_from_two = [browser.post(step_of(mavi, session, n), {}) for n in range(2, KEEP)]
    assert {response.status_code for response in measure_from_two} == {302}
    keep(browser, mavi, session)
    assert ProfileVersion.objects.get().values == {"bcs": 5}


def test_a_session_begins_anew_without_writing_anything():
    mavi = a_cat()
    browser = signed_in(a_person("Ana"))
    places = {browser.get(f"/book/{mavi.pk}/usual/measure").headers["Location"] for _ in range(2)}
    assert len(places) == 2
    session = str(uuid.uuid4())
    assert browser.get(step_of(mavi, session, 3)).headers["Location"] == step_of(mavi, session, 1)
    assert browser.get(step_of(mavi, session, 0)).status_code == 404
    assert browser.get(step_of(mavi, session, KEEP + 1)).status_code == 404


def test_one_subject_s_draft_is_not_kept_for_another():
    mavi, leo = a_cat(), a_child()
    browser, session = signed_in(a_person("Ana")), str(uuid.uuid4())
    measure(browser, mavi, session, weight_kg="4.2")
    assert keep(browser, leo, session).headers["Location"] == step_of(leo, session, 1)
    assert not ProfileVersion.objects.exists()


@pytest.mark.parametrize(
    ("number", "given", "wrong"),
    [
        (1, {"weight_kg": "heavy"}, "weight_kg"),
        (1, {"weight_kg": "-1"}, "weight_kg"),
        (1, {"weight_kg": "nan"}, "weight_kg"),
        (1, {"bcs": "12"}, "bcs"),
        (2, {"foods_accepted": "2.5"}, "foods_accepted"),
        (4, {"sleep_hours": "25"}, "sleep_hours"),
    ],
)
def test_a_value_that_cannot_be_is_refused_and_stays_typed(number, given, wrong):
    leo = a_child()
    browser, session = signed_in(a_person("Ana")), str(uuid.uuid4())
    browser.post(step_of(leo, session, 1), {"weight_kg": "20"})
    response = browser.post(step_of(leo, session, number), given)
    assert response.status_code == 422
    assert set(response.context["form"].errors) == {wrong}
    if wrong != "bcs":
        assert f'value="{given[wrong]}"' in response.content.decode()


@pytest.mark.parametrize(
    ("measured_on", "wrong"),
    [("", "measured_on"), ("2999-01-01", "measured_on"), ("2025-01-01", "measured_on")],
)
def test_a_day_that_cannot_be_is_refused_on_the_last_step(measured_on, wrong):
    mavi = a_cat()
    a_version(mavi, {"weight_kg": 4}, measured_on=dt.date(2025, 2, 1))
    browser, session = signed_in(a_person("Ana")), str(uuid.uuid4())
    measure(browser, mavi, session, weight_kg="4.2")
    response = keep(browser, mavi, session, measured_on=measured_on)
    assert response.status_code == 422 and set(response.context["form"].errors) == {wrong}
    assert ProfileVersion.objects.count() == 1
    assert keep(browser, mavi, session).status_code == 302


def test_nothing_measured_is_not_kept():
    mavi = a_cat()
    browser, session = signed_in(a_person("Ana")), str(uuid.uuid4())
    measure(browser, mavi, session)
    response = keep(browser, mavi, session)
    assert response.status_code == 422 and "One value is enough" in text_of(response)
    with pytest.raises(NothingMeasured):
        a_version(mavi, {}, measured_on=dt.date(2025, 1, 1))
    with pytest.raises(WrongDay):
        a_version(mavi, {"mood": 3}, measured_on=dt.date(2999, 1, 1))


def test_measuring_answers_what_asked_for_it():
    mavi = a_cat()
    item = AgendaItem.objects.create(subject=mavi, day=day_of(mavi, now()), rank=1, key="profile")
    today = signed_in(a_person("Ana")).get("/").content.decode()
    assert f'href="/book/{mavi.pk}/usual/measure"' in today
    a_version(mavi, {"weight_kg": 4}, measured_on=dt.date(2025, 1, 1))
    item.refresh_from_db()
    assert (item.state, item.answered_at is not None) == ("answered", True)


def test_family_sees_the_reminder_without_the_way_to_measure():
    mavi = a_cat()
    a_membership(a_person("Nene"), mavi, "family")
    AgendaItem.objects.create(subject=mavi, day=day_of(mavi, now()), rank=1, key="profile")
    today = signed_in(a_person("Nene")).get("/").content.decode()
    assert "time to measure" in today and "usual/measure" not in today


def three_versions(subject: Subject) -> None:
    for day, values in (
        (dt.date(2024, 1, 1), {"weight_kg": 5.0, "food_g": 60, "mood": 4, "night_wakings": 0}),
        (dt.date(2024, 6, 1), {"weight_kg": 5.0, "food_g": 58, "mood": 3, "water_ml": 200}),
        (dt.date(2025, 1, 1), {"weight_kg": 3.0, "food_g": 57, "mood": 1, "night_wakings": 2}),
    ):
        a_version(subject, values, measured_on=day)


def test_the_last_two_are_compared_unless_others_are_chosen():
    mavi = a_cat()
    three_versions(mavi)
    browser = signed_in(a_person("Ana"))
    page = browser.get(f"/book/{mavi.pk}/usual")
    assert (page.context["old"].version, page.context["new"].version) == (2, 3)
    marks = {change["label"]: change["mark"] for change in page.context["changes"]}
    assert marks == {"Food a day (g)": "same", "Weight (kg)": "drift", "Mood (1-5)": "drift"}
    assert page.context["missing"] == ["Water a day (ml)", "Wakings a night"]
    assert "no change is told: Water a day (ml), Wakings a night" in text_of(page)
    for query in ("old=1&new=3", "old=3&new=1"):
        chosen = browser.get(f"/book/{mavi.pk}/usual?{query}")
        assert (chosen.context["old"].version, chosen.context["new"].version) == (1, 3)
    assert "more than none now" in text_of(chosen)
    nonsense = browser.get(f"/book/{mavi.pk}/usual?old=9&new=x")
    assert (nonsense.context["old"].version, nonsense.context["new"].version) == (2, 3)


def test_the_chart_has_a_bar_for_each_field_and_says_the_same_in_words():
    mavi = a_cat()
    three_versions(mavi)
    page = signed_in(a_person("Ana")).get(f"/book/{mavi.pk}/usual")
    chart = page.context["chart"]
    assert [bar.label for bar in chart.bars] == ["Food a day (g)", "Weight (kg)", "Mood (1-5)"]
    assert all(bar.label in chart.text and bar.text in chart.text for bar in chart.bars)
    assert f'aria-label="{chart.text}"' in page.content.decode()


@pytest.mark.parametrize(
    ("name", "old", "new", "share"),
    [
        ("weight_kg", 10, 13, 1.0),
        ("weight_kg", 10, 7, -1.0),
        ("weight_kg", 10, 100, 2.0),
        ("food_g", 100, 125, 1.0),
        ("mood", 4, 2, -1.0),
        ("mood", 4, 3, -0.5),
        ("night_wakings", 0, 2, 2.0),
        ("night_wakings", 0, 0, 0.0),
        ("weight_kg", 10, 10, 0.0),
    ],
)
def test_a_bar_is_as_long_as_its_change_against_what_counts_as_clear(name, old, new, share):
    assert share_of_clear(drift_of(name, old, new)) == pytest.approx(share)


def test_versions_without_a_field_in_common_have_no_chart():
    assert drift_chart([drift_of("mood", None, 3), drift_of("weight_kg", 4, None)]) is None


def test_the_first_visit_teaches_and_only_parents_are_led_to_measuring():
    mavi = a_cat()
    a_membership(a_person("Nene"), mavi, "family")
    address = f"/book/{mavi.pk}/usual"
    assert "usual/measure" in signed_in(a_person("Ana")).get(address).content.decode()
    assert "usual/measure" not in signed_in(a_person("Nene")).get(address).content.decode()


@pytest.mark.parametrize(
    ("role", "sees"),
    [("family", 200), ("therapist", 200), ("teacher", 200), ("child", 404), ("vet", 404)],
)
def test_parents_measure_and_others_look_by_the_matrix(role, sees):
    leo = a_child()
    person = a_person("Dr. Ito")
    a_membership(person, leo, role)
    browser = signed_in(person)
    assert browser.get(f"/book/{leo.pk}/usual").status_code == sees
    assert browser.get(f"/book/{leo.pk}/usual/measure").status_code == 404
    assert browser.get(step_of(leo, str(uuid.uuid4()), 1)).status_code == 404
    assert browser.post(step_of(leo, str(uuid.uuid4()), 1), {"weight_kg": "20"}).status_code == 404


def test_another_family_gets_404():
    leo = a_child()
    eve = signed_in(a_person("Eve"))
    for address in ("usual", "usual/measure", f"usual/measure/{uuid.uuid4()}/1"):
        assert eve.get(f"/book/{leo.pk}/{address}").status_code == 404
        assert eve.post(f"/book/{leo.pk}/{address}").status_code == 404


def test_a_professionals_look_at_the_profile_is_written_down():
    leo = a_child()
    a_membership(a_person("Dr. Ito"), leo, "therapist")
    signed_in(a_person("Ana")).get(f"/book/{leo.pk}/usual")
    assert not AccessLog.objects.exists()
    signed_in(a_person("Dr. Ito")).get(f"/book/{leo.pk}/usual")
    assert AccessLog.objects.get().resource == "profile"


def test_many_versions_ask_no_more_than_few():
    mavi, duman = a_cat(), a_cat(name="Duman")
    a_version(mavi, {"weight_kg": 4}, measured_on=dt.date(2025, 1, 1))
    for n in range(12):
        a_version(duman, {"weight_kg": 4 + n / 10, "mood": 3}, measured_on=dt.date(2024, 1 + n, 1))
    browser = signed_in(a_person("Ana"))
    counts = {queries_of(browser, f"/book/{subject.pk}/usual") for subject in (mavi, duman)}
    assert len(counts) == 1 and counts.pop() <= 10
