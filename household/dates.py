"""Days in words, in the reader's language; the same few days stand on every page, so their words are kept."""

from __future__ import annotations

import datetime as dt
from functools import lru_cache

from django.utils.formats import date_format
from django.utils.translation import get_language

DAYS_KEPT = 4096


def day_in_words(day: dt.date, form: str) -> str:
    """A day as one of Django's date formats says it: "j F" gives "4 May"."""
    return _in_words(day, form, get_language())


@lru_cache(maxsize=DAYS_KEPT)
def _in_words(day: dt.date, form: str, _language: str | None) -> str:
    return str(date_format(day, form))
