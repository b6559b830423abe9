"""Asking on from an answer, and what a question leaves: settled facts, the journal, what is asked back."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection

from household.access import seen_by
from household.models import Membership
from memory.models import (
    Answer,
    CachedAnswer,
    Drawer,
    JournalLine,
    JournalWords,
    NeverTopic,
    OpenQuestion,
    Question,
    WorkingSet,
)
from memory.rules.never import said_in
from memory.services.asking import preparing
from memory.services.never import add_topic, touched
from memory.services.retrieving import retrieve
from memory.services.settled import settle
from tests.fake_model import FakeModel
from tests.makers import a_membership, a_never_topic, signed_in
from tests.memory.asking.conftest import HELP, NOW, House, answered
from tests.second_wall import as_web

# --- a conversation ---


def followed(house: House, after: Answer, words: str, **changes: Any) -> Answer:
    return answered(house, words, follows=after.pk, **changes)


def test_a_follow_up_means_what_was_asked_before(house: House) -> None:
    first = answered(house, "is she still scratching her ear?", subject_id=house.mavi.pk)
    alone = answered(house, "since when?", subject_id=house.mavi.pk)
    second = followed(house, first, "and since when?", subject_id=house.mavi.pk)
    third = followed(house, second, "and how many times?", subject_id=house.mavi.pk)
    ears = set(first.evidence.exclude(record=None).values_list("record_id", flat=True))
    assert ears and ears >= set(second.evidence.exclude(record=None).values_list("record_id", flat=True))
    assert second.evidence.exclude(record=None).exists() and not second.says_nothing
    assert third.evidence.exclude(record=None).exists()
    assert alone.text != second.text


def test_a_conversation_holds_what_its_answers_rest_on_and_sets_it_down(house: House) -> None:
    first = answered(house)
    held = WorkingSet.objects.get()
    assert (held.author, held.conversation, held.state["count"]) == (house.ana, first.question.turn, 1)
    cited = {f"evt_{event.pk:06d}" for event in house.events} | {f"str_{house.quiet.pk:06d}"}
    assert cited <= {one["ref"] for one in held.state["held"]}
    last = first
    for number in range(3):
        last = followed(house, last, f"how was the dentist {number}?")
    held.refresh_from_db()
    assert held.state["count"] == 4 and not held.state["held"]
    assert cited <= {one["ref"] for one in held.state["stubs"]}
    assert WorkingSet.objects.count() == 1


@pytest.mark.parametrize("whose", ["another subject", "another person", "nobody"])
def test_an_answer_of_somebody_else_or_about_somebody_else_is_gone_on_with_by_nobody(
    house: House, whose: str
) -> None:
    first = answered(house, "is her ear still red?", subject_id=house.mavi.pk)
    match whose:
        case "another subject":
            other = followed(house, first, "and since when?")
        case "another person":
            a_membership(house.ito, house.mavi, "vet")
            other = followed(house, first, "and since when?", subject_id=house.mavi.pk, person=house.ito)
        case _:
            first.pk = 999_999
            other = followed(house, first, "and since when?", subject_id=house.mavi.pk)
    assert WorkingSet.objects.filter(conversation=other.question.turn).exists()


NARROWED = {"a window": {"data_from": NOW.date()}, "an override": {"overrides": {"memory:view": False}}}


@pytest.mark.parametrize("how", ["as it was", "wider", *NARROWED])
def test_a_conversation_begins_anew_where_less_may_be_viewed_than_before(
    house: House, model: FakeModel, how: str
) -> None:
    place = Membership.objects.get(person=house.ito, subject=house.leo)
    if how == "wider":
        Membership.objects.filter(pk=place.pk).update(**NARROWED["a window"])
    model.streams("Go out at once [S1].")
    first = answered(house, person=house.ito)
    after = {"wider": {"data_from": None}, **NARROWED}.get(how, {})
    Membership.objects.filter(pk=place.pk).update(**{"overrides": {}, **after})
    other = followed(house, first, "and how long does it last?", person=house.ito)
    sent = [one["messages"][1]["content"].partition("<asked-before>")[2] for one in model.asked]
    is_on = WorkingSet.objects.filter(conversation=first.question.turn, state__count=2).exists()
    assert is_on is (how not in NARROWED)
    assert WorkingSet.objects.filter(conversation=other.question.turn).exists() is not is_on
    assert any(HELP in one for one in sent) is is_on


def test_a_follow_up_goes_from_the_answers_own_page(house: House, django_assert_max_num_queries: Any) -> None:
    client = signed_in(house.ana)
    first = answered(house, "is her ear still red?", subject_id=house.mavi.pk)
    page = client.get(f"/ask/{first.pk}").content.decode()
    assert f'name="follows" value="{first.pk}"' in page
    form = {"subject": house.mavi.pk, "follows": first.pk, "words": "and since when?", "client_id": "f"}
    sent = [client.post("/ask/", form) for _twice in range(2)]
    assert sent[0]["Location"] == sent[1]["Location"] and Question.objects.count() == 2
    with django_assert_max_num_queries(12):
        page = client.get(sent[0]["Location"]).content.decode()
    assert f'href="/ask/{first.pk}"' in page
    form |= {"follows": "x", "client_id": "g"}
    assert client.post("/ask/", form).status_code == 302


def test_a_professional_goes_on_in_a_conversation_of_their_own(house: House) -> None:
    client = signed_in(house.ito)
    form = {"subject": house.leo.pk, "words": HELP, "client_id": "f"}
    first = client.post("/ask/", form)
    assert first.status_code == 302
    more = form | {
        "words": "and how often?",
        "follows": first["Location"].rsplit("/", 1)[-1],
        "client_id": "g",
    }
    assert client.post("/ask/", more).status_code == 302
    held = WorkingSet.objects.get()
    assert (held.author, held.state["count"]) == (house.ito, 2)


def test_a_model_gets_a_line_for_each_row_the_chosen_in_full_and_what_was_asked_before(
    house: House, model: FakeModel
) -> None:
    model.streams("Go out at once [S1].")
    followed(house, answered(house), "and how long does it last?")
    text = model.asked[-1]["messages"][1]["content"]
    lines = text.split("<catalogue>\n")[1].split("\n</catalogue>")[0].splitlines()
    assert any(line.startswith("E1 | meltdown | ") for line in lines)
    assert "queue" not in "".join(lines) and "queue" in text
    assert HELP in text.split("<asked-before>")[1]
    assert text.rstrip().endswith("</question>")


def test_what_is_settled_is_said_and_goes_with_the_fact(house: House, model: FakeModel) -> None:
    with seen_by(house.ana, now=NOW):
        fact = settle(
            person=house.ana,
            subject_id=house.mavi.pk,
            kind="ruled_out",
            text="no ear mites",
            category="ears",
            sign="odour",
            settled_by="Dr. Vogel",
            client_id="f",
            now=NOW,
        )
    model.streams("No mites [O1].")
    answer = answered(house, "why is she scratching her ear?", subject_id=house.mavi.pk)
    assert answer.evidence.filter(fact=fact).exists()
    assert "no ear mites" in model.asked[0]["messages"][1]["content"]
    model.status = 500
    composed = answered(house, "is her ear still red?", subject_id=house.mavi.pk)
    assert "Ruled out" in composed.text and "no ear mites" in composed.text
    page = signed_in(house.ana).get(f"/ask/{composed.pk}").content.decode()
    assert f"/book/{house.mavi.pk}/settled" in page
    fact.delete()
    assert not Answer.objects.exists() and not CachedAnswer.objects.exists()


def test_of_a_topic_never_to_be_learned_nothing_is_kept_beside_the_answer(
    house: House, model: FakeModel
) -> None:
    with seen_by(house.ana, now=NOW):
        add_topic(person=house.ana, subject_id=house.leo.pk, topic="supermarket", client_id="n", now=NOW)
    model.streams("Out at once [S1].")
    answered(house)
    assert not WorkingSet.objects.exists() and not CachedAnswer.objects.exists()
    said = JournalLine.objects.filter(envelope__event="NotRemembered")
    assert said.count() == 1


def test_who_may_not_read_the_topics_is_held_to_them_too(house: House, model: FakeModel) -> None:
    a_never_topic(house.leo, "supermarket")
    model.streams("Out at once [S1].")
    with as_web():
        answered(house, person=house.ito)
        with seen_by(house.ito, now=NOW):
            assert not NeverTopic.objects.exists()
            said = said_in("the supermarket")
            assert touched(house.leo.pk, [said, said_in("the sea")]) == [True, False]
        with seen_by(house.eve, now=NOW):
            assert touched(house.leo.pk, [said]) == [False]
    assert Answer.objects.get().author == house.ito
    assert not WorkingSet.objects.exists() and not CachedAnswer.objects.exists()
    assert not JournalLine.objects.filter(envelope__event="NotRemembered").exists()  # it is theirs alone


@pytest.mark.django_db(transaction=True)
def test_nobody_waits_for_the_journal_while_an_answer_is_gathered(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_never_topic(house.leo, "supermarket")
    written: list[Any] = []

    def gathered(**asked: Any) -> Any:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_current_xact_id_if_assigned()")
            written.extend(cursor.fetchone())
        return retrieve(**asked)

    monkeypatch.setattr(preparing, "retrieve", gathered)
    answered(house)
    assert written == [None]
    assert JournalLine.objects.filter(envelope__event="NotRemembered").count() == 1


def test_a_parents_question_stands_in_the_journal_and_a_professionals_does_not(house: House) -> None:
    mine = answered(house)
    answered(house, "what helps him at the supermarket?", person=house.ito)
    line = JournalLine.objects.get(envelope__event="Heard")
    assert (line.turn, line.subject, line.author) == (mine.question.turn, house.leo, house.ana)
    assert JournalWords.objects.get(line=line).body["text"] == HELP


def test_an_answer_asks_back_what_its_topic_waits_for_and_two_at_most(house: House) -> None:
    client = signed_in(house.ana)
    drawers = {key: Drawer.objects.create(subject=house.mavi, intents=[key], opened_at=NOW, touched_at=NOW)
               for key in ("ears", "eyes")}  # fmt: skip
    for key, sign in (("ears", "odour"), ("ears", "discharge"), ("ears", "pain"), ("eyes", "redness")):
        OpenQuestion.objects.create(
            subject=house.mavi,
            drawer=drawers[key],
            category=key,
            sign=sign,
            asked_at=NOW,
            revived_at=NOW,
        )
    answer = answered(house, "is her ear still red?", subject_id=house.mavi.pk)
    page = client.get(f"/ask/{answer.pk}").content.decode()
    assert page.count('class="ask" id="waiting-') == 2
    assert "eye" not in page.split('id="waiting-', 1)[1].split("<details", 1)[0].lower()
    other = answered(house, "how did she sleep?", subject_id=house.mavi.pk)
    assert 'id="waiting-' not in client.get(f"/ask/{other.pk}").content.decode()
