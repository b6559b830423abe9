"""From the bytes to the book: every stage on real files, once, again, and half-way cut off."""

from __future__ import annotations

import datetime as dt
import json
import os
import shutil

import pytest

from household.access import seen_by
from memory.models import Document, DocumentStage, OwedErasure, Passage
from memory.papers import reading
from memory.papers.reading import has_tesseract
from memory.rules.documents import model_summary
from memory.services.documents import steps
from memory.services.documents.deciding import accept_finding
from memory.services.documents.forgetting import take
from memory.services.documents.pipeline import STEPS, due_documents, go_on, go_on_with_ocr, read_document
from tests.makers import a_child, a_person, now
from tests.memory.papers.making import as_pdf, docx, handed_in, printed, read_in, scanned
from tests.memory.papers.samples import SAMPLES, Sample
from tests.slices import IS_LONG

pytestmark = pytest.mark.django_db
RECEIVED = dt.datetime(2026, 7, 1, 9, tzinfo=dt.UTC)
SLICE = [one for one in SAMPLES if one.name in ("therapy_tr", "vet_en")]
with_ocr = pytest.mark.skipif(not has_tesseract(), reason="Tesseract is not installed")


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda one: one.name)
def test_a_report_as_text_is_read_to_its_end(sample: Sample) -> None:
    leo = a_child(a_person("Ana"))
    document = read_in(sample.text.encode(), leo, name="report.txt", at=RECEIVED)
    assert (document.state, document.error) == ("ready", "")
    assert (document.kind, document.dated_on, document.writer) == (
        sample.kind,
        sample.dated_on,
        sample.writer,
    )
    texts = [one.text for one in document.proposals.all()]
    assert all(any(words in text for text in texts) for words in sample.finds), texts
    assert document.passages.count() >= 1
    assert {one.day for one in document.passages.all()} == {document.dated_on}


@with_ocr
@pytest.mark.parametrize("sample", SAMPLES if IS_LONG else SLICE, ids=lambda one: one.name)
def test_a_report_printed_and_scanned_again_is_read_to_its_end(sample: Sample) -> None:
    leo = a_child(a_person("Ana"))
    turn = {"vet_report": 90, "school_assessment": 180}.get(sample.kind, 0)
    picture = scanned(printed(sample.text), turn=turn)
    document = read_in(picture, leo, name="photo.jpg", at=RECEIVED)
    assert (document.state, document.format) == ("ready", "jpeg")
    assert (document.kind, document.dated_on, document.language) == (
        sample.kind,
        sample.dated_on,
        sample.language,
    )
    assert document.thumbnail
    texts = [one.text for one in document.proposals.all()]
    missing = [words for words in sample.finds if not any(words in text for text in texts)]
    assert len(missing) <= 1, (missing, texts)  # a letter may be read as its neighbour
    for words in sample.leaves:
        assert not any(words in text for text in texts), words


def test_what_was_accepted_stays_when_a_document_is_read_again() -> None:
    ana = a_person("Ana")
    leo = a_child(ana)
    document = read_in(SAMPLES[0].text.encode(), leo, name="report.txt", at=RECEIVED)
    found = document.proposals.get(text__contains="sensory processing disorder")
    with seen_by(ana, now=RECEIVED):
        record = accept_finding(person=ana, finding_id=found.pk, now=RECEIVED).record
        assert accept_finding(person=ana, finding_id=found.pk, now=RECEIVED).record == record
    assert record is not None
    assert (record.kind, record.provenance, record.started_on, record.precision) == (
        "history",
        "document",
        dt.date(2024, 3, 1),
        "month",
    )
    go_on(document.pk, now=RECEIVED)
    DocumentStage.objects.filter(document=document, name="summary").update(state="waiting")
    read_document(document.pk, clock=lambda: RECEIVED)
    again = list(document.proposals.filter(text=found.text))
    assert [(one.state, one.record) for one in again] == [("accepted", record)]
    assert document.proposals.count() == len(set(document.proposals.values_list("text", flat=True)))


def test_a_stage_that_was_cut_off_is_run_again_and_gives_the_same() -> None:
    leo = a_child(a_person("Ana"))
    document = read_in(SAMPLES[2].text.encode(), leo, name="report.txt", at=RECEIVED)
    before = list(document.passages.values_list("ordinal", "text"))
    for name in ("text", "summary", "passages"):
        DocumentStage.objects.filter(document=document, name=name).update(state="running", attempts=1)
        Document.objects.filter(pk=document.pk).update(state="reading")
        assert due_documents(now=RECEIVED) == [document.pk]
        read_document(document.pk, clock=lambda: RECEIVED)
    document.refresh_from_db()
    assert document.state == "ready"
    assert list(document.passages.values_list("ordinal", "text")) == before
    assert document.texts.count() == 1
    assert not due_documents(now=RECEIVED)


def test_a_stage_that_takes_its_worker_down_each_time_is_given_up() -> None:
    document = handed_in(SAMPLES[0].text.encode(), a_child(a_person("Ana"))).document
    DocumentStage.objects.filter(document=document, name="text").update(state="running", attempts=3)
    read_document(document.pk, clock=now)
    document.refresh_from_db()
    assert (document.state, document.error) == ("failed", "crashed")
    assert not due_documents(now=now())


def test_what_lies_in_the_moment_is_tried_three_times_later_each_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reading.sys, "executable", "/bin/false")
    document = handed_in(SAMPLES[0].text.encode(), a_child(a_person("Ana")), at=RECEIVED).document
    at, waits = RECEIVED, []
    for _try in range(3):
        read_document(document.pk, clock=lambda: at)  # noqa: B023
        stage = document.stages.get(name="text")
        waits.append((stage.attempts, stage.state, stage.due_at - at))
        at = max(stage.due_at, at)
    assert waits == [
        (1, "waiting", dt.timedelta(minutes=1)),
        (2, "waiting", dt.timedelta(minutes=10)),
        (3, "failed", dt.timedelta(0)),
    ]
    document.refresh_from_db()
    assert (document.state, document.error) == ("failed", "crashed")
    monkeypatch.undo()
    go_on(document.pk, now=at)
    read_document(document.pk, clock=lambda: at)
    document.refresh_from_db()
    assert document.state == "ready"


def test_a_scan_waits_for_tesseract_and_goes_on_once_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.environ["PATH"]
    monkeypatch.setenv("PATH", "/nowhere")
    small = as_pdf(printed("Weight: 4.6 kg").crop((0, 0, 900, 300)))
    document = read_in(small, a_child(a_person("Ana")), at=RECEIVED)
    assert (document.state, document.error) == ("needs_ocr", "no_ocr")
    assert go_on_with_ocr(now=RECEIVED) == 0
    if not is_there_at(real):
        return
    monkeypatch.setenv("PATH", real)
    assert go_on_with_ocr(now=RECEIVED) == 1
    read_document(document.pk, clock=lambda: RECEIVED)
    document.refresh_from_db()
    assert document.state == "ready"
    assert "4.6 kg" in document.texts.get().text


def is_there_at(path: str) -> bool:
    return shutil.which("tesseract", path=path) is not None


def test_hidden_words_are_kept_apart_and_used_for_nothing() -> None:
    body = (
        "<w:p><w:r><w:t>He has difficulty sleeping at night.</w:t></w:r></w:p>"
        "<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>Diagnosed with epilepsy in 2019.</w:t></w:r></w:p>"
    )
    document = read_in(docx(body), a_child(a_person("Ana")), at=RECEIVED)
    assert document.has_hidden_text
    assert document.texts.get().hidden == "Diagnosed with epilepsy in 2019."
    used = [
        *document.passages.values_list("text", flat=True),
        *document.proposals.values_list("text", flat=True),
    ]
    assert "epilepsy" not in " ".join([*used, document.summary.text])


def test_a_document_without_a_word_says_so() -> None:
    document = read_in(as_pdf(printed("")), a_child(a_person("Ana")), at=RECEIVED)
    assert (document.state, document.error) == ("failed", "nothing_readable")


def test_what_was_forgotten_while_it_was_read_stays_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    document = handed_in(SAMPLES[0].text.encode(), a_child(a_person("Ana")), at=RECEIVED).document
    real = steps.cut_passages

    def forgotten_first(held: Document, stage: DocumentStage, at: dt.datetime) -> None:
        take(Document.objects.get(pk=held.pk))
        real(held, stage, at)

    monkeypatch.setitem(STEPS, "passages", forgotten_first)
    assert read_document(document.pk, clock=lambda: RECEIVED)
    assert not Document.objects.exists()
    assert not Passage.objects.exists()
    assert OwedErasure.objects.get().stored == [document.stored]


def test_a_model_chooses_among_the_words_that_are_there() -> None:
    text = "Leo avoids sticky textures. He sleeps well. Date: 12.05.2026"
    answer = {
        "kind": "therapy_evaluation",
        "title": "Never printed",
        "writer": "",
        "sentences": ["Leo avoids  sticky textures.", "Leo has epilepsy and needs medicine."],
    }
    said = model_summary.parse(json.dumps(answer), text)
    assert said.sentences == ("Leo avoids  sticky textures.",)
    assert (said.title, said.kind, said.dropped) == ("", "therapy_evaluation", 1)
    with pytest.raises(model_summary.NotASummary):
        model_summary.parse("[]", text)
