"""A locked PDF on its page: a wrong password, the right one, and what is kept of it."""

from __future__ import annotations

import pytest
from django.core.files.storage import default_storage
from django.urls import reverse

from memory.services.documents.pipeline import read_document
from tests.makers import a_cat, a_person, now, signed_in
from tests.memory.forgetting.searching import places
from tests.memory.papers.making import handed_in, locked
from tests.memory.papers.test_harm import a_text_pdf, line

pytestmark = pytest.mark.django_db
PASSWORD = "blue-umbrella-7"
WORDS = "Chronic otitis externa, first diagnosed in 2023."


def test_the_right_password_given_on_the_page_opens_it_and_is_kept_nowhere(queued: list[int]) -> None:
    ana = a_person("Ana")
    content = locked(
        a_text_pdf(line("Harbour Lane Veterinary Clinic", 60, 740), line(WORDS, 60, 700)), PASSWORD
    )
    document = handed_in(content, a_cat(ana), ana).document
    read_document(document.pk, clock=now)
    client = signed_in(ana)
    show, unlock = (reverse(f"memory:document-{one}", args=[document.doc_id]) for one in ("show", "unlock"))
    page = client.get(show).content.decode()
    assert "It is locked" in page
    assert 'name="password"' in page
    refused = client.post(unlock, {"password": "wrong"})
    assert refused.status_code == 422
    assert "This was not its password." in refused.content.decode()
    assert client.post(unlock, {"password": PASSWORD}).status_code == 302
    assert client.post(unlock, {"password": PASSWORD}).status_code == 409
    read_document(document.pk, clock=now)
    document.refresh_from_db()
    assert document.state == "ready"
    assert WORDS in client.get(show).content.decode()
    assert document.proposals.filter(text=WORDS).exists()
    with default_storage.open(document.stored, "rb") as file:
        assert file.read() == content  # the original stays as it came
    assert places(PASSWORD) == set()
