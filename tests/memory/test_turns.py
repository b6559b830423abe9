"""A turn: words first, then what was read in them, and the journal beside."""

import datetime as dt

import pytest

from household.access import Denied, seen_by
from memory.models import JournalLine, JournalWords
from memory.rules.journal import Line, join, read_line
from memory.services import turns
from memory.services.turns import answer, choose_subject, read_unread, tell, undo
from tests.makers import a_cat, a_child, a_membership, a_person
from twin.models import LedgerEntry, Question, Record, Statement
from twin.services.filing import TooLate
from twin.services.statements import Empty, TooLong

pytestmark = pytest.mark.django_db(transaction=True)
NOW = dt.datetime(2026, 11, 30, 18, 0, tzinfo=dt.UTC)


def lines():
    return list(JournalLine.objects.order_by("position"))


def test_a_turn_is_journalled_with_its_words_beside_a_wordless_spine():
    ana = a_person()
    cat = a_cat(parent=ana)
    turn = tell(person=ana, text="threw up twice this morning", client_id="c", now=NOW, subject_id=cat.pk)
    heard, ended = lines()
    assert [heard.envelope["event"], ended.envelope["event"]] == ["Heard", "TurnEnded"]
    assert {heard.turn, ended.turn, Statement.objects.get().turn, LedgerEntry.objects.get().turn} == {
        turn.turn
    }
    assert Record.objects.get().turns == [turn.turn]
    assert "threw" not in str(heard.envelope)
    assert heard.words.body == {"text": "threw up twice this morning"}
    for line in (heard, ended):
        words = JournalWords.objects.filter(line=line).values_list("body", flat=True).first()
        assert read_line(join(Line(line.envelope, words))).envelope == line.envelope


def test_the_same_turn_twice_is_one_turn():
    ana = a_person()
    cat = a_cat(parent=ana)
    first = tell(person=ana, text="he vomited", client_id="same", now=NOW, subject_id=cat.pk)
    again = tell(person=ana, text="he vomited", client_id="same", now=NOW, subject_id=cat.pk)
    assert (first.turn, first.is_new, again.is_new) == (again.turn, True, False)
    assert Statement.objects.count() == Record.objects.count() == 1
    assert len(lines()) == 2


def test_other_words_under_a_used_id_are_not_lost():
    ana = a_person()
    cat = a_cat(parent=ana)
    tell(person=ana, text="he vomited", client_id="same", now=NOW, subject_id=cat.pk)
    for _ in range(2):
        tell(person=ana, text="his left ear is red", client_id="same", now=NOW, subject_id=cat.pk)
    assert sorted(Statement.objects.values_list("text", flat=True)) == ["he vomited", "his left ear is red"]


def test_a_turn_that_fails_half_way_keeps_its_words_and_is_read_again(monkeypatch):
    ana = a_person()
    cat = a_cat(parent=ana)

    def fails(*args, **kwargs):
        raise RuntimeError("power")

    with monkeypatch.context() as patch:
        patch.setattr(turns, "file_reading", fails)
        turn = tell(person=ana, text="he vomited", client_id="c", now=NOW, subject_id=cat.pk)
    assert not turn.is_filed
    assert Statement.objects.get().read_at is None
    assert Record.objects.count() == 0
    assert read_unread(now=dt.datetime.now(dt.UTC) + dt.timedelta(minutes=2)) == 1
    assert Record.objects.get().signs == {"vomiting": True}
    assert read_unread(now=dt.datetime.now(dt.UTC) + dt.timedelta(minutes=2)) == 0


@pytest.mark.parametrize(("text", "error"), [("", Empty), (" \n\t", Empty), ("x" * 10_001, TooLong)])
def test_nothing_and_too_much_are_refused(text, error):
    ana = a_person()
    cat = a_cat(parent=ana)
    with pytest.raises(error):
        tell(person=ana, text=text, client_id="c", now=NOW, subject_id=cat.pk)
    assert Statement.objects.count() == len(lines()) == 0


@pytest.mark.parametrize(
    "text", ["😀 ok\x00", "kustu \ud800", "ŞĞÜ ıİ", "a" * 10_000, "<script>alert(1)</script>"]
)
def test_any_words_are_kept(text):
    ana = a_person()
    cat = a_cat(parent=ana)
    tell(person=ana, text=text, client_id="c", now=NOW, subject_id=cat.pk)
    assert Statement.objects.get().text == text.replace("\x00", "\ufffd").replace("\ud800", "\ufffd")


def test_an_outsider_is_told_there_is_nobody():
    cat = a_cat(parent=a_person())
    with pytest.raises(Denied):
        tell(person=a_person("Eve"), text="he vomited", client_id="c", now=NOW, subject_id=cat.pk)
    assert Statement.objects.count() == 0


def test_a_statement_about_nobody_known_asks_whom_it_is_about():
    ana = a_person()
    a_cat(parent=ana)
    leo = a_child(parent=ana)
    turn = tell(person=ana, text="vomited this morning", client_id="c", now=NOW)
    assert turn.told.needs_subject
    assert Record.objects.count() == 0
    choose_subject(person=ana, statement_id=Statement.objects.get().pk, subject_id=leo.pk, now=NOW)
    assert Record.objects.get().subject == leo
    with pytest.raises(Denied):
        choose_subject(
            person=a_person("Eve"), statement_id=Statement.objects.get().pk, subject_id=leo.pk, now=NOW
        )


def test_one_question_is_asked_and_answered_by_the_teller():
    ana, gran = a_person(), a_person("Gran")
    dog = a_cat(parent=ana, name="Bruno")
    a_membership(gran, dog, "family")
    tell(person=gran, text="the sitter says he limped, no idea which day", client_id="c", now=NOW)
    question = Question.objects.get()
    answer(person=gran, question_id=question.pk, text="on Sunday", client_id="d", now=NOW)
    (record,) = Record.objects.all()
    assert (record.day or record.started_on) == dt.date(2026, 11, 29)
    said = [line.envelope["event"] for line in lines()]
    assert said == ["Heard", "Said", "TurnEnded", "Heard", "TurnEnded"]
    with pytest.raises(Denied):
        answer(person=a_person("Eve"), question_id=question.pk, text="on Monday", client_id="e", now=NOW)
    answer(person=ana, question_id=question.pk, text="on Monday", client_id="f", now=NOW)  # late, but kept
    assert Statement.objects.filter(text="on Monday").exists()
    assert [row.pk for row in Record.objects.all()] == [record.pk]


def test_undo_is_for_the_teller_and_for_a_minute():
    ana = a_person()
    cat = a_cat(parent=ana)
    turn = tell(person=ana, text="he vomited", client_id="c", now=NOW, subject_id=cat.pk)
    assert undo(person=a_person("Eve"), turn=turn.turn, now=NOW) == 0
    with pytest.raises(TooLate):
        undo(person=ana, turn=turn.turn, now=NOW + dt.timedelta(seconds=61))
    later = NOW + dt.timedelta(seconds=120)
    with pytest.raises(TooLate):
        undo(person=ana, turn=turn.turn, now=later, held=dt.timedelta(seconds=59))
    assert undo(person=ana, turn=turn.turn, now=later, held=dt.timedelta(seconds=60)) == 1
    assert Record.objects.count() == 0
    assert LedgerEntry.objects.get().state == "undone"


def test_a_clock_that_runs_ahead_cannot_date_a_statement_in_the_future():
    ana = a_person()
    cat = a_cat(parent=ana)
    later = dt.datetime(2031, 1, 1, tzinfo=dt.UTC)
    tell(person=ana, text="he vomited", client_id="c", now=NOW, at=later, subject_id=cat.pk)
    assert Statement.objects.get().said_at == NOW


def test_a_sight_is_needed_to_reach_rows():
    ana = a_person()
    with pytest.raises(RuntimeError, match="seen_by"):
        turns.known_to(ana)
    with seen_by(ana, now=NOW):
        assert turns.known_to(ana) == []
