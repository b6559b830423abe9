"""Filing what was read: days, history, questions, undo, double posts, several subjects."""

import datetime as dt

import pytest

from tests.makers import a_cat, a_child, a_person, a_subject
from twin.models import LedgerEntry, Question, Record, Statement
from twin.rules.entries import Entry, Reading, Since
from twin.rules.subjects import Known
from twin.services import statements
from twin.services.filing import TooLate, undo_turn

pytestmark = pytest.mark.django_db
NOW = dt.datetime(2026, 11, 30, 18, 0, tzinfo=dt.UTC)


def told(
    subject,
    text="words",
    *,
    entries=(),
    kinds=("observation",),
    at=NOW,
    client_id="c1",
    by=None,
    answers=None,
):
    row, _ = statements.keep_statement(
        author_id=by.pk if by else None,
        subject=subject,
        text=text,
        turn=f"t-{client_id}",
        client_id=client_id,
        at=at,
    )
    reading = Reading(frozenset(kinds), tuple(entries))
    known = [Known(subject.pk, subject.name, subject.species)]
    return statements.file_reading(row, reading, known=known, now=at, answers=answers)


def vomited(**fields):
    return Entry("upper_digestive", model_read="abnormal", signs={"vomiting": True}, today="yes", **fields)


def test_two_statements_of_one_day_fold_into_one_record_and_both_stay_in_the_ledger():
    cat = a_cat()
    told(cat, entries=[vomited()], client_id="a")
    told(cat, entries=[Entry("upper_digestive", signs={"vomit_count": 2}, today="yes")], client_id="b")
    (record,) = Record.objects.filter(subject=cat)
    assert record.signs == {"vomiting": True, "vomit_count": 2}
    assert record.polarity == "abnormal"
    assert record.turns == ["t-a", "t-b"]
    assert LedgerEntry.objects.filter(record=record, state="filed").count() == 2


def test_filing_the_same_statement_twice_changes_nothing():
    cat = a_cat()
    for _ in range(2):
        told(cat, entries=[vomited()], client_id="same")
    assert Statement.objects.count() == LedgerEntry.objects.count() == Record.objects.count() == 1


def test_an_unknown_time_asks_exactly_one_question_and_its_answer_files_the_entry():
    dog = a_subject(name="Bruno", species="dog")
    limped = Entry("musculoskeletal", model_read="abnormal", signs={"limping": True}, today="unknown")
    told(dog, "the sitter says he limped", entries=[limped], client_id="a")
    (question,) = Question.objects.all()
    assert Record.objects.count() == 0
    done = told(dog, "on Sunday", kinds=["answer"], client_id="b")
    assert done.answered == question.pk
    (record,) = Record.objects.all()
    assert (record.day or record.started_on) == dt.date(2026, 11, 29)
    assert Question.objects.get().state == "answered"
    told(dog, "on Monday", kinds=["answer"], client_id="c")
    assert Question.objects.count() == 1


def test_undo_reverses_the_filing_and_not_the_ledger():
    ana = a_person()
    cat = a_cat(parent=ana)
    told(cat, entries=[vomited()], client_id="a", by=ana)
    told(cat, entries=[Entry("upper_digestive", signs={"nausea": True}, today="yes")], client_id="b", by=ana)
    assert undo_turn(turn="t-b", person_id=ana.pk, now=NOW + dt.timedelta(seconds=30)) == 1
    (record,) = Record.objects.all()
    assert record.signs == {"vomiting": True}
    assert list(LedgerEntry.objects.order_by("id").values_list("state", flat=True)) == ["filed", "undone"]
    with pytest.raises(TooLate):
        undo_turn(turn="t-a", person_id=ana.pk, now=NOW + dt.timedelta(seconds=61))
    assert undo_turn(turn="t-a", person_id=ana.pk, now=NOW + dt.timedelta(seconds=60)) == 1
    assert Record.objects.count() == 0


def test_something_from_the_past_becomes_history_with_its_words_and_no_made_up_date():
    child = a_child()
    told(
        child,
        entries=[
            Entry(
                "ears",
                model_read="abnormal",
                signs={"pain": True},
                today="no",
                since=Since("age", low_months=0, high_months=12),
                phrase="as a baby",
            ),
            Entry("eyes", model_read="abnormal", today="no", since=Since("phrase"), phrase="a while ago"),
        ],
    )
    first, second = Record.objects.order_by("id")
    assert (first.kind, first.age_low_months, first.age_high_months, first.started_on) == (
        "history",
        0,
        12,
        None,
    )
    assert (second.time_phrase, second.started_on, second.sort_on) == ("a while ago", None, None)


def test_one_message_about_two_subjects_gives_each_only_its_own_words():
    ana = a_person()
    cat, leo = a_cat(name="Mavi", parent=ana), a_child(name="Leo", parent=ana)
    row, _ = statements.keep_statement(
        author_id=ana.pk,
        subject=None,
        text="Mavi is fine but Leo didn't sleep",
        turn="t",
        client_id="c",
        at=NOW,
    )
    entries = (
        Entry("whole_body", asserted="normal", today="yes", words="Mavi is fine", subject="Mavi"),
        Entry("sleep", signs={"poor_sleep": True}, today="yes", words="Leo didn't sleep", subject="Leo"),
    )
    known = [Known(one.pk, one.name, one.species) for one in (cat, leo)]
    statements.file_reading(row, Reading(frozenset({"observation"}), entries), known=known, now=NOW)
    assert Record.objects.get(subject=cat).category == "whole_body"
    assert Record.objects.get(subject=leo).category == "sleep"
    shared = Statement.objects.exclude(pk=row.pk).get()
    assert "Mavi" not in shared.text or "Leo" not in shared.text
