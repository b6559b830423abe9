"""Makes .venv and installs the locked packages, with nothing but the standard library.

A stamp keeps the hash of each lock that is installed, so a second start installs nothing.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]
VENV = CHECKOUT / ".venv"
PYTHON = VENV / "bin" / "python"
RUNTIME = CHECKOUT / "requirements.txt"
# The locks to install, widest first: the development lock holds all of the runtime lock.
VENV_HINT = "install the rest of it (on Debian: apt install python3-venv)."
LOCKS = {"runtime": [RUNTIME], "dev": [CHECKOUT / "requirements-dev.txt", RUNTIME]}


def stamp(lock: Path) -> Path:
    """Where the hash of an installed lock is kept."""
    return VENV / f".{lock.stem}.sha256"


def is_installed(lock: Path) -> bool:
    """Whether this very lock is what the environment was last given."""
    return stamp(lock).exists() and stamp(lock).read_text() == digest(lock)


def digest(lock: Path) -> str:
    """The lock file's hash."""
    return hashlib.sha256(lock.read_bytes()).hexdigest()


def starts(*arguments: str) -> bool:
    """Whether the environment's Python runs these arguments without failing."""
    try:
        return run([str(PYTHON), *arguments], quietly=True).returncode == 0
    except OSError:
        return False


def run(command: list[str], *, quietly: bool = False) -> subprocess.CompletedProcess[str]:
    """Run a program to its end, keeping what it prints to ourselves where asked."""
    return subprocess.run(command, capture_output=quietly, text=True, check=False)  # noqa: S603 - ours


def make_venv() -> list[str]:
    """Make .venv where there is none that works; the command that runs pip for it."""
    has_ensurepip = importlib.util.find_spec("ensurepip") is not None
    if not starts("-c", "import sys; sys.exit(sys.version_info < (3, 11))"):
        print(f"Making {VENV.name} with Python {sys.version.split()[0]}.", flush=True)
        if importlib.util.find_spec("venv") is None:
            sys.exit(f"This Python cannot make virtual environments: {VENV_HINT}")
        options = ["--clear"] if has_ensurepip else ["--clear", "--without-pip"]
        made = run([sys.executable, "-m", "venv", *options, str(VENV)], quietly=True)
        if made.returncode != 0:
            lines = (made.stderr or made.stdout).strip().splitlines()
            sys.exit(f"The folder {VENV} could not be made ({lines[-1] if lines else 'no reason given'}).")
    if starts("-m", "pip", "--version"):
        return [str(PYTHON), "-m", "pip"]
    if importlib.util.find_spec("pip") is not None:
        return [sys.executable, "-m", "pip", "--python", str(PYTHON)]
    sys.exit(f"This Python has no pip to install with: {VENV_HINT}")


def install(locks: list[Path]) -> None:
    """Install the first lock, which holds the others, and stamp them all."""
    pip = make_venv()
    print(f"Installing the packages of {locks[0].name} (once; this takes a minute or two).", flush=True)
    command = [
        *pip,
        "--disable-pip-version-check",
        "install",
        "-qq",
        "--require-hashes",
        "-r",
        str(locks[0]),
    ]
    if run(command).returncode != 0:
        sys.exit(
            f"The packages of {locks[0].name} could not be installed (see above); run the command again."
        )
    for lock in locks:
        stamp(lock).write_text(digest(lock))


def main() -> None:
    """Install one of the locks unless it is there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lock", choices=sorted(LOCKS))
    locks = LOCKS[parser.parse_args().lock]
    if not (all(map(is_installed, locks)) and PYTHON.exists()):
        install(locks)


if __name__ == "__main__":
    main()
