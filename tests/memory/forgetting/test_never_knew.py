"""After a forgetting the house is as one that was never told: courses, ledger, episodes, counts."""

from __future__ import annotations

import datetime as dt
import random
import uuid

import pytest
from django.db import transaction

from memory.rules.forgetting import Target
from memory.services.finding.entries import fill_due
from memory.services.forgetting import forget
from tests.makers import a_cat, a_person
from tests.slices import IS_LONG
from tests.snapshots import content_snapshot, differences
from tests.twin.stories import MONDAY, at, day_number, ear, run_until, since, tell, unsure
from twin.models import Subject
from twin.rules.entries import Entry

pytestmark = pytest.mark.django_db
DAYS = 12
# What is made anew by each run, by chance or by the clock.
CHANCE = frozenset(
    {
        "twin_statement.gid",
        "twin_statement.created_at",
        "twin_subject.gid",
        "household_household.gid",
        "household_household.epoch",
        "household_person.gid",
        "household_person.password",
        "twin_roundrun.ran_at",
        "twin_roundrun.counts",  # what each step did that night
        "twin_record.changed_at",
        "memory_episode.created_at",
        "memory_episode.changed_at",
        # of the entries where rows are found: the row's number, and how often it changed
        "memory_memoryentry.row_id",
        "memory_memoryentry.version",
        "memory_observationentry.row_id",
        "memory_observationentry.version",
    }
)
# The traces of the forgetting itself; what was asked of a family on a day stays asked.
BESIDE = frozenset(
    {
        "household_forgetowed",
        "household_person",
        "household_household",
        "household_membership",
        "memory_forgetting",
        "memory_tombstone",
        "memory_tombstoneturn",
        "memory_changecounter",
        "memory_journalline",
        "memory_journalwriter",
        "twin_agendaitem",
        "twin_spentid",
    }
)


def an_entry(dice: random.Random) -> Entry:
    """Something about an ear or a stomach: bad, good, undated, or since some day."""
    match dice.randrange(6):
        case 0:
            return ear(bad=False, side=dice.choice(["left", "right"]))
        case 1:
            return unsure()
        case 2:
            return ear(side="left", since=since(day_number(dice.randrange(DAYS))))
        case 3:
            return Entry(
                "upper_digestive", model_read="abnormal", signs={"vomiting": True}, today="yes", words="v"
            )
        case _:
            return ear(side=dice.choice(["left", "right", None]))


def a_story(seed: int) -> list[tuple[dt.datetime, Entry]]:
    """What is told on which day, in order."""
    dice = random.Random(f"never knew {seed}")
    told = [
        (at(day_number(n), dice.randrange(8, 20)), an_entry(dice))
        for n in range(DAYS)
        for _k in range(dice.choice([0, 1, 1, 2]))
    ]
    return sorted(told, key=lambda one: one[0])


def live(
    cat: Subject, story: list[tuple[dt.datetime, Entry]], *, without: frozenset[int] = frozenset()
) -> dict[int, str]:
    """Tell a story night by night; the turn of each telling."""
    turns: dict[int, str] = {}
    for n in range(DAYS + 3):
        for number, (said_at, entry) in enumerate(story):
            if said_at.date() == day_number(n) and number not in without:
                done = tell(cat, said_at, entry, text=f"telling {number}", author_id=a_person().pk)
                turns[number] = done.statements[0].turn
        run_until(cat, day_number(n))
    return turns


def house() -> dict[str, list[str]]:
    """The house with what search finds in it, but for chance and for the traces of a forgetting."""
    fill_due()
    return content_snapshot(without=BESIDE, columns=CHANCE)


@pytest.mark.parametrize("seed", range(60) if IS_LONG else (4, 20))
def test_the_house_is_as_one_that_was_never_told(seed: int):
    story = a_story(seed)
    gone = frozenset(random.Random(seed).sample(range(len(story)), k=min(len(story), 2)))
    cat = a_cat(now=at(MONDAY, 5))
    with transaction.atomic():
        live(cat, story, without=gone)
        wanted = house()
        transaction.set_rollback(True)
    turns = live(cat, story)
    later = at(day_number(DAYS + 3), 4)
    for number in sorted(gone):
        forget(Target("turn", turns[number]), person=a_person(), client_id=str(uuid.uuid4()), now=later)
    run_until(cat, day_number(DAYS + 2))
    left = differences(wanted, house())
    assert not left, "\n".join(left)
