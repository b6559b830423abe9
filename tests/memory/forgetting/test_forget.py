"""Forgetting takes what was said, what was made of it, and nothing else."""

from __future__ import annotations

import datetime as dt
import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from household.models import ForgetOwed, Membership
from memory.models import Forgetting, JournalLine, JournalWords, OpenQuestion, Tombstone, TombstoneTurn
from memory.rules.forgetting import NotYours, Target, Unknown
from memory.rules.merge import Memory, Mention
from memory.services.forgetting import asker, forget, look
from memory.services.turns import answer, tell
from tests.makers import a_cat, a_child, a_household, a_membership, a_person, now, signed_in
from tests.memory.forgetting.searching import places
from tests.wire import a_device
from twin.models import (
    AgendaItem,
    CourseDay,
    Event,
    FormFill,
    FrameLog,
    LedgerEntry,
    Question,
    Record,
    Statement,
)
from twin.services.corrections import judge_reading
from twin.services.events import add_event
from twin.services.forms import note, tap
from twin.services.rounds.run import run_due

pytestmark = pytest.mark.django_db


def say(subject, words, *, at=None, person=None, client_id=None):
    """One told statement; its turn."""
    return tell(
        person=person or a_person(),
        text=words,
        client_id=client_id or str(uuid.uuid4()),
        now=at or now(),
        subject_id=subject.pk,
    ).turn


def drop(kind, key, *, person=None, at=None, client_id=None):
    """Forget one thing."""
    return forget(
        Target(kind, str(key)),
        person=person or a_person(),
        client_id=client_id or str(uuid.uuid4()),
        now=at or now(),
    )


def test_a_forgotten_turn_leaves_no_word_of_it():
    mavi = a_cat()
    turn = say(mavi, "her zqxleftear is red and she vomited twice zqxtwice")
    assert places("zqxtwice") >= {"twin_statement.text"}
    done = drop("turn", turn)
    assert places("zqxleftear", "zqxtwice") == set()
    assert not Statement.objects.exists() and not LedgerEntry.objects.exists() and not Record.objects.exists()
    assert done.counts["twin.Statement"] == 1 and done.counts["memory.JournalLine"] >= 1
    stone = Tombstone.objects.get()
    assert (stone.kind, stone.subject_id) == ("turn", mavi.pk)
    assert set(TombstoneTurn.objects.values_list("turn", flat=True)) == {turn}


def test_its_lines_keep_place_time_and_writer():
    mavi = a_cat()
    turn = say(mavi, "her ears are red")
    before = list(JournalLine.objects.values_list("position", "device", "seq", "at_ms", "turn"))
    drop("turn", turn)
    kept = list(JournalLine.objects.values_list("position", "device", "seq", "at_ms", "turn"))
    assert (
        kept[: len(before)] == before and len(kept) == len(before) + 1
    )  # and one says that it was forgotten
    assert not JournalWords.objects.exists()


def test_a_record_with_other_sources_keeps_only_what_those_say():
    mavi = a_cat()
    first = say(mavi, "she vomited three times")
    say(mavi, "she vomited and did not eat")
    record = Record.objects.get(category="upper_digestive")
    assert record.signs.get("vomit_count") == 3
    drop("turn", first)
    record.refresh_from_db()
    assert record.signs.get("vomit_count") != 3
    assert first not in record.turns and len(record.turns) == 1


def test_nothing_of_other_tellings_is_taken():
    mavi, leo = a_cat(), a_child()
    say(mavi, "zqxother: she scratched her ear")
    say(leo, "zqxchild: he slept badly")
    turn = say(mavi, "she vomited")
    before = places("zqxother", "zqxchild")
    drop("turn", turn)
    assert places("zqxother", "zqxchild") == before


def test_forgetting_a_statement_takes_its_whole_turn():
    mavi = a_cat()
    say(mavi, "zqxword her ears are red")
    drop("statement", Statement.objects.get().pk)
    assert places("zqxword") == set()


def test_forgetting_a_record_takes_the_words_behind_it_and_its_corrections():
    mavi, ana = a_cat(), a_person()
    say(mavi, "zqxword her ears are red")
    record = Record.objects.get()
    new = judge_reading(record=record, person=ana, verdict="normal", client_id="c", now=now())
    drop("record", new.pk)
    assert places("zqxword") == set()
    assert not Record.objects.exists() and not Statement.objects.exists()


def test_forgetting_a_correction_lets_the_first_reading_stand_again():
    mavi, ana = a_cat(), a_person()
    say(mavi, "her ears are red")
    old = Record.objects.get()
    judge_reading(record=old, person=ana, verdict="normal", client_id="c", now=now())
    drop("turn", Statement.objects.get(reader="correction").turn)
    old.refresh_from_db()
    assert old.superseded_by is None and Record.objects.get() == old


def test_a_tap_goes_from_its_form_and_the_other_taps_stay():
    leo, ana = a_child(), a_person()
    common = {"person": ana, "subject_id": leo.pk, "client_id": "fill", "now": now()}
    tap(field="sleep", level="bad", **common)
    tap(field="nutrition", level="less", **common)
    note(person=ana, subject_id=leo.pk, client_id="fill", text="zqxnote", now=now())
    entry = LedgerEntry.objects.filter(state="filed").order_by("pk").first()
    drop("record", entry.record_id)
    fill = FormFill.objects.get()
    assert entry.field not in fill.levels and len(fill.levels) == 1
    assert places("zqxnote") == set()


def test_a_forgotten_event_takes_what_was_noted_of_it():
    leo = a_child()
    event = add_event(
        person=a_person(),
        subject_id=leo.pk,
        client_id="e",
        kind="meltdown",
        at=now(),
        now=now(),
        tried="zqxwalk",
    )
    drop("event", event.pk)
    assert places("zqxwalk") == set() and not Event.every.exists()


def test_a_day_takes_everything_said_on_it_and_nothing_of_the_next():
    a_household(time_zone="UTC")
    mavi = a_cat()
    noon = dt.datetime(2025, 3, 10, 12, tzinfo=dt.UTC)
    say(mavi, "zqxmonday her ears are red", at=noon)
    add_event(
        person=a_person(),
        subject_id=mavi.pk,
        client_id="e",
        kind="school",
        at=noon,
        now=noon,
        tried="zqxmonday",
    )
    say(mavi, "zqxtuesday she vomited", at=noon + dt.timedelta(days=1))
    drop("day", "2025-03-10", at=noon + dt.timedelta(days=2))
    assert places("zqxmonday") == set()
    assert "twin_statement.text" in places("zqxtuesday")


def test_a_forgotten_answer_lets_its_question_wait_again():
    mavi, ana = a_cat(), a_person()
    say(mavi, "she had blood in her urine")
    question = Question.objects.first()
    if question is None:
        say(mavi, "she limped at some point")
        question = Question.objects.get()
    turn = answer(
        person=ana, question_id=question.pk, text="yes, zqxsince yesterday", client_id="a", now=now()
    )
    drop("turn", turn.turn)
    question.refresh_from_db()
    assert places("zqxsince") == set()
    assert question.state == "open" and question.entry.state == "asked" and question.entry.resolved is None


def test_a_forgotten_subject_takes_everybodys_place_around_it():
    leo, mavi, ana = a_child(), a_cat(), a_person()
    a_membership(a_person("Dr. Ito"), leo, "therapist")
    say(leo, "zqxleo slept badly")
    say(mavi, "zqxmavi vomited")
    done = drop("subject", leo.pk)
    assert done.subject is None
    assert places("zqxleo") == set() and "twin_statement.text" in places("zqxmavi")
    assert set(Membership.objects.values_list("subject_id", flat=True)) == {mavi.pk}
    assert JournalLine.objects.exists() and Tombstone.objects.get().kind == "subject"
    assert ana.memberships.exists()


def test_the_last_subject_can_be_forgotten_too():
    mavi = a_cat()
    say(mavi, "she vomited")
    drop("subject", mavi.pk)
    assert not Membership.objects.exists() and places("vomited") == set()


def test_only_a_parent_forgets():
    mavi = a_cat()
    turn = say(mavi, "she vomited")
    eve, ito = a_person("Eve"), a_person("Dr. Ito")
    a_membership(ito, mavi, "vet")
    for person in (eve, ito):
        with pytest.raises(Unknown):
            drop("turn", turn, person=person)
    assert Statement.objects.exists()


def test_a_turn_that_is_also_about_somebody_elses_child_is_refused():
    mavi, ben = a_cat(), a_person("Ben")
    rex = a_cat(ben, "Rex")
    a_membership(a_person(), rex, "family")
    turn = say(mavi, "Mavi vomited")
    Statement.objects.create(
        subject=rex,
        author=a_person(),
        client_id="x",
        turn=turn,
        text="Rex too",
        said_at=now(),
        local_day=now().date(),
    )
    with pytest.raises(NotYours):
        drop("turn", turn)
    assert Statement.objects.count() == 2


@pytest.mark.parametrize(
    ("kind", "key"),
    [
        ("turn", "nowhere"),
        ("statement", "999"),
        ("record", "999"),
        ("event", "x"),
        ("day", "tomorrow"),
        ("memory", "nowhere"),
        ("document", "999"),
        ("subject", "999"),
        ("day", "2020-01-01"),
    ],
)
def test_what_is_not_there_cannot_be_forgotten(kind, key):
    a_cat()
    with pytest.raises(Unknown):
        drop(kind, key)
    assert not Forgetting.objects.exists() and not ForgetOwed.objects.exists()


def test_the_same_forgetting_sent_twice_is_one():
    mavi = a_cat()
    turn = say(mavi, "she vomited")
    assert drop("turn", turn, client_id="one") == drop("turn", turn, client_id="one")
    assert ForgetOwed.objects.count() == Forgetting.objects.count() == 1


def test_looking_changes_nothing():
    mavi = a_cat()
    turn = say(mavi, "she vomited")
    seen = look(Target("turn", turn), asker(a_person(), now=now()))
    assert seen.counts.by_label["twin.Statement"] == 1 and seen.subjects == ((mavi.pk, mavi.name),)
    assert Statement.objects.exists() and not Tombstone.objects.exists()


def test_what_is_owed_names_the_relations_that_held_the_words():
    mavi = a_cat()
    drop("turn", say(mavi, "she vomited twice"))
    owed = ForgetOwed.objects.get()
    assert owed.state == "owed" and owed.left == owed.relations
    assert {"twin_statement", "twin_ledgerentry", "twin_record"} <= set(owed.relations)
    assert any(name.startswith("memory_journalwords_") for name in owed.relations)
    assert "memory_observationentry" in owed.relations  # where its words were found


def test_rounds_derive_again_without_what_was_forgotten():
    day = dt.datetime(2025, 3, 1, 12, tzinfo=dt.UTC)
    mavi = a_cat(now=day)
    turns = [say(mavi, "her left ear is red zqxear", at=day + dt.timedelta(days=n)) for n in range(3)]
    run_due(now=day + dt.timedelta(days=4))
    assert Record.objects.courses().count() == 1 and CourseDay.objects.count() == 3
    for turn in turns:
        drop("turn", turn, at=day + dt.timedelta(days=4))
    assert places("zqxear") == set()
    run_due(now=day + dt.timedelta(days=5))
    assert not Record.objects.exists() and not CourseDay.objects.exists()
    assert not FrameLog.objects.filter(body__icontains="rec_").exists()
    assert not AgendaItem.objects.filter(course__isnull=False).exists()


def test_a_question_asked_because_of_a_forgotten_statement_goes_with_it_and_others_stay():
    mavi = a_cat()
    browser = signed_in(a_person())
    for client_id, words in (("one", "she vomited twice"), ("two", "her left ear is red")):
        browser.post("/tell", {"subject": str(mavi.pk), "client_id": client_id, "words": words})
    asked = OpenQuestion.objects.get()
    turns = dict(Statement.objects.values_list("client_id", "turn"))
    drop("turn", turns["two"])
    assert OpenQuestion.objects.get() == asked
    drop("turn", turns["one"])
    assert not OpenQuestion.objects.exists()


def test_a_follow_up_that_two_tellings_ask_for_waits_until_both_are_forgotten():
    mavi = a_cat()
    first, second = say(mavi, "she vomited"), say(mavi, "she vomited again")
    cause = LedgerEntry.objects.get(turn=first).pk
    asked = OpenQuestion.objects.get()
    assert asked.asked_of_id == cause
    drop("turn", first)
    assert OpenQuestion.objects.get().asked_of_id == LedgerEntry.objects.get(turn=second).pk
    drop("turn", second)
    assert not OpenQuestion.objects.exists()


def test_a_forgetting_reads_no_journal_from_end_to_end():
    leo = a_child(a_person())
    tablet = a_device(a_person(), leo)
    turn = say(leo, "he vomited")
    told = Memory("m-1", "the red boat", 1, mentions=frozenset({Mention(1, tablet.gid, turn)}))
    tablet.memory(told)
    read = """
        SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) FROM pg_stat_xact_user_tables
        WHERE relname = 'memory_journalline'
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO memory_journalline (device, seq, envelope) SELECT 'other', n, jsonb_build_object("
            "'event', 'TurnEnded', 'at_ms', n, 'turn', 'x' || n, 'how', 'done')"
            " FROM generate_series(0, 999) n"
        )
        cursor.execute("ANALYZE")
        cursor.execute("SET LOCAL enable_seqscan = off")  # it is small
        cursor.execute(read)
        (before,) = cursor.fetchone()
        drop("memory", "m-1")
        cursor.execute(read)
        assert cursor.fetchone()[0] - before < 200


def test_forgetting_many_rows_asks_no_more_of_each_table_than_forgetting_one():
    """Counted in a turn of one memory and one of eight, each told of in a record of its own."""
    ana = a_person("Ana")
    leo, asked = a_child(ana), {}
    tablet = a_device(ana, leo)
    for count in (1, 8):
        turn = say(leo, "his left ear is red")
        told = frozenset({Mention(1_700_000_000_000, tablet.gid, turn)})
        tablet.memory(*(Memory(f"m-{count}-{n}", f"fish number {n}", 1, mentions=told) for n in range(count)))
        with CaptureQueriesContext(connection) as queries:
            done = forget(Target("turn", turn), person=ana, client_id=str(uuid.uuid4()), now=now())
        assert done.counts["memory.Memory"] == count
        asked[count] = len(queries)
    assert asked[1] == asked[8]
    home = JournalLine.objects.filter(device="home").order_by("seq")
    assert [line.seq for line in home] == list(range(len(home)))
    assert home.filter(envelope__event="Forgot").count() == Tombstone.objects.count() == 11
