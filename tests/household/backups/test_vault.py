"""The backup file: what was written comes back, and nothing else ever does."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from household.box.vault import CHUNK, Damaged, Key, Reader, Writer, WrongPassphrase, make_key

HEAD = {"made_at": "2026-11-30T02:00:00+00:00", "version": "1", "schema": {}}
CHEAP = {"n": 2, "r": 8, "p": 1}
KEY = make_key("warm bread")


def written(entries: dict[str, bytes], key: Key | None) -> bytes:
    out = io.BytesIO()
    writer = Writer(out, HEAD, key)
    for name, content in entries.items():
        writer.add(name, iter([content]))
    writer.close()
    return out.getvalue()


def read(data: bytes, passphrase: str | None = None, key: Key | None = None) -> dict[str, bytes]:
    reader = Reader(io.BytesIO(data), passphrase, key=key)
    return {name: b"".join(content) for name, content in reader.entries()}


@given(
    st.dictionaries(
        st.text(min_size=1, max_size=20).filter(lambda n: n != "manifest.json"), st.binary(max_size=300)
    ),
    st.booleans(),
)
def test_every_entry_comes_back(entries: dict[str, bytes], is_sealed: bool) -> None:
    key = KEY if is_sealed else None
    assert read(written(entries, key), key=key) == entries


def test_a_large_entry_is_cut_and_comes_back_whole() -> None:
    content = bytes(range(256)) * (CHUNK // 64)
    assert read(written({"media/a": content}, KEY), key=KEY) == {"media/a": content}


def test_the_passphrase_opens_what_the_kept_key_sealed() -> None:
    assert read(written({"a": b"words"}, KEY), "WARM-BREAD") == {"a": b"words"}


@pytest.mark.parametrize("passphrase", [None, "", "cold bread"])
def test_another_passphrase_opens_nothing(passphrase: str | None) -> None:
    with pytest.raises(WrongPassphrase):
        read(written({"a": b"words"}, KEY), passphrase)


def test_a_sealed_file_shows_no_word_and_no_name() -> None:
    data = written({"media/secretname": b"zebrafinch" * 50}, KEY)
    assert b"zebrafinch" not in data and b"secretname" not in data


@pytest.mark.parametrize("key", [None, KEY], ids=["plain", "sealed"])
def test_a_flipped_bit_anywhere_is_found(key: Key | None) -> None:
    data = written({"a": b"one" * 30, "b": b"", "c": b"two"}, key)
    for place in range(len(data)):
        flipped = bytearray(data)
        flipped[place] ^= 1
        with pytest.raises((Damaged, WrongPassphrase)):
            read(bytes(flipped), key=key)


@pytest.mark.parametrize("key", [None, KEY], ids=["plain", "sealed"])
def test_a_file_cut_off_anywhere_is_found(key: Key | None) -> None:
    data = written({"a": b"one" * 30, "b": b"two"}, key)
    for length in range(len(data)):
        with pytest.raises((Damaged, WrongPassphrase)):
            read(data[:length], key=key)


@pytest.mark.parametrize("key", [None, KEY], ids=["plain", "sealed"])
def test_bytes_after_the_end_are_found(key: Key | None) -> None:
    with pytest.raises(Damaged):
        read(written({"a": b"one"}, key) + b"x", key=key)


@given(st.binary(max_size=400))
def test_any_other_file_is_refused(data: bytes) -> None:
    for content in (data, b"HEARTHBOOK BACKUP 1\n" + data):
        with pytest.raises((Damaged, WrongPassphrase)):
            read(content, "x")


def test_a_crafted_head_cannot_ask_for_more_memory_than_ours() -> None:
    data = written({"a": b"one"}, KEY).replace(b'"n": 32768', b'"n": 33554432')
    with pytest.raises(Damaged):
        read(data, "warm bread")
