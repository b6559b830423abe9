"""What every endpoint of the wire shares: who asks, how bodies are read, how answers are spelled."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

import brotli
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from ninja.security import HttpBearer

from household.models import Device
from household.services.devices import Unauthorized, device_of
from household.services.registers import to_ms

PROTOCOL = 1
MOST_BODY = 4 * 1024 * 1024  # as sent
MOST_UNPACKED = 8 * 1024 * 1024
MOST_DEPTH_ERRORS = (ValueError, RecursionError)
PACK_FROM = 1_024
TIME_HEADER = "X-Hearthbook-Time"
PROTOCOL_HEADER = "X-Hearthbook-Protocol"


class Problem(Exception):
    """A refusal as the wire says it (RFC 9457): a status, a stable code, a sentence, and more members."""

    def __init__(self, status: int, code: str, detail: str, **members: Any) -> None:
        super().__init__(code)
        self.status, self.code, self.detail, self.members = status, code, detail, members


class Asked(HttpRequest):
    """A request of a device that is known."""

    device: Device
    auth: Device


class DeviceToken(HttpBearer):
    """The token a device got when it was paired."""

    openapi_name: ClassVar[str] = "DeviceToken"

    def __call__(self, request: HttpRequest) -> Any:
        """The device that asks. Raises Problem for a protocol this house does not speak yet."""
        spoken = request.headers.get(PROTOCOL_HEADER, "1")
        if not spoken.isdecimal() or not spoken.isascii() or len(spoken) > 4:
            raise invalid(PROTOCOL_HEADER, "a whole number is expected")
        if int(spoken) > PROTOCOL:
            raise Problem(
                409, "newer_protocol", "The house is older than this app: update it.", protocol=PROTOCOL
            )
        return super().__call__(request)

    def authenticate(self, request: HttpRequest, token: str) -> Device:
        """The device with this token. Raises Unauthorized, Revoked."""
        if not token.isascii() or len(token) > 200:
            raise Unauthorized
        return device_of(token, now=timezone.now())


def invalid(path: str, detail: str) -> Problem:
    """What is wrong with one field of a request."""
    return Problem(422, "invalid", detail, path=path)


def too_large(most: int) -> Problem:
    """A request that is longer than is read."""
    return Problem(413, "too_large", f"At most {most} bytes are read.", most_bytes=most)


def read_bytes(request: HttpRequest, most: int = MOST_BODY) -> bytes:
    """The body as it was sent, at most `most` bytes of it. Raises Problem."""
    length = request.headers.get("Content-Length", "")
    if length.isdecimal() and len(length) < 20 and int(length) > most:
        raise too_large(most)
    data = request.read(most + 1)
    if len(data) > most:
        raise too_large(most)
    return data


def read_json(request: HttpRequest) -> dict[str, Any]:
    """The object a body spells, packed or not; lone surrogates are let in to be replaced. Raises Problem."""
    data = read_bytes(request)
    coding = request.headers.get("Content-Encoding", "identity").strip().lower()
    if coding in UNPACKERS:
        data = UNPACKERS[coding](data)
    elif coding != "identity":
        raise invalid("Content-Encoding", "gzip, br or identity is expected")
    try:
        found = json.loads(data.decode("utf-8", "surrogatepass"), parse_constant=_refuse)
    except MOST_DEPTH_ERRORS:
        raise invalid("", "the body is no JSON in UTF-8") from None
    if not isinstance(found, dict):
        raise invalid("", "an object is expected")
    return found


def _unpacked(data: bytes) -> bytes:
    unpacker = zlib.decompressobj(wbits=31)
    try:
        plain = unpacker.decompress(data, MOST_UNPACKED + 1)
    except zlib.error:
        raise invalid("Content-Encoding", "the body is not gzipped") from None
    if len(plain) > MOST_UNPACKED:
        raise too_large(MOST_UNPACKED)
    if not unpacker.eof:
        raise invalid("Content-Encoding", "the gzipped body is cut short")
    return plain


def _unpacked_brotli(data: bytes) -> bytes:
    unpacker = brotli.Decompressor()
    try:
        plain: bytes = unpacker.process(data, output_buffer_limit=MOST_UNPACKED + 1)
    except brotli.error:
        raise invalid("Content-Encoding", "the body is no brotli") from None
    if len(plain) > MOST_UNPACKED or not unpacker.can_accept_more_data():
        raise too_large(MOST_UNPACKED)
    if not unpacker.is_finished():
        raise invalid("Content-Encoding", "the brotli body is cut short")
    return plain


UNPACKERS: Mapping[str, Callable[[bytes], bytes]] = {"gzip": _unpacked, "br": _unpacked_brotli}


def _refuse(name: str) -> Any:
    raise ValueError(name)


def only(value: Mapping[str, Any], *names: str, path: str = "") -> None:
    """Pass for an object of no other fields. Raises Problem with the path of the first."""
    for name in value:
        if name not in names:
            shown = name.encode("utf-8", "replace").decode()[:64]
            raise invalid(f"{path}.{shown}" if path else shown, "an unknown field")


def text_of(value: Mapping[str, Any], name: str, *, most: int, default: str | None = None) -> str:
    """A field's text of at most `most` characters. Raises Problem."""
    found = value.get(name, default)
    if not isinstance(found, str):
        raise invalid(name, "a text is expected" if name in value else "a missing field")
    if len(found) > most:
        raise invalid(name, f"at most {most} characters are taken")
    return found


def count_of(value: Mapping[str, Any], name: str, *, most: int = 2**53 - 1) -> int:
    """A field's whole number from 0. Raises Problem."""
    found = value.get(name)
    if not isinstance(found, int) or isinstance(found, bool) or not 0 <= found <= most:
        raise invalid(name, f"a whole number from 0 to {most} is expected")
    return found


def list_of(value: Mapping[str, Any], name: str, *, most: int) -> list[Any]:
    """A field's list, empty where it is not there. Raises Problem."""
    found = value.get(name, [])
    if not isinstance(found, list):
        raise invalid(name, "a list is expected")
    if len(found) > most:
        raise invalid(name, f"at most {most} are taken at once")
    return found


def answer(request: HttpRequest, body: Mapping[str, Any], *, status: int = 200) -> HttpResponse:
    """An answer in JSON with the server's time, packed where the device can read that."""
    whole = {**body, "server_ms": to_ms(timezone.now())}
    return packed(request, _spelled(whole), "application/json", status=status)


def answer_rows(
    request: HttpRequest, name: str, rows: Iterable[str], more: Mapping[str, Any]
) -> HttpResponse:
    """An answer whose member `name` is a list of rows that are spelled already."""
    rest = _spelled({**more, "server_ms": to_ms(timezone.now())})
    spelled = f'{{"{name}":[{",".join(rows)}],'.encode("utf-8", "replace") + rest[1:]
    return packed(request, spelled, "application/json")


def problem_answer(request: HttpRequest, problem: Problem) -> HttpResponse:
    """A refusal as problem JSON."""
    body = {
        "type": f"urn:hearthbook:{problem.code}",
        "title": problem.code.replace("_", " "),
        "status": problem.status,
        "code": problem.code,
        "detail": problem.detail,
        **problem.members,
        "server_ms": to_ms(timezone.now()),
    }
    response = packed(request, _spelled(body), "application/problem+json", status=problem.status)
    if problem.status == 401:
        response["WWW-Authenticate"] = "Bearer"
    if problem.status in {429, 503}:
        response["Retry-After"] = str(problem.members.get("retry_after_s", 5))
    return response


def _spelled(body: Mapping[str, Any]) -> bytes:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def _gzipped(data: bytes) -> bytes:
    return gzip.compress(data, compresslevel=4, mtime=0)


def _brotlied(data: bytes) -> bytes:
    return bytes(brotli.compress(data, quality=4))


# In the order in which they are chosen.
PACKERS: Mapping[str, Callable[[bytes], bytes]] = {"br": _brotlied, "gzip": _gzipped}


def packed(request: HttpRequest, data: bytes, media: str, *, status: int = 200) -> HttpResponse:
    """A response of these bytes, packed where it is worth it and can be read: brotli before gzip."""
    accepts = request.headers.get("Accept-Encoding", "")
    named = [one.partition(";")[0].strip() for one in accepts.split(",") if "q=0" not in one.replace(" ", "")]
    coding = next((one for one in PACKERS if one in named), None) if len(data) >= PACK_FROM else None
    response = HttpResponse(PACKERS[coding](data) if coding else data, media, status=status)
    if coding:
        response["Content-Encoding"] = coding
    patch_vary_headers(response, ("Accept-Encoding",))
    return timed(response)


def timed(response: HttpResponse) -> HttpResponse:
    """The response with the server's time beside it."""
    stamp(response)
    return response


def stamp(response: HttpResponseBase) -> None:
    """Put the server's time beside a response, streamed ones too."""
    response.headers[TIME_HEADER] = str(to_ms(timezone.now()))
    response.headers["Cache-Control"] = "no-store"
