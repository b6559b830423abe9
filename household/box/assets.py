"""Translations compiled and static files collected, each only where something changed.

`python -m household.box.assets` compiles the translations where there is no data folder yet: without Django.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from household.box import places
from household.box.trouble import Trouble

STAMP = ".collected"


def compile_words() -> int:
    """Compile every translation that is newer than its compiled form; how many were."""
    return sum(map(_compile, (places.CHECKOUT / "locale").glob("*/LC_MESSAGES/*.po")))


def _compile(source: Path) -> int:
    compiled = source.with_suffix(".mo")
    if compiled.exists() and compiled.stat().st_mtime >= source.stat().st_mtime:
        return 0
    import polib

    part = source.with_suffix(".mo.part")
    try:
        polib.pofile(str(source)).save_as_mofile(str(part))
        part.replace(compiled)
    except OSError as error:
        raise Trouble(f"{compiled} cannot be written ({error.strerror}).") from None
    return 1


def collect_files() -> bool:
    """Collect the static files unless they are as they were; whether that was needed."""
    from django.conf import settings
    from django.core.management import call_command

    stamp = Path(settings.STATIC_ROOT) / STAMP
    now = _fingerprint()
    if stamp.exists() and stamp.read_text() == now:
        return False
    call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    stamp.write_text(now)
    return True


def _fingerprint() -> str:
    from django.conf import settings
    from django.contrib.staticfiles.finders import get_finders

    digest = hashlib.sha256(repr(settings.STORAGES["staticfiles"]).encode())
    for finder in get_finders():
        for name, storage in finder.list([]):
            found = Path(storage.path(name)).stat()
            digest.update(f"{name}\0{found.st_size}\0{found.st_mtime_ns}\n".encode())
    return digest.hexdigest()


if __name__ == "__main__":
    compile_words()
