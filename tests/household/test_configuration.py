"""Every environment variable the product reads is documented, and none is documented that is not read."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
READ = re.compile(
    r"""(?:\b(?:text|flag|number|options)\(|environ(?:\.get|\.pop|\.setdefault)?[\[(])\s*f?["']([A-Z][A-Z_]+)["']"""
)
NOT_OURS = {
    "DJANGO_SETTINGS_MODULE",
    "OMP_NUM_THREADS",
    "HOME",
    "PATH",
    "TMPDIR",
    "CI",
    "LD_LIBRARY_PATH",
    "PIP_INDEX_URL",
    "TESSDATA_PREFIX",
}


def test_every_variable_read_is_documented_and_every_documented_one_is_read():
    sources = [
        path
        for app in ("household", "twin", "memory", "voice", "tests", "tools")
        for path in (ROOT / app).rglob("*.py")
    ]
    read = {name for path in sources for name in READ.findall(path.read_text())} - NOT_OURS
    documented = set(re.findall(r"^\| `([A-Z_]+)` \|", (ROOT / "docs/configuration.md").read_text(), re.M))
    constants = {"HEARTHBOOK_SECOND_WALL", "HEARTHBOOK_LONG", "HEARTHBOOK_DATA", "HYPOTHESIS_PROFILE"}
    assert read - documented == set()
    assert documented - read - constants == set()
