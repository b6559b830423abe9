"""One sync of a device with its house: what changed travels, both ways, and all of it can be repeated."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from household.rules import registers as settings
from household.rules.clock import Offset, offset_to
from household.rules.limits import TimeRow, time_rows
from household.rules.registers import Register
from memory.device.clock import set_right
from memory.device.copy import HeldLine, key_of, read_document
from memory.device.house import Refused
from memory.device.lines import count, drop_unplaced, keep_lines, own_lines, unplaced
from memory.device.tablet import Revoked, Tablet
from memory.rules.journal import join, read_line
from memory.rules.merge import (
    ChatSession,
    Memory,
    SoftAction,
    StoreDoc,
    Tombstone,
    merge_store,
    to_json,
)

PAGE_ITEMS = 200
PAGE_BYTES = 512 * 1024
LINES = 500
ATTEMPTS = 3  # of one sync: after a clock set right, after a house restored


@dataclass
class Report:
    """What one sync did, for whoever plays the device."""

    sent: int = 0
    came: int = 0
    lines_sent: int = 0
    lines_came: int = 0
    pictures_sent: int = 0
    pictures_came: int = 0
    forbidden: list[str] = field(default_factory=list)
    rejected: list[str] = field(default_factory=list)
    was_set_right: bool = False
    was_resync: bool = False


def sync(tablet: Tablet) -> Report:
    """Everything the house lacks goes there, everything this device lacks comes.

    Raises Revoked, Refused and Unreachable; what was done before stays done, and the next sync goes on.
    """
    report = Report()
    for attempt in range(ATTEMPTS):
        try:
            for step in (_state, _memory, _registers, _chat, _time, _pull_lines, _push_lines, _pictures):
                step(tablet, report)
            _settle(tablet)
            return report
        except Refused as refused:
            if attempt + 1 == ATTEMPTS or not _recovers(tablet, refused, report):
                raise
    return report


def _recovers(tablet: Tablet, refused: Refused, report: Report) -> bool:
    """Whether another try may do better; a revoked device stops here. Raises Revoked."""
    match refused.code:
        case "revoked":
            tablet.revoke()
            raise Revoked from None
        case "clock_skew":
            report.was_set_right = True
            _set_clock(tablet, refused)
            return True
        case "resync":
            report.was_resync = True
            send_all_again(tablet)
            return True
    return False


def _ask(tablet: Tablet, method: str, path: str, body: Any = None) -> Any:
    sent_ms = tablet.clock()
    try:
        answer = tablet.house.ask(method, path, body, token=tablet.token)
    except Refused as refused:
        _note_time(tablet, refused.body, sent_ms)
        raise
    _note_time(tablet, answer, sent_ms)
    return answer


def _note_time(tablet: Tablet, answer: Any, sent_ms: int) -> None:
    """Remember by how much the house's clock is ahead of this one's."""
    if isinstance(answer, dict) and isinstance(answer.get("server_ms"), int):
        found = offset_to(answer["server_ms"], sent_ms=sent_ms, received_ms=tablet.clock())
        with tablet.writing():
            tablet.copy.note(measured_ms=found.ms)


def _set_clock(tablet: Tablet, refused: Refused) -> None:
    measured = Offset(int(tablet.copy.about("measured_ms", 0)))
    next_seq = int(refused.body.get("next_seq", tablet.copy.about("next_seq", 0)))
    set_right(tablet, offset_ms=measured.ms, next_seq=next_seq)


def send_all_again(tablet: Tablet) -> None:
    """The house may lack anything: the next sync sends the whole copy and asks for all."""
    with tablet.writing():
        tablet.copy.note(cursor="", position=0, asks_seq=True)
        tablet.copy.owe_all()


def _settle(tablet: Tablet) -> None:
    """All is acknowledged: no stamp is open, and what is too old goes."""
    with tablet.writing():
        tablet.copy.close_stamps()
        tablet.copy.note(house_seen_ms=tablet.copy.about("seen_ms", 0))
        tablet.empty()


# the steps, in their order


def _state(tablet: Tablet, report: Report) -> None:
    """Meet the house: its epoch, limits, and by how much clocks differ."""
    state = _ask(tablet, "GET", "state")
    known, epoch = tablet.copy.about("epoch"), state["epoch"]
    with tablet.writing():
        tablet.copy.note(epoch=epoch)
    if known not in (None, epoch):
        report.was_resync = True
        send_all_again(tablet)


def _memory(tablet: Tablet, report: Report) -> None:
    """Pages of what changed here against pages of what changed there, until neither has more."""
    waiting = _pages(_pending(tablet))
    while True:
        page = next(waiting, [])
        body = {"since": tablet.copy.about("cursor", "") or None}
        for kind, name in (
            ("memory", "memories"),
            ("tombstone", "tombstones"),
            ("soft_action", "soft_actions"),
        ):
            body[name] = [to_json(document) for of, document, _ in page if of == kind]
        answer = _ask(tablet, "POST", "memory", body)
        report.sent += len(page)
        _take_memory(tablet, page, answer, report)
        if not page and not answer.get("more"):
            return


def _pending(tablet: Tablet) -> list[tuple[str, Any, int]]:
    return [
        (kind, document, changed)
        for kind in ("tombstone", "memory", "soft_action")
        for document, changed in tablet.copy.documents(kind, pending=True)
    ]


def _pages(rows: Iterable[tuple[str, Any, int]]) -> Iterator[list[tuple[str, Any, int]]]:
    """The rows in pages of a bounded number and size."""
    page: list[tuple[str, Any, int]] = []
    size = 0
    for row in rows:
        bytes_ = len(json.dumps(to_json(row[1])))
        if page and (len(page) >= PAGE_ITEMS or size + bytes_ > PAGE_BYTES):
            yield page
            page, size = [], 0
        page.append(row)
        size += bytes_
    if page:
        yield page


def _take_memory(tablet: Tablet, page: list[tuple[str, Any, int]], answer: Any, report: Report) -> None:
    """Merge what the house told; only what it really took is acknowledged."""
    refused = {(item["kind"], item["gid"]): item["code"] for item in answer.get("rejected", [])}
    told = StoreDoc(
        memories={m.gid: m for m in _read(Memory, answer, "memories")},
        tombstones={t.gid: t for t in _read(Tombstone, answer, "tombstones")},
        soft_actions={a.key: a for a in _read(SoftAction, answer, "soft_actions")},
    )
    with tablet.writing():
        for kind in ("memory", "tombstone", "soft_action"):
            taken = [(doc, n) for of, doc, n in page if of == kind and (of, _name(doc)) not in refused]
            tablet.copy.acknowledge(kind, taken)
        _take(tablet, told)
        tablet.copy.note(cursor=answer["cursor"])
    report.came += len(told.memories) + len(told.tombstones) + len(told.soft_actions)
    if "clock_skew" in refused.values():
        raise Refused(422, {"code": "clock_skew"})
    report.rejected += [f"{kind} {gid} {code}" for (kind, gid), code in refused.items()]


def _name(document: Any) -> str:
    return str(document.id if isinstance(document, SoftAction) else document.gid)


def _take(tablet: Tablet, told: StoreDoc) -> None:
    """Merge documents of the house into the copy, and see the stamps they bear."""
    tablet.keep(merge_store(tablet.store, told), said=told)
    seen = max([int(tablet.copy.about("seen_ms", 0)), *stamps_of(told)])
    tablet.copy.note(seen_ms=seen)


def stamps_of(told: StoreDoc) -> list[int]:
    """The stamps that documents bear."""
    return [
        *(
            at
            for m in told.memories.values()
            for at in (m.text_at_ms, m.visibility_at_ms, m.cover_at_ms or 0)
        ),
        *(t.at_ms for t in told.tombstones.values()),
        *(s.stamp_ms for s in told.sessions.values()),
    ]


def _read(kind: type[Any], answer: Any, name: str) -> list[Any]:
    return [read_document(kind, item) for item in answer.get(name, [])]


def _registers(tablet: Tablet, report: Report) -> None:
    """Settings: the later stamp wins, and where the house forbids, its value stands."""
    pending = list(tablet.copy.documents("register", pending=True))
    answer = _ask(tablet, "POST", "household", {"registers": [to_json(row) for row, _ in pending]})
    forbidden, skewed, invalid = (_addresses(answer, name) for name in ("forbidden", "clock_skew", "invalid"))
    house = settings.by_address(_read(Register, answer, "registers"))
    with tablet.writing():
        held = tablet.registers()
        own = {at: row for at, row in held.items() if at not in skewed}
        merged = settings.take_over(own, house, forbidden | invalid)
        for at, row in merged.items():
            if row != held.get(at):
                tablet.copy.keep("register", row, is_pending=False)
        tablet.copy.acknowledge("register", [(row, n) for row, n in pending if row.address not in skewed])
        tablet.copy.drop("register", [key_of(held[at]) for at in held if at not in merged.keys() | skewed])
    report.forbidden += sorted(key for _, key in forbidden)
    if skewed:
        raise Refused(422, {"code": "clock_skew"})


def _addresses(answer: Any, name: str) -> set[settings.Address]:
    return {(item["child"], item["key"]) for item in answer.get(name, [])}


def _chat(tablet: Tablet, report: Report) -> None:
    pending, answer = _sent(tablet, "session", "chat", "sessions")
    refused = {item["gid"]: item["code"] for item in answer.get("rejected", [])}
    told = StoreDoc(sessions={s.gid: s for s in _read(ChatSession, answer, "sessions")})
    with tablet.writing():
        tablet.copy.acknowledge("session", [(s, n) for s, n in pending if s.gid not in refused])
        _take(tablet, told)
    if "clock_skew" in refused.values():
        raise Refused(422, {"code": "clock_skew"})
    report.rejected += [f"session {gid} {code}" for gid, code in refused.items()]


def _time(tablet: Tablet, report: Report) -> None:
    """Rows of a day far ahead wait for a clock that is right; added minutes that were forbidden go."""
    pending, answer = _sent(tablet, "time", "time", "rows")
    if _without_granted(tablet, pending, _places(answer, "forbidden")):
        report.forbidden.append("extra_minutes")
        pending, answer = _sent(tablet, "time", "time", "rows")
    skewed = _places(answer, "clock_skew")
    told = StoreDoc(time=time_rows(_read(TimeRow, answer, "rows")))
    done = [(row, n) for row, n in pending if (row.device, row.day.isoformat()) not in skewed]
    with tablet.writing():
        tablet.copy.acknowledge("time", done)
        _take(tablet, told)
    report.rejected += [f"time {device} {day} clock_skew" for device, day in sorted(skewed)]


def _places(answer: Any, name: str) -> set[tuple[str, str]]:
    return {(item["device"], item["day"]) for item in answer.get(name, [])}


def _without_granted(tablet: Tablet, pending: list[tuple[Any, int]], forbidden: set[tuple[str, str]]) -> bool:
    """Take minutes no grown-up added out of this device's own rows; whether there were any."""
    rows = [row for row, _ in pending if (row.device, row.day.isoformat()) in forbidden]
    own = [replace(row, extra_minutes=0) for row in rows if row.device == tablet.device and row.extra_minutes]
    with tablet.writing():
        for row in own:
            tablet.copy.drop("time", [key_of(row)])
            if not row.is_zero:
                tablet.copy.keep("time", row, is_pending=True)
        if own:
            tablet.store = tablet.copy.store()
    return bool(own)


def _sent(tablet: Tablet, kind: str, path: str, name: str) -> tuple[list[tuple[Any, int]], Any]:
    """What of a kind the house lacked, and what it answered to it."""
    pending = list(tablet.copy.documents(kind, pending=True))
    return pending, _ask(tablet, "POST", path, {name: [to_json(document) for document, _ in pending]})


def _push_lines(tablet: Tablet, report: Report) -> None:
    """Push this device's lines from the first the house lacks; it says which that is."""
    next_seq = int(tablet.copy.about("next_seq", 0))
    while True:
        lines = own_lines(tablet.copy, tablet.device, from_seq=next_seq, limit=LINES)
        if not lines and not tablet.copy.about("asks_seq", False):
            return
        body = {"device": tablet.device, "from_seq": next_seq, "lines": [join(one.line) for one in lines]}
        try:
            answer = _ask(tablet, "POST", "journal", body)
        except Refused as refused:
            if refused.code != "gap" or int(refused.body["next_seq"]) >= next_seq:
                raise
            answer = refused.body
        report.lines_sent += max(0, int(answer["next_seq"]) - next_seq)
        next_seq = int(answer["next_seq"])
        with tablet.writing():
            tablet.copy.note(next_seq=next_seq, asks_seq=False)


def _pull_lines(tablet: Tablet, report: Report) -> None:
    """Pull the lines of its child that it lacks, in the house's order of arrival."""
    while True:
        after = int(tablet.copy.about("position", 0))
        answer = _ask(tablet, "GET", f"journal?after={after}&limit={LINES}")
        with tablet.writing():
            for item in answer["lines"]:
                held = HeldLine(item["device"], item["seq"], read_line(item["line"]))
                keep_lines(tablet.copy, [held], position=item["position"])
            tablet.copy.note(position=answer["next"])
            report.lines_came += len(answer["lines"])
            if not answer["more"]:
                _speak_for_former(tablet)
                tablet.empty()
                return


def _speak_for_former(tablet: Tablet) -> None:
    """Lines of its older selves that the house has not got, or has lost, become its own."""
    for former in tablet.copy.about("former", []):
        lost = unplaced(tablet.copy, former)
        drop_unplaced(tablet.copy, former)
        first = count(tablet.copy, tablet.device)
        keep_lines(tablet.copy, [HeldLine(tablet.device, at, one.line) for at, one in enumerate(lost, first)])


def _pictures(tablet: Tablet, report: Report) -> None:
    """Bytes of pictures, both ways; a picture never changes, so its name says all."""
    for name in tablet.copy.picture_names(unsent=True):
        body = tablet.copy.picture(name)
        assert body is not None
        try:
            _ask(tablet, "PUT", f"pictures/{name}", body)
        except Refused as refused:
            if refused.code not in {"conflict", "invalid", "too_large"}:
                raise
            report.rejected.append(f"picture {name} {refused.code}")  # it stays here, and is tried again
            continue
        with tablet.writing():
            tablet.copy.sent_picture(name)
        report.pictures_sent += 1
    for name in tablet.lacks_pictures():
        try:
            body = _ask(tablet, "GET", f"pictures/{name}")
        except Refused as refused:
            if refused.status != 404:
                raise
            continue  # whoever has it has not sent it yet
        with tablet.writing():
            tablet.copy.keep_picture(name, body, is_sent=True)
        report.pictures_came += 1
