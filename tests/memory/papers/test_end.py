"""A forgotten document answers nothing from the next request on: by no page, search, question or file."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from household.access import seen_by
from household.models import Export, Heartbeat, Person
from memory.models import Answer, CachedAnswer, Document, DocumentEntry, Forgetting
from memory.services.asking import ask
from memory.services.documents.forgetting import take_back_document
from memory.services.exporting import making
from memory.services.exporting.making import ask_export, make_export
from memory.services.finding.entries import fill_due
from tests.makers import a_cat, a_membership, a_person, now, signed_in
from tests.memory.papers.making import printed, read_in, scanned
from twin.models import Record, Subject

WORD = "zqlantern"
TEXT = f"""Harbour Lane Veterinary Clinic
VETERINARY EXAMINATION REPORT
Date of visit: 03.02.2026

Diagnosis
Chronic {WORD} dermatitis of the tail, first diagnosed in 2023.
"""
# Pages, and the folders of an export, that give out what a paper said.
EVERYBODY = {
    *("memory:document-show", "memory:document-original", "memory:ask-answer", "search"),
    *("twin:subject-show", "twin:print-show", "csv", "data", "files"),
}
QUESTION = "what did the vet report say about the tail?"


@pytest.fixture(autouse=True)
def a_worker(monkeypatch: pytest.MonkeyPatch, transactional_db: None) -> None:
    """The queue takes what is enqueued; nothing of it runs here."""
    from household.queue import queue

    monkeypatch.setattr(queue, "enqueue", lambda task: None)
    Heartbeat.objects.update_or_create(worker="w", defaults={"at": timezone.now()})


def who_says_it(client: Client, document: Document, asked: list[int], exports: list[int]) -> set[str]:
    """The ways, of all there are, by which the house gives out the word of a document."""
    pk = document.subject_id
    pages = {
        **{f"memory:document-{one}": document.doc_id for one in ("show", "progress", "original")},
        **dict.fromkeys(("memory:document-list", "twin:subject-show", "twin:print-show"), pk),
        **dict.fromkeys(("memory:ask-answer",) if asked else (), asked[-1] if asked else None),
    }
    found = {name: _words(client.get(reverse(name, args=[one]))) for name, one in pages.items()}
    found["search"] = _words(client.post(reverse("memory:search-show"), {"words": "dermatitis of the tail"}))
    for one in exports:
        file = _words(client.get(reverse("memory:export-download", args=[one])), raw=True)
        if file.startswith(b"PK"):
            archive = zipfile.ZipFile(io.BytesIO(file))
            for name in archive.namelist():
                folder = name.partition("/")[0]
                found[folder] = found.get(folder, "") + archive.read(name).decode("utf-8", "replace")
    return {name for name, text in found.items() if WORD in text}


def _words(response: Any, *, raw: bool = False) -> Any:
    body = b"".join(response.streaming_content) if response.streaming else response.content
    return body if raw else (body.decode("utf-8", "replace") if response.status_code != 404 else "")


def everything_about(ana: Person, mavi: Subject) -> tuple[Document, list[int], list[int]]:
    """A document that was read, found, asked about, taken over into the book and carried out."""
    document = read_in(TEXT.encode(), mavi, ana, name="report.txt")
    fill_due()
    client = signed_in(ana)
    finding = document.proposals.get(text__contains=WORD)
    assert client.post(reverse("memory:finding-accept", args=[finding.pk])).status_code == 302
    fill_due()
    asked = [ask(person=ana, subject_id=mavi.pk, question=QUESTION, client_id="one", now=now())]
    exports = [make_export(ask_export(person=ana, subjects=[mavi.pk], now=now()).pk, now=now()).pk]
    return document, asked, exports


def test_from_the_next_request_on_nothing_of_it_is_found_by_any_way() -> None:
    ana = a_person("Ana")
    mavi = a_cat(ana)
    document, asked, exports = everything_about(ana, mavi)
    client = signed_in(ana)
    assert who_says_it(client, document, asked, exports) == EVERYBODY
    stored = {document.stored, Export.objects.get().stored}
    assert Answer.objects.filter(pk__in=asked, text__contains=WORD).exists()
    sent = {"client_id": "one", "sure": "yes"}
    assert client.post(reverse("memory:forget-show", args=["document", document.pk]), sent).status_code == 302
    assert who_says_it(client, document, asked, exports) == set()
    for name in ("show", "original", "thumbnail", "progress"):
        assert client.get(reverse(f"memory:document-{name}", args=[document.doc_id])).status_code == 404
    assert client.get(reverse("memory:export-download", args=exports)).status_code == 404
    assert not Record.objects.filter(provenance="document").exists()
    assert not DocumentEntry.objects.exists()
    assert not CachedAnswer.objects.exists()
    again = ask(person=ana, subject_id=mavi.pk, question=QUESTION, client_id="two", now=now())
    assert WORD not in Answer.objects.get(pk=again).text
    owed = Forgetting.objects.get().owed
    assert owed is not None
    assert "" not in stored and stored <= set(owed.files)


def test_an_export_overtaken_by_a_forgetting_begins_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    ana = a_person("Ana")
    mavi = a_cat(ana)
    vera = a_person("Vera")
    a_membership(vera, mavi, "vet")
    document = read_in(TEXT.encode(), mavi, vera, name="report.txt")
    real, tries = making._write, []

    def overtaken(*args: Any, **kwargs: Any) -> None:
        real(*args, **kwargs)
        tries.append(1)
        if len(tries) == 1:
            with seen_by(vera, now=now()):
                take_back_document(person=vera, document_id=document.pk, now=now())

    monkeypatch.setattr(making, "_write", overtaken)
    row = make_export(ask_export(person=ana, subjects=[mavi.pk], now=now()).pk, now=now())
    assert (row.state, len(tries)) == ("done", 2)
    assert who_says_it(signed_in(ana), document, [], [row.pk]) == set()
    assert default_storage.exists(row.stored)
    assert len(default_storage.listdir("exports")[1]) == 1


def test_a_scans_small_picture_goes_with_it() -> None:
    ana = a_person("Ana")
    small = scanned(printed("Weight: 4.6 kg").crop((0, 0, 600, 300)))
    document = read_in(small, a_cat(ana), ana)
    client = signed_in(ana)
    picture = reverse("memory:document-thumbnail", args=[document.doc_id])
    assert client.get(picture).status_code == 200
    sent = {"client_id": "one", "sure": "yes"}
    client.post(reverse("memory:forget-show", args=["document", document.pk]), sent)
    assert client.get(picture).status_code == 404
    assert {document.stored, document.thumbnail} <= set(Forgetting.objects.get().owed.files)  # type: ignore[union-attr]
