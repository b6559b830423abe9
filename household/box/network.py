"""Under which addresses the box is found, and the announcement of its name on the home network."""

from __future__ import annotations

import ipaddress
import socket
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from household.box.trouble import Trouble

if TYPE_CHECKING:
    from zeroconf import Zeroconf

NAME = "hearthbook.local"
DEFAULT_HOST = "0.0.0.0"  # noqa: S104 - serving the home network is the point
DEFAULT_PORT = 8000
DEFAULT_TLS_PORT = 8443
# Never sent to: choosing a route to it tells which of our addresses the network uses.
ELSEWHERE = ("192.0.2.1", 9)


@dataclass(frozen=True)
class Door:
    """Where the web server listens."""

    host: str
    port: int
    scheme: str = "http"

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach it."""
        return self.host == "localhost" or (
            _is_address(self.host) and ipaddress.ip_address(self.host).is_loopback
        )

    @property
    def is_wide(self) -> bool:
        """Whether it listens on every address of the machine."""
        return _is_address(self.host) and ipaddress.ip_address(self.host).is_unspecified

    def named(self, host: str) -> str:
        """One name or number of the box with the port, as a browser says it."""
        return f"[{host}]:{self.port}" if ":" in host else f"{host}:{self.port}"

    def url(self, host: str) -> str:
        """The page's address under one name or number of the box."""
        return f"{self.scheme}://{self.named(host)}/"

    @property
    def own_address(self) -> tuple[str, int]:
        """Where this machine itself reaches the door."""
        return "localhost" if self.is_local else "127.0.0.1" if self.is_wide else self.host, self.port

    @property
    def own_url(self) -> str:
        """The address this machine itself uses."""
        return self.url(self.own_address[0])


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def read_door(host: str, port: str) -> Door:
    """The place to listen, from HOST and PORT as text, empty meaning the usual. Raises Trouble."""
    if port and not (port.isascii() and port.isdigit() and 0 < int(port) < 65536):
        raise Trouble(f"PORT and HTTPS_PORT must be whole numbers from 1 to 65535, not {port!r}.")
    return Door(host or DEFAULT_HOST, int(port or DEFAULT_PORT))


def read_secure_door(host: str, port: str) -> Door:
    """The place to listen with TLS, from HOST and HTTPS_PORT as text. Raises Trouble."""
    door = read_door(host, port or str(DEFAULT_TLS_PORT))
    return replace(door, scheme="https")


def require_free(door: Door) -> None:
    """Raise Trouble where the door cannot be opened: taken, not ours, or forbidden."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            door.host, door.port, type=socket.SOCK_STREAM
        )[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
            probe.listen(1)
    except PermissionError:
        raise Trouble(f"Port {door.port} may not be opened by this user: choose another with PORT.") from None
    except OSError as error:
        if error.errno == 98:
            raise Trouble(
                f"Port {door.port} is in use by another program: choose another with PORT."
            ) from None
        raise Trouble(f"HOST {door.host} cannot be listened on ({error.strerror or error}).") from None


def lan_address() -> str | None:
    """This machine's address on the home network, or None without a network."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(ELSEWHERE)
        address = str(probe.getsockname()[0])
        return None if ipaddress.ip_address(address).is_loopback else address
    return None


class Announcement:
    """Says `hearthbook.local` on the home network, follows a new address, and bears having no network."""

    def __init__(self, door: Door) -> None:
        self.door = door
        self.address: str | None = None
        self.responder: Zeroconf | None = None

    def refresh(self) -> None:
        """Announce the address of now, anew where it changed."""
        address = lan_address() if self.door.is_wide else self.door.host
        if self.door.is_local or address == self.address:
            return
        self.close()
        if address is not None and _is_address(address):
            # A network that is half up is tried again at the next refresh.
            with suppress(OSError):
                self._announce(address)

    def _announce(self, address: str) -> None:
        from zeroconf import NonUniqueNameException, ServiceInfo, Zeroconf

        self.responder = Zeroconf(interfaces=[address])
        info = ServiceInfo(
            "_http._tcp.local.",
            "Hearthbook._http._tcp.local.",
            addresses=[ipaddress.ip_address(address).packed],
            port=self.door.port,
            server=f"{NAME}.",
        )
        # A second box of the family gets a number behind its name.
        with suppress(NonUniqueNameException):
            self.responder.register_service(info, allow_name_change=True)
        self.address = address

    def close(self) -> None:
        """Take the name off the network."""
        if self.responder is not None:
            with suppress(OSError):
                self.responder.close()
        self.responder = self.address = None
