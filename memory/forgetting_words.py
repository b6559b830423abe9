"""What a forgetting's tables and waits are called on its pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext


def _amounts() -> Mapping[str, Callable[[int], str]]:
    """The words of each count, in the order in which a page lists them."""
    return {
        "twin.Subject": lambda n: ngettext("%(n)s page of the book", "%(n)s pages of the book", n),
        "twin.Statement": lambda n: ngettext("%(n)s thing somebody said", "%(n)s things somebody said", n),
        "twin.FormFill": lambda n: ngettext("%(n)s filled form", "%(n)s filled forms", n),
        "twin.Event": lambda n: ngettext("%(n)s event", "%(n)s events", n),
        "twin.LedgerEntry": lambda n: ngettext("%(n)s reading of words", "%(n)s readings of words", n),
        "twin.Record": lambda n: ngettext("%(n)s record that goes", "%(n)s records that go", n),
        "twin.Record#folded": lambda n: ngettext(
            "%(n)s record that keeps only what others said",
            "%(n)s records that keep only what others said",
            n,
        ),
        "twin.Medicine": lambda n: ngettext("%(n)s medicine", "%(n)s medicines", n),
        "twin.Assessment": lambda n: ngettext("%(n)s summary", "%(n)s summaries", n),
        "memory.Memory": lambda n: ngettext("%(n)s memory", "%(n)s memories", n),
        "memory.JournalLine": lambda n: ngettext(
            "%(n)s line of the journal loses its words", "%(n)s lines of the journal lose their words", n
        ),
        "memory.Picture": lambda n: ngettext("%(n)s picture", "%(n)s pictures", n),
        "memory.Document": lambda n: ngettext("%(n)s document", "%(n)s documents", n),
        "memory.Answer": lambda n: ngettext(
            "%(n)s answer that rests on it", "%(n)s answers that rest on it", n
        ),
        "memory.WorkingSet": lambda n: ngettext(
            "%(n)s conversation that had it at hand", "%(n)s conversations that had it at hand", n
        ),
        "household.Membership": lambda n: ngettext(
            "%(n)s place in the support network", "%(n)s places in the support network", n
        ),
        "household.Device": lambda n: ngettext("%(n)s paired device", "%(n)s paired devices", n),
    }


def amounts(counts: Mapping[str, int]) -> list[str]:
    """The counts in words, largest matters first; a table nobody named in words is left out."""
    words = _amounts()
    return [words[label](counts[label]) % {"n": counts[label]} for label in words if counts.get(label)]


def kind_title(kind: str) -> str:
    """What is being forgotten, as a title."""
    return {
        "memory": _("Forget this memory?"),
        "statement": _("Forget what was said?"),
        "record": _("Forget this record?"),
        "event": _("Forget this event?"),
        "document": _("Forget this document?"),
        "turn": _("Forget this conversation?"),
        "day": _("Forget this day?"),
        "subject": _("Forget this page of the book, whole?"),
    }[kind]


def waits(waiting: list[dict[str, Any]]) -> list[str]:
    """For whom the bytes still wait, in words."""
    words = {
        "session": _("somebody who reads the database just now"),
        "prepared": _("a transaction that was left open on the database server"),
        "slot": _("a copy of the database that another server keeps"),
        "temporary": _("a large question to the database that is not finished"),
        "relation": _("a table that somebody is reading just now"),
        "log": _("the database's own log"),
        "busy": _("a backup, or another clean-up"),
    }
    return list(dict.fromkeys(words[one["what"]] for one in waiting if one["what"] in words))
