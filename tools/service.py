"""Installs, updates and removes the box as a service of systemd; standard library only, run as root.

    install    a user, /opt/hearthbook with this version, /var/lib/hearthbook for data, the service
    update     a backup, this version beside the old one, a restart; back to the old one if it is not well
    uninstall  the service and the programs go; the data stays unless --purge

Each version has a folder of its own under releases/, and `current` is a link to one of them, so that going
back is one rename. A new version that has changed the database cannot be read by the old one: going back
then restores the backup made just before.
"""

from __future__ import annotations

import argparse
import json
import os
import pwd
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).resolve().parents[1]
PROGRAMS = ("household", "twin", "memory", "voice", "templates", "static", "locale", "tools")
FILES = ("manage.py", "requirements.txt", "LICENSE", "README.md", "CHANGELOG.md")
USER = "hearthbook"
UNIT = "hearthbook.service"
WELL_S = 300.0
# Stands in a release that was installed to its end.
WHOLE = ".whole"
# Where Debian and others keep a Python that everybody may run.
PYTHONS = ("/usr/bin/python3", "/usr/local/bin/python3", "/usr/bin/python3.13", "/usr/bin/python3.12")
QUIET: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


class Failed(Exception):
    """Why it could not be done, as one sentence."""


@dataclass(frozen=True)
class Places:
    """Where things go; other roots are for trying it out."""

    app: Path
    data: Path
    units: Path
    environment: Path

    @property
    def current(self) -> Path:
        """The link to the version that runs."""
        return self.app / "current"


def run(command: Sequence[str], *, why: str, **options: object) -> None:
    """Run a program to its end. Raises Failed."""
    if subprocess.run(command, check=False, **options).returncode != 0:  # type: ignore[call-overload]
        raise Failed(why)


def tell(sentence: str) -> None:
    """Say what is being done."""
    print(sentence, flush=True)


def install(places: Places) -> None:
    """Install this version and start it. Raises Failed."""
    if places.current.exists():
        raise Failed("Hearthbook is installed already: use `make update`.")
    require_systemd()
    make_user(places)
    places.data.mkdir(parents=True, exist_ok=True)
    own(places.data)
    places.data.chmod(0o700)
    release = put_release(places)
    point(places, release)
    write_unit(places)
    systemctl("daemon-reload")
    systemctl("enable", "--now", UNIT)
    await_well(places)
    tell(f"Hearthbook runs. Its addresses and first-run code: journalctl -u {UNIT} -n 40")


def update(places: Places) -> None:
    """Put this version in place of the running one, or leave that as it was. Raises Failed."""
    if not places.current.exists():
        raise Failed("Hearthbook is not installed: use `make install`.")
    require_systemd()
    old = places.current.resolve()
    release = put_release(places)
    if release == old:
        tell("This version runs already.")
        return
    backup = back_up(places)
    systemctl("stop", UNIT)
    point(places, release)
    write_unit(places)
    systemctl("daemon-reload")
    try:
        systemctl("start", UNIT)
        await_well(places)
    except Failed as reason:
        go_back(places, old, backup)
        raise Failed(f"The new version was not well ({reason}); the old one runs again.") from None
    drop_old_releases(places, keep={old, release})
    tell(f"Updated. The backup made before stays in {backup}.")


def go_back(places: Places, old: Path, backup: Path) -> None:
    """Run the old version again, on the data as it was before the update where the new one changed it."""
    systemctl("stop", UNIT)
    point(places, old)
    write_unit(places)
    systemctl("daemon-reload")
    if not opens(places):
        command = ["restore", "--replace", str(backup)]
        run(manage(places, *command), why=f"The backup in {backup} could not be restored.", cwd=old)
    systemctl("start", UNIT)
    await_well(places)


def opens(places: Places) -> bool:
    """Whether the version that is current can read the database as it is."""
    done = subprocess.run(manage(places, "schema"), cwd=places.current, capture_output=True, check=False)
    return done.returncode == 0


def uninstall(places: Places, *, purge: bool) -> None:
    """Stop and remove the service and the programs; the data only where asked for."""
    subprocess.run([*SYSTEMCTL, "disable", "--now", UNIT], check=False)
    (places.units / UNIT).unlink(missing_ok=True)
    subprocess.run([*SYSTEMCTL, "daemon-reload"], check=False)
    shutil.rmtree(places.app, ignore_errors=True)
    if purge:
        shutil.rmtree(places.data, ignore_errors=True)
        tell(f"Hearthbook and everything in {places.data} are gone.")
    else:
        tell(f"Hearthbook is gone; the book stays in {places.data}.")


def make_user(places: Places) -> None:
    """Have the user the box runs as: no shell, no home, no password."""
    try:
        pwd.getpwnam(USER)
    except KeyError:
        options = ["--system", "--user-group", "--no-create-home", "--home-dir", str(places.data)]
        shell = ["--shell", "/usr/sbin/nologin"]
        run(["useradd", *options, *shell, USER], why=f"The user {USER} could not be made.")


def find_python() -> str:
    """The first Python 3.11 or newer that the box's user may run too. Raises Failed."""
    asks = "import sys; sys.exit(sys.version_info < (3, 11))"
    as_user: dict[str, Any] = {"user": USER, "group": USER, "extra_groups": []}
    for name in (str(Path(sys.executable).resolve()), *PYTHONS):
        if Path(name).exists():
            with suppress(PermissionError):
                tried = subprocess.run([name, "-c", asks], check=False, **as_user, **QUIET)
                if tried.returncode == 0:
                    return name
    raise Failed(f"No Python 3.11 that the user {USER} may run was found: apt install python3 python3-venv.")


def put_release(places: Places) -> Path:
    """Copy this version and install its packages under releases/; the folder, whole or not there."""
    release = places.app / "releases" / version()
    if (release / WHOLE).exists():
        return release
    # What a power cut left of an earlier try.
    shutil.rmtree(release, ignore_errors=True)
    part = release.with_suffix(".part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    for name in PROGRAMS:
        shutil.copytree(CHECKOUT / name, part / name, ignore=shutil.ignore_patterns("__pycache__", "*.mo"))
    for name in FILES:
        shutil.copy2(CHECKOUT / name, part / name)
    tell(f"Installing version {release.name}.")
    # The packages are installed under the final name, which their scripts remember.
    part.rename(release)
    try:
        run(
            [find_python(), str(release / "tools" / "install.py"), "runtime"],
            why="The packages could not be installed.",
        )
        python = str(release / ".venv" / "bin" / "python")
        compiling = [python, "-m", "household.box.assets"]
        run(compiling, why="The translations could not be made.", cwd=release)
        (release / WHOLE).touch()
    except BaseException:
        shutil.rmtree(release, ignore_errors=True)
        raise
    return release


def version() -> str:
    """A name for what the checkout holds: the commit, or the time where there is none."""
    found = subprocess.run(
        ["git", "-C", str(CHECKOUT), "rev-parse", "--short=12", "HEAD"],
        capture_output=True,
        text=True,
        check=False,
    )
    return found.stdout.strip() or time.strftime("%Y%m%d%H%M%S")


def point(places: Places, release: Path) -> None:
    """Let `current` name another version, in one step."""
    part = places.current.with_suffix(".part")
    part.unlink(missing_ok=True)
    part.symlink_to(release)
    part.replace(places.current)


def write_unit(places: Places) -> None:
    """Write the service file with the places filled in."""
    text = (places.current / "tools" / UNIT).read_text()
    text = text.replace("@APP@", str(places.app)).replace("@DATA@", str(places.data))
    text = text.replace("/etc/hearthbook.env", str(places.environment))
    places.units.mkdir(parents=True, exist_ok=True)
    (places.units / UNIT).write_text(text)


def back_up(places: Places) -> Path:
    """Make a backup with the version that runs, while it runs."""
    folder = places.data / "backups"
    path = folder / f"before-update-{time.strftime('%Y%m%dT%H%M%S')}.hearthbook"
    run(manage(places, "backup", str(path)), why="The backup before the update failed.", cwd=places.current)
    return path


def manage(places: Places, *command: str) -> list[str]:
    """A management command of the current version, as the box's user."""
    python = [str(places.current / ".venv" / "bin" / "python"), "manage.py", *command]
    settings = {**read_environment(places.environment), "HEARTHBOOK_HOME": str(places.data)}
    pairs = [f"{name}={value}" for name, value in settings.items()]
    # What the service gets, and nothing of the shell that root happens to have.
    clean = ["env", "-i", f"PATH={os.environ.get('PATH', os.defpath)}", "LANG=C.UTF-8", *pairs]
    return ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--init-groups", *clean, *python]


def read_environment(path: Path) -> dict[str, str]:
    """The variables of an environment file as systemd reads it: NAME=value lines."""
    try:
        lines = path.read_text().splitlines()
    except FileNotFoundError:
        return {}
    pairs = [line.partition("=") for line in lines if "=" in line and not line.lstrip().startswith("#")]
    return {name.strip(): value.strip().strip("'\"") for name, _, value in pairs}


def own(path: Path) -> None:
    """Give a folder to the box's user."""
    user = pwd.getpwnam(USER)
    os.chown(path, user.pw_uid, user.pw_gid)


def drop_old_releases(places: Places, *, keep: set[Path]) -> None:
    """Delete versions that neither run nor ran just before."""
    for path in (places.app / "releases").iterdir():
        if path not in keep:
            shutil.rmtree(path, ignore_errors=True)


SYSTEMCTL = ["systemctl"]


def systemctl(*command: str) -> None:
    """Ask systemd for something. Raises Failed."""
    run([*SYSTEMCTL, *command], why=f"systemctl {' '.join(command)} failed")


def require_systemd() -> None:
    """Raise Failed where no systemd runs this machine, as in a container: nothing is changed yet."""
    why = "No systemd runs on this machine, so there is nothing to keep a service: use `make up`, or docker/."
    asked = [*SYSTEMCTL, "show", "--property=Version"]
    try:
        done = subprocess.run(asked, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise Failed(why) from None
    if done.returncode != 0 or not done.stdout.startswith("Version="):
        raise Failed(why)


def await_well(places: Places) -> None:
    """Wait until the box calls itself well. Raises Failed."""
    settings = read_environment(places.environment)
    port = settings.get("PORT", "8000")
    end = time.monotonic() + float(os.environ.get("HEARTHBOOK_WELL_S", WELL_S))
    while time.monotonic() < end:
        if is_well(f"http://127.0.0.1:{port}/healthz"):
            return
        if not is_active():
            raise Failed("it stopped by itself")
        time.sleep(0.5)
    raise Failed("it does not answer")


def is_active() -> bool:
    """Whether systemd has the service running, or starting for the first time."""
    command = [*SYSTEMCTL, "show", "--property=ActiveState,SubState", UNIT]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    said = dict(line.partition("=")[::2] for line in done.stdout.split())
    is_one = said.get("ActiveState") in {"active", "activating", "reloading"}
    return is_one and said.get("SubState") != "auto-restart"


def is_well(url: str) -> bool:
    """Whether /healthz answers well; behind TLS the porch's redirect is answer enough."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), Stay)
    try:
        with opener.open(url, timeout=5) as answer:
            return bool(json.load(answer).get("ok"))
    except urllib.error.HTTPError as error:
        return error.code == 307
    except (OSError, ValueError):
        return False


class Stay(urllib.request.HTTPRedirectHandler):
    """Follows no redirect."""

    def redirect_request(self, *_args: object) -> None:
        """Stay where we are."""


def main() -> int:
    """Do what the command line says; 1 and one sentence where it cannot be done."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["install", "update", "uninstall"])
    parser.add_argument("--purge", action="store_true", help="with uninstall: delete the data too")
    parser.add_argument("--app", type=Path, default=Path("/opt/hearthbook"))
    parser.add_argument("--data", type=Path, default=Path("/var/lib/hearthbook"))
    parser.add_argument("--units", type=Path, default=Path("/etc/systemd/system"))
    parser.add_argument("--environment", type=Path, default=Path("/etc/hearthbook.env"))
    given = parser.parse_args()
    places = Places(given.app, given.data, given.units, given.environment)
    try:
        if os.geteuid() != 0:
            raise Failed("This makes a user and a service, so it must run as root: sudo make install.")
        if given.what == "uninstall":
            uninstall(places, purge=given.purge)
        else:
            {"install": install, "update": update}[given.what](places)
    except Failed as reason:
        print(f"hearthbook: {reason}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
