"""Entries follow their rows, and searching them gives what the asker may see and nothing else."""

from __future__ import annotations

import datetime as dt
import math
import random

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from household.access import seen_by
from household.rules.permissions import Resource
from memory.models import DocumentEntry, MemoryEntry, ObservationEntry, Strategy
from memory.services.finding.entries import embed_some, fill_due, fill_seen, progress
from memory.services.finding.keeping import keep_entries
from memory.services.finding.searching import Bounds, Wanted, find, wanted_for
from tests import makers
from tests.second_wall import as_web
from twin.models import Event, Statement, Subject

NOW = dt.datetime(2026, 11, 20, 12, tzinfo=dt.UTC)
KINDS = ("record", "statement", "event", "fill")


class Letters:
    """A tiny real embedder: how often each letter stands in a text."""

    name = "letters:26"

    def queries(self, texts):
        return [self._one(text) for text in texts]

    passages = queries

    def _one(self, text):
        counts = [1.0 + text.lower().count(chr(97 + n)) for n in range(26)]
        size = math.sqrt(sum(one * one for one in counts))
        return [one / size for one in counts]


def told(subject, author, text, **fields):
    values = {"local_day": NOW.date(), "said_at": NOW, "turn": "t", "client_id": text[:60]} | fields
    return Statement.objects.create(subject=subject, author=author, text=text, **values)


def looked_for(
    person, question, *subjects, kinds=KINDS, resource=Resource.OBSERVATION, embedder=None, **bounds
):
    with seen_by(person, now=NOW):
        wanted = (
            wanted_for(question, subject=None, language="en", embedder=embedder)
            if embedder
            else Wanted(wanted_for(question, subject=None, language="en", embedder=Letters()).terms)
        )
        whose = tuple(one.pk for one in subjects)
        return find(wanted, resource=resource, bounds=Bounds(whose, tuple(kinds), **bounds))


@pytest.fixture
def house():
    ana = makers.a_person("Ana")
    return ana, makers.a_child(ana)


@pytest.mark.django_db(transaction=True)
def test_a_row_is_found_by_its_words_at_once_and_no_more_when_it_is_gone(house):
    ana, leo = house
    row = told(leo, ana, "She screamed when the vacuum cleaner started")
    hit = looked_for(ana, "vacuums?", leo)[0]
    assert (hit.kind, hit.row_id, hit.words) == ("statement", row.pk, 1)
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('hearthbook.forgetting', 'on', true)")
        Statement.objects.filter(pk=row.pk).update(text="")
    assert looked_for(ana, "vacuum", leo) == []
    entry = ObservationEntry.objects.get(kind="statement", row_id=row.pk)
    assert (entry.terms, entry.vector, entry.is_due) == (None, None, True)
    fill_due()
    assert not ObservationEntry.objects.filter(kind="statement", row_id=row.pk).exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "fill", [fill_due, lambda: fill_seen(list(Subject.objects.values_list("pk", flat=True)))]
)
def test_many_rows_are_made_ready_in_as_few_statements_as_one(house, fill):
    ana, leo = house
    counted = []
    for count in (1, 12):
        for n in range(count):
            told(leo, ana, f"puddle number {n}", client_id=f"{count}-{n}")
        with CaptureQueriesContext(connection) as asked:
            assert fill() == count
        counted.append(len(asked))
    assert counted[0] == counted[1]
    rows = ObservationEntry.objects.filter(kind="statement", is_due=False)
    assert rows.count() == 13
    row = rows.order_by("pk").last()
    assert (row.author, row.day, row.language) == (ana, NOW.date(), "en") and row.at and row.length == 3


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("asked", ["IŞIK", "ışık", "isik", "Işıktan", "ışığı"])
def test_turkish_words_are_found_in_any_case_and_with_any_ending(house, asked):
    ana, leo = house
    told(leo, ana, "Işıklar söndü ve ağladı", language="tr")
    fill_due()
    assert len(looked_for(ana, asked, leo)) == 1


@pytest.mark.django_db(transaction=True)
def test_only_the_asked_about_only_of_members_and_nothing_without_a_subject(house):
    ana, leo = house
    mia = makers.a_child(ana, name="Mia")
    eve = makers.a_person("Eve")
    theirs = makers.a_child(eve, name="Noa")
    for one, author in ((leo, ana), (mia, ana), (theirs, eve)):
        told(one, author, "the trampoline again")
    fill_due()
    assert [hit.subject_id for hit in looked_for(ana, "trampoline", leo)] == [leo.pk]
    assert {hit.subject_id for hit in looked_for(ana, "trampoline", leo, mia, theirs)} == {leo.pk, mia.pk}
    assert looked_for(ana, "trampoline", theirs) == []
    assert looked_for(ana, "trampoline") == []
    assert find(Wanted(("trampolin",)), resource=Resource.OBSERVATION, bounds=Bounds((leo.pk,), KINDS)) == []


@pytest.mark.django_db(transaction=True)
def test_who_may_not_view_finds_own_rows_alone_and_a_data_window_hides_what_was_before(house):
    ana, leo = house
    mr_ali = makers.a_person("Mr Ali")
    told(leo, ana, "the fire drill at home", client_id="a")
    own = told(leo, mr_ali, "the fire drill at school", client_id="b")
    makers.a_membership(mr_ali, leo, role="teacher")  # may add, may not view
    dr_ito = makers.a_person("Dr Ito")
    makers.a_membership(dr_ito, leo, role="therapist", data_from=NOW.date())
    told(leo, ana, "an old fire drill", client_id="c", local_day=NOW.date() - dt.timedelta(days=9))
    fill_due()
    assert [hit.row_id for hit in looked_for(mr_ali, "fire drill", leo)] == [own.pk]
    assert len(looked_for(dr_ito, "fire drill", leo)) == 2
    assert len(looked_for(ana, "fire drill", leo)) == 3


@pytest.mark.django_db(transaction=True)
def test_days_and_kinds_bound_a_search(house):
    ana, leo = house
    told(leo, ana, "puddles", local_day=dt.date(2026, 3, 1))
    Event.objects.create(
        subject=leo,
        author=ana,
        client_id="e",
        turn="t",
        kind="outing",
        at=NOW,
        local_day=NOW.date(),
        place="puddles",
    )
    fill_due()
    assert {hit.kind for hit in looked_for(ana, "puddle", leo)} == {"statement", "event"}
    assert [hit.kind for hit in looked_for(ana, "puddle", leo, since=dt.date(2026, 6, 1))] == ["event"]
    assert [hit.kind for hit in looked_for(ana, "puddle", leo, until=dt.date(2026, 6, 1))] == ["statement"]
    assert [hit.kind for hit in looked_for(ana, "puddle", leo, kinds=["event"])] == ["event"]


@pytest.mark.django_db(transaction=True)
def test_what_was_ticked_is_found_in_both_languages(house):
    ana, leo = house
    row = makers.a_record(leo, "ears", signs={"odour": True}, text="")
    fill_due()
    for question in ("ear smell", "kulak"):
        assert row.pk in {hit.row_id for hit in looked_for(ana, question, leo)}


@pytest.mark.django_db(transaction=True)
def test_another_embedder_makes_every_vector_again_and_old_ones_serve_no_new_question(house):
    ana, leo = house
    for number in range(5):
        told(leo, ana, f"word{number} balloon", client_id=str(number))
    Strategy.objects.create(subject=leo, name="Deep pressure", author=ana, client_id="s")
    one = Letters()
    assert keep_entries(is_time_over=lambda: False, embedder=one) == (6, 6)
    done, all_ = progress(one.name)
    assert done == all_ == 6
    two = Letters()
    two.name = "other:26"
    assert progress(two.name) == (0, 6)
    assert len(looked_for(ana, "balloon", leo, embedder=two)) == 5  # by words, meanwhile
    embed_some(two, of=3)
    assert progress(two.name)[0] == 1  # memories first
    while embed_some(two, of=3):
        pass
    assert progress(two.name) == (6, 6)
    assert {
        hit.kind for hit in looked_for(ana, "pressure", leo, kinds=("strategy",), resource=Resource.MEMORY)
    } == {"strategy"}
    assert DocumentEntry.objects.count() == 0
    assert MemoryEntry.objects.get().model == two.name


def _many(subject, rows, *, width=16, seed=5):
    rng = random.Random(seed)
    day = NOW.date()
    entries = []
    for number in range(rows):
        vector = [rng.gauss(0, 1) for _ in range(width)]
        at = NOW - dt.timedelta(hours=number)
        entries.append(
            ObservationEntry(
                subject=subject, kind="statement", row_id=-1 - number, day=at.date(), at=at,
                length=8, is_due=False, model="m", vector=vector,
            )
        )  # fmt: skip
    ObservationEntry.objects.bulk_create(entries, batch_size=2000)
    return [rng.gauss(0, 1) for _ in range(width)], day


def _brute(query, model="m", take=10):
    with connection.cursor() as cursor:
        cursor.execute("SELECT id, vector::text FROM memory_observationentry WHERE model = %s", [model])
        rows = [(pk, [float(x) for x in text[1:-1].split(",")]) for pk, text in cursor.fetchall()]
    middle = None
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT avg(v)::text FROM (SELECT vector::vector AS v FROM memory_observationentry"
            " WHERE model = %s LIMIT 200) s",
            [model],
        )
        middle = [float(x) for x in cursor.fetchone()[0][1:-1].split(",")]
    aimed = [a - b for a, b in zip(query, middle, strict=True)]

    def cosine(vector):
        return sum(a * b for a, b in zip(aimed, vector, strict=True)) / math.sqrt(sum(b * b for b in vector))

    return [pk for pk, vector in sorted(rows, key=lambda row: -cosine(row[1]))[:take]]


@pytest.mark.django_db(transaction=True)
def test_the_nearest_by_meaning_are_the_ones_brute_force_finds(house):
    ana, leo = house
    query, _day = _many(leo, 600)
    with seen_by(ana, now=NOW):
        found = find(
            Wanted((), tuple(query), "m"),
            resource=Resource.OBSERVATION,
            bounds=Bounds((leo.pk,), KINDS),
            take=10,
        )
    ids = dict(ObservationEntry.objects.values_list("row_id", "id"))
    nearest = set(_brute(query))
    assert nearest <= {ids[hit.row_id] for hit in found}


@pytest.mark.django_db(transaction=True)
def test_behind_the_wall_the_words_keep_their_index(house):
    ana, leo = house
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO memory_observationentry"
            " (subject_id, kind, row_id, day, at, language, terms, length, model, version, is_due)"
            " SELECT %s, 'statement', -n, now()::date, now() - n * interval '1 hour', 'en',"
            " to_tsvector('simple', 'word' || n || ' common'), 2, '', 0, false"
            " FROM generate_series(1, 5000) n",
            [leo.pk],
        )
        cursor.execute("ANALYZE memory_observationentry")
    with as_web(), seen_by(ana, now=NOW), connection.cursor() as cursor:
        hits = find(Wanted(("word77",)), resource=Resource.OBSERVATION, bounds=Bounds((leo.pk,), KINDS))
        cursor.execute("SELECT pg_stat_get_xact_numscans('observation_entry_terms'::regclass)")
        scans = cursor.fetchone()[0]
        cursor.execute("SELECT pg_stat_get_xact_tuples_returned('memory_observationentry'::regclass)")
        read = cursor.fetchone()[0]
    assert hits[0].row_id == -77
    assert scans >= 2  # to count the word, and to find its rows
    assert read <= 5_000  # the whole is walked at most once, to know how many rows there are
