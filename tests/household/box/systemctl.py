"""The few words of systemctl that `tools/service.py` says, really starting and stopping what the unit names.

Stands in for systemd where the machine that runs the tests has none: `python systemctl.py UNITS VERB...`.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path


def main() -> int:
    """Do one verb for the one unit there is."""
    units, *words = sys.argv[1:]
    unit, pid_file = Path(units) / "hearthbook.service", Path(units) / "main.pid"
    if "--now" in words or words[0] in {"start", "stop"}:
        (start if words[0] in {"enable", "start"} else stop)(unit, pid_file)
    if words == ["show", "--property=Version"]:
        print("Version=252")
    elif words[0] == "show":
        print("ActiveState=active\nSubState=running" if alive(pid_file) else "ActiveState=inactive")
    return 0


def start(unit: Path, pid_file: Path) -> None:
    """Run ExecStart as the unit's user, in its folder, with its environment."""
    text = unit.read_text()
    value = dict(re.findall(r"^(\w+)=(.*)$", text, re.M))
    name, _, home = value["Environment"].partition("=")
    extra = Path(value["EnvironmentFile"].lstrip("-"))
    lines = extra.read_text().splitlines() if extra.exists() else []
    env = {"PATH": os.environ["PATH"], name: home} | dict(line.split("=", 1) for line in lines)
    with (unit.parent / "output").open("ab") as output:
        child = subprocess.Popen(
            value["ExecStart"].split(),
            cwd=value["WorkingDirectory"],
            env=env,
            stdout=output,
            stderr=output,
            user=value["User"],
            group=value["Group"],
            extra_groups=[],
            start_new_session=True,
        )
    pid_file.write_text(str(child.pid))


def stop(_unit: Path, pid_file: Path) -> None:
    """SIGTERM, and wait for the end."""
    if alive(pid_file):
        os.kill(int(pid_file.read_text()), signal.SIGTERM)
    end = time.monotonic() + 60
    while alive(pid_file) and time.monotonic() < end:
        time.sleep(0.1)
    pid_file.unlink(missing_ok=True)


def alive(pid_file: Path) -> bool:
    """Whether the main process runs (one that ended and waits to be buried does not)."""
    try:
        state = Path(f"/proc/{pid_file.read_text()}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


if __name__ == "__main__":
    sys.exit(main())
