"""The service where it cannot be: refused in one sentence, and the machine is as it was."""

from __future__ import annotations

import os
import pwd
import subprocess
import sys
from pathlib import Path

import pytest

from household.box import places

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="making a user and a service needs root")
OFFLINE = """#!/bin/sh
echo "System has not been booted with systemd as init system (PID 1). Can't operate." >&2
exit 1
"""


@pytest.mark.parametrize("systemctl", [OFFLINE, None], ids=["without systemd", "without systemctl"])
@pytest.mark.parametrize("what", ["install", "update"])
def test_without_systemd_it_refuses_before_it_changes_anything(tmp_path: Path, what: str, systemctl) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    if systemctl is not None:
        (programs / "systemctl").write_text(systemctl)
        (programs / "systemctl").chmod(0o755)
    root = tmp_path / "root"
    if what == "update":
        (root / "app" / "releases" / "old").mkdir(parents=True)
        (root / "app" / "current").symlink_to(root / "app" / "releases" / "old")
    before = everything(root)
    tool = [sys.executable, str(places.CHECKOUT / "tools" / "service.py"), what]
    tool += [f"--{name}={root / name}" for name in ("app", "data", "units", "environment")]
    done = subprocess.run(tool, env={"PATH": str(programs)}, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    (sentence,) = done.stderr.splitlines()
    assert sentence.startswith("hearthbook: No systemd runs on this machine")
    assert done.stdout == ""
    assert everything(root) == before


def everything(root: Path) -> tuple[list[str], list[str]]:
    """All files of the service's places, and all users of the machine."""
    return sorted(str(path) for path in root.rglob("*")), sorted(user.pw_name for user in pwd.getpwall())
