"""A small network of our own: a bridge, and hosts in network namespaces that see nothing but it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from household.box import places


def ip(*words: str) -> None:
    """One `ip` command that must succeed."""
    subprocess.run(["ip", *words], check=True, capture_output=True)


def why_not() -> str:
    """Why no network can be made here; empty where it can."""
    if shutil.which("ip") is None:
        return "there is no `ip` command (iproute2)"
    name = f"hb{os.getpid() % 100_000}t"
    try:
        ip("link", "add", name, "type", "bridge")
        ip("link", "del", name)
        ip("netns", "add", name)
        ip("netns", "del", name)
    except subprocess.CalledProcessError as error:
        return f"network namespaces are not permitted here ({error.stderr.decode().strip()[:80]})"
    return ""


@dataclass
class Host:
    """One machine: an address on the bridge, a data folder of its own, and what runs on it."""

    name: str
    address: str
    home: Path
    running: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def start(self, argv: Sequence[str], env: Mapping[str, str]) -> subprocess.Popen[bytes]:
        """Start a program on it."""
        with (self.home.parent / f"{self.name}.log").open("ab") as log:
            child = subprocess.Popen(
                ["ip", "netns", "exec", self.name, *argv],
                cwd=places.CHECKOUT,
                env={**os.environ, **env, "HEARTHBOOK_HOME": str(self.home)},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.running.append(child)
        return child

    def said(self) -> str:
        """What its programs have printed."""
        return (self.home.parent / f"{self.name}.log").read_text(errors="replace")

    def die(self) -> None:
        """The power goes: every process of it at once, with no word to anybody."""
        for child in self.running:
            with suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            child.wait()
        self.running.clear()


@contextmanager
def bridged(folder: Path, names: Sequence[str]) -> Iterator[tuple[str, dict[str, Host]]]:
    """The bridge's own address, and a host for each name; all gone afterwards."""
    number = os.getpid() % 100_000
    bridge, net = f"hb{number}", f"10.{200 + number % 50}.{number // 50 % 250}"
    hosts: dict[str, Host] = {}
    try:
        ip("link", "add", bridge, "type", "bridge")
        ip("addr", "add", f"{net}.1/24", "dev", bridge)
        ip("link", "set", bridge, "up")
        for at, name in enumerate(names):
            space, here, there = f"{bridge}n{at}", f"{bridge}v{at}", f"{bridge}w{at}"
            ip("netns", "add", space)
            hosts[name] = Host(space, f"{net}.{at + 10}", folder / name)
            ip("link", "add", here, "type", "veth", "peer", "name", there)
            ip("link", "set", here, "master", bridge, "up")
            ip("link", "set", there, "netns", space)
            for words in (
                f"addr add {net}.{at + 10}/24 dev {there}",
                f"link set {there} up",
                "link set lo up",
            ):
                ip("-n", space, *words.split())
        yield f"{net}.1", hosts
    finally:
        for at, host in enumerate(hosts.values()):
            host.die()
            for words in (f"netns del {host.name}", f"link del {bridge}v{at}"):
                subprocess.run(["ip", *words.split()], check=False, capture_output=True)
        subprocess.run(["ip", "link", "del", bridge], check=False, capture_output=True)
