"""Every text column of every table with a subject's data has a canary."""

from __future__ import annotations

import pytest

from household.models import AccessLog
from tests.makers import a_child, a_person
from tests.security.canaries import Flock, fix_of, plant, planted_models, text_columns


@pytest.mark.django_db
def test_every_text_column_has_a_canary() -> None:
    flock, ana = Flock(), a_person("Ana")
    leo = a_child(ana)
    plant(flock, leo, ana)
    planted = {(one.label, one.column) for one in flock.by_word.values()}
    bare = [
        f"{model._meta.label}.{column.name}"
        for model in planted_models()
        for column in text_columns(model)
        if (model._meta.label, column.name) not in planted
        and model._meta.label != "twin.Subject"
        and not fix_of(model._meta.label, column.name)[0]
    ]
    assert bare == [], "plant a word there, or say in FIXED of tests/security/canaries.py what it holds"


@pytest.mark.django_db
def test_every_table_with_a_subjects_data_has_a_planted_row() -> None:
    flock, ana = Flock(), a_person("Ana")
    leo = a_child(ana)
    plant(flock, leo, ana)
    assert {label for label in flock.rows[leo.pk] if "#" not in label} == {
        model._meta.label for model in planted_models()
    }
    assert AccessLog.objects.filter(subject=leo).exists()


@pytest.mark.django_db
def test_a_canary_is_found_in_a_text() -> None:
    flock, ana = Flock(), a_person("Ana")
    leo = a_child(ana)
    plant(flock, leo, ana)
    note = flock.row("twin.FormFill", leo.pk).note  # type: ignore[attr-defined]
    assert {one.column for one in flock.seen(f"<p>so {note}, she said</p>")} == {"note"}
    assert flock.seen("<p>nothing zqzzzz here</p>") == set()
