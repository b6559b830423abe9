"""A setting whose value is an object stays one on the way to another holder and back."""

from __future__ import annotations

import json

import pytest

from household.rules.registers import Register
from memory.rules.merge import from_json, to_json


@pytest.mark.parametrize("value", [{"from": "20:30", "to": "07:00"}, 30, None, "cat", True, [1, {"a": 2}]])
def test_a_setting_comes_back_as_it_was(value: object) -> None:
    sent = json.loads(json.dumps(to_json(Register("quiet", value, 5))))
    assert sent["value"] == value
    assert from_json(Register, sent) == Register("quiet", value, 5)
