"""What a tablet heard and said while the house was out of reach: cards, memory work, nothing said twice."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import connection

from memory.models import CompanionTurn
from memory.rules.companion.said_before import keys_in
from memory.rules.journal import Event, Line
from memory.rules.journal.emptying import gids_of
from memory.services.crises import Heard, raise_cards
from memory.services.reflecting import reflect_in_a_moment

MOST_KEYS = 40  # of one turn
WAIT = """
    INSERT INTO memory_pendingreflection (turn, subject_id, device, session, at_ms, heard, said, attempts)
    SELECT n.turn, %s, %s, '', n.at_ms, n.text, '', 0
    FROM json_to_recordset(%s::json) AS n(turn text, at_ms bigint, text text)
    WHERE NOT EXISTS (SELECT 1 FROM memory_companionturn t WHERE t.device = %s AND t.turn = n.turn)
    ON CONFLICT DO NOTHING
"""


@dataclass
class Said:
    """What a tablet said by itself in one turn, as the house keeps it: no words."""

    at_ms: int
    keys: list[str] = field(default_factory=list)
    recalled: list[str] = field(default_factory=list)


def take_in_heard(device: str, subject_id: int, lines: Sequence[Line], *, forgotten: Collection[str]) -> None:
    """Look at what a companion's lines say the child said. Turns the house answered itself are known already.

    `forgotten` are the turns of these lines of which nothing is kept. Call it in the transaction that stores
    the lines, as the device.
    """
    heard, said = _by_turn(lines), _said_by_turn(lines)
    if not heard and not said:
        return
    for turn in forgotten:
        heard.pop(turn, None)
        said.pop(turn, None)
    crises = raise_cards(subject_id=subject_id, device=device, heard=heard.values())
    waiting = [
        {"turn": turn, "at_ms": one.at_ms, "text": one.text}
        for turn, one in heard.items()
        if turn not in crises
    ]
    if waiting and _wait(waiting, device, subject_id):
        reflect_in_a_moment()
    rows = [
        CompanionTurn(
            subject_id=subject_id,
            device=device,
            turn=turn,
            at_ms=one.at_ms,
            said=one.keys,
            recalled=one.recalled,
        )
        for turn, one in said.items()
        if one.keys or one.recalled
    ]
    CompanionTurn.objects.bulk_create(rows, ignore_conflicts=True)


def _wait(turns: Sequence[Mapping[str, Any]], device: str, subject_id: int) -> int:
    """Let what was heard in these turns wait for the memory work, but those the house knows; how many do."""
    with connection.cursor() as cursor:
        cursor.execute(WAIT, [subject_id, device, json.dumps(turns, ensure_ascii=False), device])
        return int(cursor.rowcount)


def _said_by_turn(lines: Sequence[Line]) -> dict[str, Said]:
    """What each turn said and recalled, so that the house says none of it again this week."""
    found: dict[str, Said] = {}
    for line in lines:
        if line.event not in (Event.SAID, Event.RECALLED) or not line.turn:
            continue
        one = found.setdefault(line.turn, Said(int(line.envelope["at_ms"])))
        words = line.words or {}
        if line.event == Event.SAID:
            one.keys = [*one.keys, *keys_in(str(words.get("text") or ""))][:MOST_KEYS]
        else:
            one.recalled = [*one.recalled, *sorted(gids_of(line))][:MOST_KEYS]
    return found


def _by_turn(lines: Sequence[Line]) -> dict[str, Heard]:
    """What each turn heard, its lines together."""
    texts: dict[str, list[str]] = {}
    last_ms: dict[str, int] = {}
    for line in lines:
        if line.event is not Event.HEARD or not line.words:
            continue
        turn, text = line.turn, str(line.words.get("text") or "")
        if turn and text.strip():
            texts.setdefault(turn, []).append(text)
            last_ms[turn] = line.at_ms
    return {turn: Heard(turn, "\n".join(said), last_ms[turn]) for turn, said in texts.items()}


__all__ = ["take_in_heard"]
