"""The house's own lines: only what stands in its catalogue of words may be kept as sound.

What a family or a model writes is in no catalogue, so it can never be kept, whoever says that it is fixed.
"""

from __future__ import annotations

from functools import cache

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext_noop

# What a voice says of itself on its settings page, by language of the voice.
SAMPLE = gettext_noop("Good morning. This is how I sound when I read to you.")


def sample(language: str) -> str:
    """The sample line in a voice's own language, in English where the house does not know that language."""
    known = dict(settings.LANGUAGES)
    with translation.override(language[:2] if language[:2] in known else "en"):
        return translation.gettext(SAMPLE)


@cache
def own_lines() -> frozenset[str]:
    """Every line of the catalogues without a gap to be filled in, as written and as translated."""
    from django.utils.translation import trans_real

    lines = {SAMPLE}
    for code, _name in settings.LANGUAGES:
        for line, said in trans_real.translation(code)._catalog.items():  # type: ignore[attr-defined]
            plain = line.rpartition("\x04")[2] if isinstance(line, str) else ""
            lines |= {plain, said} if plain and isinstance(said, str) else set()
    return frozenset(line for line in lines if line.strip() and "%(" not in line and "{" not in line)


def is_own(text: str) -> bool:
    """Whether a text is a line of the house's own."""
    return text in own_lines()
