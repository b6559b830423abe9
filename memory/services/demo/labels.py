"""The demo's labels as rows of the database: what a test case names, found by natural keys."""

from __future__ import annotations

from typing import Any

from django.db import models

from memory.models import Strategy
from memory.services.demo.source import load
from memory.services.demo.write import CLIENT
from twin.models import Event, LedgerEntry, Medicine, ProfileVersion, Record, Statement, Subject

Labels = dict[str, tuple[str, int]]

LABELLED: tuple[type[models.Model], ...] = (Statement, Event, Strategy, Medicine, ProfileVersion)

# label: (subject, category, which of its courses by start). The site is the words of the demo's language.
COURSES = {
    "mavi.ear.march": ("mavi", "ears", 0),
    "mavi.ear.now": ("mavi", "ears", -1),
    "bruno.limp": ("bruno", "musculoskeletal", 0),
}


def labels() -> Labels:
    """{label: (model, pk)} of the demo in this database; empty where there is none.

    A statement's records stand under its label with `.record`, and `.record.2` and so on for its further
    entries; courses under their own labels, subjects under their keys.
    """
    found: Labels = {}
    for model in LABELLED:
        rows: Any = model._default_manager.filter(client_id__startswith=CLIENT)
        for pk, client_id in rows.values_list("pk", "client_id"):
            found[client_id.removeprefix(CLIENT)] = (model._meta.label, pk)
    if found:
        found |= _subjects() | _records()
        found |= _courses({label: pk for label, (model, pk) in found.items() if model == "twin.Subject"})
    return found


def _subjects() -> Labels:
    keys = {row["name"]: row["key"] for row in load("en")["subject"]}
    rows = Subject.objects.filter(name__in=keys).order_by("-pk").values_list("pk", "name")
    return {keys[name]: ("twin.Subject", pk) for pk, name in rows}


def _records() -> Labels:
    rows = LedgerEntry.objects.filter(statement__client_id__startswith=CLIENT, record__isnull=False)
    found: Labels = {}
    for client_id, position, record in rows.values_list("statement__client_id", "position", "record_id"):
        suffix = ".record" if position == 0 else f".record.{position + 1}"
        found[client_id.removeprefix(CLIENT) + suffix] = ("twin.Record", record)
    return found


def _courses(subjects: dict[str, int]) -> Labels:
    found: Labels = {}
    for label, (key, category, which) in COURSES.items():
        rows = Record.objects.courses().filter(subject_id=subjects[key], category=category)
        by_start = list(rows.order_by("opened_on", "pk").values_list("pk", flat=True))
        if by_start:
            found[label] = ("twin.Record", by_start[which])
    return found
