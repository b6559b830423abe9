"""The main ways through the book as a screen reader says them.

`python -m tests.browser.listening [FILE [WAY ...]]`.
Writes a transcript in Markdown, to standard output without a file. A house with the demo is made for it
unless HEARTHBOOK_AT names one. It judges nothing: somebody reads it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TextIO

from tests.browser import listening_tablet as tablet
from tests.browser import listening_visitor as visitor
from tests.browser.conftest import first_run_code
from tests.browser.gallery import demo_house
from tests.browser.screen_reader import Desk, a_desk, missing
from tests.household.box.running import a_running_box
from tests.housemate import PASSPHRASE

Way = Iterator[tuple[str, list[str]]]


def signing_in(desk: Desk, house: str, name: str = "Ana") -> Way:
    """First a wrong passphrase, then the right one."""
    yield "The page for signing in", desk.open(f"{house}/accounts/login/")
    for words in ("not my words", PASSPHRASE):
        yield "To the name", desk.tab_to("[name=login]")
        desk.press("ctrl+a")
        desk.type(name)
        yield "To the passphrase", desk.tab_to("[name=password]")
        desk.type(words)
        yield "Sign in", desk.press("Return") + desk.heard()


def telling(desk: Desk, house: str) -> Way:
    """Something is told on Today, and taken back."""
    yield "Today", desk.open(f"{house}/")
    yield "To the first of whom one may tell", desk.tab_to("form:has(#tell) [name=subject]")
    yield "That one", desk.press("space")
    yield "To the box", desk.tab_to("#tell")
    desk.type("she threw up twice this morning, ears look fine")
    yield "Write it down", desk.press("ctrl+Return") + desk.heard()
    yield "To undo", desk.tab_to(".undo button")
    yield "Undo", desk.press("Return") + desk.heard()


def correcting(desk: Desk, house: str) -> Way:
    """A subject's page, a record on it, and the form that corrects it."""
    yield "The page of a subject", desk.open(f"{house}/book/1")
    record = desk.page.locator("#timeline a[href*='/r/rec_']").first.get_attribute("href") or ""
    yield "A record", desk.open(house + record)
    yield "To correcting it", desk.tab_to("a[href$='/correct']")
    yield "Correct it", desk.press("Return") + desk.heard()
    yield "Its fields", desk.press(*["Tab"] * 8)


def asking(desk: Desk, house: str) -> Way:
    """A question, its answer, and another one after it."""
    yield "The page for asking", desk.open(f"{house}/ask/")
    yield "To whom it is about", desk.tab_to(".ask-box [name=subject]")
    yield "That one", desk.press("space")
    yield "To the box", desk.tab_to("#ask-words")
    desk.type("what helped with her ear?")
    yield "Ask", desk.press("ctrl+Return") + desk.heard()
    yield "To asking on", desk.tab_to(".ask-follow [name=words]")
    desk.type("and since when?")
    yield "Ask on", desk.press("Return") + desk.heard()


def searching(desk: Desk, house: str) -> Way:
    """A word is looked for; one that stands nowhere too."""
    yield "The page for searching", desk.open(f"{house}/search/")
    for words in ("ear", "zeppelin"):
        yield "To the box", desk.tab_to("#id_words")
        desk.press("ctrl+a")
        desk.type(words)
        yield f"Search: {words}", desk.press("Return") + desk.heard()


def forgetting(desk: Desk, house: str) -> Way:
    """What would be reached; that one must mean it; the proof."""
    desk.open(f"{house}/book/1")
    record = desk.page.locator("#timeline a[href*='/r/rec_']").last.get_attribute("href") or ""
    desk.open(house + record)
    desk.page.locator("a[href^='/forget/']").first.click()
    yield "Before forgetting", desk.heard()
    yield "Without meaning it", desk.tab_to(".btn-danger") + desk.press("Return")
    yield "Meaning it", desk.tab_to("[name=sure]", key="shift+Tab") + desk.press("space")
    yield "Forget it", desk.tab_to(".btn-danger") + desk.press("Return") + desk.heard()


def reading(*paths: str) -> Callable[[Desk, str], Way]:
    """Pages that are only read."""

    def read(desk: Desk, house: str) -> Way:
        for path in paths:
            yield path, desk.open(house + path)

    return read


def first_run(desk: Desk) -> Way:
    """A new house is opened: a form with faults, then without."""
    with a_running_box() as box:
        house = f"http://127.0.0.1:{box.port}"
        yield "A new house", desk.open(house)
        yield "To the code", desk.tab_to("[name=code]")
        desk.type(first_run_code(box))
        for field, words in (
            ("household_name", "Ev"),
            ("parent_name", "Ana"),
            ("passphrase", "short"),
            ("again", "other"),
        ):
            yield f"To {field}", desk.tab_to(f"[name={field}]")
            desk.type(words)
        yield "Open the book, with faults", desk.press("Return") + desk.heard()
        yield "The fields that are wrong", desk.press(*["Tab"] * 12)


WAYS: dict[str, Callable[[Desk, str], Way]] = {
    "Signing in": signing_in,
    "Telling, and taking back": telling,
    "A record, opened and corrected": correcting,
    "Asking": asking,
    "Searching": searching,
    "Forgetting": forgetting,
    "Pages that are read": reading("/memories/", "/book/1/form", "/book/1/months", "/insights", "/help"),
    "A tablet, paired": tablet.pairing,
    "A tablet, talking": tablet.talking,
    "A tablet, its cards": tablet.cards,
    "A tablet, its days": tablet.days,
    "A tablet, at rest": tablet.resting,  # before more minutes are given
    "A tablet, me": tablet.me,
    "A professional, invited": visitor.visiting,
    "A professional, the caseload": visitor.caseload,
    "A professional, a page that is shared": visitor.shared,
}


def write(out: TextIO, title: str, way: Way) -> None:
    """One way: each step with what was heard."""
    out.write(f"\n## {title}\n")
    for step, said in way:
        out.write(f"\n### {step}\n\n")
        out.writelines(f"- {line}\n" for line in said or ["(nothing)"])
        out.flush()


def listen(out: TextIO, wanted: Sequence[str]) -> None:
    """Every way, or signing in and those that are wanted, one after the other, at one desk."""
    with a_desk() as desk:
        if not wanted:
            write(out, "The first run", first_run(desk))
        with demo_house() as house:
            for title, way in WAYS.items():
                if not wanted or title in wanted or way is signing_in:
                    write(out, title, way(desk, house))


def main() -> None:
    """Listen, where this machine has what it takes."""
    if lacks := missing():
        sys.exit(f"Not here: {', '.join(lacks)}. docs/accessibility.md says what to install.")
    if len(sys.argv) > 1:
        with Path(sys.argv[1]).open("w") as out:
            listen(out, sys.argv[2:])
    else:
        listen(sys.stdout, ())


if __name__ == "__main__":
    main()
