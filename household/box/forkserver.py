"""The process that has loaded the book once and forks web and worker from it: they share its pages.

`up` starts it beside the database and tells it over a socket, its standard input, what to fork. It has one
thread and no connection to anything, so that what it forks begins clean. It ends with that socket.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import socket
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Any, NoReturn

from household.box import process

MOST_BYTES = 1 << 17


def serve(house: socket.socket) -> None:
    """Fork what is asked for, and tell what ended with which code, until the socket closes."""
    load()
    assert threading.active_count() == 1
    woken, waker = os.pipe()
    for end in (woken, waker):
        os.set_blocking(end, False)
    signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
    signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    while True:
        ready, _, _ = select.select([house.fileno(), woken], [], [])
        if woken in ready:
            os.read(woken, 4096)
            bury(house)
        if house.fileno() in ready:
            asked = house.recv(MOST_BYTES)
            if not asked:
                return
            number = os.fork()
            if number == 0:
                signal.set_wakeup_fd(-1)
                house.close()
                become(**json.loads(asked))
            house.send(json.dumps({"forked": number}).encode())


def load() -> None:
    """Load what web and worker need, and keep it where the collector does not write to it any more."""
    import django

    django.setup()
    from django.conf import settings
    from django.template import engines
    from django.urls import get_resolver
    from django.utils.module_loading import autodiscover_modules
    from django.utils.translation import override

    for name in ("granian.cli", "huey.consumer", "django.core.handlers.wsgi"):
        import_module(name)
    autodiscover_modules("tasks")
    engines.all()
    for language, _name in settings.LANGUAGES:
        with override(language):
            pass
    _ = get_resolver().reverse_dict
    gc.collect()
    gc.freeze()


def bury(house: socket.socket) -> None:
    """Take every child that ended and tell its code, a signal's number below zero."""
    with suppress(ChildProcessError):
        while (found := os.waitpid(-1, os.WNOHANG))[0]:
            told = {"ended": found[0], "code": os.waitstatus_to_exitcode(found[1])}
            house.send(json.dumps(told).encode())


def become(*, name: str, argv: list[str], env: dict[str, str], log: str) -> NoReturn:
    """Be a program in a session of its own, with its own log, environment and rights on the database."""
    code = 1
    try:
        os.setsid()
        process.follow_parent(signal.SIGTERM)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        _write_to(log)
        process.rename(f"hearthbook-{name}")
        from django.conf import settings

        from household.connections import reconnect_as_told

        os.environ.clear()
        # The zone as Django sets it where it is loaded.
        os.environ.update(env, TZ=settings.TIME_ZONE)

        reconnect_as_told()
        sys.argv = [name, *argv]
        code = PROGRAMS[name]()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        # Nothing of what forked us is ours to finish.
        os._exit(code)


def _write_to(log: str) -> None:
    nothing = os.open(os.devnull, os.O_RDONLY)
    output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for source, target in ((nothing, 0), (output, 1), (output, 2)):
        os.dup2(source, target)
        os.set_inheritable(target, True)
    os.close(nothing)
    os.close(output)


def _web() -> int:
    import multiprocessing

    from granian.cli import cli

    # Granian's own second process shares the pages too.
    multiprocessing.set_start_method("fork")
    cli()
    return 0


def _worker() -> int:
    from household.box.worker import run

    return run()


PROGRAMS: dict[str, Callable[[], int]] = {"web": _web, "worker": _worker}


def main() -> int:
    """Serve the socket that standard input is."""
    house: Any = socket.socket(fileno=os.dup(0))
    with house:
        serve(house)
    return 0


if __name__ == "__main__":
    sys.exit(main())
