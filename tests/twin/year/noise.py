"""A year's chatter: greetings, checks, measurements, lone findings, other minutes. It must change nothing."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace

from tests.twin.year.acts import Act, Say
from tests.twin.year.play import days_between
from tests.twin.year.script import bad, fine

CHECKED = (
    fine("cardiovascular", racing_heart=False),
    fine("blood_immune", bruising=False),
    fine("reproductive", discharge=False),
    fine("metabolic_weight", weight_kg=5.1),
)
ALONE = (bad("cardiovascular", murmur=True), bad("blood_immune", swollen_glands=True))
FEWEST_DAYS_APART = 4  # nearer ones would make a course, as they should


def with_noise(acts: Sequence[Act], *, seed: int, first: dt.date, last: dt.date) -> list[Act]:
    """The script with words between that make no course, and every act some minutes later."""
    choose = random.Random(seed)
    minutes = {act.day: choose.randint(0, 25) for act in acts}
    lived = [_later(act, minutes) for act in acts]
    for day in days_between(first, last):
        name = f"{day:%m-%d}"
        if choose.random() < 0.3:
            lived.append(Say(name, _clock(choose, 6), entries=(choose.choice(CHECKED),)))
        if choose.random() < 0.2:
            lived.append(
                Say(name, _clock(choose, 9), text=choose.choice(["good morning", "thank you", "hm"]))
            )
        if day.toordinal() % FEWEST_DAYS_APART == 0 and choose.random() < 0.5:
            lived.append(Say(name, _clock(choose, 10), entries=(choose.choice(ALONE),)))
    return lived


def _later(act: Act, minutes: Mapping[str, int]) -> Act:
    """The same act some minutes later, as all of its day: what came first still does."""
    hour, minute = map(int, act.clock.split(":"))
    return replace(act, clock=f"{hour:02}:{minute + minutes[act.day]:02}")


def _clock(choose: random.Random, hour: int) -> str:
    return f"{hour:02}:{choose.randint(0, 59):02}"
