"""How names are compared: one key for every spelling that a person would call the same name."""

from __future__ import annotations

import unicodedata


def name_key(name: str) -> str:
    """The name without case, extra spaces or the dots that tell Turkish i from ı."""
    folded = unicodedata.normalize("NFKC", " ".join(name.split())).replace("İ", "i").casefold()
    return folded.replace("ı", "i")
