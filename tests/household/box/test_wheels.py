"""Every locked package comes as a wheel for both processors a box may have, so nothing is ever compiled."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import requests
from pip._internal.models.index import PyPI

from household.box import places

LOCK = places.CHECKOUT / "requirements.txt"
# From the oldest C library a wheel may ask for to the one of Debian 12, which a Raspberry Pi OS is.
GLIBC = (17, 24, 26, 27, 28, 31, 34, 35, 36)
ASK = "install --dry-run --ignore-installed -q --no-deps --only-binary=:all: --require-hashes".split()


def registry_answers() -> bool:
    """Whether pip's index of packages can be reached at all."""
    index = subprocess.run(
        [sys.executable, "-m", "pip", "config", "get", "global.index-url"],
        capture_output=True,
        text=True,
        check=False,
    )
    try:
        requests.head(os.environ.get("PIP_INDEX_URL") or index.stdout.strip() or PyPI.simple_url, timeout=30)
    except requests.RequestException:
        return False
    return True


@pytest.mark.long
@pytest.mark.parametrize("machine", ["aarch64", "x86_64"])
def test_every_locked_package_has_a_wheel_for_the_processor(tmp_path: Path, machine: str) -> None:
    if not registry_answers():
        pytest.skip("no package registry answers")
    platforms = [f"--platform=manylinux_2_{minor}_{machine}" for minor in GLIBC]
    platforms.append(f"--platform=manylinux2014_{machine}")
    report = tmp_path / "report.json"
    command = [sys.executable, "-m", "pip", *ASK, *platforms, "--python-version=3.11", "--implementation=cp"]
    asked = subprocess.run(
        [*command, f"--target={tmp_path}", f"--report={report}", "-r", str(LOCK)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert asked.returncode == 0, asked.stderr
    lock = LOCK.read_text()
    found = json.loads(report.read_text())["install"]
    names = {package["download_info"]["url"].rpartition("/")[2] for package in found}
    assert len(names) > 50
    assert all(name.endswith((f"{machine}.whl", "-any.whl")) for name in names), names
    for package in found:
        digest = package["download_info"]["archive_info"]["hash"].partition("=")[2]
        assert f"sha256:{digest}" in lock, package["metadata"]["name"]
