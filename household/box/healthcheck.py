"""`python -m household.box.healthcheck`: exit 0 where the box on this machine calls itself well."""

from __future__ import annotations

import os
import socket
import sys

from household.box import places, tls
from household.box.trouble import Trouble

PATIENCE_S = 5.0


def is_well(entrance: tls.Entrance) -> bool:
    """Whether /healthz answers 200. Asked in three lines: `up` would keep the memory of an HTTP library."""
    host, port = entrance.door.own_address
    asked = f"GET /healthz HTTP/1.0\r\nHost: {entrance.door.named(host)}\r\n\r\n".encode()
    try:
        with socket.create_connection((host, port), timeout=PATIENCE_S) as plain:
            line = entrance.trust().wrap_socket(plain, server_hostname=host) if entrance.is_secure else plain
            line.sendall(asked)
            return line.recv(64).split(b" ", 2)[1:2] == [b"200"]
    except OSError:
        return False


def main() -> int:
    """0 when /healthz answers well on the door the settings name, else 1."""
    try:
        entrance = tls.read_entrance(os.environ)
        entrance.house = places.home()
        return 0 if is_well(entrance) else 1
    except (OSError, Trouble):
        return 1


if __name__ == "__main__":
    sys.exit(main())
