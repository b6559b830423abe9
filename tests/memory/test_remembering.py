"""Task memory, settled facts and topics never learned: on real rows, through services and pages."""

from __future__ import annotations

import datetime as dt

import pytest

from household.access import seen_by
from memory.models import Drawer, JournalLine, JournalWords, NeverTopic, OpenQuestion, SettledFact, WorkingSet
from memory.rules.drawers import AT_MOST, Closes
from memory.rules.never import said_in
from memory.rules.working_set import Brought
from memory.services import never, open_questions, settled, working_sets
from memory.services.turns import tell, undo
from tests.makers import a_cat, a_child, a_membership, a_person, signed_in
from twin.models import AgendaItem, Frame, ProfileVersion, Question, Record
from twin.services.days import day_of
from twin.services.rounds.run import catch_up

pytestmark = pytest.mark.django_db(transaction=True)
NOW = dt.datetime(2026, 11, 30, 18, 0, tzinfo=dt.UTC)
MORNING = dt.datetime(2026, 11, 29, 9, 0, tzinfo=dt.UTC)


def a_house(when: dt.datetime = MORNING):
    ana = a_person()
    return ana, a_cat(ana, now=when - dt.timedelta(days=1))


def waits(**fields):
    return list(OpenQuestion.objects.filter(**fields).values_list("category", "sign", "state"))


def test_a_finding_asks_what_is_worth_knowing_once_for_each_topic():
    ana, cat = a_house()
    tell(person=ana, text="she vomited", client_id="a", now=NOW, subject_id=cat.pk)
    assert waits() == [("upper_digestive", "vomit_count", "open")]
    tell(person=ana, text="she vomited again", client_id="b", now=NOW, subject_id=cat.pk)
    assert len(waits()) == Drawer.objects.count() == 1


def test_a_statement_closes_its_question_by_id_and_undo_opens_it_again():
    ana, cat = a_house()
    tell(person=ana, text="she vomited", client_id="a", now=NOW, subject_id=cat.pk)
    question = OpenQuestion.objects.get()
    later = NOW + dt.timedelta(minutes=5)
    turn = tell(person=ana, text="she vomited three times", client_id="b", now=later, subject_id=cat.pk)
    question.refresh_from_db()
    assert (question.state, question.closed_through, question.closed_at) == ("closed", "statement", later)
    undo(person=ana, turn=turn.turn, now=later + dt.timedelta(seconds=20))
    question.refresh_from_db()
    assert (question.state, question.closed_at, question.closed_entry_id) == ("open", None, None)


def a_question(cat, category="", sign="", profile_field="", *, at=NOW):
    intents = [category or "metabolic_weight"]
    drawer = Drawer.objects.get_or_create(
        subject=cat, intents=intents, defaults={"opened_at": at, "touched_at": at}
    )[0]
    return OpenQuestion.objects.create(
        subject=cat, drawer=drawer, category=category, sign=sign, profile_field=profile_field,
        asked_at=at, revived_at=at,
    )  # fmt: skip


def test_the_profile_and_a_document_close_theirs():
    _ana, cat = a_house()
    food, odour = a_question(cat, profile_field="food_g"), a_question(cat, "ears", "odour")
    ProfileVersion.objects.create(
        subject=cat, version=1, measured_on=NOW.date(), values={"food_g": 60}, client_id="p"
    )
    Record.objects.create(
        subject=cat, kind="history", category="ears", signs={"odour": False}, provenance="document"
    )
    food.refresh_from_db(), odour.refresh_from_db()
    assert (food.state, food.closed_through) == ("closed", "profile")
    assert (odour.state, odour.closed_through) == ("closed", "document")


def test_what_nobody_looked_at_closes_nothing():
    ana, cat = a_house()
    question = a_question(cat, "ears", "side")
    tell(person=ana, text="I didn't look at her ears", client_id="x", now=NOW, subject_id=cat.pk)
    question.refresh_from_db()
    assert question.state == "open"


def test_unanswered_for_a_week_it_sleeps_and_wakes_with_its_topic():
    ana, cat = a_house(dt.datetime(2026, 11, 20, 9, tzinfo=dt.UTC))
    asked = dt.datetime(2026, 11, 20, 12, tzinfo=dt.UTC)
    question = a_question(cat, "ears", "odour", at=asked)
    for _run in catch_up(cat, now=asked + dt.timedelta(days=6, hours=23)):
        pass
    question.refresh_from_db()
    assert question.state == "open"
    for _run in catch_up(cat, now=asked + dt.timedelta(days=9)):
        pass
    question.refresh_from_db()
    assert question.state == "dormant"
    tell(person=ana, text="she scratches her ear", client_id="e", now=NOW, subject_id=cat.pk)
    question.refresh_from_db()
    assert (question.state, question.revived_at) == ("open", NOW)


def test_a_settled_fact_closes_its_question_and_nobody_is_asked_again_until_it_is_taken_back():
    ana, cat = a_house()
    question = a_question(cat, "skin_coat", "parasites")
    with seen_by(ana, now=NOW):
        fact = settled.settle(
            person=ana, subject_id=cat.pk, kind="ruled_out", text="no mites", category="skin_coat",
            sign="parasites", client_id="f", now=NOW,
        )  # fmt: skip
    question.refresh_from_db()
    assert (question.state, question.closed_through) == ("closed", "settled")
    assert settled.settled_on(cat.pk, NOW.date()) == {Closes("skin_coat", "parasites")}
    drawer = Drawer.objects.get()
    assert open_questions.ask(
        subject_id=cat.pk, closes=Closes("skin_coat", "parasites"), drawer=drawer, author_id=None, now=NOW
    ) is None  # fmt: skip
    with seen_by(ana, now=NOW):
        settled.retire(person=ana, fact_id=fact.pk, now=NOW)
    question.refresh_from_db()
    assert question.state == "open"
    assert settled.settled_on(cat.pk, NOW.date()) == frozenset()


def test_newer_evidence_ends_what_it_contradicts_and_both_stay():
    ana, cat = a_house()
    about = {"category": "blood_immune", "sign": "allergic_reaction"}
    with seen_by(ana, now=NOW):
        old = settled.settle(
            person=ana, subject_id=cat.pk, kind="ruled_out", text="no allergy", client_id="1", now=NOW,
            valid_from=dt.date(2026, 3, 1), **about,
        )  # fmt: skip
        new = settled.settle(
            person=ana, subject_id=cat.pk, kind="settled", text="allergic to chicken", client_id="2", now=NOW,
            valid_from=dt.date(2026, 11, 1), **about,
        )  # fmt: skip
    old.refresh_from_db()
    assert old.valid_until == dt.date(2026, 10, 31)
    assert new.contradicts_id == old.pk
    assert [fact.pk for fact in settled.facts_on(cat.pk, dt.date(2026, 6, 1))] == [old.pk]
    assert [fact.pk for fact in settled.facts_on(cat.pk, NOW.date())] == [new.pk]


def test_the_night_lays_out_what_is_ruled_out_and_asks_what_waits():
    ana, cat = a_house()
    with seen_by(ana, now=MORNING):
        settled.settle(
            person=ana, subject_id=cat.pk, kind="ruled_out", text="no mites", category="skin_coat",
            sign="parasites", client_id="f", now=MORNING,
        )  # fmt: skip
    tell(person=ana, text="she vomited", client_id="a", now=MORNING, subject_id=cat.pk)
    question = OpenQuestion.objects.get()
    for _run in catch_up(cat, now=NOW):
        pass
    assert Frame.objects.get().body["ruled_out"] == [{"record": "", "text": "no mites"}]
    item = AgendaItem.objects.get(key=f"question:{question.pk}")
    client = signed_in(ana)
    client.post(f"/agenda/{item.pk}", {"answer": "words", "words": "three times", "client_id": "t"})
    question.refresh_from_db()
    assert question.state == "open"  # no number is said in it
    client.post(f"/agenda/{item.pk}", {"answer": "words", "words": "3 times", "client_id": "t2"})
    question.refresh_from_db()
    assert (question.state, question.closed_through) == ("closed", "form")


def many_questions(ana, cat):
    text = "she vomited, limps, scratches her ear, has diarrhoea and coughs"
    return tell(person=ana, text=text, client_id="many", now=dt.datetime.now(dt.UTC), subject_id=cat.pk)


def asked_on(page: str) -> int:
    """How many questions a page asks."""
    return sum(page.count(f'hx-post="/{way}/') for way in ("waiting", "questions", "agenda"))


def test_no_path_shows_more_than_two_questions():
    ana, cat = a_house()
    turn = many_questions(ana, cat)
    assert len(waits(state="open")) > AT_MOST
    client, now = signed_in(ana), dt.datetime.now(dt.UTC)
    shown = {"turn": asked_on(client.get(f"/turns/{turn.turn}").content.decode())}
    words = "recently her eye was red, recently she limped, recently she had a rash and recently a seizure"
    told = client.post(
        "/tell", {"words": words, "subject": cat.pk, "client_id": "u"}, headers={"HX-Request": "true"}
    )
    shown["told"] = asked_on(told.content.decode())
    with seen_by(ana, now=now):
        shown["answer"] = len(open_questions.questions_for(ana, cat.pk, now=now))
        shown["answer beside one"] = len(open_questions.questions_for(ana, cat.pk, taken=1, now=now)) + 1
        shown["answer beside three"] = len(open_questions.questions_for(ana, cat.pk, taken=3, now=now))
    shown["night"] = len(open_questions.waiting_questions(cat.pk, now.date(), now + dt.timedelta(days=1)))
    for rank, one in enumerate(OpenQuestion.objects.filter(state="open").order_by("id")[:3], 1):
        AgendaItem.objects.create(
            subject=cat, day=day_of(cat, now), rank=rank, key=f"question:{one.pk}",
            category=one.category, asks={"signs": [one.sign]},
        )  # fmt: skip
    shown["today with clarifying ones"] = asked_on(client.get("/").content.decode())
    Question.objects.update(state="expired", closed_at=now)
    shown["today"] = asked_on(client.get("/").content.decode())
    assert shown == {
        "turn": 2, "told": 2, "answer": 2, "answer beside one": 2, "answer beside three": 0, "night": 2,
        "today with clarifying ones": 2, "today": 2,
    }  # fmt: skip


def test_a_question_is_answered_by_a_tap_on_the_page_of_its_turn():
    ana, cat = a_house()
    turn = tell(
        person=ana, text="she is itching", client_id="a", now=dt.datetime.now(dt.UTC), subject_id=cat.pk
    )
    question = OpenQuestion.objects.get()
    client = signed_in(ana)
    assert f'id="waiting-{question.pk}"' in client.get(f"/turns/{turn.turn}").content.decode()
    bad = client.post(f"/waiting/{question.pk}/answer", {"answer": "purple"})
    assert bad.status_code == 422
    for _twice in range(2):
        answered = client.post(
            f"/waiting/{question.pk}/answer", {"answer": "words", "words": "left paw", "client_id": "same"}
        )
        assert answered.status_code == 302
    question.refresh_from_db()
    assert question.state == "closed"
    assert (
        signed_in(a_person("Eve")).post(f"/waiting/{question.pk}/answer", {"answer": "yes"}).status_code
        == 404
    )


@pytest.mark.parametrize(
    ("topic", "fact"),
    [
        ("school fees", "We still owe the school fees for March"),
        ("school fees", "The tuition bill came and we cannot pay it"),
        ("okul ücreti", "okulun ücretini ödeyemedik"),
        ("school fees", "okul taksitini geciktirdik"),
        ("divorce", "He asked why mum and dad are getting divorced"),
    ],
)
def test_a_fact_on_a_listed_topic_is_dropped_and_only_that_is_journalled(topic, fact):
    ana, cat = a_house()
    with seen_by(ana, now=NOW):
        never.add_topic(person=ana, subject_id=cat.pk, topic=topic, client_id="n", now=NOW)
    assert not never.may_remember(subject_id=cat.pk, said=said_in(fact), turn="t-1", now=NOW)
    line = JournalLine.objects.get()
    assert (line.envelope["event"], line.turn) == ("NotRemembered", "t-1")
    assert JournalWords.objects.get(line=line).body == {"fact": "", "why": "never_topic"}
    other = said_in("He loves his new school")
    assert never.may_remember(subject_id=cat.pk, said=other, turn="t-2", now=NOW)
    kept = said_in("")
    assert never.touched(cat.pk, [kept, said_in(fact), other]) == [False, True, False]
    assert never.touched(cat.pk, []) == []


def test_a_working_set_advances_once_a_turn_and_takes_up_again_what_is_named():
    ana, cat = a_house()
    found = [
        Brought("rec_000123", "ears", NOW.date()),
        Brought("rec_000124", "ears", NOW.date(), "rec_000123"),
    ]
    for _twice in range(2):
        held = working_sets.advance(
            person=ana,
            subject_id=cat.pk,
            conversation="c",
            turn="t1",
            text="",
            brought=found,
            now=NOW,
        )
    assert (held.count, set(held.held)) == (1, {"rec_000123", "rec_000124"})
    for n in range(2, 5):
        held = working_sets.advance(
            person=ana, subject_id=cat.pk, conversation="c", turn=f"t{n}", text="", brought=(), now=NOW
        )
    assert (dict(held.held), [stub.ref for stub in held.stubs]) == ({}, ["rec_000123", "rec_000124"])
    held = working_sets.advance(
        person=ana,
        subject_id=cat.pk,
        conversation="c",
        turn="t5",
        text="what was rec_000123?",
        brought=(),
        now=NOW,
    )
    assert set(held.held) == {"rec_000123"}
    assert WorkingSet.objects.count() == 1


def test_parents_settle_and_list_on_one_page(django_assert_max_num_queries):
    ana, cat = a_house()
    client, url = signed_in(ana), f"/book/{cat.pk}/settled"
    good = {"kind": "ruled_out", "text": "no mites", "about": "skin_coat.parasites", "client_id": "one"}
    assert [client.post(url, good).status_code for _twice in range(2)] == [302, 302]
    assert SettledFact.objects.count() == 1
    bad = client.post(url, {**good, "client_id": "two", "valid_from": "2099-01-01"})
    assert bad.status_code == 422 and "no mites" in bad.content.decode()
    assert client.post(url, {**good, "text": "", "client_id": "3"}).status_code == 422
    topic = {"never-topic": "school fees", "never-client_id": "t"}
    assert [client.post(f"/book/{cat.pk}/never", topic).status_code for _twice in range(2)] == [302, 302]
    assert client.post(f"/book/{cat.pk}/never", {"never-topic": " "}).status_code == 422
    with django_assert_max_num_queries(10):
        page = client.get(url).content.decode()
    assert "no mites" in page and "school fees" in page
    client.post(f"/facts/{SettledFact.objects.get().pk}/retire")
    client.post(f"/topics/{NeverTopic.objects.get().pk}/remove")
    assert SettledFact.objects.get().retired_by == ana and not NeverTopic.objects.exists()
    eve = signed_in(a_person("Eve"))
    assert eve.get(url).status_code == eve.post(url, good).status_code == 404


def test_others_words_open_no_drawer():
    ana, _cat = a_house()
    leo = a_child(ana, now=MORNING)
    kaya = a_person("Ms. Kaya")
    a_membership(kaya, leo, "teacher")
    tell(person=kaya, text="he vomited", client_id="k", now=NOW, subject_id=leo.pk)
    assert not Drawer.objects.exists()


def test_correcting_the_record_a_fact_rests_on_retires_the_fact_at_once():
    ana, cat = a_house()
    wrong = Record.objects.create(subject=cat, kind="history", category="ears")
    with seen_by(ana, now=NOW):
        fact = settled.settle(
            person=ana,
            subject_id=cat.pk,
            kind="settled",
            text="deaf",
            rec_id=wrong.rec_id,
            client_id="f",
            now=NOW,
        )
    right = Record.objects.create(subject=cat, kind="history", category="ears", created_at=NOW)
    wrong.superseded_by = right
    wrong.save(update_fields=["superseded_by"])
    fact.refresh_from_db()
    assert fact.retired_at == NOW
