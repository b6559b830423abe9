"""Asking as a whole: what is kept, who sees it, what happens when a model fails, and when an answer goes."""

from __future__ import annotations

import datetime as dt
import gc
import json
from typing import Any

import pytest

from household import env
from household.access import Denied, seen_by, visible
from household.models import AccessLog
from household.rules.permissions import Resource
from memory.models import (
    Answer,
    AnswerEvidence,
    Question,
)
from memory.services.asking import (
    EmptyQuestion,
    EvidenceGone,
    Place,
    QuestionTooLong,
    TooManyStreams,
    Written,
    prepare,
    store,
    write,
)
from memory.services.asking.streams import most
from memory.services.finding.entries import fill_due
from tests.makers import a_membership, a_person, a_statement, signed_in
from tests.memory.asking.conftest import HELP, NOW, TODAY, House, an_event, answered

# --- without a model ---


def test_the_composer_says_what_helped_with_its_counts_and_where_it_stands(house: House) -> None:
    answer = answered(house)
    assert answer.source == "composer"
    assert "A quiet place: helped 2 of 3 times" in answer.text
    cited = AnswerEvidence.objects.filter(answer=answer, is_cited=True)
    assert set(cited.exclude(event=None).values_list("event_id", flat=True)) == {e.pk for e in house.events}
    assert house.quiet.pk in cited.values_list("strategy_id", flat=True)


def test_a_question_in_turkish_is_answered_in_turkish(house: House) -> None:
    assert "denemenin 2 tanesinde" in answered(house, "süpermarkette yine kriz geçirdi, ne yapayım?").text


@pytest.mark.parametrize(
    "words", ["has he ever had a seizure?", "how was the dentist?", "hiç havale geçirdi mi?"]
)
def test_nothing_recorded_is_said_plainly(house: House, words: str) -> None:
    answer = answered(house, words)
    assert answer.says_nothing
    assert answer.text.startswith(("Nothing recorded", "Leo için bu konuda kayıtlı bir şey yok"))


def test_a_question_about_another_subject_is_not_answered_from_this_book(house: House) -> None:
    answer = answered(house, "how is Mavi's ear?")
    assert answer.says_nothing
    assert "Mavi" in answer.text
    assert not answer.evidence.exists()


def test_a_red_flag_in_the_question_comes_first(house: House) -> None:
    text = answered(house, "he is having a seizure right now, what do I do?").text
    assert text.startswith("## First")


@pytest.mark.parametrize(("words", "says"), [("hello", "Hello"), ("thanks!", "welcome"), ("12 + 30", "42")])
def test_small_talk_looks_nothing_up(house: House, words: str, says: str) -> None:
    answer = answered(house, words)
    assert says in answer.text
    assert answer.effort == "minimal"


def test_the_same_form_posted_twice_is_one_question(house: House) -> None:
    assert answered(house).pk == answered(house).pk
    assert Question.objects.count() == Answer.objects.count() == 1


def test_other_words_under_a_used_id_are_another_question(house: House) -> None:
    answered(house, client_id="one")
    answered(house, "what helps at the supermarket?", client_id="one")
    assert Question.objects.count() == 2


@pytest.mark.parametrize(("words", "error"), [("  ", EmptyQuestion), ("x" * 2_001, QuestionTooLong)])
def test_a_question_has_a_length(house: House, words: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        answered(house, words)
    assert not Question.objects.exists()


def test_what_a_question_costs_does_not_grow_with_the_history(
    house: House, django_assert_max_num_queries: Any
) -> None:
    fill_due()
    with django_assert_max_num_queries(60) as few:
        answered(house)
    for ago in range(100, 160):
        an_event(house.leo, TODAY - dt.timedelta(days=ago))
        a_statement(house.leo, house.ana, "a calm day", said_at=NOW - dt.timedelta(days=ago))
    fill_due()
    with django_assert_max_num_queries(60) as more:
        answered(house, HELP + " now")
    assert len(more) <= len(few) + 1


# --- who sees it ---


def test_a_professionals_question_is_theirs_alone_and_parents_see_only_that_they_asked(house: House) -> None:
    answer = answered(house, "what helps him at the supermarket?", person=house.ito)
    assert answer.is_private
    with seen_by(house.ana, now=NOW):
        assert not visible(house.ana, Resource.CONVERSATION, Question.objects.all()).exists()
    look = AccessLog.objects.get(person=house.ito)
    assert look.resource == "conversation"
    assert "supermarket" not in json.dumps(look.row_ids)
    assert signed_in(house.ana).get(f"/ask/{answer.pk}").status_code == 404
    assert signed_in(house.ito).get(f"/ask/{answer.pk}").status_code == 200


def test_an_answer_draws_only_on_what_the_asker_may_view(house: House) -> None:
    nan = a_person("Ayla")
    a_membership(nan, house.leo, "family", overrides={"observation:view": True, "memory:view": False})
    answer = answered(house, person=nan)
    assert "A quiet place" not in answer.text
    assert not answer.evidence.exclude(strategy=None).exists()
    assert answer.evidence.exclude(event=None).exists()


def test_an_answer_is_put_away_when_its_asker_may_view_less(house: House) -> None:
    answer = answered(house, person=house.ito)
    house.ito.memberships.update(overrides={"memory:view": False})
    assert signed_in(house.ito).get(f"/ask/{answer.pk}").status_code == 404


def test_nobody_asks_about_a_subject_of_another_family(house: House) -> None:
    with pytest.raises(Denied):
        answered(house, person=house.eve)
    assert not Question.objects.exists()


# --- an answer goes with what it rests on ---


@pytest.mark.parametrize("what", ["event", "strategy"])
def test_an_answer_goes_with_any_row_it_rests_on(house: House, what: str) -> None:
    answer = answered(house)
    row = house.events[0] if what == "event" else house.quiet
    row.delete()
    assert not Answer.objects.filter(pk=answer.pk).exists()
    assert Question.objects.filter(pk=answer.question_id).exists()


def test_what_vanishes_while_an_answer_is_written_stops_it(house: House) -> None:
    prepared = prepare(person=house.ana, subject_id=house.leo.pk, text=HELP, client_id="c", now=NOW)
    written = Written()
    list(write(prepared, written))
    house.events[0].delete()
    with pytest.raises(EvidenceGone):
        store(person=house.ana, prepared=prepared, written=written, now=NOW)
    assert not Answer.objects.exists()


def test_a_membership_that_ends_while_an_answer_is_written_stops_it(house: House) -> None:
    prepared = prepare(person=house.ito, subject_id=house.leo.pk, text=HELP, client_id="c", now=NOW)
    written = Written()
    list(write(prepared, written))
    house.ito.memberships.all().delete()
    with pytest.raises(EvidenceGone):
        store(person=house.ito, prepared=prepared, written=written, now=NOW)


# --- streams and pages ---


def events_of(body: bytes) -> list[tuple[str, dict[str, str]]]:
    found = []
    for block in body.decode().split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if "event" in lines:
            found.append((lines["event"], json.loads(lines["data"])))
    return found


def test_an_answer_comes_in_pieces_and_ends_with_its_page(house: House) -> None:
    client = signed_in(house.ana)
    response = client.post("/ask/now", {"subject": house.leo.pk, "words": HELP, "client_id": "c"})
    assert response["Content-Type"].startswith("text/event-stream")
    events = events_of(b"".join(response.streaming_content))
    assert [name for name, _data in events][-1] == "done"
    assert 'class="cite"' in events[0][1]["html"]
    page = client.get(events[-1][1]["url"])
    assert page.status_code == 200
    assert "A quiet place" in page.content.decode()


def test_a_stream_asks_the_database_nothing_while_it_is_written(
    house: House, django_assert_num_queries: Any
) -> None:
    prepared = prepare(person=house.ana, subject_id=house.leo.pk, text=HELP, client_id="c", now=NOW)
    with django_assert_num_queries(0):
        assert list(write(prepared, Written()))


def test_half_of_the_threads_may_write_answers_and_no_more(house: House) -> None:
    assert most() * 2 == env.web_threads()
    places = [Place() for _number in range(most())]
    try:
        with pytest.raises(TooManyStreams):
            Place()
        response = signed_in(house.ana).post("/ask/now", {"subject": house.leo.pk, "words": HELP})
        assert response.status_code == 503
        assert response["Retry-After"] == "10"
    finally:
        for place in places:
            place.leave()
            place.leave()  # twice is once
    Place().leave()


def test_fewer_threads_leave_fewer_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEARTHBOOK_WEB_THREADS", "2")
    place = Place()
    with pytest.raises(TooManyStreams):
        Place()
    place.leave()
    Place().leave()


def test_a_stream_nobody_reads_gives_its_place_back(house: House) -> None:
    for number in range(most() + 2):
        response = signed_in(house.ana).post(
            "/ask/now", {"subject": house.leo.pk, "words": HELP, "client_id": f"c{number}"}
        )
        assert response.status_code == 200
        del response
        gc.collect()


def test_without_script_the_answer_is_a_page(house: House) -> None:
    client = signed_in(house.ana)
    response = client.post("/ask/", {"subject": house.leo.pk, "words": HELP, "client_id": "c"}, follow=True)
    page = response.content.decode()
    assert "Why this answer" in page
    assert f'href="/events/{house.events[0].pk}' in page or 'class="cite" href="/' in page
    assert HELP not in response.request["PATH_INFO"] + response.request["QUERY_STRING"]


@pytest.mark.parametrize(
    ("sends", "says"),
    [
        ({"words": "  "}, "Write your question"),
        ({"words": "x" * 2_001}, "too long"),
        ({"subject": ""}, "whom"),
    ],
)
def test_a_bad_question_is_refused_with_a_word(house: House, sends: dict[str, str], says: str) -> None:
    fields = {"subject": str(house.leo.pk), "words": HELP, "client_id": "c", **sends}
    for address in ("/ask/", "/ask/now"):
        response = signed_in(house.ana).post(address, fields)
        assert response.status_code == 422
        assert says in response.content.decode()


def test_thumbs_are_the_askers_and_can_be_taken_back(house: House) -> None:
    answer = answered(house)
    client = signed_in(house.ana)
    for said, thumbed in (("up", 1), ("down", -1), ("none", None)):
        assert client.post(f"/ask/{answer.pk}/thumb", {"thumb": said}).status_code == 302
        assert Answer.objects.get(pk=answer.pk).thumb == thumbed
    assert client.post(f"/ask/{answer.pk}/thumb", {"thumb": "sideways"}).status_code == 422
    assert signed_in(house.ito).post(f"/ask/{answer.pk}/thumb", {"thumb": "up"}).status_code == 404


def test_the_pages_take_few_queries(house: House, django_assert_max_num_queries: Any) -> None:
    answer = answered(house)
    client = signed_in(house.ana)
    client.get("/ask/")
    for address in ("/ask/", f"/ask/{answer.pk}"):
        with django_assert_max_num_queries(12):  # two of them are the session and the person
            assert client.get(address).status_code == 200
