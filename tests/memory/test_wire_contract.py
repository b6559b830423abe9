"""The published interface: its snapshot, and that nothing that fits or breaks it is answered with a 500."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from django.core.cache import cache
from django.db import transaction
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode

from household.api import api
from household.rules.text import sanitise
from memory.models import JournalLine
from tests.makers import a_child, a_person
from tests.slices import IS_LONG
from tests.wire import Wire, a_device

SNAPSHOT = Path(__file__).with_name("openapi.json")
EXAMPLES = 200 if IS_LONG else 5
STATUSES = {200, 201, 401, 403, 404, 405, 406, 409, 413, 422, 429, 503}


def published() -> dict[str, Any]:
    """The interface as it is published now."""
    found: dict[str, Any] = json.loads(json.dumps(api.get_openapi_schema()))
    return found


def test_the_published_interface_is_the_snapshot() -> None:
    """Renew it with HEARTHBOOK_RENEW=1, and look at what changed: devices out there speak the old one."""
    if os.environ.get("HEARTHBOOK_RENEW") == "1":
        SNAPSHOT.write_text(json.dumps(published(), indent=1, sort_keys=True, ensure_ascii=False) + "\n")
    assert published() == json.loads(SNAPSHOT.read_text())


@pytest.mark.django_db
def test_it_is_published_at_its_address() -> None:
    from django.test import Client

    found = Client().get("/api/v1/openapi.json").json()
    assert found["paths"].keys() == published()["paths"].keys()


def test_every_refusal_is_problem_json() -> None:
    for path, operations in published()["paths"].items():
        for method, operation in operations.items():
            said = operation["responses"]
            assert "application/problem+json" in said["default"]["content"], (method, path)


SCHEMA = schemathesis.openapi.from_dict(published())
OPERATIONS = [operation.ok() for operation in SCHEMA.get_all_operations()]


@pytest.fixture
def tablet() -> Wire:
    ana = a_person("Ana")
    return a_device(ana, a_child(ana))


@pytest.mark.django_db
@pytest.mark.parametrize("is_known", [True, False], ids=["with a token", "without"])
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda one: f"{one.method} {one.path}")
def test_nothing_is_answered_with_a_500(operation: Any, is_known: bool, tablet: Wire) -> None:
    modes = [GenerationMode.POSITIVE, GenerationMode.NEGATIVE]
    for mode in modes:

        @settings(
            max_examples=EXAMPLES if is_known else 2,
            deadline=None,
            database=None,
            derandomize=not IS_LONG,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(generation_mode=mode))
        def fuzz(case: Any) -> None:
            cache.clear()
            point = transaction.savepoint()
            response = answered(tablet, case, is_known=is_known)
            transaction.savepoint_rollback(point)
            assert response.status_code in STATUSES, (response.status_code, response.content)
            if response.status_code >= 400 and response.status_code != 405:
                assert response["Content-Type"] == "application/problem+json"
                assert response.json()["code"]
            if not is_known and operation.path != "/api/v1/pair":
                assert response.status_code in {401, 404, 405}

        try:
            fuzz()
        except schemathesis.errors.SchemathesisError:
            continue  # this operation has nothing to break in this mode


def answered(tablet: Wire, case: Any, *, is_known: bool) -> Any:
    """What the house answers to one made-up request."""
    sent = case.as_transport_kwargs(base_url="http://testserver")
    body = sent.get("data") or b""
    if "json" in sent:
        body = json.dumps(sent["json"]).encode()
    body = body if isinstance(body, bytes) else str(body).encode("utf-8", "replace")
    headers = {"Authorization": f"Bearer {tablet.token}"} if is_known else {}
    response = tablet.client.generic(
        sent["method"],
        sent["url"].removeprefix("http://testserver"),
        body,
        content_type="application/json",
        headers=headers,
        query_params=sent.get("params") or {},
    )
    if response.streaming:
        b"".join(response.streaming_content)
    return response


WORDS = st.text(st.characters(codec=None), max_size=30)


@pytest.mark.django_db
@settings(
    max_examples=300 if IS_LONG else 10,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
@given(text=WORDS)
def test_words_of_every_kind_come_back_as_every_holder_has_them(text: str) -> None:
    """NUL and lone surrogates become U+FFFD; everything else is kept as it is."""
    point = transaction.savepoint()
    ana = a_person("Ana")
    leo = a_child(ana)
    wire, other = a_device(ana, leo), a_device(ana, leo, "phone")
    line = {"event": "Said", "at_ms": 1, "turn": "t", "text": text}
    body = {"from_seq": 0, "lines": [line]}
    spelled = [
        json.dumps(body).encode(),
        json.dumps(body, ensure_ascii=False).encode("utf-8", "surrogatepass"),
    ]
    for sent in spelled:
        assert wire.post("journal", sent).status_code == 200
    assert JournalLine.objects.count() == 1
    (found,) = other.get("journal").json()["lines"]
    assert found["line"]["text"] == sanitise(text)
    transaction.savepoint_rollback(point)
