"""Makes a Piper model tell how long each phoneme lasts, without another library.

A VITS model computes the lengths inside (the output of its one Ceil node) but does not give them out. In
protocol buffers a message that comes twice is merged and its lists are joined, so appending a few bytes that
say "the graph has one more output" is a patched model. Piper's own way to it
(piper.patch_voice_with_alignment) needs the `onnx` package.
https://protobuf.dev/programming-guides/encoding/#last-one-wins
"""

from __future__ import annotations

from collections.abc import Iterator

_GRAPH, _NODE, _OUTPUT = 7, 1, 12  # ModelProto.graph, GraphProto.node, GraphProto.output
_NODE_OUTPUT, _NODE_KIND = 2, 4  # NodeProto.output, NodeProto.op_type
_FIXED = {1: 8, 5: 4}


def with_lengths(model: bytes) -> bytes:
    """The model with its phoneme lengths as a second output; as it was where they cannot be found."""
    try:
        names = _ceil_outputs(model)
    except (IndexError, ValueError):
        return model
    if len(names) != 1:
        return model
    output = _field(_OUTPUT, _field(1, names.pop()))
    return model + _field(_GRAPH, output)


def _ceil_outputs(model: bytes) -> set[bytes]:
    """Names of what Ceil nodes give; none where the model gives more than one output already."""
    names: set[bytes] = set()
    outputs = 0
    for kind, start, end in _fields(model, 0, len(model)):
        if kind != _GRAPH:
            continue
        for part, part_start, part_end in _fields(model, start, end):
            outputs += part == _OUTPUT
            if part == _NODE:
                held = {k: model[a:b] for k, a, b in _fields(model, part_start, part_end)}
                if held.get(_NODE_KIND) == b"Ceil" and _NODE_OUTPUT in held:
                    names.add(held[_NODE_OUTPUT])
    return names if outputs == 1 else set()


def _fields(raw: bytes, at: int, end: int) -> Iterator[tuple[int, int, int]]:
    """The length-delimited fields of a message in [at, end): number, start, end."""
    while at < end:
        tag, at = _varint(raw, at)
        kind = tag & 7
        if kind == 2:
            size, at = _varint(raw, at)
            yield tag >> 3, at, at + size
            at += size
        elif kind == 0:
            _, at = _varint(raw, at)
        elif kind in _FIXED:
            at += _FIXED[kind]
        else:
            raise ValueError("no protocol buffer")


def _varint(raw: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = raw[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7


def _field(number: int, body: bytes) -> bytes:
    size, length = len(body), b""
    while size > 127:
        length += bytes([size & 127 | 128])
        size >>= 7
    return bytes([number << 3 | 2]) + length + bytes([size]) + body
