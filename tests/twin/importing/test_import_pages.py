"""Bringing in an export by its pages: nothing before the choices, once, and taken back whole."""

from __future__ import annotations

import io
import zipfile

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile

from tests.makers import a_child, a_membership, a_person, signed_in
from tests.twin.importing.test_babybuddy import folder_of
from twin.models import Dose, ImportBatch, ImportLine, Medicine, Record, Subject, Trackable, TrackableEntry
from twin.tasks import bring_in_due

pytestmark = pytest.mark.django_db

FILES = {
    "weight.csv": "id,child_id,child_first_name,child_last_name,weight,date,notes,tags\n"
    '1,1,Mia,Oak,9.5,2025-01-05,at the nurse,"2"\n',
    "sleep.csv": "id,child_id,child_first_name,child_last_name,start,end,nap,notes,tags\n"
    "1,1,Mia,Oak,2025-01-05 20:00:00,2025-01-06 06:00:00,0,=slept,\n"
    "2,1,Mia,Oak,2025-01-05 13:00:00,2025-01-05 14:00:00,1,,\n",
    "medication.csv": "id,child_id,child_first_name,child_last_name,name,dosage,dosage_unit,time,"
    "next_dose_interval,notes,tags\n1,1,Mia,Oak,Syrup,2.5,ml,2025-01-05 10:00:00,6:00:00,,\n",
    "tag.csv": "id,name,color\n2,clinic,#fff\n",
    "note.csv": "id,child_id,child_first_name,child_last_name,note,time,tags\n"
    "1,1,Mia,Oak,laughed out loud,2025-01-05 09:00:00,\n2,1,Mia,Oak,bad,never,\n",
}
CHOICES = {"zone": "Europe/Istanbul", "weight": "lb", "length": "cm", "temperature": "C", "volume": "ml"}


def archive(files=None) -> SimpleUploadedFile:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as made:
        for name, text in (files or FILES).items():
            made.writestr(name, text)
    return SimpleUploadedFile("export.zip", buffer.getvalue(), "application/zip")


def handed_in(client, files=None) -> ImportBatch:
    answer = client.post("/system/import", {"files": files or [archive()]})
    assert answer.status_code == 302
    return ImportBatch.objects.latest("pk")


def brought_in(client, batch, who, **choices):
    assert (
        client.post(f"/system/import/{batch.pk}", {**CHOICES, "child-0": who, **choices}).status_code == 302
    )
    client.post(f"/system/import/{batch.pk}/run")
    bring_in_due()
    batch.refresh_from_db()
    return batch


def rows() -> list[int]:
    return [
        model.objects.count() for model in (Record, Dose, TrackableEntry, Medicine, Trackable, ImportLine)
    ]


def test_nothing_is_written_before_a_parent_has_chosen_and_seen():
    ana = a_person()
    leo = a_child(ana)
    client = signed_in(ana)
    batch = handed_in(client)
    page = client.get(f"/system/import/{batch.pk}").content.decode()
    assert "Mia Oak" in page
    assert client.post(f"/system/import/{batch.pk}/run").status_code == 302
    assert client.post(f"/system/import/{batch.pk}", {**CHOICES, "child-0": ""}).status_code == 422
    client.post(f"/system/import/{batch.pk}", {**CHOICES, "child-0": str(leo.pk)})
    page = client.get(f"/system/import/{batch.pk}").content.decode()
    assert "4.309 kg (9.5 lb)" in page
    assert "note.csv, line 3" in page
    assert "Bring in 5 rows" in page
    assert rows() == [0] * 6


def test_an_import_brings_in_what_the_files_say_and_a_second_one_nothing():
    ana = a_person()
    leo = a_child(ana)
    client = signed_in(ana)
    batch = brought_in(client, handed_in(client), str(leo.pk))
    assert (batch.state, batch.stored) == ("done", [])
    weight = Record.objects.get(kind="measurement")
    assert (weight.text, weight.tags) == ("Weight: 4.309 kg (9.5 lb). at the nurse", ["clinic"])
    assert (weight.provenance, weight.manner, str(weight.started_on)) == ("import", "measured", "2025-01-05")
    assert {one.text for one in Record.objects.filter(kind="note")} == {"laughed out loud", "=slept"}
    assert sorted(one.values["minutes"] for one in TrackableEntry.objects.all()) == [60, 600]
    dose = Dose.objects.select_related("medicine").get()
    assert (dose.medicine.name, str(dose.medicine.dose), dose.medicine.unit) == ("Syrup", "2.500", "ml")
    assert (dose.at.hour, dose.medicine.ended_at) == (7, dose.at)
    before = rows()
    again = brought_in(client, handed_in(client), str(leo.pk))
    assert rows() == before
    assert again.counts["there"] == 5
    assert client.get(f"/book/{leo.pk}/timeline").status_code in (200, 404)
    assert client.get(f"/r/{weight.rec_id}").status_code == 200
    assert client.get(f"/book/{leo.pk}/medicines").status_code == 200


def test_an_import_is_taken_back_whole_and_can_come_again():
    ana = a_person()
    leo = a_child(ana)
    client = signed_in(ana)
    batch = brought_in(client, handed_in(client), str(leo.pk))
    before = rows()
    assert client.post(f"/system/import/{batch.pk}/undo").status_code == 302
    assert client.post(f"/system/import/{batch.pk}/undo").status_code == 302
    assert rows() == [0] * 6
    brought_in(client, handed_in(client), str(leo.pk))
    assert rows() == before


def test_what_was_forgotten_does_not_come_again():
    ana = a_person()
    leo = a_child(ana)
    client = signed_in(ana)
    brought_in(client, handed_in(client), str(leo.pk))
    Record.objects.filter(text="laughed out loud").delete()
    brought_in(client, handed_in(client), str(leo.pk))
    assert not Record.objects.filter(text="laughed out loud").exists()


def test_a_new_child_is_made_and_remembered():
    ana = a_person()
    a_child(ana)
    client = signed_in(ana)
    brought_in(client, handed_in(client), "new")
    mia = Subject.objects.get(name="Mia Oak")
    assert mia.time_zone == "Europe/Istanbul"
    batch = handed_in(client)
    page = client.get(f"/system/import/{batch.pk}").content.decode()
    assert f'<option value="{mia.pk}" selected>' in page


def test_a_child_of_the_same_name_is_not_taken_for_it():
    ana = a_person()
    a_child(ana, "Mia Oak")
    client = signed_in(ana)
    batch = handed_in(client)
    page = client.get(f"/system/import/{batch.pk}").content.decode()
    assert '<option value="" selected>' in page


def test_nobody_else_sees_an_import_and_a_grandparent_makes_none():
    ana, eve, gil = a_person(), a_person("Eve"), a_person("Gil")
    leo = a_child(ana)
    a_child(eve, "Ida")
    a_membership(gil, leo, "family")
    batch = handed_in(signed_in(ana))
    for other in (eve, gil):
        client = signed_in(other)
        assert client.get(f"/system/import/{batch.pk}").status_code == 404
        assert client.post(f"/system/import/{batch.pk}/undo").status_code == 404
    assert signed_in(gil).get("/system/import").status_code == 404


def test_nobody_brings_rows_into_a_book_of_others():
    ana, eve = a_person(), a_person("Eve")
    leo = a_child(ana)
    a_child(eve, "Ida")
    client = signed_in(eve)
    batch = handed_in(client)
    answer = client.post(f"/system/import/{batch.pk}", {**CHOICES, "child-0": str(leo.pk)})
    assert answer.status_code == 422


def test_files_that_are_no_export_are_refused_in_words():
    ana = a_person()
    a_child(ana)
    answer = signed_in(ana).post("/system/import", {"files": [SimpleUploadedFile("x.zip", b"PK\x03\x04no")]})
    assert (answer.status_code, "The ZIP file is broken" in answer.content.decode()) == (422, True)


@pytest.mark.parametrize("folder", ["babybuddy_export", "babybuddy_upstream_import_samples"])
def test_the_real_folders_come_in_and_go_again(folder):
    ana = a_person()
    a_child(ana)
    client = signed_in(ana)
    uploads = [SimpleUploadedFile(one.name, one.content, "text/csv") for one in folder_of(folder)]
    batch = handed_in(client, uploads)
    kept_aside = batch.stored
    form = client.get(f"/system/import/{batch.pk}").context["form"]
    who = {f"child-{n}": "new" for n in range(len(form.children))}
    batch = brought_in(client, batch, "new", **who)
    assert batch.state == "done"
    assert batch.counts["refused"] == 0
    assert (
        ImportLine.objects.count()
        == sum(n for key, n in batch.counts.items() if key.startswith("added:"))
        > 200
    )
    client.post(f"/system/import/{batch.pk}/undo")
    assert rows() == [0] * 6
    assert not any(default_storage.exists(name) for name in kept_aside)


def test_the_pages_ask_little_of_the_database(django_assert_max_num_queries):
    ana = a_person()
    leo = a_child(ana)
    client = signed_in(ana)
    for _time in range(3):
        batch = handed_in(client)
    client.post(f"/system/import/{batch.pk}", {**CHOICES, "child-0": str(leo.pk)})
    for url in ("/system/import", f"/system/import/{batch.pk}", "/system/export", "/account/told"):
        with django_assert_max_num_queries(10):
            assert client.get(url).status_code == 200
