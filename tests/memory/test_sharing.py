"""Sharing from another app: shown back, kept once somebody says whom it is about, refused to others."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from memory.models import Document
from tests.makers import a_cat, a_child, a_person, signed_in
from twin.models import Statement

pytestmark = pytest.mark.django_db
NOTE = b"School report. Leo read aloud for ten minutes and was calm in class all week long."


def a_note() -> SimpleUploadedFile:
    return SimpleUploadedFile("report.txt", NOTE, content_type="text/plain")


def test_shared_words_wait_in_the_box_and_nothing_is_kept_yet() -> None:
    ana = a_person()
    a_child(ana)
    a_cat(ana)
    browser = signed_in(ana)
    page = browser.post("/share", {"title": "", "text": "scratched her ear", "url": ""})
    assert page.status_code == 200
    text = page.content.decode()
    assert ">scratched her ear</textarea>" in text
    assert "checked" not in text.split("<main")[1].split("</main>")[0]
    assert Statement.objects.count() == 0


def test_the_phone_s_share_sheet_needs_no_form_of_ours_but_a_signed_in_person() -> None:
    ana = a_person()
    a_child(ana)
    browser = Client(enforce_csrf_checks=True)
    assert browser.post("/share", {"text": "hello"}).url.startswith("/accounts/login/")  # type: ignore[attr-defined]
    browser.force_login(ana)
    assert browser.post("/share", {"text": "hello"}).status_code == 200
    assert browser.post("/share/keep", {"subject": "1"}).status_code == 403


def test_a_shared_file_that_came_without_the_worker_is_asked_for_once_more() -> None:
    ana = a_person()
    a_child(ana)
    page = signed_in(ana).post("/share", {"text": "", "files": a_note()})
    assert "choose it once more" in page.content.decode()
    assert Document.objects.count() == 0


def test_a_shared_file_goes_to_the_documents_of_whom_it_is_about_once() -> None:
    ana = a_person()
    a_cat(ana)
    child = a_child(ana)
    browser = signed_in(ana)
    for _again in range(2):
        answer = browser.post(
            "/share/keep", {"subject": str(child.pk), "client_id": "one", "files": a_note()}
        )
        assert answer.status_code == 302
        assert answer["Location"] == f"/book/{child.pk}/documents"
    assert [row.subject_id for row in Document.objects.all()] == [child.pk]


@pytest.mark.parametrize("subject", ["", "x", "9" * 40])
def test_without_a_subject_it_is_refused_with_words(subject: str) -> None:
    ana = a_person()
    a_child(ana)
    answer = signed_in(ana).post("/share/keep", {"subject": subject, "files": a_note()})
    assert answer.status_code == 422
    assert "Say first whom it is about." in answer.content.decode()


def test_another_family_s_child_is_not_there() -> None:
    child = a_child(a_person())
    eve = a_person("Eve")
    a_child(eve, name="Noa")
    page = signed_in(eve).get("/share").content.decode()
    assert "Leo" not in page
    answer = signed_in(eve).post(
        "/share/keep", {"subject": str(child.pk), "client_id": "one", "files": a_note()}
    )
    assert answer.status_code == 404
    assert Document.objects.count() == 0
