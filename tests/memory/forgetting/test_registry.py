"""Every table of the database has an entry that says how a forgetting reaches it."""

from __future__ import annotations

import dataclasses
import re

import pytest
from django.apps import apps
from django.db import connection, models

from household.services.columns import bearing_columns
from memory.rules.forgetting import Reach
from memory.services.forgetting.registry import TABLES

IDENTITIES = {one.name for one in dataclasses.fields(Reach)} | {"gone"}


def label_of_table(name: str) -> str:
    name = re.sub(r"^(memory_journalwords)_.*", r"\1", name)  # a month of it
    for model in apps.get_models(include_auto_created=True):
        if model._meta.db_table == name:
            return model._meta.label
    return name


def tables_with_words() -> dict[str, set[str]]:
    """Every table of the catalogue with a column that may bear words, other people's apps included."""
    found: dict[str, set[str]] = {}
    for column in bearing_columns():
        if not column.is_index:
            found.setdefault(label_of_table(column.relation), set()).add(column.name)
    return found


def hangs_on(model: type[models.Model], label: str) -> bool:
    """Whether rows of a model go with a row of another, by a foreign key that cascades."""
    return any(
        one.is_relation
        and one.related_model._meta.label == label
        and (one.remote_field.on_delete is models.CASCADE)
        for one in model._meta.concrete_fields
    )


@pytest.mark.django_db
def test_every_table_with_a_text_column_says_how_it_is_reached():
    missing = {label: columns for label, columns in tables_with_words().items() if label not in TABLES}
    assert missing == {}, "say in memory/services/forgetting/registry.py how a forgetting reaches them"


def test_every_table_of_ours_says_how_it_is_reached():
    ours = {
        model._meta.label
        for model in apps.get_models(include_auto_created=True)
        if model._meta.app_label in ("household", "twin", "memory", "voice")
    }
    assert ours - TABLES.keys() == set()


@pytest.mark.django_db
def test_every_entry_names_a_table_that_is_there():
    with connection.cursor() as cursor:
        tables = set(connection.introspection.table_names(cursor))
    known = {model._meta.label for model in apps.get_models(include_auto_created=True)}
    assert {name for name in TABLES if name not in known and name not in tables} - {"pgtrigger"} == set()


@pytest.mark.parametrize("label", [label for label, entry in TABLES.items() if entry.how == "found"])
def test_what_is_found_is_found_by_an_identity_of_the_reach(label: str):
    model = apps.get_model(label)
    for lookup, name in TABLES[label].by.items():
        assert name in IDENTITIES
        assert model._base_manager.filter(**{lookup: [1]}) is not None


@pytest.mark.parametrize("label", [label for label, entry in TABLES.items() if entry.how == "follows"])
def test_what_follows_hangs_on_what_it_follows(label: str):
    for upper in TABLES[label].labels:
        assert hangs_on(apps.get_model(label), upper), f"{label} does not go with {upper}"


@pytest.mark.parametrize("label", [label for label, entry in TABLES.items() if entry.how == "subject"])
def test_what_goes_with_a_subject_hangs_on_one(label: str):
    assert hangs_on(apps.get_model(label), "twin.Subject")


@pytest.mark.parametrize(
    "label", [label for label, entry in TABLES.items() if entry.how in ("done", "wordless", "household")]
)
def test_what_no_rule_finds_has_its_reason(label: str):
    assert TABLES[label].why


def test_nothing_that_names_a_subject_outlives_it_with_words():
    """A table whose subject is only set to null keeps its row: it must bear no words."""
    kept = {
        model._meta.label
        for model in apps.get_models()
        if model._meta.app_label in ("household", "twin", "memory", "voice")
        for one in model._meta.concrete_fields
        if one.is_relation
        and one.related_model._meta.label == "twin.Subject"
        and one.remote_field.on_delete is not models.CASCADE
    }
    assert {label for label in kept if TABLES[label].how != "wordless"} == set()
