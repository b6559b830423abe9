"""Exports by their pages: for parents alone, fetched by whoever asked, read back by the worker."""

from __future__ import annotations

import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from household.models import Export, Membership
from memory.tasks import carry_out_due
from tests.makers import a_child, a_membership, a_person, a_record, signed_in
from tests.memory.exporting.test_export import emptied, tables
from twin.models import ImportBatch, Record

pytestmark = pytest.mark.django_db(transaction=True)


def test_an_export_is_asked_for_made_fetched_and_brought_into_another_house():
    ana, gil, eve = a_person(), a_person("Gil"), a_person("Eve")
    leo = a_child(ana)
    ida = a_child(eve, "Ida")
    a_membership(gil, leo, "family")
    a_record(leo, None, kind="note", text="first tooth", started_on=None)
    client = signed_in(ana)
    for subjects in ([], [ida.pk], ["x"]):
        assert client.post("/system/export", {"subjects": subjects}).status_code == 422
    for _time in range(2):
        assert client.post("/system/export", {"subjects": [leo.pk]}).status_code == 302
    row = Export.objects.get()
    assert client.get(f"/system/export/{row.pk}/file").status_code == 404
    carry_out_due()
    row.refresh_from_db()
    assert (row.state, row.done_tables) == ("done", row.all_tables)
    answer = client.get(f"/system/export/{row.pk}/file")
    assert "no-store" in answer["Cache-Control"]
    content = b"".join(answer.streaming_content)
    assert "first tooth" in {one["text"] for one in tables(content)["twin.Record"]}
    for other in (gil, eve):
        assert signed_in(other).get(f"/system/export/{row.pk}/file").status_code == 404
    assert signed_in(gil).get("/system/export").status_code == 404
    assert signed_in(gil).post("/system/import/book").status_code == 404
    assert "Leo" in client.get("/system/export").content.decode()
    Membership.objects.filter(person=ana).update(role="family")
    a_child(ana, "Mia")
    assert client.get(f"/system/export/{row.pk}/file").status_code == 404

    client = signed_in(emptied())
    for state in ("done", "failed"):
        sent = SimpleUploadedFile("h.zip", io.BytesIO(content).getvalue(), "application/zip")
        assert client.post("/system/import/book", {"file": sent}).status_code in (302, 404)
        if not ImportBatch.objects.exists():  # whoever has nobody yet founds the household as a parent
            pytest.fail("the founder of an empty household brings a book in")
        carry_out_due()
        batch = ImportBatch.objects.latest("pk")
        assert (batch.state, batch.stored) == (state, [])
        page = client.get(f"/system/import/{batch.pk}").content.decode()
        assert ("is in the book already" in page) == (state == "failed")
    assert Record.objects.get(text="first tooth").subject.name == "Leo"
    assert client.post(f"/system/import/{batch.pk}/undo").status_code == 404


def test_a_file_that_is_no_archive_is_said():
    ana = a_person()
    a_child(ana)
    sent = SimpleUploadedFile("h.zip", b"hello", "application/zip")
    page = signed_in(ana).post("/system/import/book", {"file": sent}, follow=True).content.decode()
    assert "This is no export of a Hearthbook." in page
    assert not ImportBatch.objects.exists()
