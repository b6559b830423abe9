"""Having a file read by a process of its own, which is stopped when it takes too long or says too much."""

from __future__ import annotations

import base64
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memory.papers.pages import PageText
from memory.papers.refusing import Refused
from memory.rules.documents import limits

HERE = Path(__file__).resolve().parent.parent.parent
LONGEST_LINE = 80 * 1024 * 1024
KEPT = ("PATH", "LD_LIBRARY_PATH", "TESSDATA_PREFIX")


@dataclass
class Read:
    """What came with the pages."""

    total: int = 0
    attachments: list[str] = field(default_factory=list)
    thumbnail: bytes = b""


def has_tesseract() -> bool:
    """Whether this box can read letters in pictures."""
    return shutil.which("tesseract") is not None


def read_text(content: bytes, sort: str, read: Read | None = None) -> Iterator[PageText]:
    """The pages of a file as their text layer says them; `read` is filled beside. Raises Refused."""
    read = read if read is not None else Read()
    order = {"do": "text", "format": sort, "cpu_s": limits.TEXT_CPU_S}
    for message in _asked(order, content, wall_s=limits.TEXT_WALL_S):
        if "page" in message:
            yield PageText(**message["page"])
        elif "thumbnail" in message:
            read.thumbnail = base64.b64decode(message["thumbnail"])
        else:
            read.total, read.attachments = message["total"], message["attachments"]


def read_letters(content: bytes, sort: str, page: int) -> PageText:
    """One page read from its picture. Raises Refused."""
    order = {"do": "ocr", "format": sort, "page": page, "cpu_s": limits.PAGE_CPU_S}
    for message in _asked(order, content, wall_s=limits.PAGE_WALL_S):
        return PageText(**message["page"])
    raise Refused("not_readable")


def unlock(content: bytes, password: str) -> bytes:
    """An encrypted PDF without its password. Raises Refused."""
    order = {"do": "unlock", "password": password, "cpu_s": 30}
    for message in _asked(order, content, wall_s=60.0):
        return base64.b64decode(message["content"])
    raise Refused("not_readable")


def _asked(order: dict[str, Any], content: bytes, *, wall_s: float) -> Iterator[dict[str, Any]]:
    """What the reading process says, message by message. Raises Refused."""
    process = subprocess.Popen(
        [sys.executable, "-m", "memory.papers.child"],
        cwd=HERE,
        env={name: os.environ[name] for name in KEPT if name in os.environ}
        | {"LC_ALL": "C.UTF-8", "OMP_THREAD_LIMIT": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONUTF8": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    assert process.stdin is not None and process.stdout is not None
    is_late = threading.Event()
    watch = threading.Timer(wall_s, _stop_late, (process, is_late))
    watch.start()
    order = {**order, "memory_bytes": limits.MEMORY_BYTES}
    feeder = threading.Thread(target=_feed, args=(process, json.dumps(order).encode() + b"\n", content))
    feeder.start()
    try:
        ended = False
        while line := process.stdout.readline(LONGEST_LINE):
            message = json.loads(line) if line.endswith(b"\n") else {"end": "too_much_text"}
            if "end" in message:
                ended = True
                if message["end"] != "done":
                    raise Refused(message["end"])
                break
            yield message
        if not ended:
            raise Refused(_why_it_died(process, is_late.is_set()))
    finally:
        watch.cancel()
        _kill(process)
        feeder.join()
        process.stdout.close()


def _feed(process: subprocess.Popen[bytes], order: bytes, content: bytes) -> None:
    assert process.stdin is not None
    with suppress(BrokenPipeError, OSError):
        process.stdin.write(order)
        process.stdin.write(content)
    with suppress(BrokenPipeError, OSError):
        process.stdin.close()


def _stop_late(process: subprocess.Popen[bytes], is_late: threading.Event) -> None:
    is_late.set()
    _kill(process)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End the process and all it started, and wait for it."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _why_it_died(process: subprocess.Popen[bytes], was_late: bool) -> str:
    code = process.wait()
    if was_late or code in (-signal.SIGXCPU, -signal.SIGKILL):
        return "too_slow"
    return "crashed"
