"""The demo household: deterministic, believable, and counted by the real rules."""

import datetime as dt
import re
from collections import Counter
from dataclasses import replace
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.db.models import Q

from household.models import Household, Membership, Person
from memory.management.commands.demo import last_morning, new_passphrase
from memory.models import JournalLine, JournalWords, JournalWriter, Strategy, StrategyUse
from memory.services.demo import diary
from memory.services.demo.acts import Began, Closed, Filled, Given, Happened, Measured, Said, Used
from memory.services.demo.labels import COURSES, labels
from memory.services.demo.story import march_start, story_now, tell_story
from memory.services.demo.write import NotEmpty, client_of, write_story
from tests.housemate import PASSPHRASE
from tests.makers import a_cat, a_household, a_person
from twin.models import (
    Dose,
    Event,
    FormFill,
    PersonProfile,
    ProfileVersion,
    Question,
    Record,
    RoundRun,
    Statement,
    Subject,
)
from twin.rules.categories import FIELDS, validate_signs
from twin.rules.courses import recurrence
from twin.rules.events import KINDS
from twin.rules.form_fields import is_level
from twin.rules.medicines import parse_schedule
from twin.services.days import day_of
from twin.services.rounds.run import due_days

TODAY = dt.date(2026, 4, 13)  # soon after March, so that the cat's book is short
NOT_NIGHTLY = (Began, Used, Happened, Given, Measured)  # acts that no round derives anything from
DAYS = 41  # from the day before March's ear course on
LANGUAGES = ("en", "tr")
NEVER_ALIKE = {"id", "gid", "epoch", "password", "last_login", "pk"}
ENGLISH = frozenset(
    "the and is was his he she it with no not very when again still red ear left leg day morning today"
    " evening limp eats firm stool fine looks back vet weighs smell sleep slept meltdown calm food".split()
)


def told(**changes):
    return tell_story(**{"seed": 1, "today": TODAY, "language": "en", **changes})


def last_days(story, days, *, whole=(Began,)):
    """The story with its last days only, but all acts of some kinds; its subjects are new then."""
    since = story.now - dt.timedelta(days=days)
    beings = [replace(one, created_at=max(one.created_at, since)) for one in story.beings]
    acts = [act for act in story.acts if act.at > since or isinstance(act, whole)]
    firsts = {one.key: one.created_at.date() for one in beings}
    acts = [act for act in acts if not isinstance(act, Closed) or act.day >= firsts[act.subject]]
    return replace(story, beings=tuple(beings), acts=tuple(acts))


def write(story):
    a_household()
    return write_story(story, parent=a_person("Ana"), passphrase=PASSPHRASE)


def content():
    """Every row of the twin, the memory and the people, without what no two databases share."""
    found = {}
    for model in (*_models("twin"), *_models("memory"), Person, Membership, Household):
        names = [field.attname for field in model._meta.concrete_fields if _is_compared(field)]
        rows = model._default_manager.values_list(*names) if names else [model._default_manager.count()]
        found[model.__name__] = sorted(
            re.sub(r"rec_\d+|(course|use|question):\d+", "_", repr(row)) for row in rows
        )
    return found


def _models(app):
    from django.apps import apps

    return apps.get_app_config(app).get_models()


def _is_compared(field):
    if field.name in NEVER_ALIKE or field.primary_key or field.is_relation:
        return False
    if field.model in (Person, Household) and field.name == "created_at":
        return False  # the house and Ana are there before the story
    # These name rows by their ids.
    return field.attname not in {"body", "envelope", "body_hash", "levels", "row_id"}


@pytest.fixture(scope="module")
def household(django_db_setup, django_db_blocker):
    """The demo with its last six weeks, written once for the tests that only look at it."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield write(last_days(told(), DAYS, whole=NOT_NIGHTLY))
        transaction.set_rollback(True)


# --- the story as a value -------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_seed_and_day_tell_the_same_story_and_another_seed_another_diary(language):
    assert told(language=language) == told(language=language)
    ours, theirs = told(language=language), told(language=language, seed=2)
    assert [act for act in ours.acts if isinstance(act, Said)] == [
        act for act in theirs.acts if isinstance(act, Said)
    ]
    assert [act for act in ours.acts if isinstance(act, Filled)] != [
        act for act in theirs.acts if isinstance(act, Filled)
    ]


def test_labels_and_their_order_are_the_same_in_both_languages_and_for_every_seed():
    assert [act.label for act in told().acts] == [act.label for act in told(language="tr").acts]
    named = [
        {act.label for act in told(seed=seed).acts if isinstance(act, Said | Happened)} for seed in (1, 9)
    ]
    assert named[0] == named[1]
    assert all(count == 1 for count in Counter(act.label for act in told().acts).values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_entry_fits_its_category_and_stands_in_the_words_that_were_said(language):
    said = [act for act in told(language=language).acts if isinstance(act, Said)]
    assert len(said) > 60
    for act in said:
        for entry in act.entries:
            assert validate_signs(entry.category, entry.signs) is not None
            assert entry.words in act.text, act.label
            assert entry.phrase is None or entry.phrase in act.text, act.label
            for name, value in entry.signs.items():
                if FIELDS[entry.category][name].kind == "text":  # a Turkish ending may soften the last letter
                    assert all(word[:4].lower() in act.text.lower() for word in value.split()), act.label


def test_the_turkish_story_speaks_no_english():
    story = told(language="tr")
    texts = [act.text for act in story.acts if isinstance(act, Said)]
    texts += [text for act in story.acts if isinstance(act, Happened) for text in act.words.values()]
    texts += [str(value) for act in story.acts if isinstance(act, Began) for value in act.columns.values()]
    for text in texts:
        words = set(re.findall(r"[^\W\d_]+", text.replace("İ", "i").lower()))
        assert not words & ENGLISH, text


def test_on_any_day_the_ear_of_march_was_over_and_comes_back_within_a_year():
    for number in range(3 * 366):
        day = dt.date(2026, 12, 25) + dt.timedelta(days=number)
        start = march_start(day)
        assert start.month == 3, day
        assert (day - start).days >= 34, day
        assert recurrence(day - dt.timedelta(days=9), [start]) is not None, day


@pytest.mark.parametrize("seed", range(12))
def test_the_diary_holds_its_two_patterns_for_any_seed(seed):
    days = diary.ninety_days(seed, {83: {"regulation": "meltdown"}, 79: {"environment": "changed"}})
    hard = {ago for ago, one in days.items() if one["regulation"] == "meltdown"}
    bad = {ago for ago, one in days.items() if one["sleep"] == "bad"}
    changed = {ago for ago, one in days.items() if one["environment"] == "changed"}
    high = {ago for ago, one in days.items() if one["arousal"] in diary.HIGH}
    assert (len(days), len(hard), len(bad)) == (90, 26, 27)
    assert len({ago - 1 for ago in bad} & hard) == 16
    assert (len(changed), len(high), len(changed & high)) == (20, 28, 14)
    assert days[83]["regulation"] == "meltdown" and days[79]["environment"] == "changed"


@pytest.mark.parametrize("today", [dt.date(2026, 3, 20), dt.date(2026, 11, 30), dt.date(2028, 2, 29)])
def test_the_story_knows_its_forms_kinds_and_schedules_and_stops_in_the_morning(today):
    story = told(today=today)
    kinds = {
        being.key: "person" if being.columns["species"] == "person" else "animal" for being in story.beings
    }
    assert max(act.at for act in story.acts) <= story.now == story_now(today)
    for act in story.acts:
        if isinstance(act, Filled):
            assert all(is_level(kinds[act.subject], *tap) for tap in act.levels.items())
        if isinstance(act, Happened):
            assert act.kind in KINDS
        if isinstance(act, Began) and act.what == "medicine":
            parse_schedule(act.columns["schedule"])
    for key in kinds:
        closed = [act.day for act in story.acts if isinstance(act, Closed) and act.subject == key]
        assert closed[-1] == today - dt.timedelta(days=1)
        assert closed == [closed[0] + dt.timedelta(days=n) for n in range(len(closed))]


# --- the household as it stands -------------------------------------------------------------------


def test_the_cat_has_an_open_ear_course_that_is_getting_better_and_a_closed_one_of_march(household):
    march, now = (
        Record.objects.get(pk=pk) for pk in (labels()["mavi.ear.march"][1], labels()["mavi.ear.now"][1])
    )
    assert (march.lifecycle, march.site, march.started_on) == ("closed", "left", march_start(TODAY))
    assert march.ended_on == march.started_on + dt.timedelta(days=8)
    assert (now.lifecycle, now.site) == ("active", "left")
    assert now.started_on == TODAY - dt.timedelta(days=9)
    ways = list(now.days.order_by("day").values_list("trajectory", flat=True))
    assert ways[0] == "onset" and "worsening" in ways and "improving" in ways
    assert recurrence(now.started_on, [march.started_on]) is not None
    assert Record.objects.courses().filter(subject=household["mavi"], category="ears").count() == 2


def test_the_drops_are_given_twice_a_day_and_once_refused(household):
    doses = Dose.objects.filter(medicine=labels()["mavi.drops.now"][1])
    assert Counter(doses.values_list("outcome", flat=True)) == {"given": 11, "refused": 1}


def test_the_dog_limped_for_four_days_and_one_question_about_him_waits(household):
    limp = Record.objects.get(pk=labels()["bruno.limp"][1])
    assert (limp.lifecycle, limp.category) == ("closed", "musculoskeletal")
    assert (limp.ended_on - limp.started_on).days == 3
    asked = Question.objects.filter(subject=household["bruno"]).order_by("id")
    assert list(asked.values_list("state", flat=True)) == ["answered", "open"]
    normal = Record.objects.filter(subject=household["bruno"], kind="symptom", polarity="normal")
    assert (
        normal.count()
        > 2
        * Record.objects.filter(
            subject=household["bruno"], lifecycle="day", kind="symptom", polarity="abnormal"
        ).count()
    )


def test_the_child_has_his_profile_ninety_days_of_forms_and_events_with_what_was_tried(household):
    leo = household["leo"]
    profile = PersonProfile.objects.get(subject=leo)
    for name in (
        "diagnoses",
        "sensory",
        "communication",
        "methodologies",
        "interests",
        "calming",
        "never_do",
    ):
        assert getattr(profile, name), name
    fills = FormFill.objects.filter(subject=leo, local_day__lt=TODAY)
    assert fills.values("local_day").distinct().count() == DAYS
    assert all(len(fill.levels) == 7 for fill in fills)
    assert len([act for act in told().acts if isinstance(act, Filled) and act.subject == "leo"]) == 91
    events = Event.objects.filter(subject=leo)
    assert events.count() == 27
    assert not events.filter(Q(antecedent="") | Q(behaviour="") | Q(tried="")).exists()
    assert events.filter(outcome="").count() == 1  # yesterday's, whose follow-up waits
    assert ProfileVersion.objects.filter(subject=leo).count() == 2


def test_what_helped_counts_as_its_uses_do_and_one_use_still_waits_for_its_outcome(household):
    for row in Strategy.objects.all():
        used = Counter(StrategyUse.objects.filter(strategy=row).values_list("outcome", flat=True))
        assert (row.successes, row.partials) == (used["success"], used["partial"]), row.name
        assert row.uses == used.total() - used["unknown"], row.name
    pressure = Strategy.objects.get(client_id=client_of("leo.deep_pressure"))
    assert (pressure.successes, pressure.partials, pressure.uses) == (9, 1, 12)
    timer = StrategyUse.objects.filter(strategy__client_id=client_of("leo.countdown_timer"))
    lately = timer.filter(on__gt=TODAY - dt.timedelta(weeks=8))
    assert (timer.filter(outcome="success").count(), lately.filter(outcome="success").count()) == (4, 0)
    assert lately.count() == 4
    assert StrategyUse.objects.filter(outcome="unknown").count() == 1
    assert set(Strategy.objects.values_list("lifecycle", flat=True)) == {"proposed", "in_use", "retired"}


def test_parents_and_a_grandmother_look_after_everybody(household):
    roles = Membership.objects.values_list("person__name", "role", "subject__name")
    names = ("Mavi", "Bruno", "Leo")
    wanted = {
        (who, role, name)
        for who, role in (("Ana", "parent"), ("Can", "parent"), ("Ayla", "family"))
        for name in names
    }
    assert set(roles) == wanted
    assert set(Statement.objects.values_list("author__name", flat=True)) == {"Ana", "Can", "Ayla"}


def test_every_day_is_closed_and_nothing_is_due_when_the_story_stops(household):
    for subject in household.values():
        assert due_days(subject, now=story_now(TODAY)) == []
        assert not RoundRun.objects.filter(subject=subject, is_dirty=True).exists()
        days = (TODAY - day_of(subject, subject.created_at)).days
        assert RoundRun.objects.filter(subject=subject).count() == days


def test_every_statement_is_a_turn_in_the_journal_and_the_writers_numbers_have_no_gap(household):
    heard = JournalLine.objects.filter(envelope__event="Heard")
    assert set(heard.values_list("turn", flat=True)) == set(Statement.objects.values_list("turn", flat=True))
    assert JournalWords.objects.filter(line__in=heard).count() == Statement.objects.count()
    assert sorted(JournalLine.objects.values_list("seq", flat=True)) == list(
        range(JournalLine.objects.count())
    )
    assert JournalWriter.objects.get(device="home").next_seq == JournalLine.objects.count()
    assert not Statement.objects.filter(read_at=None).exists()


def test_every_label_names_a_row_that_is_there(household):
    found = labels()
    assert set(COURSES) | set(household) <= set(found)
    for act in last_days(told(), DAYS, whole=NOT_NIGHTLY).acts:
        if isinstance(act, Said | Happened | Began):
            assert act.label in found, act.label
    models = {model._meta.label: model for model in (*_models("twin"), *_models("memory"))}
    assert all(models[name].objects.filter(pk=pk).exists() for name, pk in found.values())
    assert {found[key][1] for key in household} == {subject.pk for subject in household.values()}
    assert Record.objects.get(pk=found["mavi.ear.march.1.record.2"][1]).age_high_months == 6


@pytest.mark.long
@pytest.mark.django_db
def test_the_whole_story_stands_in_the_book():
    subjects = write(told(today=dt.date(2026, 11, 30)))
    assert FormFill.objects.filter(subject=subjects["leo"]).values("local_day").distinct().count() == 91
    courses = Record.objects.courses()
    assert list(
        courses.filter(subject=subjects["mavi"]).order_by("id").values_list("lifecycle", flat=True)
    ) == [
        "closed",
        "active",
    ]
    found = labels()
    loose, sick = (
        Record.objects.get(pk=found[f"{label}.record"][1])
        for label in ("bruno.diarrhoea.1", "mavi.vomiting.1")
    )
    assert [(one.lifecycle, one.polarity, one.severity) for one in (loose, sick)] == [
        ("day", "abnormal", 2)
    ] * 2
    assert all(act.label in found for act in told().acts if isinstance(act, Said | Happened | Began))


# --- writing it -----------------------------------------------------------------------------------


@pytest.mark.django_db
def test_writing_the_same_story_twice_gives_the_same_book():
    books = []
    for _ in range(2):
        with transaction.atomic():
            write(last_days(told(), 6))
            books.append(content())
            transaction.set_rollback(True)
    for table, rows in books[0].items():
        assert rows == books[1][table], table
    assert books[0]["Record"] and books[0]["StrategyUse"] and books[0]["RoundRun"]


@pytest.mark.django_db
def test_the_turkish_household_is_written_in_turkish():
    subjects = write(last_days(told(language="tr"), 2))
    assert set(Statement.objects.values_list("language", flat=True)) == {"tr"}
    assert {subject.language for subject in subjects.values()} == {"tr"}
    assert Strategy.objects.get(client_id=client_of("leo.deep_pressure")).name == "Derin basınç"


@pytest.mark.django_db
def test_the_command_fills_an_empty_book_makes_its_people_and_says_how_to_sign_in(monkeypatch):
    from memory.management.commands import demo

    monkeypatch.setattr(demo, "tell_story", lambda **options: last_days(tell_story(**options), 2))
    monkeypatch.setattr(demo, "spend", lambda: None)  # the code of the tests' own data folder
    out = StringIO()
    call_command(
        "demo", today=TODAY, language="tr", passphrase="ılık ekmek ve bal", subjects=4, years=0.05, stdout=out
    )
    ana = Person.objects.get_by_natural_key("Ana")
    assert ana.check_password("ılık ekmek ve bal") and ana.language == "tr"
    assert "Sign in as Ana, Can and Ayla with the passphrase: ılık ekmek ve bal" in out.getvalue()
    assert Subject.objects.count() == 4
    with pytest.raises(CommandError, match="already holds Mavi, Bruno, Leo and others"):
        call_command("demo", today=TODAY)


@pytest.mark.django_db
def test_an_existing_household_keeps_its_people_and_its_first_person_is_the_parent(monkeypatch):
    from memory.management.commands import demo

    monkeypatch.setattr(demo, "tell_story", lambda **options: last_days(tell_story(**options), 2))
    a_household(time_zone="America/New_York", language="en")
    zeynep = a_person("Zeynep", passphrase=PASSPHRASE)
    out = StringIO()
    call_command("demo", today=TODAY, stdout=out)
    assert "Sign in as Zeynep as before, as Can and Ayla with:" in out.getvalue()
    assert zeynep.memberships.filter(role="parent").count() == 3
    assert not Person.objects.filter(name="Ana").exists()
    assert set(Subject.objects.values_list("time_zone", flat=True)) == {"America/New_York"}


@pytest.mark.django_db
def test_a_book_that_holds_somebody_is_refused_in_one_sentence():
    a_cat(name="Pati")
    with pytest.raises(CommandError) as refused:
        call_command("demo", today=TODAY)
    assert str(refused.value) == "The book already holds Pati: the demo fills an empty one only."
    with pytest.raises(NotEmpty):
        write(last_days(told(), 1))
    assert Subject.objects.count() == 1


def test_a_passphrase_is_new_each_time_and_the_story_waits_for_its_morning():
    assert new_passphrase() != new_passphrase()
    assert re.fullmatch(r"([a-z]{4}-){3}[a-z]{4}", new_passphrase())
    early, late = dt.datetime(2026, 4, 13, 4, tzinfo=dt.UTC), dt.datetime(2026, 4, 13, 6, tzinfo=dt.UTC)
    assert last_morning(early, zone="Europe/Istanbul") == TODAY - dt.timedelta(days=1)
    assert last_morning(late, zone="Europe/Istanbul") == TODAY
