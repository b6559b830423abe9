"""Play a tablet from a terminal: `manage.py device pair|tell|sync|show|...` against a running box."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from memory.device.copy import Copy
from memory.device.house import House, Refused, Unreachable
from memory.device.lines import all_lines, own_lines
from memory.device.syncing import sync
from memory.device.tablet import Revoked, Tablet
from memory.journal_shown import moment
from memory.rules.merge import Refused as Unwilling

DEFAULT = Path("var/device.sqlite")


class Offline:
    """A house that cannot be reached, because somebody said so."""

    def ask(self, method: str, path: str, body: Any = None, *, token: str = "") -> Any:
        """No answer."""
        raise Unreachable("the device is set offline: manage.py device online")


class Command(BaseCommand):
    """A tablet for a person at a terminal: its own copy in one SQLite file, its own clock."""

    help = "Play a tablet against a running box: pair, tell, put-away, undo, edit, forget, sync, show, clock."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """What can be done with the tablet."""
        parser.add_argument("--at", type=Path, default=DEFAULT, help="the tablet's file")
        acts = parser.add_subparsers(dest="act", required=True)
        for act, (_do, words, help_) in ACTS.items():
            one = acts.add_parser(act, help=help_)
            for word in words:
                one.add_argument(word)

    def handle(self, *args: Any, **options: Any) -> None:
        """Do one thing, and say what came of it."""
        path: Path = options["at"]
        path.parent.mkdir(parents=True, exist_ok=True)
        copy = Copy(path)
        act, words, _help = ACTS[options["act"]]
        try:
            said = act(_tablet(copy), *(options[word] for word in words))
        except (KeyError, Unwilling) as error:
            raise CommandError(f"There is no such memory on the tablet, or it is too late: {error}") from None
        except Refused as error:
            raise CommandError(f"The house refused: {error.code} ({error.body.get('detail', '')})") from None
        except Unreachable as error:
            raise CommandError(f"No answer; nothing is lost, sync again later ({error}).") from None
        except Revoked:
            raise CommandError("A parent revoked this device. Its copy is emptied; pair it again.") from None
        finally:
            copy.close()
        self.stdout.write(said)


def _tablet(copy: Copy) -> Tablet:
    """The tablet of a file, with the clock and the house it was told of."""
    wrong_ms = int(copy.about("wrong_ms", 0))
    house = Offline() if copy.about("is_offline") else House(str(copy.about("house", "")))
    return Tablet(copy, house, clock=lambda: time.time_ns() // 1_000_000 + wrong_ms)


def _pair(tablet: Tablet, house: str, code: str) -> str:
    tablet.house = House(house)
    tablet.pair(code.replace(" ", ""), name="Terminal")
    with tablet.writing():
        tablet.copy.note(house=house)
    return f"Paired as {tablet.device}."


def _tell(tablet: Tablet, words: str) -> str:
    told = tablet.tell(words)
    return f"Kept on the tablet as {told.gid}."


def _put_away(tablet: Tablet, gid: str) -> str:
    action = tablet.put_away(gid)
    return f"Put away. For 8 seconds: manage.py device undo {gid} {action}"


def _undo(tablet: Tablet, gid: str, action: str) -> str:
    tablet.undo(gid, action)
    return "It is back."


def _edit(tablet: Tablet, gid: str, words: str) -> str:
    tablet.edit(gid, words)
    return "It has other words now."


def _forget(tablet: Tablet, gid: str) -> str:
    tablet.forget(gid)
    return "Forgotten here; everywhere after the next sync."


def _use(tablet: Tablet, minutes: str) -> str:
    tablet.use(int(float(minutes) * 60_000))
    return "Goodnight." if tablet.says_goodnight() else "Counted."


def _sync(tablet: Tablet) -> str:
    report = sync(tablet)
    parts = [
        f"documents {report.sent} sent, {report.came} came",
        f"lines {report.lines_sent} sent, {report.lines_came} came",
        f"pictures {report.pictures_sent} sent, {report.pictures_came} came",
        *(["the clock was set right"] if report.was_set_right else []),
        *(["the house began anew: everything was sent again"] if report.was_resync else []),
        *(f"forbidden: {key}" for key in report.forbidden),
        *(f"not taken: {what}" for what in report.rejected),
    ]
    return "\n".join(parts)


def _show(tablet: Tablet) -> str:
    lines = [f"device {tablet.device}, the house's time is taken to be {moment(tablet.now_ms()):%F %T} UTC"]
    for memory in sorted(tablet.store.memories.values(), key=lambda one: one.learned_at_ms):
        away = " (put away)" if memory.hidden else ""
        lines.append(f"{memory.gid}{away}: {memory.text} [told {len(memory.mentions)}x]")
    lines += [f"{gid}: forgotten" for gid in sorted(tablet.store.tombstones)]
    waiting = len(own_lines(tablet.copy, tablet.device, from_seq=int(tablet.copy.about("next_seq", 0))))
    pending = sum(1 for kind in ("memory", "tombstone") for _ in tablet.copy.documents(kind, pending=True))
    lines.append(f"{len(all_lines(tablet.copy))} lines; {waiting} lines and {pending} documents wait")
    return "\n".join(lines)


def _clock(tablet: Tablet, seconds: str) -> str:
    with tablet.writing():
        tablet.copy.note(wrong_ms=int(float(seconds) * 1000))
    return f"The tablet's clock is {seconds} seconds off."


def _offline(tablet: Tablet) -> str:
    with tablet.writing():
        tablet.copy.note(is_offline=True)
    return "Offline until `manage.py device online`."


def _online(tablet: Tablet) -> str:
    with tablet.writing():
        tablet.copy.note(is_offline=False)
    return "Online."


def _restored(tablet: Tablet) -> str:
    tablet.restored()
    return f"This copy came from a backup: it is {tablet.device} now. Pair it."


# act: what it does, the words it wants, and its help
ACTS: Mapping[str, tuple[Callable[..., str], tuple[str, ...], str]] = {
    "pair": (_pair, ("house", "code"), "with the address and the six digits a parent's page shows"),
    "tell": (_tell, ("words",), "the child tells something that is remembered"),
    "put-away": (_put_away, ("gid",), "put a memory away"),
    "undo": (_undo, ("gid", "action"), "take a putting away back, within 8 seconds"),
    "edit": (_edit, ("gid", "words"), "give a memory other words"),
    "forget": (_forget, ("gid",), "forget a memory for good"),
    "use": (_use, ("minutes",), "count minutes of talk"),
    "sync": (_sync, (), "send and fetch all that changed"),
    "show": (_show, (), "what the tablet holds, and what waits to be sent"),
    "clock": (_clock, ("seconds",), "make the tablet's clock wrong by so many seconds"),
    "offline": (_offline, (), "let the house be out of reach"),
    "online": (_online, (), "let it be in reach again"),
    "restored": (_restored, (), "the file came back from a backup: become another device"),
}
