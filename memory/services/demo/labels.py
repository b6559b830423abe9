"""The demo's labels as rows of the database: what a test case names, found by natural keys."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.db import models

from memory.models import Document, Episode, Passage, Pattern, Strategy
from memory.services.demo.source import load
from memory.services.demo.write import CLIENT
from twin.models import Event, LedgerEntry, Medicine, ProfileVersion, Record, Statement, Subject

Labels = dict[str, tuple[str, int]]

LABELLED: tuple[type[models.Model], ...] = (Statement, Event, Strategy, Medicine, ProfileVersion, Document)

# label: (subject, category, which of its courses by start). The site is the words of the demo's language.
COURSES = {
    "mavi.ear.march": ("mavi", "ears", 0),
    "mavi.ear.now": ("mavi", "ears", -1),
    "bruno.limp": ("bruno", "musculoskeletal", 0),
}


# label: (subject, antecedent, outcome, lag). What the nights have made of each is for the nights to say.
PATTERNS = {
    "leo.pattern.sleep_meltdown": ("leo", "sleep_bad", "meltdown", 1),
    "leo.pattern.change_wound_up": ("leo", "plan_changed", "wound_up", 0),
    "leo.pattern.overload_meltdown": ("leo", "overloaded", "meltdown", 0),
    "leo.pattern.sleep_wound_up": ("leo", "sleep_bad", "wound_up", 1),
    "mavi.pattern.hiding_eats_less": ("mavi", "hiding", "eats_less", 1),
    "bruno.pattern.anxious_eats_less": ("bruno", "anxious", "eats_less", 1),
}


def labels() -> Labels:
    """{label: (model, pk)} of the demo in this database; empty where there is none.

    A statement's records stand under its label with `.record`, and `.record.2` and so on for its further
    entries; an event's or statement's episode with `.episode`; courses and patterns under their own labels,
    subjects under their keys; a paper's passages with `.passage.1` and so on.
    """
    found: Labels = {}
    for model in LABELLED:
        rows: Any = model._default_manager.filter(client_id__startswith=CLIENT)
        for pk, client_id in rows.values_list("pk", "client_id"):
            found[client_id.removeprefix(CLIENT)] = (model._meta.label, pk)
    if found:
        found |= _subjects() | _records() | _episodes() | _passages()
        subjects = {label: pk for label, (model, pk) in found.items() if model == "twin.Subject"}
        found |= _courses(subjects) | _patterns(subjects)
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


def _passages() -> Labels:
    rows = Passage.objects.filter(document__client_id__startswith=CLIENT)
    return {
        f"{client_id.removeprefix(CLIENT)}.passage.{ordinal}": ("memory.Passage", pk)
        for pk, client_id, ordinal in rows.values_list("pk", "document__client_id", "ordinal")
    }


def _episodes() -> Labels:
    rows = Episode.objects.filter(event__client_id__startswith=CLIENT) | Episode.objects.filter(
        statement__client_id__startswith=CLIENT
    )
    return {
        f"{(event or said).removeprefix(CLIENT)}.episode": ("memory.Episode", pk)
        for pk, event, said in rows.values_list("pk", "event__client_id", "statement__client_id")
    }


def _patterns(subjects: dict[str, int]) -> Labels:
    found: Labels = {}
    for label, (key, antecedent, outcome, lag) in PATTERNS.items():
        row = Pattern.objects.filter(
            subject_id=subjects[key], antecedent=antecedent, outcome=outcome, lag=lag
        ).first()
        if row is not None:
            found[label] = ("memory.Pattern", row.pk)
    return found


def label_lines() -> list[str]:
    """Every label with its kind and a short text, for whoever writes cases."""
    lines = []
    for label, (model, pk) in sorted(labels().items()):
        row = apps.get_model(model)._default_manager.filter(pk=pk).first()
        lines.append(f"{label}\t{model}\t{_short(row)}")
    return lines


def _short(row: Any) -> str:
    if isinstance(row, Pattern):
        lag = "next day" if row.lag else "same day"
        return f"{row.lifecycle}: {row.antecedent}, {row.outcome} {lag}, {row.both} of {row.antecedent_days}"
    if isinstance(row, Strategy):
        return f"{row.lifecycle}: {row.name}, {row.successes} of {row.uses}"
    if isinstance(row, Episode):
        return f"{row.day} {row.kind} {row.place or row.behaviour}"[:90]
    if isinstance(row, Record):
        return f"{row.kind} {row.category or ''} {row.day or row.started_on or row.time_phrase or ''}"
    if isinstance(row, Event):
        return f"{row.local_day} {row.kind} {row.place}"
    return " ".join(str(getattr(row, "text", row)).split())[:90]


def _courses(subjects: dict[str, int]) -> Labels:
    found: Labels = {}
    for label, (key, category, which) in COURSES.items():
        rows = Record.objects.courses().filter(subject_id=subjects[key], category=category)
        by_start = list(rows.order_by("opened_on", "pk").values_list("pk", flat=True))
        if by_start:
            found[label] = ("twin.Record", by_start[which])
    return found
