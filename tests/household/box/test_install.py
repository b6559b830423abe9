"""The environment is made once, from the lock and nothing else, by a bare Python."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from household.box import places

TOOLS = places.CHECKOUT / "tools"
METADATA = "Metadata-Version: 2.1\nName: toy\nVersion: {}\n"
WHEEL = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with the tools and a lock of one small package."""
    shutil.copytree(TOOLS, tmp_path / "tools")
    write_lock(tmp_path, version="1.0")
    return tmp_path


def write_lock(checkout: Path, *, version: str, digest: str = "") -> None:
    wheel = checkout / f"toy-{version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as made:
        made.writestr("toy.py", f"version = '{version}'\n")
        made.writestr(f"toy-{version}.dist-info/METADATA", METADATA.format(version))
        made.writestr(f"toy-{version}.dist-info/WHEEL", WHEEL)
        made.writestr(f"toy-{version}.dist-info/RECORD", "")
    line = f"{wheel.as_uri()} --hash=sha256:{digest or hashlib.sha256(wheel.read_bytes()).hexdigest()}\n"
    for name in ("requirements.txt", "requirements-dev.txt"):
        (checkout / name).write_text(f"toy @ {line}")


def install(checkout: Path, lock: str = "runtime", **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(checkout / "tools" / "install.py"), lock],
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        check=False,
    )


def installed_version(checkout: Path) -> str:
    asked = [str(checkout / ".venv" / "bin" / "python"), "-c", "import toy; print(toy.version)"]
    return subprocess.run(asked, capture_output=True, text=True, check=True, cwd="/").stdout.strip()


def test_the_first_start_installs_the_second_nothing_and_a_new_lock_again(checkout: Path) -> None:
    assert "Installing" in install(checkout).stdout
    assert installed_version(checkout) == "1.0"
    second = install(checkout)
    assert (second.returncode, second.stdout, second.stderr) == (0, "", "")
    write_lock(checkout, version="1.1")
    assert "Installing" in install(checkout, "dev").stdout
    assert installed_version(checkout) == "1.1"
    assert install(checkout).stdout == ""


def test_a_package_other_than_the_locked_one_is_refused(checkout: Path) -> None:
    write_lock(checkout, version="1.0", digest="0" * 64)
    outcome = install(checkout)
    assert outcome.returncode == 1
    assert outcome.stderr.strip().endswith("could not be installed (see above); run the command again.")
    assert install(checkout).returncode == 1


def test_a_python_without_pip_is_told_what_to_install(checkout: Path, tmp_path: Path) -> None:
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    (hidden / "sitecustomize.py").write_text("import sys\nsys.modules.update(ensurepip=None, pip=None)\n")
    outcome = install(checkout, PYTHONPATH=str(hidden))
    assert outcome.returncode == 1
    assert outcome.stderr.strip().endswith("(on Debian: apt install python3-venv).")
    assert "Traceback" not in outcome.stderr


@pytest.mark.parametrize("is_there", [True, False])
def test_a_python_that_does_not_start_or_is_too_old_is_passed_over(tmp_path: Path, is_there: bool) -> None:
    old = tmp_path / "python3"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    if is_there:
        (tmp_path / "python3.11").symlink_to(sys.executable)
    found = subprocess.run(
        ["/bin/sh", str(TOOLS / "python.sh")],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == (0 if is_there else 1)
    assert found.stdout.strip() == ("python3.11" if is_there else "")
    assert ("needs Python 3.11 or newer" in found.stderr) != is_there


@pytest.mark.parametrize("word", ["up", "test", "test-long", "check", "bench"])
def test_make_knows_the_word_and_says_what_it_does(word: str) -> None:
    told = subprocess.run(
        ["make", "-s", "help"], cwd=places.CHECKOUT, capture_output=True, text=True, check=True
    )
    assert f"make {word} " in told.stdout
