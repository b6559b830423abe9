"""The texts a model is asked with, and each one's share of the questions. Another text is another variant."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from household.access import require_parent
from household.models import Person
from household.rules.text import sanitise
from memory.models import PromptVariant
from memory.rules.asking.prompting import bundled

ALL = 100  # the shares together
LONGEST, SHORTEST = 6_000, 80
OWN = "own-"


class BadShares(ValueError):
    """The shares are not whole numbers that add up to a hundred."""


class BadPrompt(ValueError):
    """A prompt without `{name}` and `{language}`, too short or too long; the argument says which."""


def variants() -> list[PromptVariant]:
    """Every variant, the oldest first; those that come with the house are always there.

    One that comes with a later version of the house gets no share by itself.
    """
    rows = list(PromptVariant.objects.order_by("pk"))
    known = {row.key for row in rows}
    fresh = [
        PromptVariant(key=one.key, text=one.text, split=0 if rows else one.split)
        for one in bundled()
        if one.key not in known
    ]
    if not fresh:
        return rows
    PromptVariant.objects.bulk_create(fresh, ignore_conflicts=True)
    return list(PromptVariant.objects.order_by("pk"))


def variants_in_use() -> list[PromptVariant]:
    """The variants that get a share of the questions."""
    return [one for one in variants() if one.split]


@transaction.atomic
def share_out(*, person: Person, shares: Mapping[int, int]) -> int:
    """Give each variant its share. Gives how many changed. Raises Denied, BadShares."""
    require_parent(person)
    rows = _held()
    wanted = {row.pk: shares.get(row.pk, row.split) for row in rows}
    if sum(wanted.values()) != ALL or any(not 0 <= one <= ALL for one in wanted.values()):
        raise BadShares
    changed = [row for row in rows if row.split != wanted[row.pk]]
    for row in changed:
        row.split = wanted[row.pk]
    PromptVariant.objects.bulk_update(changed, ["split"])
    return len(changed)


@transaction.atomic
def add_variant(*, person: Person, text: str) -> PromptVariant:
    """A further text, with no share yet; a text that is there already is that variant.

    Raises Denied, BadPrompt.
    """
    require_parent(person)
    words = sanitise(text).replace("\r\n", "\n").strip()
    if not SHORTEST <= len(words) <= LONGEST:
        raise BadPrompt("length")
    if "{name}" not in words or "{language}" not in words:
        raise BadPrompt("places")
    rows = _held()
    held = next((row for row in rows if row.text == words), None)
    if held is not None:
        return held
    number = sum(row.key.startswith(OWN) for row in rows) + 1
    return PromptVariant.objects.create(key=f"{OWN}{number}", text=words, split=0)


def _held() -> list[PromptVariant]:
    """Every variant, which nobody else changes or adds to until the transaction ends."""
    variants()
    list(PromptVariant.objects.select_for_update().order_by("pk").values_list("pk"))
    return list(PromptVariant.objects.order_by("pk"))  # with what was added while the lock was waited for
