"""The page of the prompts: parents see every text with its counts, share the questions out, add a text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from household.access import seen_by
from household.services.thinking import choose_endpoint
from memory.models import PromptVariant
from memory.rules.asking.prompting import Variant, bundled
from memory.rules.asking.sameness import fingerprint
from memory.services import prompts
from memory.services.asking import ask, thumb
from memory.services.prompts import add_variant, variants
from tests.fake_model import fake_model
from tests.makers import signed_in
from tests.memory.asking.conftest import NOW, House
from tests.threads import at_once

URL = "/insights/prompts"
TEXT = "Answer in {language} about {name}. " + "Be short and kind, and put a marker after each claim. " * 2


def test_a_parent_shares_the_questions_out_and_each_answer_counts_for_its_text(house: House) -> None:
    client = signed_in(house.ana)
    first = variants()[0]
    for _twice in range(2):
        assert client.post(f"{URL}/add", {"text": TEXT}).status_code == 302
    own = PromptVariant.objects.exclude(pk=first.pk).get()
    assert (own.key, own.split, own.text) == ("own-1", 0, TEXT.strip())
    form = {f"share-{first.pk}": "0", f"share-{own.pk}": "100"}
    assert client.post(URL, form).status_code == 302
    with fake_model() as model:
        choose_endpoint(
            purpose="routine", base_url=model.url, model="small", key=None, timeout_s=5, is_on=True
        )
        model.streams("Out at once [S1].")
        pk = ask(
            person=house.ana,
            subject_id=house.leo.pk,
            question="what helps him at the supermarket?",
            client_id="one",
            now=NOW,
        )
    thumb(person=house.ana, answer_id=pk, up=True, now=NOW)
    assert model.asked[0]["messages"][0]["content"].startswith("Answer in English about Leo.")
    page = client.get(URL).content.decode()
    assert page.index("own-1") > 0 and "1 of 1 (21 to 100 %)" in page
    assert "How a model is asked" in client.get("/insights").content.decode()


@pytest.mark.django_db(transaction=True)
def test_two_who_add_the_first_texts_at_once_add_two_beside_those_of_the_house(house: House) -> None:
    def adds(text: str) -> Callable[[], str]:
        def add() -> str:
            with seen_by(house.ana, now=NOW):
                return add_variant(person=house.ana, text=TEXT + text).key

        return add

    assert set(at_once(adds("One."), adds("Two."))) == {"own-1", "own-2"}
    assert [row.split for row in variants()] == [100, 0, 0]


def test_a_text_that_comes_later_with_the_house_is_there_without_a_share(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    variants()
    later = Variant("plain-9", TEXT, 100)
    monkeypatch.setattr(prompts, "bundled", lambda: (*bundled(), later))
    assert [(row.key, row.split) for row in variants()][-1] == ("plain-9", 0)
    assert variants() == variants()


def test_the_name_of_a_text_of_the_house_names_that_text_for_ever() -> None:
    """Another text needs another key here and in `prompts.toml`, or answers are counted for the wrong one."""
    assert {one.key: fingerprint(one.text) for one in bundled()} == {"plain-1": "a1db9ce5ffa5446b"}


@pytest.mark.parametrize("wrong", ["90", "101", "-1", "x", ""])
def test_shares_that_do_not_add_up_change_nothing_and_stand_as_typed(house: House, wrong: str) -> None:
    one = variants()[0]
    answer = signed_in(house.ana).post(URL, {f"share-{one.pk}": wrong})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "add up to 100" in page and f'value="{wrong}"' in page
    one.refresh_from_db()
    assert one.split == 100


@pytest.mark.parametrize(
    ("text", "says"), [("short", "80 to 6000"), ("x" * 6_001, "80 to 6000"), ("no places. " * 12, "{name}")]
)
def test_a_text_that_cannot_serve_is_refused_with_what_was_typed(house: House, text: str, says: str) -> None:
    variants()
    answer = signed_in(house.ana).post(f"{URL}/add", {"text": text})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert says in page and text.strip()[:40] in page
    assert PromptVariant.objects.count() == 1


@pytest.mark.parametrize("who", ["ito", "eve"])
def test_only_a_parent_sees_and_changes_how_a_model_is_asked(house: House, who: str) -> None:
    client = signed_in(getattr(house, who))
    assert client.get(URL).status_code == 404
    assert client.post(URL, {}).status_code == 404
    assert client.post(f"{URL}/add", {"text": TEXT}).status_code == 404
    page = client.get("/insights")
    assert page.status_code == 404 or "How answers are taken" not in page.content.decode()


def test_the_page_takes_few_queries(house: House, django_assert_max_num_queries: Any) -> None:
    client = signed_in(house.ana)
    client.get(URL)
    with django_assert_max_num_queries(10):
        assert client.get(URL).status_code == 200
