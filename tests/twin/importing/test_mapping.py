"""A table of any program, its columns named by a parent."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from tests.makers import a_cat, a_person, signed_in
from tests.twin.importing.test_import_pages import CHOICES, brought_in, handed_in
from twin.models import Dose, Record
from twin.rules.importing.mapping import NEEDS, ColumnMap, to_iso

WRITTEN = [
    ("31.01.2025", "dmy", "2025-01-31"),
    ("31/1/25 9:05", "dmy", "2025-01-31 09:05"),
    ("1/31/2025, 10:00:00", "mdy", "2025-01-31 10:00:00"),
    ("2025-01-31 10:00", "dmy", "2025-01-31 10:00"),
    ("1/31/2025", "iso", "1/31/2025"),
    ("soon", "mdy", "soon"),
]


@pytest.mark.parametrize(("text", "order", "expected"), WRITTEN)
def test_a_date_is_read_in_the_order_it_was_written(text, order, expected):
    assert to_iso(text, order) == expected


@pytest.mark.parametrize("table", NEEDS)
def test_a_table_says_which_parts_it_misses(table):
    assert ColumnMap(table, {}).missing == NEEDS[table]
    assert ColumnMap(table, dict.fromkeys(NEEDS[table], "x")).missing == ()


def a_table(text: str, name: str = "mavi.csv") -> list[SimpleUploadedFile]:
    return [SimpleUploadedFile(name, text.encode(), "text/csv")]


@pytest.mark.django_db
def test_the_weights_of_a_cat_come_in_from_a_spreadsheet_once():
    ana = a_person()
    mavi = a_cat(ana)
    client = signed_in(ana)
    text = "Tarih;Kilo;Not\n31.01.2025;4,2;aç karnına\n07.02.2025;çok;\n"
    for count in (1, 1):
        batch = handed_in(client, a_table(text))
        assert "Name its columns" in client.get(f"/system/import/{batch.pk}").content.decode()
        url = f"/system/import/{batch.pk}/columns/0"
        assert client.post(url, {"table": "weight", "order": "dmy", "when": "tarih"}).status_code == 422
        sent = {"table": "weight", "order": "dmy", "when": "tarih", "value": "kilo", "note": "not"}
        assert client.post(url, sent).status_code == 302
        assert client.get(url).status_code == 404
        batch = brought_in(client, batch, str(mavi.pk), weight="kg")
        assert (batch.state, batch.counts["refused"]) == ("done", 1)
        assert [one.text for one in Record.objects.all()] == ["Weight: 4.2 kg. aç karnına"] * count
    assert str(Record.objects.get().started_on) == "2025-01-31"


@pytest.mark.django_db
def test_doses_come_in_from_a_list():
    ana = a_person()
    mavi = a_cat(ana)
    client = signed_in(ana)
    batch = handed_in(client, a_table("what,at\nPill,01/31/2025 10:00\n"))
    sent = {"table": "medication", "order": "mdy", "when": "at", "name": "what"}
    client.post(f"/system/import/{batch.pk}/columns/0", sent)
    brought_in(client, batch, str(mavi.pk), zone=CHOICES["zone"])
    dose = Dose.objects.select_related("medicine").get()
    assert (dose.medicine.name, dose.at.isoformat()) == ("Pill", "2025-01-31T07:00:00+00:00")
