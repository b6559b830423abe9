"""Everything a family put in goes out as one file, and comes back as an equal household."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from decimal import Decimal

import pytest
from django.apps import apps
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import connection

from household.models import Export, Person
from household.rules.resources import TABLES as PLACED
from memory.models import Document
from memory.rules.exporting import LEFT_OUT, TABLES
from memory.services.exporting.making import ask_export, make_export, sweep_exports
from memory.services.exporting.restoring import AlreadyHere, NotAnExport, restore_export
from tests import shared_cluster
from tests.makers import a_cat, a_child, a_household, a_membership, a_person, a_record, a_statement, now
from tests.security.canaries import Flock, plant
from twin.models import Record, Subject

pytestmark = pytest.mark.django_db(transaction=True)


def test_every_table_of_a_subject_is_exported_or_said_to_be_left_out():
    exported = {one.label for one in TABLES}
    assert exported | LEFT_OUT.keys() == PLACED.keys()
    assert not exported & LEFT_OUT.keys()
    for one in TABLES:
        assert apps.get_model(one.label)


def exported(person: Person, *subjects: Subject) -> bytes:
    row = ask_export(person=person, subjects=[one.pk for one in subjects], now=now())
    row = make_export(row.pk, now=now())
    assert row.state == "done"
    with default_storage.open(row.stored, "rb") as file:
        return file.read()


def tables(content: bytes) -> dict[str, list]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {
            name[5:-5]: json.loads(archive.read(name))
            for name in archive.namelist()
            if name.startswith("data/")
        }


def in_order(said: dict[str, list]) -> dict[str, list]:
    """The same with a line's place in the journal's order for its position, which is the house's own."""
    positions = sorted(one["position"] for one in said["memory.JournalLine"])
    place = {position: n for n, position in enumerate(positions)}
    for one in said["memory.JournalLine"]:
        one["position"] = place[one["position"]]
    for one in said["memory.JournalWords"]:
        one["line_id"] = place[one["line_id"]]
    return said


def by_name(said: dict[str, list]) -> dict[str, list]:
    """The same with people by their names: Ana founded the new house, with a number of its own."""
    names = {one["id"]: one["name"] for one in said["household.Person"]}
    for label, rows in said.items():
        for column in apps.get_model(label)._meta.concrete_fields:
            if column.is_relation and column.related_model is Person:
                for row in rows:
                    row[column.attname] = names.get(row[column.attname])
    said["household.Person"] = sorted(names.values())
    return said


def a_full_house() -> tuple[Person, Subject, Subject]:
    ana, gil = a_person(), a_person("Gil")
    leo, mavi = a_child(ana), a_cat(ana)
    a_membership(gil, leo, "family")
    flock = Flock()
    plant(flock, leo, ana)
    record = a_record(mavi, "ears", signs={"odour": True}, tags=["right"])
    a_statement(mavi, gil, "kulağı kötü kokuyor 🐱", record=record)
    a_record(
        leo,
        None,
        kind="measurement",
        started_on=record.day,
        text="Weight: 4.876 kg",
        context={"what": "weight", "value": 4.876},
    )
    name = default_storage.save("documents/feedc0de", ContentFile(b"%PDF letter"))
    Document.objects.filter(subject=leo).update(stored=name)
    return ana, leo, mavi


def emptied() -> Person:
    shared_cluster.empty(connection.settings_dict["NAME"])
    a_household()
    return a_person("Ana")


def test_a_household_comes_back_equal():
    ana, leo, mavi = a_full_house()
    before = exported(ana, leo, mavi)
    assert all(len(rows) >= 1 for rows in tables(before).values()), "plant something of each table"
    letter = Document.objects.get(subject=leo).stored
    default_storage.delete(letter)
    new = emptied()
    restore_export(io.BytesIO(before), person=new, now=now())
    assert default_storage.open(letter).read() == b"%PDF letter"
    after = exported(new, *Subject.objects.all())
    was, is_now = by_name(in_order(tables(before))), by_name(in_order(tables(after)))
    assert was.keys() == is_now.keys()
    for label, rows in was.items():
        assert is_now[label] == rows, label
    record = Record.objects.latest("pk")
    assert a_record(leo, "skin_coat").pk > record.pk


def test_a_second_time_is_refused_and_changes_nothing():
    ana, leo, mavi = a_full_house()
    content = exported(ana, leo, mavi)
    count = Record.objects.count()
    with pytest.raises(AlreadyHere):
        restore_export(io.BytesIO(content), person=ana, now=now())
    assert Record.objects.count() == count


def test_a_subject_comes_into_a_household_that_has_others():
    ana, leo, _mavi = a_full_house()
    content = exported(ana, leo)
    new = emptied()
    ida = a_child(new, "Ida")
    a_record(ida, "ears")
    (came,) = restore_export(io.BytesIO(content), person=new, now=now())
    assert came.name == leo.name
    texts = set(Record.objects.filter(subject=came).values_list("text", flat=True))
    assert {one["text"] for one in tables(content)["twin.Record"]} == texts
    assert set(Record.objects.filter(subject=ida).values_list("category", flat=True)) == {"ears"}


def test_an_export_of_one_subject_holds_nothing_of_another():
    ana, leo, mavi = a_full_house()
    text = json.dumps(tables(exported(ana, leo)), ensure_ascii=False)
    assert "kulağı" not in text
    assert mavi.name not in text


def test_the_tables_for_spreadsheets_hold_the_same_rows_and_no_formula():
    ana, leo, mavi = a_full_house()
    a_record(mavi, None, kind="note", text="=1+1", started_on=None)
    content = exported(ana, leo, mavi)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        rows = list(csv.DictReader(io.StringIO(archive.read("csv/twin.Record.csv").decode())))
    assert len(rows) == len(tables(content)["twin.Record"])
    assert "'=1+1" in {one["text"] for one in rows}


def test_a_childs_observations_are_a_valid_fhir_bundle():
    from fhir.resources.R4B.bundle import Bundle

    ana, leo, mavi = a_full_house()
    content = exported(ana, leo, mavi)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = [name for name in archive.namelist() if name.startswith("fhir/")]
        read = Bundle.model_validate_json(archive.read(names[0]))
    assert names == [f"fhir/{leo.gid}.json"]
    resources = [one.resource for one in read.entry]
    weights = [
        one.valueQuantity
        for one in resources
        if one.get_resource_type() == "Observation" and one.valueQuantity
    ]
    assert [(one.value, one.code) for one in weights] == [(Decimal("4.876"), "kg")]


@pytest.mark.parametrize(
    "content",
    [
        b"no zip",
        {},
        {"manifest.json": "[]"},
        {"manifest.json": '{"format": "hearthbook-export", "version": 2}'},
    ],
    ids=["text", "empty", "list", "newer"],
)
def test_what_is_no_export_is_refused(content):
    if isinstance(content, dict):
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            for name, text in content.items():
                archive.writestr(name, text)
        content = buffer.getvalue()
    with pytest.raises(NotAnExport):
        restore_export(io.BytesIO(content), person=a_person(), now=now())


def test_a_file_is_erased_after_a_day():
    import datetime as dt

    ana = a_person()
    exported(ana, a_child(ana))
    row = Export.objects.get()
    assert sweep_exports(now=now() + dt.timedelta(hours=25)) == 1
    assert not default_storage.exists(row.stored)
