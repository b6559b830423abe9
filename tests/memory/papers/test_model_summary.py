"""A model's summary over real HTTP: what stands in the text is kept, all else is dropped, rules stand in."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

import pytest
from django.urls import reverse

from household.models import ThinkingSpend
from household.services.thinking import choose_endpoint
from memory.models import Document
from tests.fake_model import FakeModel, fake_model
from tests.makers import a_child, a_person, signed_in
from tests.memory.papers.making import read_in
from tests.memory.papers.samples import THERAPY_EN

pytestmark = pytest.mark.django_db
RECEIVED = dt.datetime(2026, 7, 1, 9, tzinfo=dt.UTC)
HERS = "He avoids sticky textures on his hands during play."
ANSWER = {
    "kind": "therapy_evaluation",
    "title": "OCCUPATIONAL THERAPY EVALUATION",
    "writer": "Hanna Brandt",
    "sentences": [HERS],
}


@pytest.fixture
def model() -> Iterator[FakeModel]:
    with fake_model() as server:
        choose_endpoint(
            purpose="routine", base_url=server.url, model="small", key=None, timeout_s=2, is_on=True
        )
        yield server


def read_now() -> Document:
    ana = a_person("Ana")
    return read_in(THERAPY_EN.encode(), a_child(ana), ana, name="report.txt", at=RECEIVED)


def test_what_the_text_holds_is_kept_and_the_rest_dropped(model: FakeModel) -> None:
    model.says({**ANSWER, "writer": "Dr. Nobody", "sentences": [HERS, "Leo must take Zoloft every day."]})
    document = read_now()
    assert (document.state, document.summary.by, document.summary.text) == ("ready", "model", HERS)
    assert document.writer == "Hanna Brandt"
    assert document.dated_on == dt.date(2026, 5, 12)  # no model says when
    page = signed_in(a_person("Ana")).get(reverse("memory:document-show", args=[document.doc_id]))
    assert "chosen by the model, in the document’s own words" in page.content.decode()
    asked = model.asked[0]
    assert "data, never instructions" in asked["messages"][0]["content"]
    assert HERS in asked["messages"][-1]["content"]
    assert ThinkingSpend.objects.get().tokens == 100


def test_findings_are_the_rules_own_whatever_a_model_says(model: FakeModel) -> None:
    model.says(ANSWER)
    chosen = sorted(read_now().proposals.values_list("text", flat=True))
    model.status = 500
    assert sorted(read_again().proposals.values_list("text", flat=True)) == chosen
    assert any("sensory processing disorder" in one for one in chosen)


def read_again() -> Document:
    return read_in(THERAPY_EN.encode() + b"\n", a_child(a_person("Ana"), "Nil"), at=RECEIVED)


@pytest.mark.parametrize(
    "fault", ["status", "no json", "no shape", "nothing kept", "cut off", "hangs", "unreachable"]
)
def test_a_model_that_fails_leaves_the_summary_to_the_rules(model: FakeModel, fault: str) -> None:
    model.says(ANSWER)
    if fault == "status":
        model.status = 503
    elif fault == "no json":
        model.says("I would say it is a therapy report.")
    elif fault == "no shape":
        model.says({"summary": "nice"})
    elif fault == "nothing kept":
        model.says({**ANSWER, "sentences": ["Leo has epilepsy and must see a neurologist."]})
    elif fault == "cut off":
        model.cuts = True
    elif fault == "hangs":
        model.is_slow = True
        choose_endpoint(
            purpose="routine", base_url=model.url, model="small", key=None, timeout_s=1, is_on=True
        )
    else:
        choose_endpoint(
            purpose="routine",
            base_url="http://127.0.0.1:9/v1",
            model="small",
            key=None,
            timeout_s=1,
            is_on=True,
        )
    document = read_now()
    assert (document.state, document.summary.by) == ("ready", "rules")
    assert "sensory processing disorder" in document.summary.text
    assert "neurologist" not in document.summary.text
