"""The wire of memories, conversations, the journal and pictures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, cast

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils import timezone
from ninja import Query, Router, Schema
from pydantic import Field

from household.device_api import house_state
from household.rules.text import sanitise
from household.wire import (
    PROTOCOL,
    Asked,
    Problem,
    answer,
    answer_rows,
    count_of,
    invalid,
    list_of,
    only,
    read_bytes,
    read_json,
    text_of,
    timed,
)
from household.wire_docs import COUNT, IDENTITY, TEXT, described, listed, record, schema_of
from memory.pictures import MOST_BYTES as MOST_PICTURE
from memory.pictures import NoPicture
from memory.rules.cursors import Resync
from memory.rules.journal import EVENTS, Line, Refusal, read_line
from memory.rules.merge import ChatSession, Invalid, Memory, SoftAction, Tombstone, to_json
from memory.rules.merge.bounds import MOST_TEXT
from memory.rules.merge.wire import IDENTITIES, MAYBE_EMPTY
from memory.rules.merge.wire import IDENTITY as IDENTITY_FORM
from memory.services import companion
from memory.services.lines import MOST_LINES, pull_lines, push_lines
from memory.services.pictures import Unshown, keep_picture, read_picture
from memory.services.store.chat import exchange_chat
from memory.services.store.documents import Push, Refused
from memory.services.store.exchange import exchange
from memory.services.store.pulling import MOST_ITEMS, current_cursor
from memory.services.store.pushing import NoChild
from memory.turn_stream import MEDIA_TYPE as TURN_MEDIA
from memory.turn_stream import stream_turn
from memory.wire_read import memories_in, sessions_in, soft_actions_in, tombstones_in

router = Router()
MOST_SHOWN = 8  # pictures with one turn
# How refusals of this app read: status, code, sentence.
PROBLEMS: Mapping[type[Exception], tuple[int, str, str]] = {
    Resync: (409, "resync", "The cursor is of another epoch: send the whole copy, without a cursor."),
    NoChild: (422, "invalid", "Nobody said whose companion this household device is."),
    NoPicture: (422, "invalid", "The bytes are no whole picture of a kind the house keeps."),
    Unshown: (409, "conflict", "No memory and no line shows a picture of this name yet."),
}


def _schema(kind: Any) -> dict[str, Any]:
    return schema_of(kind, IDENTITIES, MAYBE_EMPTY)


REJECTED = listed(record({"kind": TEXT, "gid": TEXT, "code": TEXT}))
LINE = {
    "type": "object",
    "required": ["event", "at_ms"],
    "properties": {
        "event": {"type": "string", "enum": [event.value for event in EVENTS]},
        "at_ms": COUNT,
        "turn": TEXT,
    },
}
CURSOR = {"anyOf": [{"type": "string", "maxLength": 80}, {"type": "null"}]}


def _device(request: HttpRequest) -> Any:
    return cast(Asked, request).auth


def _refused(found: list[Refused]) -> list[dict[str, str]]:
    return [asdict(one) for one in found]


@router.get(
    "state",
    url_name="state-show",
    summary="The house's clock, protocol, cursors and limits",
    openapi_extra=described(gives={"type": "object"}),
)
def state_show(request: HttpRequest) -> HttpResponse:
    """Where the house stands, and how much it takes at once."""
    sizes = {"memory_items": MOST_ITEMS, "journal_lines": MOST_LINES, "picture_bytes": MOST_PICTURE}
    body = house_state(request)
    cursor = current_cursor()
    body |= {
        "protocol": PROTOCOL,
        "epoch": cursor.epoch,
        "cursor": str(cursor),
        "sizes": sizes,
        "notices": [],
    }
    return answer(request, body)


@router.post(
    "memory",
    url_name="memory-exchange",
    summary="Merge memories, tombstones and soft actions; get what changed since a cursor",
    openapi_extra=described(
        body=record(
            {
                "since": CURSOR,
                "memories": listed(_schema(Memory), MOST_ITEMS),
                "tombstones": listed(_schema(Tombstone), MOST_ITEMS),
                "soft_actions": listed(_schema(SoftAction), MOST_ITEMS),
            }
        ),
        gives={
            "type": "object",
            "properties": {
                "cursor": TEXT,
                "more": {"type": "boolean"},
                "memories": listed(_schema(Memory)),
                "tombstones": listed(_schema(Tombstone)),
                "soft_actions": listed(_schema(SoftAction)),
                "need_pictures": listed(TEXT),
                "rejected": REJECTED,
            },
        },
    ),
)
def memory_exchange(request: HttpRequest) -> HttpResponse:
    """The other side of one exchange of memories."""
    sent = read_json(request)
    only(sent, "since", "memories", "tombstones", "soft_actions")
    push = Push(_since(sent), memories_in(sent), tombstones_in(sent), soft_actions_in(sent))
    found = exchange(device=_device(request), push=push, now=timezone.now())
    return answer(request, {**vars(found), "rejected": _refused(found.rejected)})


def _since(sent: dict[str, Any]) -> str | None:
    since = sent.get("since")
    if since is not None and (not isinstance(since, str) or len(since) > 80):
        raise invalid("since", "a cursor is expected")
    return since


@router.post(
    "chat",
    url_name="chat-exchange",
    summary="Merge conversations",
    openapi_extra=described(
        body=record({"sessions": listed(_schema(ChatSession), MOST_ITEMS)}, ["sessions"]),
        gives={
            "type": "object",
            "properties": {"sessions": listed(_schema(ChatSession)), "rejected": REJECTED},
        },
    ),
)
def chat_exchange(request: HttpRequest) -> HttpResponse:
    """The conversations after those of the device."""
    sent = read_json(request)
    only(sent, "sessions")
    found = exchange_chat(device=_device(request), sessions=sessions_in(sent), now=timezone.now())
    sessions = [to_json(one) for one in found.sessions]
    return answer(request, {"sessions": sessions, "rejected": _refused(found.rejected)})


@router.post(
    "journal",
    url_name="journal-push",
    summary="Append the device's own lines",
    openapi_extra=described(
        body=record({"device": IDENTITY, "from_seq": COUNT, "lines": listed(LINE, MOST_LINES)}, ["from_seq"]),
        gives={"type": "object", "properties": {"next_seq": COUNT, "need_pictures": listed(TEXT)}},
    ),
)
def journal_push(request: HttpRequest) -> HttpResponse:
    """Keep lines without a gap; those held already are answered as done."""
    sent = read_json(request)
    only(sent, "device", "from_seq", "lines")
    device = _device(request)
    if sent.get("device", str(device.pk)) != str(device.pk):
        raise Problem(403, "forbidden", "A device writes its own lines only.", path="device")
    lines = [_line(item, at) for at, item in enumerate(list_of(sent, "lines", most=MOST_LINES))]
    found = push_lines(
        device=device, from_seq=count_of(sent, "from_seq", most=2**52), lines=lines, now=timezone.now()
    )
    plan = found.plan
    if plan.refusal is not None:
        raise Problem(
            409, plan.refusal.value, REFUSALS[plan.refusal], next_seq=plan.next_seq, seqs=plan.conflicts
        )
    return answer(request, {"next_seq": plan.next_seq, "need_pictures": list(found.need_pictures)})


REFUSALS = {
    Refusal.GAP: "Lines before these are missing: send from next_seq on.",
    Refusal.CONFLICT: "Lines of these numbers are held and say something else; they are never overwritten.",
    Refusal.CLOCK_SKEW: "A stamp lies more than five minutes ahead of the house's clock.",
}


def _line(item: Any, at: int) -> Line:
    try:
        line = read_line(item, "")
    except Invalid as error:
        raise invalid(f"lines[{at}]{error.path}", error.why) from None
    for text in line.words.values() if line.words else ():
        if isinstance(text, str) and len(text) > MOST_TEXT:
            raise invalid(f"lines[{at}]", f"at most {MOST_TEXT} characters are taken")
    return line


class Page(Schema):
    """From where on lines are asked for, and how many at most."""

    after: int = Field(0, ge=0, le=2**53 - 1)
    limit: int = Field(500, ge=1, le=MOST_LINES)


@router.get(
    "journal",
    url_name="journal-pull",
    summary="Lines of other devices after a position",
    openapi_extra=described(
        gives={
            "type": "object",
            "properties": {"lines": listed({"type": "object"}), "next": COUNT, "more": {"type": "boolean"}},
        }
    ),
)
def journal_pull(request: HttpRequest, page: Query[Page]) -> HttpResponse:
    """A page of lines, and where to go on."""
    found = pull_lines(device=_device(request), after=page.after, limit=page.limit, now=timezone.now())
    return answer_rows(request, "lines", found.lines, {"next": found.next, "more": found.more})


@router.put(
    "pictures/{name}",
    url_name="picture-keep",
    summary="Send a picture's bytes once",
    openapi_extra=described(
        body={"type": "string", "format": "binary"},
        takes="application/octet-stream",
        gives={"type": "object", "properties": {"state": TEXT}},
    ),
)
def picture_keep(request: HttpRequest, name: str) -> HttpResponse:
    """Keep a picture that something shows; one that was forgotten is answered as done and dropped."""
    device = _device(request)
    data = read_bytes(request, MOST_PICTURE)
    state = keep_picture(device=device, name=_name(name), data=data, now=timezone.now())
    return answer(request, {"state": state.value})


@router.get(
    "pictures/{name}",
    url_name="picture-show",
    summary="A picture's bytes",
    openapi_extra=described(gives={"type": "string", "format": "binary"}, media="image/*"),
)
def picture_show(request: HttpRequest, name: str) -> HttpResponse:
    """A picture of the device's child."""
    data, media = read_picture(device=_device(request), name=_name(name), now=timezone.now())
    return timed(HttpResponse(data, media))


def _name(name: str) -> str:
    if IDENTITY_FORM.fullmatch(name) is None:
        raise invalid("name", "an identity without words is expected")
    return name


@router.post(
    "turn",
    url_name="turn-answer",
    summary="Say something to the companion; it answers in pieces",
    openapi_extra=described(
        body=record(
            {
                "turn": IDENTITY,
                "text": {"type": "string", "maxLength": MOST_TEXT},
                "pictures": {"type": "array", "maxItems": MOST_SHOWN, "items": IDENTITY},
                "session": IDENTITY,
                "language": {"type": "string", "enum": ["en", "tr"]},
            },
            ["turn", "text"],
        ),
        gives=TEXT,
        media=TURN_MEDIA,
    ),
)
def turn_answer(request: HttpRequest) -> HttpResponseBase:
    """The companion's answer as lines of JSON: pieces of what it says, then how it ended."""
    sent = read_json(request)
    only(sent, "turn", "text", "pictures", "session", "language")
    text = sanitise(text_of(sent, "text", most=MOST_TEXT))
    pictures = _pictures(sent.get("pictures", []))
    if not text.strip() and not pictures:
        raise invalid("text", "some words or a picture are expected")
    language = text_of(sent, "language", most=2, default="en")
    if language not in {"en", "tr"}:
        raise invalid("language", "en or tr is expected")
    session = text_of(sent, "session", most=120, default="")
    device, now = _device(request), timezone.now()
    reply = companion.begin(
        device=device,
        turn=_identity(text_of(sent, "turn", most=120), "turn"),
        text=text,
        session=_identity(session, "session") if session else "",
        language=language,
        now=now,
        has_picture=bool(pictures),
    )
    return stream_turn(reply, device)


def _pictures(sent: Any) -> list[str]:
    """The names of the pictures shown with a turn; their bytes come as every picture's do."""
    if not isinstance(sent, list) or len(sent) > MOST_SHOWN:
        raise invalid("pictures", f"a list of at most {MOST_SHOWN} names is expected")
    if not all(isinstance(one, str) and IDENTITY_FORM.fullmatch(one) for one in sent):
        raise invalid("pictures", "names without words are expected")
    return sent


def _identity(text: str, path: str) -> str:
    if IDENTITY_FORM.fullmatch(text) is None:
        raise invalid(path, "an identity without words is expected")
    return text
