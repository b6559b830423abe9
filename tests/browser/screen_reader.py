"""A desk with a real screen reader: Orca beside Debian's Chromium on a display and a bus of their own.

Needs Debian's `orca at-spi2-core xvfb xdotool openbox dbus-x11 chromium`. What is said is read
from Orca's own log; keys are pressed as a keyboard presses them.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.browser.conftest import FLAGS
from tests.household.box.running import free_port, until

NEEDED = ("orca", "Xvfb", "xdotool", "openbox", "dbus-daemon", "chromium")
BUS_LAUNCHER = "/usr/libexec/at-spi-bus-launcher"
SAID = re.compile(r"SPEECH OUTPUT: '(.*?)'\s*(?:\{.*)?$")
STILL_S = 1.0
BEGINS_S = 5.0
LONGEST_S = 60.0
EMPTY = "data:text/html,<title>Nothing yet</title>"
# No voice is loaded: the reader writes down what it would say and goes on at once. Typed letters are not
# spelled back.
HABITS = """import orca.debug
import orca.settings
orca.debug.debugFile.reconfigure(line_buffering=True)
orca.settings.speechServerFactory = "nobody"
orca.settings.speechFactoryModules = []
orca.settings.enableKeyEcho = False
"""
# The browser does not offer to keep the passphrase.
QUIET_BROWSER = '{"credentials_enable_service": false, "profile": {"password_manager_enabled": false}}'


def missing() -> list[str]:
    """Programs this machine lacks."""
    here = [name for name in NEEDED if shutil.which(name) is None]
    return here if Path(BUS_LAUNCHER).exists() else [*here, "at-spi2-core"]


@dataclass
class Desk:
    """Somebody at a keyboard, who hears."""

    page: Page
    log: Path
    env: dict[str, str]
    heard_to: int = 0

    def heard(self, *, begins_s: float = BEGINS_S) -> list[str]:
        """What was said since the last time, once it is silent again; the first word is waited for."""
        start = last = time.monotonic()
        size = self.heard_to
        while time.monotonic() - start < LONGEST_S:
            now = len(self._said())
            if now != size:
                size, last = now, time.monotonic()
            silent_s = time.monotonic() - last
            if silent_s > (STILL_S if size > self.heard_to else begins_s):
                break
            time.sleep(0.1)
        said = self._said()
        new, self.heard_to = said[self.heard_to :], len(said)
        return new

    def _said(self) -> list[str]:
        lines = self.log.read_text(errors="replace").splitlines()
        found = (SAID.search(line) for line in lines)
        return [one[1].strip() for one in found if one and one[1].strip()]

    def press(self, *keys: str) -> list[str]:
        """Press keys one after the other (names of X, as `Tab`, `shift+Tab`, `h`); what each made heard."""
        said: list[str] = []
        for key in keys:
            subprocess.run(["xdotool", "key", "--clearmodifiers", key], env=self.env, check=True)
            said += self.heard()
        return said

    def type(self, words: str) -> None:
        """Type words into what has the focus."""
        subprocess.run(["xdotool", "type", "--delay", "25", words], env=self.env, check=True)

    def tab_to(self, selector: str, *, most: int = 60, key: str = "Tab") -> list[str]:
        """Press Tab until one stands on an element; what was heard. Raises where it never comes there."""
        said: list[str] = []
        for _ in range(most):
            if self.page.evaluate("(one) => document.activeElement.matches(one)", selector):
                return said
            said += self.press(key)
        raise AssertionError(f"{selector} is not reached with the keyboard: {said}")

    def open(self, address: str) -> list[str]:
        """Open a page; the reader reads it whole by itself."""
        self.page.goto(address)
        return self.heard()


@dataclass
class Running:
    """Programs beside each other in one environment; all end together."""

    folder: Path
    env: dict[str, str]
    programs: list[subprocess.Popen[bytes]]

    def run(self, *command: str, keeps: Sequence[int] = ()) -> None:
        """Start one; what it has to say of itself goes into a file."""
        with (self.folder / "noise").open("ab") as noise:
            self.programs.append(
                subprocess.Popen(
                    command,
                    env=self.env,
                    pass_fds=keeps,
                    stdout=noise,
                    stderr=noise,
                    start_new_session=True,
                )
            )

    def display(self, size: str) -> None:
        """Start a display nobody sees."""
        reading, writing = os.pipe()
        self.run(
            "Xvfb", "-displayfd", str(writing), "-screen", "0", size, "-nolisten", "tcp", keeps=[writing]
        )
        os.close(writing)
        with os.fdopen(reading) as number:
            self.env["DISPLAY"] = f":{number.readline().strip()}"

    def bus(self) -> None:
        """Start a session's bus, and on it the one of the reader."""
        bus = self.folder / "bus"
        self.env["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={bus}"
        self.run("dbus-daemon", "--session", "--nofork", f"--address=unix:path={bus}")
        until(bus.exists, "the bus")
        self.run(BUS_LAUNCHER, "--launch-immediately")

    def reader(self) -> Path:
        """Start the reader; the file it writes to."""
        prefers, log = self.folder / "reader", self.folder / "said"
        prefers.mkdir()
        (prefers / "orca-customizations.py").write_text(HABITS)
        self.run("orca", "--user-prefs", str(prefers), "--debug-file", str(log))
        until(
            lambda: log.exists() and "SPEECH OUTPUT" in log.read_text(errors="replace"),
            "the reader",
            patience_s=120,
        )
        return log

    def browser(self, *, language: str, size: str) -> str:
        """Start a browser in one plain window; the address it is driven at."""
        profile, port = self.folder / "profile", free_port()
        (profile / "Default").mkdir(parents=True)
        (profile / "Default" / "Preferences").write_text(QUIET_BROWSER)
        window = [f"--accept-lang={language}", f"--window-size={size}", f"--app={EMPTY}"]
        driven = [f"--user-data-dir={profile}", f"--remote-debugging-port={port}"]
        self.run("chromium", *FLAGS, "--force-renderer-accessibility", "--test-type", *driven, *window)
        until(lambda: _answers(port), "the browser")
        return f"http://127.0.0.1:{port}"

    def end(self) -> None:
        """End them, the last first."""
        for one in reversed(self.programs):
            os.killpg(one.pid, signal.SIGKILL)
            one.wait()


@contextmanager
def a_desk(*, language: str = "en-GB", width: int = 1280, height: int = 900) -> Iterator[Desk]:
    """A desk with everything running; all of it ends with the block."""
    folder = Path(tempfile.mkdtemp(prefix="hearthbook-desk-"))
    plain = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "XDG_RUNTIME_DIR": str(folder),
        "LANG": "C.UTF-8",
    }
    running = Running(folder, plain, [])
    try:
        running.display(f"{width}x{height}x24")
        running.bus()
        running.run("openbox")
        log = running.reader()
        address = running.browser(language=language, size=f"{width},{height}")
        with sync_playwright() as playwright:
            browser = playwright.chromium.connect_over_cdp(address)
            desk = Desk(browser.contexts[0].pages[0], log, running.env)
            desk.heard()
            yield desk
            browser.close()
    finally:
        running.end()
        shutil.rmtree(folder, ignore_errors=True)


def _answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/version", timeout=2):
            return True
    except (urllib.error.URLError, OSError):
        return False
