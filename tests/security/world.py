"""One household with everybody in it, for the tests of who sees what."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from household.models import Membership, Person
from household.rules.permissions import Action, Resource
from tests.makers import LONG_AGO, a_cat, a_child, a_membership, a_person
from tests.security.canaries import Flock, plant
from tests.slices import IS_LONG
from twin.models import Subject

# The permission matrix of the design, written out again: role: resource: view, add.
# A always, N never, 1 parent decides (on unless said), 0 parent decides (off unless said).
MATRIX = {
    "parent": {"observation": "AA", "document": "AA", "conversation": "AA", "profile": "AA", "memory": "AA"},
    "family": {"observation": "1A", "document": "00", "conversation": "NN", "profile": "AN", "memory": "0N"},
    "child": {"observation": "NA", "document": "NN", "conversation": "NA", "profile": "NN", "memory": "NA"},
    "therapist": {
        "observation": "11",
        "document": "01",
        "conversation": "NN",
        "profile": "1N",
        "memory": "1N",
    },
    "teacher": {"observation": "01", "document": "N1", "conversation": "NN", "profile": "1N", "memory": "0N"},
    "vet": {"observation": "A1", "document": "1A", "conversation": "NN", "profile": "AN", "memory": "0N"},
}
# viewer: name, role, what they are a member of; an ended membership is none.
VIEWERS = {
    "parent": ("Ana", "parent", "Leo Mavi"),
    "other_parent": ("Olga", "parent", "Zoe"),
    "family": ("Ben", "family", "Leo Mavi"),
    "child": ("Leo Junior", "child", "Leo Mavi"),
    "therapist": ("Dr. Ito", "therapist", "Leo Mavi"),
    "teacher": ("Ms. Kaya", "teacher", "Leo Mavi"),
    "vet": ("Dr. Vogel", "vet", "Leo Mavi"),
    "ended": ("Past", "therapist", "Leo Mavi"),
    "nobody": ("Eve", "", ""),
    "guest": ("", "", ""),
}
SUBJECTS = ("Leo", "Mavi", "Zoe")
ENDED_AT = dt.datetime(2025, 1, 1, tzinfo=dt.UTC)
Overrides = dict[str, bool]


@dataclass
class World:
    """The people, the subjects and every canary."""

    people: dict[str, Person] = field(default_factory=dict)
    subjects: dict[str, Subject] = field(default_factory=dict)
    flock: Flock = field(default_factory=Flock)

    def decide(self, viewer: str, overrides: Overrides) -> None:
        """What the parent decided about a viewer's cells."""
        if viewer in self.people:
            Membership.objects.filter(person=self.people[viewer]).update(overrides=overrides)


def a_world() -> World:
    """Everybody, and canaries in every table of Leo, Mavi and the other family's Zoe."""
    world = World()
    for viewer, (name, _role, _of) in VIEWERS.items():
        if name:
            world.people[viewer] = a_person(name)
    ana, olga = world.people["parent"], world.people["other_parent"]
    leo, mavi, zoe = a_child(ana, "Leo"), a_cat(ana, "Mavi"), a_child(olga, "Zoe")
    world.subjects = dict(zip(SUBJECTS, (leo, mavi, zoe), strict=True))
    for viewer, (_name, role, names) in VIEWERS.items():
        for name in names.split() if role != "parent" else ():
            ended = {"ends_at": ENDED_AT} if viewer == "ended" else {}
            a_membership(world.people[viewer], world.subjects[name], role, starts_at=LONG_AGO, **ended)
    plant(world.flock, leo, ana)
    plant(world.flock, mavi, ana)
    plant(world.flock, zoe, olga)
    return world


def store_files(world: World) -> None:
    """Put a text with the word of its pages under the name of each planted document's file."""
    for subject in world.subjects.values():
        document: Any = world.flock.row("memory.Document", subject.pk)
        text: Any = world.flock.row("memory.DocumentText", subject.pk)
        default_storage.save(document.stored, ContentFile(text.text.encode()))


def may(viewer: str, subject: str, action: str, resource: str, overrides: Overrides) -> bool:
    """What the matrix says, by the letters above and nothing else."""
    _name, role, names = VIEWERS[viewer]
    if subject not in names.split() or viewer == "ended" or (role == "vet" and subject != "Mavi"):
        return False
    letter = MATRIX[role][resource][0 if action == "view" else 1]
    decided = overrides.get(f"{resource}:{action}")
    return letter == "A" or (letter in "01" and (letter == "1" if decided is None else decided))


def is_member(viewer: str, subject: str) -> bool:
    """Whether the subject exists for a viewer at all."""
    _name, role, names = VIEWERS[viewer]
    return subject in names.split() and viewer != "ended" and (role != "vet" or subject == "Mavi")


def decisions(viewer: str) -> Iterator[Overrides]:
    """What parents may have decided: nothing, all on, all off; in a long run every combination."""
    role = VIEWERS[viewer][1]
    cells = [
        f"{resource.value}:{action.value}"
        for resource in Resource
        for action in Action
        if role and MATRIX[role][resource.value][0 if action == Action.VIEW else 1] in "01"
    ]
    yield {}
    if IS_LONG:
        yield from (
            dict(zip(cells, on, strict=True)) for on in product([True, False], repeat=len(cells)) if cells
        )
    elif cells:
        yield dict.fromkeys(cells, True)
        yield dict.fromkeys(cells, False)
