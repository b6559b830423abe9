"""The pages of documents: handing in, the list, one document, its file, its end."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from household.models import AccessLog, Person
from memory.models import Document, OwedErasure, Passage, ProposedFinding
from memory.rules.documents import limits
from memory.services.documents.forgetting import erase_owed, take
from memory.services.documents.pipeline import read_document
from memory.views.document_acts import SEALED
from tests.makers import a_cat, a_child, a_membership, a_person, now, signed_in
from tests.memory.papers.making import as_pdf, handed_in, printed, read_in
from tests.memory.papers.samples import SAMPLES
from twin.models import Record, Subject

pytestmark = pytest.mark.django_db
VET = next(one for one in SAMPLES if one.name == "vet_en")


@pytest.fixture
def ana() -> Person:
    return a_person("Ana")


@pytest.fixture
def mavi(ana: Person) -> Subject:
    return a_cat(ana)


def hand_in(client: Client, subject: Subject, *files: SimpleUploadedFile, **fields: Any) -> HttpResponse:
    data = {"files": list(files), "client_id": fields.pop("client_id", str(uuid.uuid4())), **fields}
    return client.post(reverse("memory:document-add", args=[subject.pk]), data, follow=True)


def paper(text: str = VET.text, name: str = "report.txt") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, text.encode())


def url(name: str, document: Document) -> str:
    return reverse(f"memory:{name}", args=[document.doc_id])


def test_several_files_are_handed_in_at_once_and_each_says_what_became_of_it(
    ana: Person, mavi: Subject, queued: list[int], django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        page = hand_in(
            signed_in(ana),
            mavi,
            paper(),
            SimpleUploadedFile("../../x.svg", b"<svg onload='x()'></svg>"),
            SimpleUploadedFile("empty.pdf", b""),
            paper("A second letter about her.", "letter.txt"),
        )
    body = page.content.decode()
    assert page.status_code == 422
    assert "x.svg is none of these" in body
    assert "empty.pdf is empty" in body
    assert Document.objects.count() == 2
    assert {one.file_name for one in Document.objects.all()} == {"report.txt", "letter.txt"}


def test_the_same_bytes_are_one_document_and_the_old_one_is_offered(ana: Person, mavi: Subject) -> None:
    client = signed_in(ana)
    hand_in(client, mavi, paper())
    old = Document.objects.get()
    page = hand_in(client, mavi, paper(name="again.txt"))
    assert old.doc_id in page.content.decode()
    assert "is here already" in page.content.decode()
    assert Document.objects.get() == old


def test_a_double_post_is_one_document_without_a_word(ana: Person, mavi: Subject) -> None:
    client = signed_in(ana)
    for _post in range(2):
        page = hand_in(client, mavi, paper(), client_id="one")
        assert "is here already" not in page.content.decode()
    assert Document.objects.count() == 1


def test_bytes_that_are_being_forgotten_are_said_to_be_and_can_come_again(ana: Person, mavi: Subject) -> None:
    client = signed_in(ana)
    hand_in(client, mavi, paper())
    take(Document.objects.get())
    page = hand_in(client, mavi, paper())
    assert page.status_code == 422
    assert "is just being forgotten" in page.content.decode()
    assert erase_owed() == 1
    hand_in(client, mavi, paper())
    assert Document.objects.count() == 1
    assert not OwedErasure.objects.exists()


def test_who_may_not_view_is_not_told_that_a_file_is_there(ana: Person) -> None:
    leo = a_child(ana)
    hand_in(signed_in(ana), leo, paper())
    tia = a_person("Tia")
    a_membership(tia, leo, "teacher")
    client = signed_in(tia)
    page = hand_in(client, leo, paper(name="mine.txt"))
    assert "is here already" not in page.content.decode()
    mine = Document.objects.get(author=tia)
    listed = client.get(reverse("memory:document-list", args=[leo.pk])).content.decode()
    assert mine.doc_id in listed
    assert Document.objects.get(author=ana).doc_id not in listed
    assert client.get(url("document-show", Document.objects.get(author=ana))).status_code == 404
    assert client.get(url("document-original", Document.objects.get(author=ana))).status_code == 404
    assert AccessLog.objects.filter(person=tia, subject=leo, resource="document").exists()


def test_a_file_that_is_too_large_says_so(
    ana: Person, mavi: Subject, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memory.views import documents

    monkeypatch.setattr(documents, "MAX_BYTES", 10)
    page = hand_in(signed_in(ana), mavi, paper())
    assert page.status_code == 422
    assert "is larger than" in page.content.decode()
    assert limits.MAX_BYTES == 50 * 1024 * 1024
    assert not Document.objects.exists()


def test_a_file_past_the_limit_is_let_run_out_while_it_comes(
    ana: Person, mavi: Subject, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memory import uploads

    monkeypatch.setattr(uploads, "MAX_BYTES", 100_000)
    page = hand_in(signed_in(ana), mavi, paper("word " * 60_000, "long.txt"), paper("A letter.", "short.txt"))
    assert page.status_code == 422
    assert "long.txt is larger than" in page.content.decode()
    assert Document.objects.get().file_name == "short.txt"


def test_no_file_is_422(ana: Person, mavi: Subject) -> None:
    page = hand_in(signed_in(ana), mavi)
    assert page.status_code == 422
    assert "Choose a file first." in page.content.decode()


def test_the_page_shows_what_it_is_and_where_each_passage_stands(ana: Person, mavi: Subject) -> None:
    document = read_in(VET.text.encode(), mavi, ana, name="report.txt")
    client = signed_in(ana)
    body = client.get(url("document-show", document)).content.decode()
    assert "VETERINARY EXAMINATION REPORT" in body
    assert "Chronic otitis externa, left ear, first diagnosed in 2023." in body
    for passage in Passage.objects.filter(document=document):
        assert f'id="{passage.anchor}"' in body


def test_the_list_asks_the_same_however_many_documents_there_are(ana: Person, mavi: Subject) -> None:
    client, address = signed_in(ana), reverse("memory:document-list", args=[mavi.pk])
    counts = []
    for number in range(3):
        handed_in(f"Letter {number} about her.".encode(), mavi, ana)
        with CaptureQueriesContext(connection) as found:
            client.get(address)
        counts.append(len(found))
    assert counts[1] == counts[2]


def test_progress_is_polled_until_it_ends(ana: Person, mavi: Subject) -> None:
    document = handed_in(VET.text.encode(), mavi, ana).document
    client = signed_in(ana)
    page = client.get(url("document-progress", document), headers={"HX-Request": "true"})
    assert 'hx-trigger="every 2s"' in page.content.decode()
    assert "HX-Refresh" not in page
    read_document(document.pk, clock=now)
    page = client.get(url("document-progress", document), headers={"HX-Request": "true"})
    assert page["HX-Refresh"] == "true"


def test_a_finding_goes_into_the_book_by_one_tap(ana: Person, mavi: Subject) -> None:
    document = read_in(VET.text.encode(), mavi, ana)
    client = signed_in(ana)
    finding = document.proposals.get(text__startswith="Chronic otitis")
    for _tap in range(2):
        assert client.post(reverse("memory:finding-accept", args=[finding.pk])).status_code == 302
    record = Record.objects.get(provenance="document")
    assert (record.category, record.started_on, record.precision, record.chronic) == (
        "ears",
        dt.date(2023, 1, 1),
        "year",
        True,
    )
    assert client.post(reverse("memory:finding-decline", args=[finding.pk])).status_code == 409
    other = document.proposals.exclude(pk=finding.pk).first()
    assert other is not None
    client.post(reverse("memory:finding-decline", args=[other.pk]))
    assert client.post(reverse("memory:finding-accept", args=[other.pk])).status_code == 409
    assert Record.objects.filter(provenance="document").count() == 1


def test_what_it_is_can_be_corrected_within_its_bounds(ana: Person, mavi: Subject) -> None:
    document = read_in(VET.text.encode(), mavi, ana)
    client, address = signed_in(ana), url("document-correct", document)
    said = {"title": "Ears again", "kind": "vet_report", "writer": "Dr. O", "dated_on": "2026-02-01"}
    assert client.post(address, {**said, "dated_on": "2999-01-01"}).status_code == 422
    assert client.post(address, {**said, "kind": "poem"}).status_code == 422
    assert client.post(address, said).status_code == 302
    document.refresh_from_db()
    assert (document.title, document.dated_on, document.day) == (
        "Ears again",
        dt.date(2026, 2, 1),
        dt.date(2026, 2, 1),
    )
    assert set(document.passages.values_list("day", flat=True)) == {dt.date(2026, 2, 1)}
    document.stages.update(state="waiting")
    Document.objects.filter(pk=document.pk).update(state="reading")
    read_document(document.pk, clock=now)
    document.refresh_from_db()
    assert (document.title, document.writer) == ("Ears again", "Dr. O")


def test_the_original_is_served_sealed_as_a_download(ana: Person, mavi: Subject) -> None:
    content = as_pdf(printed("x").crop((0, 0, 200, 200)))
    document = handed_in(content, mavi, ana, name='../a"b\n<script>.pdf').document
    page = signed_in(ana).get(url("document-original", document))
    assert b"".join(page.streaming_content) == content
    assert page["Content-Type"] == "application/pdf"
    assert page["Content-Disposition"].startswith("attachment; filename=")
    assert "\n" not in page["Content-Disposition"]
    assert "<" not in page["Content-Disposition"]
    assert page["X-Content-Type-Options"] == "nosniff"
    assert page["Content-Security-Policy"] == SEALED
    assert "no-store" in page["Cache-Control"]


def test_a_locked_document_asks_for_its_password_and_keeps_none(ana: Person, mavi: Subject) -> None:
    document = handed_in(locked_pdf(), mavi, ana).document
    read_document(document.pk, clock=now)
    client = signed_in(ana)
    assert "It is locked" in client.get(url("document-show", document)).content.decode()
    page = client.post(url("document-unlock", document), {"password": "wrong-one"})
    assert page.status_code == 422
    assert "This was not its password." in page.content.decode()


def locked_pdf() -> bytes:
    """A PDF whose trailer says that it is encrypted, as an authoring program writes it."""
    body = as_pdf(printed("locked").crop((0, 0, 200, 200)))
    lock = (
        b"/Encrypt << /Filter /Standard /V 1 /R 2 /Length 40 /P -4 /O <"
        + b"41" * 32
        + b"> /U <"
        + b"42" * 32
        + b"> >>"
        b" /ID [<0102> <0102>]"
    )
    return body.replace(b"trailer\n<<", b"trailer\n<< " + lock, 1).replace(
        b"trailer <<", b"trailer << " + lock, 1
    )


def test_from_the_next_request_on_nothing_of_a_forgotten_document_is_found(
    ana: Person, mavi: Subject
) -> None:
    document = read_in(VET.text.encode(), mavi, ana)
    name = document.stored
    client = signed_in(ana)
    accepted = document.proposals.get(text__startswith="Chronic otitis")
    client.post(reverse("memory:finding-accept", args=[accepted.pk]))
    addresses = [url(one, document) for one in ("document-show", "document-original", "document-thumbnail")]
    take(document)
    assert [client.get(one).status_code for one in addresses] == [404, 404, 404]
    assert "otitis" not in client.get(reverse("memory:document-list", args=[mavi.pk])).content.decode()
    assert "otitis" not in client.get(reverse("twin:subject-show", args=[mavi.pk])).content.decode()
    assert not ProposedFinding.objects.exists()
    assert not Record.objects.filter(provenance="document").exists()
    assert default_storage.exists(name)
    erase_owed()
    assert not default_storage.exists(name)


def test_a_professional_takes_back_what_they_handed_in_until_it_is_in_the_book(
    ana: Person, mavi: Subject
) -> None:
    vera = a_person("Vera")
    a_membership(vera, mavi, "vet")
    document = read_in(VET.text.encode(), mavi, vera)
    client = signed_in(vera)
    assert "Take this document back?" in client.get(url("document-forget", document)).content.decode()
    finding = document.proposals.first()
    assert finding is not None
    assert client.post(reverse("memory:finding-accept", args=[finding.pk])).status_code == 404
    assert client.post(url("document-forget", document)).status_code == 302
    assert not Document.objects.exists()
    again = read_in(VET.text.encode() + b" ", mavi, vera)
    signed_in(ana).post(reverse("memory:finding-accept", args=[again.proposals.all()[0].pk]))
    assert client.post(url("document-forget", again)).status_code == 409


def test_another_family_finds_nothing(ana: Person, mavi: Subject) -> None:
    document = read_in(VET.text.encode(), mavi, ana)
    eve = signed_in(a_person("Eve"))
    for name in ("document-show", "document-original", "document-progress", "document-forget"):
        assert eve.get(url(name, document)).status_code == 404
    assert eve.get(reverse("memory:document-list", args=[mavi.pk])).status_code == 404
    assert hand_in(eve, mavi, paper()).status_code == 404
