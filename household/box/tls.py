"""The way in: a plain door, or a TLS door with a porch beside it that hands out the certificate."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from household.box import network
from household.box.greeting import greeting
from household.box.network import Door
from household.box.trouble import Trouble

if TYPE_CHECKING:
    import ssl

    from household.box.porch import Porch

RENEW_EVERY = dt.timedelta(hours=6)
YES, NO = {"1", "yes", "true", "on"}, {"", "0", "no", "false", "off"}


class Entrance:
    """Where people come in: the door the web server listens on and, with TLS, the porch."""

    def __init__(self, door: Door, porch_door: Door | None = None) -> None:
        self.door = door
        self.porch_door = porch_door
        self.porch: Porch | None = None
        self.house: Path | None = None
        self.looked_at = dt.datetime.min.replace(tzinfo=dt.UTC)

    @property
    def is_secure(self) -> bool:
        """Whether the web server serves TLS itself."""
        return self.porch_door is not None

    def require_free(self) -> None:
        """Raise Trouble where a port is taken or forbidden."""
        for door in (self.door, self.porch_door):
            if door is not None:
                network.require_free(door)

    def open(self, house: Path) -> None:
        """Have a certificate and open the porch; without TLS there is nothing to open."""
        self.house = house
        if self.porch_door is not None:
            from household.box.porch import Porch

            self.renew()
            self.porch = Porch(house, plain=self.porch_door, secure=self.door)
            self.porch.open()

    def renew(self) -> bool:
        """Look, every six hours, whether the certificate still serves; True where a new one was made."""
        now = dt.datetime.now(dt.UTC)
        if not self.is_secure or self.house is None or abs(now - self.looked_at) < RENEW_EVERY:
            return False
        from household.box import certificates

        self.looked_at = now
        lan = network.lan_address()
        return certificates.ready(self.house, addresses=[lan] if lan else [], now=now)

    def close(self) -> None:
        """Close the porch."""
        if self.porch is not None:
            self.porch.close()
            self.porch = None

    def server_options(self) -> dict[str, str]:
        """What the web server is told about TLS."""
        if not self.is_secure or self.house is None:
            return {}
        from household.box import certificates

        place = certificates.files(self.house)
        return {"certificate": str(place.box), "key": str(place.box_key)}

    def trust(self) -> ssl.SSLContext:
        """A context that trusts this house's authority, for our own look at the pages."""
        import ssl

        from household.box import certificates

        assert self.house is not None
        return ssl.create_default_context(cafile=str(certificates.files(self.house).ca))

    def greeting(self, *, lan: str | None, code: str | None) -> str:
        """What the console says once the box answers."""
        if not self.is_secure or self.house is None:
            return greeting(self.door, lan=lan, code=code)
        from household.box import certificates

        told = certificates.fingerprint(self.house)
        return greeting(self.door, lan=lan, code=code, porch=self.porch_door, fingerprint=told)


def read_entrance(environ: Mapping[str, str]) -> Entrance:
    """The way in that HOST, PORT, HEARTHBOOK_HTTPS and HTTPS_PORT ask for. Raises Trouble."""
    host = environ.get("HOST", "").strip()
    plain = network.read_door(host, environ.get("PORT", "").strip())
    wish = environ.get("HEARTHBOOK_HTTPS", "").strip().lower()
    if wish not in YES | NO:
        raise Trouble(f"HEARTHBOOK_HTTPS must be yes or no, not {wish!r}.")
    if wish in NO:
        return Entrance(plain)
    secure = network.read_secure_door(host, environ.get("HTTPS_PORT", "").strip())
    if secure.port == plain.port:
        raise Trouble(f"PORT and HTTPS_PORT are both {plain.port}: choose two.")
    return Entrance(secure, plain)
