"""The web server: granian, serving from the very process it is started in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from granian.constants import Interfaces, SSLProtocols
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server import MPServer

from household import env

APPLICATION = "household.wsgi:application"


class OneProcess(MPServer):
    """Granian without a process that only waits for its one worker to end: `up` does that."""

    def _serve(self, spawn_target: Any, target_loader: Any) -> None:
        self._init_shared_socket()  # type: ignore[no-untyped-call]
        self._spawn_worker(0, spawn_target, target_loader).inner.run()


def run(*, host: str, port: int, certificate: str = "", key: str = "") -> int:
    """Serve until told to stop; with TLS where there are files of a certificate and its key."""
    server = OneProcess(
        APPLICATION,
        address=host,
        port=port,
        interface=Interfaces.WSGI,
        websockets=False,
        blocking_threads=env.web_threads(),
        http1_settings=HTTP1Settings(),
        log_level=LogLevels.warning,
        ssl_cert=Path(certificate) if certificate else None,
        ssl_key=Path(key) if key else None,
        ssl_protocol_min=SSLProtocols.tls12,
    )
    server.serve()
    return 0
