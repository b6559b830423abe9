"""Every line of the measures: what is measured, beside which floor or peer, and what is wanted. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from tests.bench.figures import Figure


class Verdict(StrEnum):
    """What one line came to."""

    MET = "met"
    MISSED = "missed"
    SHOWN = "shown"  # a figure without a goal
    ABSENT = "not measured"


@dataclass(frozen=True)
class Measure:
    """One line. `beside` is the key of a floor or a peer of the same run, or a figure of an earlier one.

    `earlier` is what a peer was measured at on another day: it stands in where this run has no figure of it.
    `most` bounds the figure itself, or its ratio to what it stands beside; `least` the same from below.
    """

    key: str
    bench: str
    what: str
    unit: str
    beside: str | float | None = None
    floor: str = ""
    most: float | None = None
    least: float | None = None
    more_is_better: bool = False
    earlier: float | None = None


def _page(name: str, peer: float, most: float, whose: str) -> Measure:
    return Measure(f"page.{name.lower()}.cpu", "pages", f"{name}, ten years, CPU", "ms", peer, whose, most)


DASHBOARD = "Baby Buddy's dashboard at 730 days (earlier run)"
TIMELINE = "Baby Buddy's timeline, its least (earlier run)"
LISTED = "Baby Buddy's list (earlier run)"
BABY = "Baby Buddy (earlier run)"
GROWTH = "the same page at one month"
WYOMING = "wyoming-piper over TCP"

MEASURES: tuple[Measure, ...] = (
    _page("Today", 641.0, 0.10, DASHBOARD),
    _page("Subject", 110.0, 0.15, TIMELINE),
    _page("Record", 59.0, 0.15, LISTED),
    _page("Caseload", 59.0, 0.15, LISTED),
    *(Measure(f"page.{name}.wall", "pages", f"{name.capitalize()}, ten years, wall", "ms",
              f"page.{name}.month.wall", GROWTH) for name in ("today", "subject", "record", "caseload")),
    Measure("page.bare.wall", "pages", "a bare Django page of 50 rows, wall", "ms"),
    Measure("page.bare.cpu", "pages", "a bare Django page of 50 rows, CPU", "ms"),
    Measure("page.today.cpu", "pages", "Today beside a bare page", "ms", "page.bare.cpu", "bare page"),
    Measure("page.subject.cpu", "pages", "Subject beside a bare page", "ms", "page.bare.cpu", "bare page"),
    Measure("page.today.cpu", "pages", "Today, ten years", "ms", "page.today.month.cpu", GROWTH, 1.2),
    Measure("page.subject.cpu", "pages", "Subject, ten years", "ms", "page.subject.month.cpu", GROWTH, 1.2),
    Measure("page.record.cpu", "pages", "Record, ten years", "ms", "page.record.month.cpu", GROWTH, 1.2),
    Measure("page.caseload.cpu", "pages", "Caseload, ten years", "ms", "page.caseload.month.cpu",
            GROWTH, 1.2),
    Measure("page.queries", "pages", "most queries of one of these pages", "", most=10),
    Measure("api.list.cpu", "sync", "API list of 100 lines, CPU", "ms", 74.0, BABY, 0.10),
    Measure("api.create.cpu", "sync", "API create of one line, CPU", "ms", 8.5, BABY, 0.40),
    Measure("push.lines_cpu_s", "sync", "sync push, batches of 500, lines a second of CPU", "lines/s",
            "anki.push.lines_cpu_s", "Anki, 500 rows with words, both sides", least=0.7, more_is_better=True,
            earlier=28_000.0),
    Measure("push.lines_cpu_s", "sync", "the same beside rows without words", "lines/s",
            "anki.reviews.push.lines_cpu_s", "Anki, 500 rows of its review log, both sides",
            more_is_better=True),
    Measure("push.lines_s", "sync", "the same by the clock, Anki beside", "lines/s", "anki.push.lines_s",
            "Anki, 500 rows with words", more_is_better=True),
    Measure("push.lines_s", "sync", "the same by the clock, rows without words beside", "lines/s",
            "anki.reviews.push.lines_s", "Anki, 500 rows of its review log", more_is_better=True),
    Measure("push.lines_s", "sync", "sync push by the clock, SQL beside", "lines/s", "executemany.lines_s",
            "executemany", least=0.35, more_is_better=True),
    Measure("push.cpu_us", "sync", "server CPU of a pushed line", "us", most=60),
    Measure("push.cpu_us", "sync", "the same beside Anki's server alone", "us", "anki.push.cpu_us",
            "a row with words"),
    Measure("push.cpu_us", "sync", "the same beside it, rows without words", "us",
            "anki.reviews.push.cpu_us", "a row of its review log"),
    Measure("pull.lines_cpu_s", "sync", "sync pull, pages of 1,000, lines a second of CPU", "lines/s",
            "anki.pull.lines_cpu_s", "Anki, 1,000 rows with words, both sides", least=3, more_is_better=True,
            earlier=32_000.0),
    Measure("pull.lines_cpu_s", "sync", "the same beside rows without words", "lines/s",
            "anki.reviews.pull.lines_cpu_s", "Anki, 1,000 rows of its review log, both sides",
            more_is_better=True),
    Measure("pull.lines_s", "sync", "the same by the clock, Anki beside", "lines/s", "anki.pull.lines_s",
            "Anki, 1,000 rows with words", more_is_better=True),
    Measure("pull.lines_s", "sync", "the same by the clock, rows without words beside", "lines/s",
            "anki.reviews.pull.lines_s", "Anki, 1,000 rows of its review log", more_is_better=True),
    Measure("pull.cpu_us", "sync", "server CPU of a pulled line beside Anki's server alone", "us",
            "anki.pull.cpu_us", "a row with words"),
    Measure("pull.cpu_us", "sync", "the same beside it, rows without words", "us",
            "anki.reviews.pull.cpu_us", "a row of its review log"),
    Measure("pull.page.wall", "sync", "a page of 500 lines, p50", "ms", "sql_page.wall",
            "the bare SQL page", 5),
    Measure("pull.page.wall", "sync", "a page in a long log", "ms", "pull.page.short.wall",
            "the same page in a log of 2,000 lines", 1.2),
    Measure("delta.many.cpu", "sync", "delta of 10 memories among many", "ms", "delta.few.cpu",
            "the same among 500", 1.3),
    Measure("add.rows_s", "adding", "add to memory, batches, embedding excluded", "rows/s", "mem0.add.rows_s",
            "mem0 + pgvector", least=10, more_is_better=True, earlier=246.0),
    Measure("add.cpu_us", "adding", "CPU of an added memory", "us", "mem0.add.cpu_us", "mem0 + pgvector"),
    Measure("add.found.cpu_us", "adding", "the same, words folded and ready vectors stored", "us",
            "mem0.add.cpu_us", "mem0 + pgvector"),
    Measure("add.found.rows_s", "adding", "add to memory, words folded and ready vectors stored", "rows/s",
            "mem0.add.rows_s", "mem0 + pgvector", more_is_better=True),
    Measure("tell.wall", "house", "tell, no model, over HTTP, p50", "ms", most=80),
    Measure("tell.cpu", "house", "tell, CPU of the whole box", "ms"),
    Measure("find.wall", "house", "a search of the demo book, over HTTP, p50", "ms"),
    Measure("find.cpu", "house", "the same, CPU of the whole box", "ms"),
    Measure("retrieve.10k.sql", "retrieval", "typed hybrid over 10,000 rows", "ms", "mem0.10k.near",
            "mem0 + pgvector, vectors only, one user's", 0.4, earlier=7.3),
    Measure("retrieve.10k.sql", "retrieval", "the same beside everybody's", "ms", "mem0.10k.unfiltered",
            "mem0 + pgvector, vectors only, no filter"),
    Measure("retrieve.10k.whole", "retrieval", "the same and its rows made ready", "ms", "mem0.10k.whole",
            "mem0's whole search, vectors and words"),
    Measure("mem0.recall.10k", "retrieval", "recall@10 of mem0's index at 10,000 rows", "",
            more_is_better=True),
    Measure("retrieve.10k.sql", "retrieval", "the same beside a scan", "ms", "scan.10k",
            "exact scan of the same vectors"),
    Measure("retrieve.100k.sql", "retrieval", "typed hybrid over 100,000 rows", "ms", "scan.100k",
            "exact scan of the same vectors", 0.5),
    Measure("retrieve.100k.whole", "retrieval", "the same and its rows made ready, 100,000 rows", "ms"),
    Measure("recall.10k", "retrieval", "recall@10 at 10,000 rows", "", least=1.0, more_is_better=True),
    Measure("recall.100k", "retrieval", "recall@10 at 100,000 rows", "", least=0.95, more_is_better=True),
    Measure("search.10k.wall", "searching", "search page over 10,000 rows, wall", "ms"),
    Measure("search.100k.wall", "searching", "search page over 100,000 rows, wall", "ms"),
    Measure("search.10k.cpu", "searching", "search page over 10,000 rows, CPU", "ms", most=100),
    Measure("search.100k.cpu", "searching", "search page over 100,000 rows, CPU", "ms", most=100),
    Measure("round.years.cpu", "rounds", "one night, ten years", "ms", "round.month.cpu",
            "the same night of a month-old book", 1.3),
    Measure("round.years.wall", "rounds", "the same, wall", "ms", "round.month.wall",
            "the same night of a month-old book"),
    Measure("forget.s", "forgetting", "forgetting one memory, bytes included", "s", most=3),
    Measure("forget.transaction.s", "forgetting", "of it the transaction that forgets", "s"),
    Measure("forget.wait.reader", "forgetting", "longest wait of a journal reader", "ms", most=300),
    Measure("forget.wait.other", "forgetting", "longest wait of a reader of memories", "ms", most=1500),
    Measure("forget.wait.writer", "forgetting", "longest wait of a journal writer", "ms"),
    Measure("served.rtf", "voice_served", "Piper over the Wyoming protocol, seconds for a second of sound",
            "", "wyoming.rtf", WYOMING, 1.0, earlier=0.042),
    Measure("served.cpu_rtf", "voice_served", "the same, CPU seconds of the server", "", "wyoming.cpu_rtf",
            WYOMING),
    Measure("served.first.short", "voice_served", "first sound of a short line", "ms", "wyoming.first.short",
            WYOMING, earlier=39.0),
    Measure("served.first.paragraph", "voice_served", "first sound of a paragraph", "ms",
            "wyoming.first.paragraph", WYOMING, 1.1),
    Measure("served.first.long", "voice_served", "first sound of one long sentence", "ms",
            "wyoming.first.long", WYOMING, 0.6, earlier=208.0),
    Measure("served.mb", "voice_served", "memory of that server after it spoke (PSS)", "MB", "wyoming.mb",
            WYOMING, earlier=278.0),
    Measure("voice.rtf", "voice", "Piper in the house's own process, seconds for a second of sound", "",
            "voice.piper.rtf", "Piper's own library"),
    Measure("voice.cpu_rtf", "voice", "the same, CPU seconds", "", "voice.piper.cpu_rtf",
            "Piper's own library"),
    Measure("voice.command.cpu_rtf", "voice", "as a command, CPU seconds", "", "voice.piper.command.cpu_rtf",
            "Piper's own command"),
    Measure("voice.command.rtf", "voice", "the same, wall", "", "voice.piper.command.rtf",
            "Piper's own command"),
    Measure("voice.first.short", "voice", "in the process, first sound of a short line", "ms",
            "voice.piper.first.short", "Piper's own library"),
    Measure("voice.first.paragraph", "voice", "the same of a paragraph", "ms",
            "voice.piper.first.paragraph", "Piper's own library"),
    Measure("voice.first.long", "voice", "the same of one long sentence", "ms", "voice.piper.first.long",
            "Piper's own library"),
    Measure("served.kept", "voice_served", "a kept line, the database included", "ms", "espeak.wall",
            "an espeak-ng process that says the same", 1.5, earlier=5.0),
    Measure("voice.kept", "voice", "the same without the database", "ms"),
    Measure("voice.unused.mb", "voice", "a process that could speak and has not", "MB"),
    Measure("voice.loaded.mb", "voice", "the same with a voice loaded", "MB"),
    Measure("voice.after.mb", "voice", "the same after the voice was let go", "MB"),
    Measure("thumb.s", "one_thumb", "a whole day logged with one thumb, at a person's pace", "s", most=120),
    Measure("thumb.taps", "one_thumb", "the same, taps and swipes", ""),
    Measure("memory.fresh.mb", "house", "memory of the whole box, freshly started (PSS)", "MB", most=200),
    Measure("memory.used.mb", "house", "the same after use, embedder loaded", "MB", most=420),
    Measure("memory.rest.mb", "house", "the same at rest, as after a night: embedder let go", "MB", most=200),
    Measure("memory.rest.programs.mb", "house", "of it all but the database", "MB"),
    Measure("start.first.s", "house", "first start on an empty folder, to the first page", "s"),
    Measure("start.s", "house", "start to first page", "s", most=3),
    Measure("idle.cpu", "house", "idle CPU of the whole box", "% of a core", most=1),
    Measure("huey.cpu", "house", "a bare huey consumer as it comes, idle", "% of a core"),
    Measure("install.mb", "house", "installed programs and packages", "MB"),
    Measure("data.mb", "house", "data folder of the demo household", "MB"),
    Measure("load.page.wall", "load", "a page while 200 tablets sync and 50 people browse, p50", "ms"),
    Measure("load.page.p95", "load", "the same, p95", "ms"),
    Measure("load.push.wall", "load", "a push of five lines meanwhile, p50", "ms"),
    Measure("load.push.p95", "load", "the same, p95", "ms"),
    Measure("load.pull.wall", "load", "asking meanwhile what is new of memories, p50", "ms"),
    Measure("load.answers_s", "load", "pages, pushes and askings answered meanwhile", "1/s"),
    Measure("load.failed", "load", "requests that were not answered with 200", "", most=0),
    Measure("load.astray", "load", "acknowledged lines that are not there, lines that are there twice", "",
            most=0),
    Measure("load.cpu", "load", "CPU of the whole box meanwhile", "% of a core"),
    Measure("load.memory.mb", "load", "memory of the whole box meanwhile (PSS)", "MB"),
    Measure("wall.today.on", "second_wall", "Today behind the second wall", "ms", "wall.today.off",
            "without it", 1.15),
    Measure("wall.subject.on", "second_wall", "Subject behind the second wall", "ms", "wall.subject.off",
            "without it", 1.15),
    Measure("wall.record.on", "second_wall", "Record behind the second wall", "ms", "wall.record.off",
            "without it", 1.15),
)  # fmt: skip


def unlisted(keys: Iterable[str], bench: str, *, measures: tuple[Measure, ...] = MEASURES) -> set[str]:
    """The figures a bench gives that no line of its own shows, as itself or as what stands beside."""
    own = [one for one in measures if one.bench == bench]
    return set(keys) - {one.key for one in own} - {one.beside for one in own if isinstance(one.beside, str)}


@dataclass(frozen=True)
class Line:
    """One measure with what was found."""

    measure: Measure
    found: Figure | None
    beside: float | None
    ratio: float | None
    verdict: Verdict
    is_earlier: bool = False  # a peer's figure of another day stands in


def lines(found: Mapping[str, Figure], *, measures: tuple[Measure, ...] = MEASURES) -> list[Line]:
    """Every measure with its figure, its floor and its verdict, in the order of the table."""
    return [line(one, found) for one in measures]


def line(measure: Measure, found: Mapping[str, Figure]) -> Line:
    """One measure judged by the medians of one run."""
    own = found.get(measure.key)
    beside, is_earlier = measure.beside, False
    if isinstance(beside, str):
        floor = found.get(beside)
        is_earlier = floor is None and measure.earlier is not None
        beside = measure.earlier if floor is None else floor.median
    if own is None or (measure.beside is not None and not beside):
        return Line(measure, own, beside, None, Verdict.ABSENT, is_earlier)
    ratio = own.median / beside if beside else None
    verdict = judged(measure, own.median if ratio is None else ratio)
    return Line(measure, own, beside, ratio, verdict, is_earlier)


def judged(measure: Measure, value: float) -> Verdict:
    """Whether a figure, or its ratio, is within what is wanted."""
    if measure.most is None and measure.least is None:
        return Verdict.SHOWN
    too_much = measure.most is not None and value > measure.most
    too_little = measure.least is not None and value < measure.least
    return Verdict.MISSED if too_much or too_little else Verdict.MET
