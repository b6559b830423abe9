"""The search page: finds what is open to the asker, marks it, keeps words out of addresses."""

from __future__ import annotations

import pytest
from django.template.loader import render_to_string
from django.utils import timezone

from household.models import AccessLog
from memory.clients.embedder import BUNDLED
from memory.models import ObservationEntry
from memory.search_shown import card_of
from memory.services.finding.entries import fill_due
from memory.services.finding.looking import Found, holds_words
from memory.services.turns import tell
from tests import makers
from twin.models import Statement

URL = "/search/"


def told(subject, author, text, **fields):
    now = timezone.now()
    values = {"local_day": now.date(), "said_at": now, "turn": "turn-1", "client_id": text[:60]} | fields
    return Statement.objects.create(subject=subject, author=author, text=text, **values)


@pytest.fixture
def ana(db):
    return makers.a_person("Ana")


@pytest.fixture
def leo(ana):
    leo = makers.a_child(ana)
    told(leo, ana, "Hid under the table when the blender started")
    fill_due()
    return leo


def test_words_that_were_told_are_found_and_marked(ana, leo, django_assert_max_num_queries):
    client = makers.signed_in(ana)
    assert 'role="search"' in client.get(URL).content.decode()
    with django_assert_max_num_queries(10):
        page = client.post(URL, {"words": "BLENDERS"}, headers={"HX-Request": "true"}).content.decode()
    assert "<mark>blender</mark>" in page
    assert 'href="/turns/turn-1"' in page
    assert "<html" not in page


@pytest.mark.parametrize("title", [[], [("a word ", False), ("asked", True)]])
@pytest.mark.parametrize("words", [[("near", False)], [("asked", True), (" for", False)]])
def test_what_only_comes_near_in_meaning_is_not_called_found(title, words):
    found = [Found("statement", 1, 1, "Leo", None, [], [("near", False)], "/turns/1")]
    found += [Found("event", 2, 1, "Leo", None, title, words, "")]
    is_marked = any(is_hit for _part, is_hit in title + words)
    assert holds_words(found) is is_marked
    cards = [card_of(one) for one in found]
    page = render_to_string("memory/search_show.html#found", {"cards": cards, "is_near": not is_marked})
    assert ("These words stand nowhere" in page) is not is_marked
    assert ("2 places, best first" in page) is is_marked


def test_another_family_finds_nothing_and_its_subject_is_not_there(ana, leo):
    eve = makers.a_person("Eve")
    makers.a_child(eve, name="Noa")
    client = makers.signed_in(eve)
    page = client.post(URL, {"words": "blender"})
    assert page.status_code == 200
    assert "Hid under" not in page.content.decode()
    assert client.post(URL, {"words": "blender", "subject": str(leo.pk)}).status_code == 404


@pytest.mark.parametrize(
    "sent",
    [
        {"words": ""},
        {"words": "x" * 301},
        {"words": "blender", "kind": "sock"},
        {"words": "blender", "since": "yesterday"},
        {"words": "blender", "since": "2026-03-02", "until": "2026-03-01"},
    ],
)
def test_what_cannot_be_searched_is_refused_with_a_message_and_what_was_typed_stays(ana, leo, sent):
    answer = makers.signed_in(ana).post(URL, sent)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.content.decode()
    if sent["words"] == "blender":
        assert 'value="blender"' in answer.content.decode()


def test_a_word_with_markup_in_it_stays_text(ana, leo):
    told(leo, ana, "<script>blender</script>", client_id="m")
    fill_due()
    page = makers.signed_in(ana).post(URL, {"words": "blender"}).content.decode()
    assert "&lt;script&gt;<mark>blender</mark>&lt;/script&gt;" in page


def test_filters_narrow_what_is_shown(ana, leo):
    client = makers.signed_in(ana)
    assert "Hid under" in client.post(URL, {"words": "blender", "kind": "said"}).content.decode()
    assert "Hid under" not in client.post(URL, {"words": "blender", "kind": "event"}).content.decode()
    assert "Hid under" not in client.post(URL, {"words": "blender", "until": "2020-01-01"}).content.decode()


def test_a_professionals_look_is_noted(ana, leo):
    ito = makers.a_person("Dr Ito")
    makers.a_membership(ito, leo, role="therapist")
    makers.a_second_step(ito)
    assert "Hid under" in makers.signed_in(ito).post(URL, {"words": "blender"}).content.decode()
    assert AccessLog.objects.filter(person=ito, subject=leo, resource="observation").exists()


def test_the_page_says_how_far_the_reading_by_meaning_is(ana, leo, django_assert_max_num_queries):
    client = makers.signed_in(ana)
    client.get(URL)
    with django_assert_max_num_queries(10):
        assert "0 of 1 rows" in client.get(URL).content.decode()
    ObservationEntry.objects.update(model=BUNDLED.name)
    assert "rows are findable" not in client.get(URL).content.decode()


@pytest.mark.django_db(transaction=True)
def test_what_was_just_told_is_found_before_any_sweep_by_those_who_may_see_it():
    ana, ito, eve = makers.a_person("Ana"), makers.a_person("Dr. Ito"), makers.a_person("Eve")
    leo = makers.a_child(ana)
    makers.a_membership(ito, leo, "therapist", overrides={"observation:view": False})
    makers.a_child(eve, name="Noa")
    now = timezone.now()
    tell(person=ana, text="He swallowed a marble.", client_id="m", now=now, subject_id=leo.pk)
    for person, is_found in ((eve, False), (ito, False), (ana, True)):
        page = makers.signed_in(person).post(URL, {"words": "marble"}).content.decode()
        assert ("swallowed" in page) is is_found
    assert not ObservationEntry.objects.filter(is_due=True).exists()


@pytest.mark.parametrize("asked", ["ışığı", "IŞIĞI", "ışık", "IŞIK", "Işık"])
def test_a_turkish_word_is_found_and_marked_whatever_its_case(ana, leo, asked):
    told(leo, ana, "IŞIĞI kapatınca sakinleşti", client_id="tr", language="tr")
    told(leo, ana, "İğne olurken ağladı", client_id="tr2", language="tr", turn="turn-2")
    fill_due()
    page = makers.signed_in(ana).post(URL, {"words": asked}).content.decode()
    assert "<mark>IŞIĞI</mark> kapatınca" in page
    assert "<mark>İğne" not in page


@pytest.mark.parametrize("asked", ["iğne", "İĞNE", "İğneyi", "igne"])
def test_a_dotted_i_is_one_letter_large_and_small(ana, leo, asked):
    told(leo, ana, "İğne olurken ağladı", client_id="tr", language="tr")
    fill_due()
    assert "<mark>İğne</mark>" in makers.signed_in(ana).post(URL, {"words": asked}).content.decode()
