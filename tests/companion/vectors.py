"""Shared vectors: what the Python rules make of seeded random documents, for another language to repeat.

Each case is `{op, args, want}`: the operation by name, its arguments as JSON, and the canonical JSON of what
Python makes of them. Stamps, names and texts are drawn from few, so that ties and meetings are common.
"""

from __future__ import annotations

import base64
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from typing import Any

from household.rules import clock, days, limits, registers
from household.rules.canonical import canonical
from household.rules.text import sanitise_all
from memory.rules import journal, merge

Case = dict[str, Any]
Dice = random.Random
TEXTS = (
    "",
    "a heron",
    "a heron!",
    "Dede'nin köpeği",
    "ırmak\nİzmir",
    "\ufffd",
    "\uffee",
    "\U0001f995",
    "\U0001f995 big",
    "z\u2028",
    'say "hi" \\ \t\x07\x7f',
    "é",
    "e\u0301",
)
BROKEN = ("\x00", "a\x00b", "\ud83e", "\udd95\ud83e", "x\ud83e\U0001f995")
GIDS = ("m1", "m2", "m3")
DEVICES = ("", "aa", "ab", "b")
NAMES = ("p1.png", "p2.png", "p3.png")
NUMBERS = (0, -0.0, 1, 2.0, 0.5, 1e-4, 1.5e-5, 1e-7, 123456.75, 1e15, 1e21, 1e22, -3.25e-9, 2**53 - 1)
NOW = 1_800_000_000_000


def text(dice: Dice) -> str:
    """Words that meet often."""
    return dice.choice(TEXTS)


def at(dice: Dice) -> int:
    """A stamp of few."""
    return dice.choice((0, 1, 2, 3, NOW, NOW + 1))


def some(dice: Dice, make: Callable[[Dice], Any], most: int = 3) -> list[Any]:
    """None to `most` of what is made."""
    return [make(dice) for _ in range(dice.randint(0, most))]


def memory(dice: Dice, gid: str = "") -> merge.Memory:
    """A memory in its one form."""
    has_cover = dice.random() < 0.5
    found = merge.Memory(
        gid=gid or dice.choice(GIDS),
        text=text(dice),
        learned_at_ms=at(dice),
        text_at_ms=at(dice),
        hidden=dice.random() < 0.5,
        visibility_at_ms=at(dice),
        cover_picture=dice.choice(NAMES) if has_cover else None,
        cover_at_ms=at(dice) if has_cover else None,
        icon=dice.choice((None, "sun", "sea")),
        kind=dice.choice(("", "like", "event")),
        who=text(dice),
        place=text(dice),
        said_when=text(dice),
        mentions=frozenset(some(dice, mention)),
        revisions=tuple(some(dice, revision)),
        pictures=tuple(some(dice, lambda d: merge.PictureLink(d.randint(0, 2), d.choice(NAMES)))),
        embeddings=frozenset(some(dice, lambda d: merge.Embedding(d.choice("xy"), d.randbytes(3)), 2)),
    )
    return merge.normal(found)


def mention(dice: Dice) -> merge.Mention:
    """One telling."""
    return merge.Mention(at(dice), dice.choice(DEVICES), dice.choice(("", "t1", "t2", "t3")))


def revision(dice: Dice) -> merge.Revision:
    """Words of once."""
    return merge.Revision(at(dice), at(dice), text(dice), dice.choice(DEVICES))


def tombstone(dice: Dice, gid: str = "") -> merge.Tombstone:
    """Something forgotten, or a duplicate dropped."""
    return merge.Tombstone(
        gid=gid or dice.choice(GIDS),
        kind=dice.choice(("memory", "turn", "day")),
        at_ms=at(dice),
        device=dice.choice(DEVICES),
        turns=frozenset(some(dice, lambda d: d.choice(("t1", "t2", "t3")))),
        pictures=frozenset(some(dice, lambda d: d.choice(NAMES))),
    )


def soft_action(dice: Dice) -> merge.SoftAction:
    """A putting away."""
    undone = dice.choice((None, at(dice)))
    return merge.SoftAction(dice.choice("ab"), dice.choice(GIDS), at(dice), undone)


def session(dice: Dice, gid: str = "") -> merge.ChatSession:
    """A conversation."""
    name, scrubbed = gid or dice.choice(("s1", "s2")), frozenset(some(dice, lambda d: d.choice(GIDS)))
    if dice.random() < 0.2:
        return merge.ChatSession(name, at(dice), scrubbed=scrubbed)
    turns = some(dice, lambda d: merge.ChatTurn(d.choice(("t1", "t2")), "child", text(d), at(d)))
    version = dice.randint(1, 2)
    return merge.ChatSession(name, at(dice), version, at(dice), text(dice), tuple(turns), scrubbed)


def time_row(dice: Dice) -> limits.TimeRow:
    """A device's day."""
    day = date(2027, 1, dice.randint(14, 16))
    used, extra = dice.choice((0, 1, 60_000)), dice.choice((0, 0, 5))
    return limits.TimeRow(dice.choice(("aa", "b")), day, used, extra)


def store(dice: Dice) -> merge.StoreDoc:
    """What one holder has."""
    return merge.settled(
        merge.StoreDoc(
            memories={one.gid: one for one in some(dice, memory)},
            tombstones={one.gid: one for one in some(dice, tombstone, 2)},
            soft_actions={one.key: one for one in some(dice, soft_action, 2)},
            sessions={one.gid: one for one in some(dice, session, 2)},
            time=limits.time_rows(some(dice, time_row, 2)),
        )
    )


def register(dice: Dice) -> registers.Register:
    """A setting."""
    key = dice.choice(("character", "daily_minutes", "quiet"))
    value = dice.choice((None, "cat", "dog", 5, 30, {"from": "20:00", "to": "07:00"}))
    return registers.Register(key, value, at(dice), dice.choice(("", "c1")))


def held(found: list[registers.Register]) -> dict[registers.Address, registers.Register]:
    """Settings by address."""
    return registers.by_address(found)


def listed(found: Any) -> list[Any]:
    """Settings as JSON, in order."""
    return [vars(one) for _, one in sorted(found.items(), key=lambda item: item[0])]


def line(dice: Dice) -> journal.Line:
    """A line of any event, whole or emptied."""
    event = dice.choice(list(journal.EVENTS))
    makes: dict[journal.Part, Callable[[], Any]] = {
        journal.Part.WORDS: lambda: text(dice),
        journal.Part.IDENTITY: lambda: dice.choice((*GIDS, *NAMES)),
        journal.Part.IDENTITIES: lambda: some(dice, lambda d: d.choice(NAMES)),
        journal.Part.ENTRIES: lambda: some(dice, lambda d: {"gid": d.choice(GIDS), "fact": text(d)}),
        journal.Part.COUNT: lambda: dice.randint(0, 9),
        journal.Part.CODE: lambda: "done",
    }
    fields = {name: makes[part]() for name, part in journal.EVENTS[event].items()}
    found = journal.read_line(
        {"event": event.value, "at_ms": at(dice), "turn": dice.choice(("", "t1", "t2", "t3")), **fields}
    )
    return journal.emptied(found) if event in journal.WORDED and dice.random() < 0.2 else found


def value(dice: Dice, depth: int = 3) -> Any:
    """Any JSON, broken texts included."""
    kind = dice.randint(0, 5 if depth else 2)
    if kind == 0:
        return dice.choice((None, True, False))
    if kind == 1:
        return dice.choice(NUMBERS)
    if kind == 2:
        return dice.choice(TEXTS + BROKEN)
    if kind == 3:
        return [value(dice, depth - 1) for _ in range(dice.randint(0, 3))]
    names = (*TEXTS, *BROKEN, "10", "9", "__proto__")
    return {dice.choice(names): value(dice, depth - 1) for _ in range(dice.randint(0, 4))}


def _spelled(*args: Any) -> list[Any]:
    return [merge.to_json(one) for one in args]


def _canonical(dice: Dice) -> tuple[list[Any], Any]:
    given = value(dice)
    return [given], canonical(given)


def _sanitised(dice: Dice) -> tuple[list[Any], Any]:
    given = value(dice)
    return [given], sanitise_all(given)


def _memories(dice: Dice) -> tuple[list[Any], Any]:
    a, b = memory(dice, "m1"), memory(dice, "m1")
    return _spelled(a, b), merge.merge_memory(a, b)


def _normal(dice: Dice) -> tuple[list[Any], Any]:
    raw = merge.to_json(memory(dice))
    raw["revisions"] = [merge.to_json(one) for one in some(dice, revision, 4)]
    data = base64.b64encode(dice.randbytes(4)).decode()
    raw["embeddings"] = [{"model": "x", "data": data}, *raw["embeddings"]]
    return [raw], merge.from_json(merge.Memory, raw)


def _tombstones(dice: Dice) -> tuple[list[Any], Any]:
    a, b = tombstone(dice, "m1"), tombstone(dice, "m1")
    return _spelled(a, b), merge.merge_tombstone(a, b)


def _sessions(dice: Dice) -> tuple[list[Any], Any]:
    a, b = session(dice, "s1"), session(dice, "s1")
    return _spelled(a, b), merge.merge_session(a, b)


def _talk(dice: Dice) -> tuple[list[Any], Any]:
    held_, turn = session(dice, "s1"), merge.ChatTurn("t9", "child", text(dice), at(dice))
    said = merge.add_turn(held_, turn, scrubbed=held_.scrubbed)
    folded = merge.fold(said, text(dice), leaving=1, at_ms=at(dice), scrubbed=said.scrubbed)
    asked = [*_spelled(held_, turn), folded.summary, folded.stamp_ms]
    return asked, folded


def _stores(dice: Dice) -> tuple[list[Any], Any]:
    a, b = store(dice), store(dice)
    return _spelled(a, b), merge.merge_store(a, b)


def _registers(dice: Dice) -> tuple[list[Any], Any]:
    a, b = held(some(dice, register)), held(some(dice, register))
    refused = [one.address for one in some(dice, register, 2)]
    places = [{"child": child, "key": key} for child, key in refused]
    return [listed(a), listed(b), places], listed(registers.take_over(a, b, refused))


def _settings(dice: Dice) -> tuple[list[Any], Any]:
    """Which registers count for a child, where the household, the child or another one wrote them."""
    keys = [*sorted(registers.PER_CHILD), "log_retention_days", "utc_offset_minutes"]
    written = [registers.Register(key, whose, at(dice), whose) for key in keys for whose in ("", "c1", "c2")]
    given = dice.sample(written, dice.randint(0, len(written)))
    child = dice.choice(("", "c1", "c3"))
    counted = [registers.row(held(given), key, child) for key in keys]
    return [[vars(one) for one in given], keys, child], [vars(one) for one in counted if one]


def _time(dice: Dice) -> tuple[list[Any], Any]:
    rows = limits.time_rows(some(dice, time_row, 4))
    most, minute = dice.choice((None, 0, 1, 30)), dice.randint(0, 1439)
    quiet = dice.choice((None, {"from": "20:30", "to": "07:00"}, {"from": "13:00", "to": "15:00"}))
    left = limits.remaining_ms(rows, date(2027, 1, 15), daily_minutes=most)
    asked = [[merge.to_json(one) for one in rows.values()], "2027-01-15", most, quiet, minute]
    return asked, [left, limits.is_quiet(quiet, minute)]


def _lines(dice: Dice) -> tuple[list[Any], Any]:
    found, dead, alive = line(dice), some(dice, tombstone), some(dice, memory, 1)
    reach = journal.reach_of(dead, {one.gid: one for one in alive})
    kept = journal.as_kept(found, reach)
    asked = [journal.join(found), *_spelled(tuple(dead), tuple(alive))]
    return asked, [journal.join(kept), sorted(journal.pictures_of(kept)), sorted(journal.gids_of(kept))]


def _ages(dice: Dice) -> tuple[list[Any], Any]:
    found, now = line(dice), NOW + dice.randint(0, 10) * 43_200_000
    kept, offset = dice.choice((None, 1, 3)), dice.choice((None, 0, 180, -210, 7))
    cutoff = journal.cutoff_ms(now, retention_days=kept, utc_offset_minutes=offset)
    after = journal.expired(found) if journal.expires(found, cutoff) else found
    day = days.household_day(now, offset).isoformat()
    return [journal.join(found), now, kept, offset], [
        cutoff,
        journal.join(after),
        day,
        days.minute_of_day(now, offset),
    ]


def _stamps(dice: Dice) -> tuple[list[Any], Any]:
    given = [NOW + dice.randint(-3, 3) for _ in range(dice.randint(0, 5))]
    offset = dice.choice((0, -2, 5, -10_000))
    moved = clock.restamped(given, clock.Offset(offset), now_ms=NOW)
    return [given, offset, NOW], sorted(moved.items())


def _acts(dice: Dice) -> tuple[list[Any], Any]:
    """A chain of what a child does to one memory."""
    kept = merge.StoreDoc(memories={"m1": memory(dice, "m1")})
    begun, acts = merge.to_json(kept), []
    for number in range(dice.randint(1, 5)):
        act = [
            dice.choice(("edit", "star", "mention", "away", "undo", "forget", "again")),
            text(dice),
            at(dice),
        ]
        acts.append(act)
        kept = _acted(kept, act, number)
    return [begun, acts], kept


def _acted(kept: merge.StoreDoc, act: list[Any], number: int) -> merge.StoreDoc:
    kind, words, stamp = act
    try:
        if kind == "away":
            return merge.put_away(kept, "m1", action_id="a1", at_ms=stamp)
        if kind == "undo":
            return merge.undo(kept, "m1", action_id="a1", at_ms=stamp)
        if kind == "forget":
            return merge.forget(kept, "m1", at_ms=stamp, device="aa")
        if kind == "again":
            told = merge.Memory("m1", words, learned_at_ms=stamp, text_at_ms=stamp)
            return merge.remember(kept, told)
        found = kept.memories["m1"]
        if kind == "edit":
            found = merge.edit_text(found, words, at_ms=stamp, device="aa")
        elif kind == "star":
            found = merge.star(found, "p1.png", at_ms=stamp)
        else:
            found = merge.mention(found, merge.Mention(stamp, "aa", f"t{number}"))
        return replace(kept, memories={"m1": found})
    except (merge.Refused, KeyError):
        return kept


OPERATIONS: dict[str, Callable[[Dice], tuple[list[Any], Any]]] = {
    "canonical": _canonical,
    "sanitise": _sanitised,
    "normal": _normal,
    "memories": _memories,
    "tombstones": _tombstones,
    "sessions": _sessions,
    "talk": _talk,
    "stores": _stores,
    "registers": _registers,
    "settings": _settings,
    "time": _time,
    "lines": _lines,
    "ages": _ages,
    "stamps": _stamps,
    "acts": _acts,
}


def cases(*, seed: int, each: int) -> Iterator[Case]:
    """`each` cases of every operation."""
    for name, make in OPERATIONS.items():
        dice = random.Random(f"{name} {seed}")
        for _ in range(each):
            args, made = make(dice)
            spelled = made if isinstance(made, dict | list) else merge.to_json(made)
            yield {"op": name, "args": args, "want": canonical(spelled)}
