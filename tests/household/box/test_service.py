"""The box as a service: installed, updated, taken back when the new version is not well, and removed."""

from __future__ import annotations

import json
import os
import pwd
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from household.box import places
from tests.household.box.running import a_roomy_folder, free_port

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(os.geteuid() != 0, reason="making a user and a service needs root"),
    pytest.mark.skipif(shutil.which("setpriv") is None, reason="setpriv (util-linux) is not installed"),
]
BEHIND = (
    "from django.db import migrations\n\nclass Migration(migrations.Migration):\n"
    '    dependencies = [("voice", "{last}")]\n'
    '    operations = [migrations.RunSQL("CREATE TABLE from_the_future (id int)", "")]\n'
)


@dataclass
class Machine:
    """A root of our own for the service, and the checkout it is installed from."""

    root: Path
    checkout: Path
    port: int

    def do(self, *what: str) -> subprocess.CompletedProcess[str]:
        """Run the tool as `make` does, with a systemctl that works without systemd."""
        fake = self.root / "bin" / "systemctl"
        fake.parent.mkdir(exist_ok=True)
        runner = places.CHECKOUT / "tests" / "household" / "box" / "systemctl.py"
        fake.write_text(f'#!/bin/sh\nexec {sys.executable} {runner} {self.root}/units "$@"\n')
        fake.chmod(0o755)
        ours = ("DATABASE_URL", "OWNER_DATABASE_URL", "DJANGO_", "HEARTHBOOK_")
        env = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
        env |= {"PATH": f"{fake.parent}:{os.environ['PATH']}", "HEARTHBOOK_WELL_S": "600"}
        paths = [f"--app={self.root}/app", f"--data={self.root}/data", f"--units={self.root}/units"]
        paths.append(f"--environment={self.root}/hearthbook.env")
        (self.root / "hearthbook.env").write_text(f"PORT={self.port}\nHOST=127.0.0.1\n")
        tool = [sys.executable, str(self.checkout / "tools" / "service.py"), *what, *paths]
        return subprocess.run(tool, env=env, capture_output=True, text=True, check=False)

    def commit(self, message: str) -> None:
        """A new version of the checkout."""
        git = ["git", "-C", str(self.checkout), "-c", "user.name=t", "-c", "user.email=t@example.org"]
        subprocess.run([*git, "add", "-A"], check=True)
        subprocess.run([*git, "commit", "-qm", message], check=True)

    def is_well(self) -> bool:
        """Whether the installed box answers well."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=10) as answer:
            return bool(json.load(answer)["ok"])

    def runs(self) -> str:
        """The version that is current."""
        return (self.root / "app" / "current").resolve().name


@pytest.fixture
def machine() -> Iterator[Machine]:
    """A machine without Hearthbook, and a checkout."""
    had_user = any(user.pw_name == "hearthbook" for user in pwd.getpwall())
    with a_roomy_folder() as root:
        checkout = root / "checkout"
        subprocess.run(["git", "clone", "-q", str(places.CHECKOUT), str(checkout)], check=True)
        made = Machine(root, checkout, free_port())
        try:
            yield made
        finally:
            made.do("uninstall", "--purge")
            if not had_user:
                subprocess.run(["userdel", "hearthbook"], check=False, capture_output=True)


def test_installed_updated_taken_back_and_removed(machine: Machine) -> None:
    first = machine.do("install")
    assert first.returncode == 0, first.stderr
    assert machine.is_well()
    assert (machine.root / "data").stat().st_uid == pwd.getpwnam("hearthbook").pw_uid
    assert "already" in machine.do("install").stderr
    old = machine.runs()

    (machine.checkout / "README.md").write_text("a new version\n")
    machine.commit("A version that is well")
    done = machine.do("update")
    assert done.returncode == 0, done.stderr
    well = machine.runs()
    assert well != old and machine.is_well()

    last = max(path.stem for path in (machine.checkout / "voice" / "migrations").glob("0*.py"))
    (machine.checkout / "voice/migrations/0999_future.py").write_text(BEHIND.format(last=last))
    (machine.checkout / "household/wsgi.py").write_text("raise RuntimeError('not well')\n")
    machine.commit("A version that changes the database and does not serve")
    refused = machine.do("update")
    assert refused.returncode == 1
    assert "the old one runs again" in refused.stderr
    assert machine.runs() == well and machine.is_well()

    assert machine.do("uninstall").returncode == 0
    assert not (machine.root / "app").exists()
    assert (machine.root / "data" / "postgres").exists()
