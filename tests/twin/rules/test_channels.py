"""Which of the three channels was right when somebody corrected a reading."""

from __future__ import annotations

from twin.rules.channels import Corrected, agreement, by_category, disagrees


def corrected(asserted: str | None, derived: str | None, read: str | None, truth: str | None) -> Corrected:
    return Corrected("ears", {"asserted": asserted, "derived": derived, "model_read": read}, truth)


def test_channels_disagree_only_where_two_of_them_judged() -> None:
    assert disagrees(corrected("normal", "abnormal", None, "normal"))
    assert not disagrees(corrected("normal", None, None, "abnormal"))
    assert not disagrees(corrected("normal", "normal", "normal", "abnormal"))


def test_each_channel_is_right_as_often_as_it_said_the_truth() -> None:
    rows = [
        corrected("normal", "abnormal", None, "normal"),
        corrected("normal", "abnormal", "abnormal", "abnormal"),
        corrected("normal", None, None, None),
    ]
    told = {one.channel: (one.judged, one.right) for one in agreement(rows)}
    assert told == {"asserted": (2, 1), "derived": (2, 1), "model_read": (1, 1)}
    ears = by_category(rows)["ears"]
    assert (ears.corrections, ears.disagreed) == (3, 2)
    assert ears.right == {"asserted": 1, "derived": 1, "model_read": 1}
