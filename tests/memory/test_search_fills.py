"""Where rows with every word fill the page of a search, nothing is looked for by meaning."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from household.access import seen_by
from household.models import Endpoint
from household.rules.permissions import Resource
from household.services.thinking import choose_endpoint, key_of
from memory.clients.embedder import BUNDLED
from memory.models import Document, Memory, Passage, Strategy
from memory.rules.retrieval.folding import asked_words
from memory.rules.retrieval.ranking import BOTH, WORDS_ONLY
from memory.services.finding.entries import fill_due
from memory.services.finding.filling import _held, wanted_on_page
from memory.services.finding.searching import Bounds
from tests import makers
from tests.second_wall import as_web
from twin.models import Event, FormFill, Statement

NOW = dt.datetime(2026, 11, 20, 12, tzinfo=dt.UTC)
KINDS = ("record", "statement", "event", "fill")
ROWS = 12


def told(subject, author, count, text, *, name="", **fields):
    now = NOW - dt.timedelta(hours=1)
    rows = [
        Statement(
            subject=subject, author=author, text=text.format(n=n), turn=f"turn-{name}{n}",
            client_id=f"{name}{n}", said_at=now - dt.timedelta(hours=2 * n),
            local_day=(now - dt.timedelta(hours=2 * n)).date(), **fields,
        )
        for n in range(count)
    ]  # fmt: skip
    Statement.objects.bulk_create(rows)
    fill_due()


def searched_by(person, question, *subjects, kinds=KINDS, **bounds):
    places = {Resource.OBSERVATION: Bounds(tuple(one.pk for one in subjects), kinds, **bounds)}
    with as_web(), seen_by(person, now=NOW):
        made = wanted_on_page(question, places, subject=None, language="en", rows=ROWS)
    assert made.terms
    return made.by


@pytest.fixture
def house(db):
    ana = makers.a_person("Ana")
    return ana, makers.a_child(ana)


@pytest.mark.django_db(transaction=True)
def test_as_many_rows_with_every_word_as_the_page_holds_need_no_meaning(house):
    ana, leo = house
    told(leo, ana, ROWS - 1, "a puddle behind the house {n}")
    assert searched_by(ana, "puddles", leo) == BOTH
    told(leo, ana, 1, "the last puddle", name="more")
    assert searched_by(ana, "puddles", leo) == WORDS_ONLY
    assert searched_by(ana, "puddles behind", leo) == BOTH  # the last one is behind nothing
    assert searched_by(ana, "puddles in the tunnel", leo) == BOTH
    assert searched_by(ana, "what was it?" + " puddle", leo) == WORDS_ONLY


@pytest.mark.django_db(transaction=True)
def test_only_rows_within_the_bounds_fill_a_page(house):
    ana, leo = house
    told(leo, ana, ROWS, "a puddle {n}")
    day = NOW.date()
    assert searched_by(ana, "puddle", leo, kinds=("statement", "fill")) == WORDS_ONLY
    assert searched_by(ana, "puddle", leo, kinds=("event",)) == BOTH
    assert searched_by(ana, "puddle", leo, since=day - dt.timedelta(days=3)) == WORDS_ONLY
    assert searched_by(ana, "puddle", leo, since=day + dt.timedelta(days=1)) == BOTH
    assert searched_by(ana, "puddle", leo, until=day - dt.timedelta(days=1)) == BOTH


@pytest.mark.django_db(transaction=True)
def test_rows_that_one_may_not_see_fill_no_page(house):
    ana, leo = house
    told(leo, ana, ROWS + 2, "a puddle {n}")
    eve, ali, ito = (makers.a_person(name) for name in ("Eve", "Mr Ali", "Dr. Ito"))
    noa = makers.a_child(eve, name="Noa")
    makers.a_membership(ali, leo, role="teacher")  # may add, may not view
    makers.a_membership(ito, leo, role="therapist", data_from=NOW.date())
    assert searched_by(eve, "puddle", noa, leo) == BOTH
    assert searched_by(ali, "puddle", leo) == BOTH
    assert searched_by(ito, "puddle", leo) == BOTH
    told(leo, ali, ROWS, "a puddle {n}", name="own")
    assert searched_by(ali, "puddle", leo) == WORDS_ONLY
    places = {Resource.OBSERVATION: Bounds((leo.pk,), KINDS)}
    assert _held(asked_words("puddle"), places, ROWS)[0] == 0  # nobody is asking


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("asked", ["ışığı", "IŞIK", "isik", "Işıktan"])
def test_a_turkish_word_fills_a_page_whatever_its_case_and_ending(house, asked):
    ana, leo = house
    told(leo, ana, ROWS, "IŞIKLAR söndü {n}", language="tr")
    assert searched_by(ana, asked, leo) == WORDS_ONLY


@pytest.mark.django_db(transaction=True)
def test_the_endpoint_a_parent_chose_comes_with_the_same_question(house):
    ana, leo = house
    places = {Resource.OBSERVATION: Bounds((leo.pk,), KINDS)}
    with seen_by(ana, now=NOW):
        assert _held(asked_words("puddle"), places, ROWS) == (0, None)
    values = {"base_url": "http://127.0.0.1:9/v1", "model": "tiny", "key": "k-1", "timeout_s": 5}
    choose_endpoint(purpose="embedding", is_on=True, **values)
    with as_web(), seen_by(ana, now=NOW), CaptureQueriesContext(connection) as asked:
        _count, endpoint = _held(asked_words("puddle"), places, ROWS)
    assert len(asked) == 1
    assert endpoint == Endpoint.objects.get(purpose="embedding")
    assert (endpoint.model, endpoint.timeout_s, key_of(endpoint)) == ("tiny", 5, "k-1")
    with seen_by(ana, now=NOW):  # nobody listens there: the bundled one finds
        made = wanted_on_page("puddle", places, subject=None, language="en", rows=ROWS)
    assert made.made_by == BUNDLED.name
    choose_endpoint(purpose="embedding", is_on=False, **values)
    with seen_by(ana, now=NOW):
        assert _held(asked_words("puddle"), places, ROWS)[1] is None


@pytest.mark.django_db(transaction=True)
def test_of_rows_that_fit_alike_the_newest_stand_first_and_stay_there(house):
    ana, leo = house
    told(leo, ana, 80, "a puddle", name="p")
    client = makers.signed_in(ana)
    page = client.post("/search/", {"words": "puddle"}).content.decode()
    places = [page.index(f'href="/turns/turn-p{n}"') for n in range(60)]
    assert places == sorted(places)
    assert 'href="/turns/turn-p60"' not in page
    again = client.post("/search/", {"words": "puddle"}).content.decode()
    assert [again.index(f'href="/turns/turn-p{n}"') for n in range(60)] == places


@pytest.mark.django_db(transaction=True)
def test_every_kind_of_row_is_read_in_as_many_questions_as_one(house):
    ana, leo = house
    told(leo, ana, 2, "a puddle {n}")
    client = makers.signed_in(ana)
    client.post("/search/", {"words": "puddle"})
    with CaptureQueriesContext(connection) as one:
        client.post("/search/", {"words": "puddle"})
    day = NOW.date()
    about = {"subject": leo, "author": ana, "client_id": "k"}
    makers.a_record(leo, "ears", text="wet from a puddle", day=day)
    Event.objects.create(**about, turn="t", kind="outing", at=NOW, local_day=day, place="puddle")
    FormFill.objects.create(**about, turn="t", at=NOW, local_day=day, note="puddle")
    Strategy.objects.create(**about, name="Puddle boots")
    paper = Document.objects.create(
        **about, digest="d" * 64, size=9, format="txt", stored="s", received_on=day, received_at=NOW,
        title="A letter",
    )  # fmt: skip
    Passage.objects.create(
        subject=leo,
        author=ana,
        day=day,
        document=paper,
        ordinal=3,
        page=2,
        start=0,
        end=9,
        text="In a puddle",
    )
    Memory.objects.create(subject=leo, gid="m-1", text="puddle", learned_at_ms=1_790_000_000_000)
    fill_due()
    with CaptureQueriesContext(connection) as many:
        page = client.post("/search/", {"words": "puddle"}, headers={"HX-Request": "true"}).content.decode()
    assert len(many) == len(one) <= 10
    for icon in ("journal", "note", "event", "check-circle", "bulb", "document", "star"):
        assert f"#{icon}" in page
    assert f'href="{reverse("memory:document-show", args=[paper.doc_id])}?page=2#p3"' in page
    assert "A letter" in page and "In a <mark>puddle</mark>" in page
