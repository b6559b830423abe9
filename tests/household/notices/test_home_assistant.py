"""The recipe for Home Assistant, tried as it stands in the documentation."""

from __future__ import annotations

import datetime as dt
import re
import uuid
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone

from tests.household.notices.test_notices import a_medicine
from tests.makers import a_child, a_person, signed_in
from twin.models import Dose
from twin.services.quicklog import make_quick_log

pytestmark = pytest.mark.django_db
RECIPE = (Path(__file__).parents[3] / "docs" / "home-assistant.md").read_text()


def address(pattern: str, token: str) -> str:
    """An address of the recipe with a token in it."""
    found = re.search(pattern, RECIPE)
    assert found, pattern
    return found[0].replace("TOKEN", token)


def test_the_sensor_of_the_recipe_gives_numbers_and_no_names():
    ana = a_person()
    a_medicine(a_child(ana), ana)
    page = (
        signed_in(ana).post("/account/told", {"card": "calendar", "notices": ["medicine"]}).content.decode()
    )
    token = re.search(r"/calendar/([\w-]+)\.ics", page)[1]
    answer = Client().get(address(r"/calendar/TOKEN\.json", token))
    said = answer.json()
    assert (
        set(re.findall(r"value_json\.(\w+)", RECIPE)) | set(re.findall(r"- (\w+)$", RECIPE, re.M))
        <= said.keys()
    )
    assert said["waiting"] == said["medicines_overdue"] + said["questions"]
    assert dt.datetime.fromisoformat(said["next_dose_at"]) > timezone.now() - dt.timedelta(minutes=30)
    assert "Amoxy" not in answer.content.decode()
    assert Client().get(address(r"/calendar/TOKEN\.ics", token)).status_code == 200
    assert Client().get(address(r"/calendar/TOKEN\.json", "wrong")).status_code == 404


def test_the_command_of_the_recipe_logs_a_dose():
    ana = a_person()
    leo = a_child(ana)
    medicine = a_medicine(leo, ana)
    made = make_quick_log(
        person=ana,
        subject_id=leo.pk,
        client_id=str(uuid.uuid4()),
        label="Amoxy",
        action={"kind": "dose", "id": medicine.pk},
        now=timezone.now(),
    )
    answer = Client(enforce_csrf_checks=True).post(address(r"/q/TOKEN", made.token))
    assert (answer.status_code, answer.json()["ok"]) == (200, True)
    assert Dose.objects.get().medicine_id == medicine.pk
