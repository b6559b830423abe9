"""Asking on from an answer, and what a question leaves: settled facts, the journal, what is asked back."""

from __future__ import annotations

from typing import Any

import pytest

from household.access import seen_by
from memory.models import (
    Answer,
    CachedAnswer,
    Drawer,
    JournalLine,
    JournalWords,
    OpenQuestion,
    Question,
    WorkingSet,
)
from memory.services.never import add_topic
from memory.services.settled import settle
from tests.fake_model import FakeModel
from tests.makers import a_membership, signed_in
from tests.memory.asking.conftest import HELP, NOW, House, answered

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
