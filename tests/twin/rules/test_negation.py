"""Denial in clinical and plain English sentences."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twin.rules.negation import is_negated

HERE = Path(__file__).resolve().parents[3]
DATA = Path(os.environ.get("HEARTHBOOK_DATA", HERE.parent / "shared" / "data"))
LEAST_F1 = 0.93

SENTENCES = [
    ("No fever today.", "fever", True),
    ("She denies headache or dizziness.", "dizziness", True),
    ("No cough, wheeze, or snoring was heard.", "snoring", True),
    ("There is fever.", "fever", False),
    ("No fever, but the cough is worse.", "cough", False),
    ("No fever. The cough is worse.", "cough", False),
    ("Ear infection was ruled out.", "ear infection", True),
    ("Rule out ear infection.", "ear infection", False),
    ("He has pain without swelling.", "swelling", True),
    ("He has pain without swelling.", "pain", False),
    ("No change in the rash.", "rash", False),
    ("Not only the rash, also fever.", "rash", False),
    ("He isn't limping.", "limping", True),
    ("Fleas: none", "fleas", True),
    ("The coat was free of fleas.", "fleas", True),
    ("The rash has resolved.", "rash", True),
    ("Mites are unlikely.", "mites", True),
    ("Nothing said of it.", "fever", False),
    ("", "fever", False),
    ("No fever", "", False),
]


@pytest.mark.parametrize(("text", "concept", "denied"), SENTENCES)
def test_a_concept_is_denied_or_not(text: str, concept: str, denied: bool) -> None:
    assert is_negated(text, concept) is denied


@given(st.text(max_size=200), st.text(max_size=30))
def test_any_text_gets_an_answer(text: str, concept: str) -> None:
    assert is_negated(text, concept) in (True, False)


@given(st.sampled_from(["fever", "chest pain", "rash"]), st.sampled_from(["", "Today ", "On walks "]))
def test_a_bare_no_denies_and_its_absence_does_not(concept: str, before: str) -> None:
    assert is_negated(f"{before}no {concept}.", concept)
    assert not is_negated(f"{before}{concept}.", concept)


def test_the_clinical_set_is_read_well_enough() -> None:
    path = DATA / "negex_context.dev.jsonl"
    if not path.exists():
        pytest.skip("the clinical negation set is not beside this checkout")
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    pairs = [(row["negation"] == "Negated", is_negated(row["text"], row["concept"])) for row in rows]
    right = sum(wanted and found for wanted, found in pairs)
    assert 2 * right / sum(wanted + found for wanted, found in pairs) >= LEAST_F1
