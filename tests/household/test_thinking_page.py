"""The household's card for a model: chosen, kept, taken out; the key never comes back to a page."""

import pytest

from household.models import Endpoint
from tests.makers import a_cat, a_person, signed_in

pytestmark = pytest.mark.django_db
ADDRESS = "http://127.0.0.1:11434/v1"


def save(client, **fields):
    sent = {"base_url": ADDRESS, "model": "small", "key": "s3cret-key", "timeout_s": "20", **fields}
    return client.post("/household", {"card": "thinking", **{f"thinking-{k}": v for k, v in sent.items()}})


@pytest.fixture
def parent():
    ana = a_person()
    a_cat(parent=ana)
    return signed_in(ana)


def test_a_parent_chooses_a_model_and_its_key_is_never_shown(parent):
    assert save(parent).status_code == 302
    assert set(Endpoint.objects.values_list("purpose", "model")) == {
        ("routine", "small"),
        ("analytical", "small"),
    }
    page = parent.get("/household").content.decode()
    assert ADDRESS in page
    assert "s3cret-key" not in page


def test_an_empty_key_keeps_the_one_there_is_and_an_empty_address_takes_the_model_out(parent):
    save(parent)
    held = bytes(Endpoint.objects.get(purpose="routine").key_encrypted)
    save(parent, key="")
    assert bytes(Endpoint.objects.get(purpose="routine").key_encrypted) == held
    save(parent, base_url="", model="")
    assert not Endpoint.objects.exists()


@pytest.mark.parametrize("fields", [{"base_url": "javascript:alert(1)"}, {"model": ""}, {"timeout_s": "0"}])
def test_a_bad_choice_is_refused_and_what_was_typed_stays(parent, fields):
    answer = save(parent, **fields)
    assert answer.status_code == 422
    assert not Endpoint.objects.exists()


def test_nobody_but_a_parent_may_choose(parent):
    a_cat(parent=a_person(), name="Other")
    eve = signed_in(a_person("Eve"))
    assert save(eve).status_code == 404
    assert not Endpoint.objects.exists()
