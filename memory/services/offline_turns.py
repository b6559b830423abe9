"""What a tablet heard while the house was out of reach: cards for distress, and the memory work."""

from __future__ import annotations

from collections.abc import Sequence

from memory.models import CompanionTurn, PendingReflection, TombstoneTurn
from memory.rules.journal import Event, Line
from memory.services.crises import Heard, raise_cards
from memory.services.reflecting import reflect_in_a_moment


def take_in_heard(device: str, subject_id: int, lines: Sequence[Line]) -> None:
    """Look at what a companion's lines say the child said. Turns the house answered itself are known already.

    Call it in the transaction that stores the lines, as the device.
    """
    heard = _by_turn(lines)
    if not heard:
        return
    turns = list(heard)
    gone = TombstoneTurn.objects.filter(turn__in=turns, tombstone__at_ms__gt=0)
    for turn in gone.values_list("turn", flat=True):
        heard.pop(turn, None)
    crises = raise_cards(subject_id=subject_id, device=device, heard=heard.values())
    known = set(CompanionTurn.objects.filter(device=device, turn__in=turns).values_list("turn", flat=True))
    waiting = [one for turn, one in heard.items() if turn not in known and turn not in crises]
    if waiting:
        PendingReflection.objects.bulk_create(
            [
                PendingReflection(
                    turn=one.turn, subject_id=subject_id, device=device, at_ms=one.at_ms, heard=one.text
                )
                for one in waiting
            ],
            ignore_conflicts=True,
        )
        reflect_in_a_moment()


def _by_turn(lines: Sequence[Line]) -> dict[str, Heard]:
    """What each turn heard, its lines together."""
    found: dict[str, Heard] = {}
    for line in lines:
        text = str((line.words or {}).get("text") or "") if line.event == Event.HEARD else ""
        if not line.turn or not text.strip():
            continue
        before = found.get(line.turn)
        told = f"{before.text}\n{text}" if before else text
        found[line.turn] = Heard(line.turn, told, int(line.envelope["at_ms"]))
    return found


__all__ = ["take_in_heard"]
