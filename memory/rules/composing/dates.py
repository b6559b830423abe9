"""Days and spans in plain English and Turkish. Pure."""

from __future__ import annotations

import datetime as dt

MONTHS = {
    "en": "January February March April May June July August September October November December".split(),
    "tr": "Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık".split(),
}


def on(day: dt.date, language: str, today: dt.date) -> str:
    """A day as one writes it: "4 March", with its year where that is not this one."""
    year = "" if day.year == today.year else f" {day.year}"
    return f"{day.day} {MONTHS[language][day.month - 1]}{year}"


def span(first: dt.date, last: dt.date, language: str, today: dt.date) -> str:
    """From one day to another: "1 to 30 November"."""
    if first == last:
        return on(first, language, today)
    between = " to " if language == "en" else " – "
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day}{between}{on(last, language, today)}"
    return f"{on(first, language, today)}{between}{on(last, language, today)}"
