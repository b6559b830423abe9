"""The process that has loaded the book once and forks web and worker from it: they share its pages.

`up` starts it beside the database and tells it over a socket, its standard input, what to fork. It has one
thread and no connection to anything, so that what it forks begins clean. What it forks becomes a child of
`up`; once that has all it wants it closes the socket, and nobody holds the book for nothing.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any, NoReturn

from household.box import process

MOST_BYTES = 1 << 17
ADOPTION_S = 10.0


def serve(line: socket.socket) -> None:
    """Fork what is asked for, and tell its number or why there is none, until the socket closes."""
    load()
    assert threading.active_count() == 1
    parent = os.getppid()
    while asked := line.recv(MOST_BYTES):
        told: dict[str, Any] = {}
        try:
            told["forked"] = fork_away()
        except OSError as error:
            told["refused"] = error.strerror
        if told.get("forked") == 0:
            line.close()
            become(parent=parent, **json.loads(asked))
        line.send(json.dumps(told).encode())


def fork_away() -> int:
    """Fork a grandchild, an orphan from its first moment; its number, 0 in itself. Raises OSError."""
    heard, told = os.pipe()
    with os.fdopen(heard, "rb") as answer, os.fdopen(told, "wb", buffering=0) as back:
        if (between := os.fork()) == 0:
            try:
                number = os.fork()
            except OSError as error:
                os._exit(error.errno or 1)
            if number != 0:
                back.write(str(number).encode())
                os._exit(0)
            return 0
        back.close()
        said = answer.read()
    if code := os.waitstatus_to_exitcode(os.waitpid(between, 0)[1]):
        raise OSError(code, os.strerror(code))
    return int(said)


def load() -> None:
    """Load what web and worker need, and keep it where the collector does not write to it any more."""
    import django

    django.setup()
    from django.conf import settings
    from django.template import engines
    from django.urls import get_resolver
    from django.utils.module_loading import autodiscover_modules
    from django.utils.translation import override

    for name in ("household.box.web", "huey.consumer", "django.core.handlers.wsgi"):
        import_module(name)
    autodiscover_modules("tasks")
    engines.all()
    for language, _name in settings.LANGUAGES:
        with override(language):
            pass
    _ = get_resolver().reverse_dict
    gc.collect()
    gc.freeze()


def become(*, parent: int, name: str, options: dict[str, Any], env: dict[str, str], log: str) -> NoReturn:
    """Be a program in a session of its own, with its own log, environment and rights on the database."""
    code: Any = 1
    try:
        os.setsid()
        follow(parent)
        _write_to(log)
        process.rename(f"hearthbook-{name}")
        from django.conf import settings

        from household.connections import reconnect_as_told

        os.environ.clear()
        # The zone as Django sets it where it is loaded.
        os.environ.update(env, TZ=settings.TIME_ZONE)

        reconnect_as_told()
        code = PROGRAMS[name](**options)
    except SystemExit as end:
        code = end.code
        if isinstance(code, str):
            print(code, file=sys.stderr)
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        # Nothing of what forked us is ours to finish.
        os._exit(code if isinstance(code, int) else int(code is not None))


def follow(parent: int) -> None:
    """End with `up`, which takes us on as soon as the process between us has ended."""
    end = time.monotonic() + ADOPTION_S
    while process.IS_LINUX and os.getppid() != parent and time.monotonic() < end:
        time.sleep(0.001)
    process.follow_parent(signal.SIGTERM)
    if process.IS_LINUX and os.getppid() != parent:
        raise SystemExit("Nobody keeps this program: what asked for it has ended.")


def _write_to(log: str) -> None:
    nothing = os.open(os.devnull, os.O_RDONLY)
    output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for source, target in ((nothing, 0), (output, 1), (output, 2)):
        os.dup2(source, target)
        os.set_inheritable(target, True)
    os.close(nothing)
    os.close(output)


def _web(**options: Any) -> int:
    from household.box.web import run

    return run(**options)


def _worker(**options: Any) -> int:
    from household.box.worker import run

    return run(**options)


PROGRAMS: dict[str, Callable[..., int]] = {"web": _web, "worker": _worker}


def main() -> NoReturn:
    """Serve the socket that standard input is, then end without touching a page that others share."""
    with socket.socket(fileno=os.dup(0)) as line:
        serve(line)
    os._exit(0)


if __name__ == "__main__":
    main()
