"""The backup file: a readable head, then entries of chunks, sealed under a passphrase or plain.

    HEARTHBOOK BACKUP 1\\n
    {"made_at": ..., "sealed": true, "kdf": {...}, ...}\\n
    body: frames of a 4-byte length and bytes. In the body, entries: a frame of JSON {"name": ...}, frames of
    content, an empty frame. The last entry, `manifest.json`, holds size and SHA-256 of every entry before it
    and of the head.

Sealed, each frame is AES-256-GCM with the head as associated data; the nonce is the frame's number and
whether it is the last, so none can be dropped, doubled, moved or cut off (the STREAM construction of
Hoang, Reyhanitabar, Rogaway and Vizár, 2015). The key comes from the passphrase by scrypt and, for each
file, by HKDF with the file's own salt.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import IO, Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from household.box.trouble import Trouble
from household.rules.backups import normalised

MAGIC = b"HEARTHBOOK BACKUP 1\n"
MANIFEST = "manifest.json"
CHUNK = 2**18
LONGEST_FRAME = CHUNK + 1024
LONGEST_HEAD = 65_536
SCRYPT: Mapping[str, int] = {"n": 2**15, "r": 8, "p": 1}
SCRYPT_MEMORY = 2**27


class WrongPassphrase(Trouble):
    """The passphrase does not open this backup."""


class Damaged(Trouble):
    """The file is not a whole backup."""


@dataclass(frozen=True)
class Key:
    """A passphrase made into a key: what the box keeps, so that nights need no passphrase."""

    salt: bytes
    secret: bytes

    def kdf(self) -> dict[str, Any]:
        """What a file's head tells of it."""
        return {"name": "scrypt", "salt": self.salt.hex(), **SCRYPT}


def make_key(passphrase: str, *, salt: bytes | None = None, cost: Mapping[str, int] = SCRYPT) -> Key:
    """The key of a passphrase, under a new salt unless one is given."""
    salt = salt if salt is not None else secrets.token_bytes(16)
    words = normalised(passphrase).encode()
    secret = hashlib.scrypt(words, salt=salt, dklen=32, maxmem=SCRYPT_MEMORY, **cost)
    return Key(salt, secret)


class Writer:
    """Writes one backup, entry after entry, to a binary stream."""

    def __init__(self, out: IO[bytes], head: Mapping[str, Any], key: Key | None) -> None:
        self.out = out
        file_salt = secrets.token_bytes(16)
        told = {**head, "sealed": key is not None, "file_salt": file_salt.hex()}
        if key is not None:
            told["kdf"] = key.kdf()
        self.head = json.dumps(told, sort_keys=True).encode()
        self.cipher = None if key is None else _cipher(key, file_salt)
        self.count = 0
        self.entries: dict[str, dict[str, Any]] = {}
        out.write(MAGIC + self.head + b"\n")

    def add(self, name: str, chunks: Iterator[bytes]) -> None:
        """Write one entry; what arrives in large pieces is cut."""
        self._frame(json.dumps({"name": name}).encode())
        digest, size = hashlib.sha256(), 0
        for piece in chunks:
            for start in range(0, len(piece), CHUNK):
                part = piece[start : start + CHUNK]
                digest.update(part)
                size += len(part)
                self._frame(part)
        self._frame(b"")
        self.entries[name] = {"size": size, "sha256": digest.hexdigest()}

    def close(self) -> None:
        """Write the manifest and the closing frame."""
        manifest = {"head_sha256": hashlib.sha256(self.head).hexdigest(), "entries": self.entries}
        self._frame(json.dumps({"name": MANIFEST}).encode())
        self._frame(json.dumps(manifest, sort_keys=True).encode())
        self._frame(b"")
        self._frame(b"end", is_last=True)

    def _frame(self, content: bytes, *, is_last: bool = False) -> None:
        if self.cipher is not None:
            content = self.cipher.encrypt(_nonce(self.count, is_last=is_last), content, self.head)
        self.out.write(struct.pack(">I", len(content)) + content)
        self.count += 1


class Reader:
    """Reads one backup; nothing it gives may be believed before `entries` has ended."""

    def __init__(self, source: IO[bytes], passphrase: str | None = None, *, key: Key | None = None) -> None:
        self.source = source
        if source.read(len(MAGIC)) != MAGIC:
            raise Damaged("This file is not a Hearthbook backup.")
        self.raw_head = source.readline(LONGEST_HEAD).removesuffix(b"\n")
        try:
            self.head: dict[str, Any] = json.loads(self.raw_head)
            self.cipher = self._open(passphrase, key) if self.head["sealed"] else None
        except (ValueError, KeyError, TypeError, AttributeError):
            raise Damaged("The head of this backup is damaged.") from None
        self.count = 0

    def _open(self, passphrase: str | None, key: Key | None) -> AESGCM:
        kdf = self.head["kdf"]
        salt, file_salt = bytes.fromhex(kdf["salt"]), bytes.fromhex(self.head["file_salt"])
        if kdf["name"] != "scrypt" or not _is_affordable(kdf):
            raise ValueError
        if key is not None and key.salt == salt and passphrase is None:
            return _cipher(key, file_salt)
        if not passphrase:
            raise WrongPassphrase("This backup is sealed: its passphrase is needed.")
        cost = {name: kdf[name] for name in SCRYPT}
        return _cipher(make_key(passphrase, salt=salt, cost=cost), file_salt)

    def entries(self) -> Iterator[tuple[str, Iterator[bytes]]]:
        """Every entry but the manifest, in order, each to be read to its end before the next.

        Raises Damaged or WrongPassphrase; ending without either means that every byte is as it was written.
        """
        seen: dict[str, dict[str, Any]] = {}
        while True:
            name = self._entry_name()
            if name == MANIFEST:
                self._check(b"".join(self._content(name, {})), seen)
                return
            content = self._content(name, seen)
            yield name, content
            for _rest in content:
                pass

    def _entry_name(self) -> str:
        try:
            name = json.loads(self._frame())["name"]
        except (ValueError, KeyError, TypeError):
            raise Damaged("An entry of this backup is damaged.") from None
        if not isinstance(name, str):
            raise Damaged("An entry of this backup is damaged.")
        return name

    def _content(self, name: str, seen: dict[str, dict[str, Any]]) -> Iterator[bytes]:
        digest, size = hashlib.sha256(), 0
        while part := self._frame():
            digest.update(part)
            size += len(part)
            yield part
        seen[name] = {"size": size, "sha256": digest.hexdigest()}

    def _check(self, manifest: bytes, seen: dict[str, dict[str, Any]]) -> None:
        try:
            told = json.loads(manifest)
        except ValueError:
            raise Damaged("The list of contents of this backup is damaged.") from None
        is_whole = (
            self._frame(is_last=True) == b"end"
            and not self.source.read(1)
            and told == {"head_sha256": hashlib.sha256(self.raw_head).hexdigest(), "entries": seen}
        )
        if not is_whole:
            raise Damaged("This backup is damaged: its contents are not what was written.")

    def _frame(self, *, is_last: bool = False) -> bytes:
        size = self.source.read(4)
        length = struct.unpack(">I", size)[0] if len(size) == 4 else LONGEST_FRAME + 1
        content = self.source.read(length) if length <= LONGEST_FRAME else b""
        if length > LONGEST_FRAME or len(content) != length:
            raise Damaged("This backup is cut off or damaged.")
        if self.cipher is None:
            self.count += 1
            return content
        try:
            opened = self.cipher.decrypt(_nonce(self.count, is_last=is_last), content, self.raw_head)
        except InvalidTag:
            if self.count == 0:
                raise WrongPassphrase("The passphrase does not open this backup.") from None
            raise Damaged("This backup is damaged: its contents are not what was written.") from None
        self.count += 1
        return opened


def _is_affordable(kdf: Mapping[str, Any]) -> bool:
    """Whether a head asks for no more work than our own: a crafted file must not take the memory."""
    return all(isinstance(kdf[name], int) and 1 <= kdf[name] <= limit for name, limit in SCRYPT.items())


def _cipher(key: Key, file_salt: bytes) -> AESGCM:
    return AESGCM(HKDF(SHA256(), 32, file_salt, b"hearthbook backup").derive(key.secret))


def _nonce(count: int, *, is_last: bool) -> bytes:
    return struct.pack(">QI", count, int(is_last))
