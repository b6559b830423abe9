"""The pages of a document in every state: what they say, what they cost, in both languages, for whom."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from household.models import AccessLog, Person
from memory.models import Document, DocumentStage
from memory.services.documents.pipeline import read_document
from tests.makers import a_cat, a_membership, a_person, now, signed_in
from tests.memory.papers.making import handed_in, printed, read_in, scanned
from tests.memory.papers.samples import SAMPLES
from twin.models import Subject

pytestmark = pytest.mark.django_db
VET = next(one for one in SAMPLES if one.name == "vet_en").text.encode()
# State, error, and what the page says of it in English and in Turkish.
STATES = (
    ("waiting", "", "You can leave this page", "Bu sayfadan ayrılabilirsiniz"),
    ("reading", "", "2 of 5 pages", "5 sayfadan 2"),
    ("needs_password", "needs_password", "It is locked", "Kilitli"),
    ("needs_ocr", "no_ocr", "sudo apt install tesseract-ocr", "sudo apt install tesseract-ocr"),
    ("failed", "too_slow", "Reading it took too long", "çok uzun sürdü"),
    ("ready", "", "What could stand in the book", "Deftere yazılabilecekler"),
)


@pytest.fixture
def ana() -> Person:
    return a_person("Ana")


@pytest.fixture
def mavi(ana: Person) -> Subject:
    return a_cat(ana)


def put_into(document: Document, state: str, error: str) -> Document:
    """The document as the pipeline leaves it in a state."""
    left = {"ready": "done", "reading": "running"}.get(state, "waiting")
    stages = DocumentStage.objects.filter(document=document)
    stages.update(state=left, finished_at=None)
    stages.filter(name="ocr").update(done=2, total=5)
    stages.filter(name="text").update(state="done" if state == "reading" else left)
    Document.objects.filter(pk=document.pk).update(state=state, error=error)
    document.refresh_from_db()
    return document


def asked(client: Client, address: str) -> tuple[str, list[str]]:
    client.get(address)  # the first visit of a process looks whether the house is set up
    with CaptureQueriesContext(connection) as found:
        body = client.get(address).content.decode()
    return body, [one["sql"] for one in found.captured_queries if "SAVEPOINT" not in one["sql"]]


@pytest.mark.parametrize("state, error, english, turkish", STATES, ids=[one[0] for one in STATES])
def test_each_state_says_what_it_is_in_ten_queries(
    ana: Person, mavi: Subject, state: str, error: str, english: str, turkish: str
) -> None:
    document = put_into(read_in(VET, mavi, ana, name="report.txt"), state, error)
    vera = a_person("Vera")
    a_membership(vera, mavi, "vet", overrides={"document:view": True})
    ana.language = "en"
    for person, language, words in ((ana, "en", english), (ana, "tr", turkish), (vera, "en", english)):
        Person.objects.filter(pk=person.pk).update(language=language)
        client = signed_in(Person.objects.get(pk=person.pk))
        for name, key in (("document-show", document.doc_id), ("document-list", mavi.pk)):
            body, queries = asked(client, reverse(f"memory:{name}", args=[key]))
            assert len(queries) <= 10, "\n".join(queries)
            if name == "document-show" and not (person == vera and state == "needs_password"):
                assert words in body


def test_a_failed_one_is_read_again_by_one_tap_and_only_by_who_may(
    ana: Person, mavi: Subject, queued: list[int], django_capture_on_commit_callbacks: object
) -> None:
    document = put_into(read_in(VET, mavi, ana, name="report.txt"), "failed", "unexpected")
    DocumentStage.objects.filter(document=document).update(state="failed")
    retry = reverse("memory:document-retry", args=[document.doc_id])
    vera = a_person("Vera")
    a_membership(vera, mavi, "vet", overrides={"document:view": True})
    shown = signed_in(vera).get(reverse("memory:document-show", args=[document.doc_id])).content.decode()
    assert reverse("memory:document-retry", args=[document.doc_id]) not in shown
    assert signed_in(vera).post(retry).status_code == 404
    client = signed_in(ana)
    assert client.post(retry).status_code == 302
    assert client.post(retry).status_code == 409
    read_document(document.pk, clock=now)
    document.refresh_from_db()
    assert document.state == "ready"


def test_the_form_takes_several_files_a_drop_and_the_phones_camera(ana: Person, mavi: Subject) -> None:
    body = signed_in(ana).get(reverse("memory:document-list", args=[mavi.pk])).content.decode()
    assert 'type="file" name="files" multiple' in body
    assert 'name="photo" accept="image/*" capture="environment"' in body
    assert "Drop files here" in body
    assert 'enctype="multipart/form-data"' in body


def test_a_professional_hands_in_from_the_caseload(mavi: Subject) -> None:
    vera = a_person("Vera")
    a_membership(vera, mavi, "vet")
    client = signed_in(vera)
    address = reverse("memory:document-list", args=[mavi.pk])
    assert f'href="{address}"' in client.get(reverse("twin:caseload-show")).content.decode()
    assert "Hand in" in client.get(address).content.decode()


def test_a_professionals_look_at_the_small_picture_is_written_down_once(ana: Person, mavi: Subject) -> None:
    content = scanned(printed("Weight: 4.6 kg").crop((0, 0, 600, 300)))
    document = handed_in(content, mavi, ana).document
    read_document(document.pk, clock=now)
    document.refresh_from_db()
    vera = a_person("Vera")
    a_membership(vera, mavi, "vet", overrides={"document:view": True})
    looks = AccessLog.objects.filter(person=vera, subject=mavi, resource="document")
    picture = reverse("memory:document-thumbnail", args=[document.doc_id])
    for _time in range(2):
        assert signed_in(vera).get(picture).status_code == 200
        assert [one.row_ids for one in looks] == [[document.doc_id]]
    looks.update(at=now() - dt.timedelta(hours=1))
    signed_in(vera).get(reverse("memory:document-list", args=[mavi.pk]))
    signed_in(vera).get(picture)
    assert looks.count() == 2  # the list had it written down
    signed_in(ana).get(picture)
    assert set(AccessLog.objects.values_list("person", flat=True)) == {vera.pk}
    log = signed_in(ana).get(reverse("household:accesslog-list", args=[mavi.pk])).content.decode()
    assert reverse("memory:document-show", args=[document.doc_id]) in log
