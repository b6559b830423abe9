"""Gives each clause the time it speaks of: its own words, a leading time over the list, or a neighbour's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from twin.reading.clauses import Clause
from twin.reading.findings import Finding, Scene
from twin.reading.tense import is_present
from twin.rules.entries import Since, Today
from twin.rules.when import TimeMention

WEIGHT = {
    "onset": 6,
    "duration": 5,
    "age": 5,
    "moment": 4,
    "event": 3,
    "vague": 3,
    "now": 1,
    "frequency": 0,
    "future": -1,
}


@dataclass(frozen=True)
class When:
    """The time of a clause: onset, whether today, the words, and whether they stand in the clause itself."""

    since: Since | None = None
    today: Today | None = None
    phrase: str | None = None
    is_own: bool = True
    role: str = ""
    why: str = ""


def assign(scene: Scene, mentions: Sequence[TimeMention], found: Sequence[Finding]) -> list[When | None]:
    """The time of every clause, None where nothing says."""
    clauses = scene.clauses
    own: list[list[TimeMention]] = [[] for _ in clauses]
    for mention in mentions:
        for n, clause in enumerate(clauses):
            if _starts_in(scene, clause, mention):
                own[n].append(mention)
                break
    whens = [_since(scene, clauses[n], _strongest(_kept(scene, clauses[n], ms))) for n, ms in enumerate(own)]
    with_findings = {f.clause for f in found}
    verdicts = frozenset(
        f.clause for f in found if f.category == "whole_body" and f.sign is None and f.asserted
    )
    _lead(scene, own, whens, verdicts, found)
    _share_and(scene, whens, own)
    _adopt_orphans(scene, own, whens, with_findings)
    _begun(scene, whens, found)
    return whens


LASTING = frozenset(
    {"lump", "hair_loss", "murmur", "cloudiness", "swollen_glands", "rash", "joint_swelling", "in_heat"}
)
EVENTS = frozenset({"behaviour", "sleep", "upper_digestive"})


def _begun(scene: Scene, whens: list[When | None], found: Sequence[Finding]) -> None:
    """ "The cough started yesterday", "a lump, spotted last week": the date is an onset and it goes on."""
    for n, when in enumerate(whens):
        if when is None and _after_event(scene, n):
            whens[n] = When(Since("phrase"), "yes", None, False, "event", "began after an event")
        if when is None or when.today != "no" or when.role != "moment" or when.since is None:
            continue
        mine = [f for f in found if f.clause == n and f.value is not False]
        began = _says_began(scene, n, {f.clause for f in found})
        spotted = any(m.name == "started" and m.first in scene.clauses[n] for m in scene.around_talk)
        near = when.since.precision in ("day", "week")
        spotted = spotted and (near or not any(f.sign == "in_heat" for f in mine))
        if mine and (
            (began and not any(f.category in EVENTS for f in mine))
            or (spotted and any(f.sign in LASTING for f in mine))
        ):
            whens[n] = replace(when, today="yes", role="onset", since=_this_night(when))


def _says_began(scene: Scene, n: int, with_findings: set[int]) -> bool:
    """Whether the clause says that it began, or the one before it opens its list ("onset of profuse")."""
    clauses = [scene.clauses[n]]
    if n and n - 1 not in with_findings and scene.clauses[n - 1].sentence == scene.clauses[n].sentence:
        clauses.append(scene.clauses[n - 1])
    return any(m.name == "began" and m.first in clause for m in scene.around_talk for clause in clauses)


def _this_night(when: When) -> Since | None:
    """What *began* overnight began in the night that ended this morning, which is the day of speaking.

    What merely happened overnight is over and dated by the evening before, as "last night" always is.
    """
    if when.since is None or when.since.on is None or (when.phrase or "").lower() != "overnight":
        return when.since
    return replace(when.since, on=when.since.on + timedelta(days=1))


def _since(scene: Scene, clause: Clause, when: When | None) -> When | None:
    """ "Pazartesi ustalar geldiğinden beri": the day named is the onset."""
    words = {t.plain for t in scene.tokens[clause.first : clause.last]}
    if when is None or scene.lexicon.language != "tr" or "beri" not in words or when.today != "no":
        return when
    return replace(when, today="yes", role="onset")


def _after_event(scene: Scene, n: int) -> bool:
    """ "Started shaking her head after the groomer": an onset with no date."""
    clause = scene.clauses[n]
    began = [m for m in scene.around_talk if m.name == "began" and m.first in clause]
    after = [t for t in scene.tokens[clause.first : clause.last] if t.plain in ("after", "following")]
    return scene.lexicon.language == "en" and bool(began and after)


def _kept(scene: Scene, clause: Clause, mentions: Sequence[TimeMention]) -> list[TimeMention]:
    """Time words less a mere length in the past ("hid for hours")."""
    words = {t.plain for t in scene.tokens[clause.first : clause.last]}
    if scene.lexicon.language == "tr":
        return [m for m in mentions if not (m.words.lower() == "gece" and _is_now(scene, clause))]
    going_on = bool(words & {"been", "has", "have", "hes", "shes", "its", "is", "still"})
    return [
        m
        for m in mentions
        if not (
            m.role in ("duration", "vague")
            and m.words.lower().startswith("for ")
            and m.since
            and m.since.kind == "phrase"
            and scene.lexicon.language == "en"
            and not going_on
        )
    ]


def _starts_in(scene: Scene, clause: Clause, mention: TimeMention) -> bool:
    first, last = scene.tokens[clause.first], scene.tokens[clause.last - 1]
    return first.start <= mention.start < last.end


def _strongest(mentions: Sequence[TimeMention]) -> When | None:
    """The mention that dates the clause; "now" or "still" beside it keeps it today."""
    usable = [m for m in mentions if m.role != "future" and (m.since or m.today or m.role == "frequency")]
    if not usable:
        return None
    best = max(usable, key=lambda m: (WEIGHT.get(m.role, 0), m.since is not None))
    today = best.today
    if any(m.role == "now" for m in usable) and best.role in ("onset", "duration", "event"):
        today = "yes"
    return When(best.since, today, best.words, True, best.role, best.why)


def _lead(
    scene: Scene,
    own: Sequence[Sequence[TimeMention]],
    whens: list[When | None],
    verdicts: frozenset[int],
    found: Sequence[Finding],
) -> None:
    """A leading time word covers the rest of its sentence; with a colon, the rest of the statement."""
    clauses = scene.clauses
    for n, when in enumerate(whens):
        if when is None or not when.is_own or not own[n] or when.role in ("now", "frequency"):
            continue
        if not _leads(scene, clauses[n], own[n][0]):
            continue
        everywhere = (n + 1 < len(clauses) and clauses[n + 1].link == "colon") or _is_heading(
            scene, clauses, n, own[n][0]
        )
        for k in range(n + 1, len(clauses)):
            if not everywhere and clauses[k].sentence != clauses[n].sentence:
                break
            if _dated(whens[k]):
                break
            if when.today == "no" and (k in verdicts or _is_now(scene, clauses[k])):
                continue
            if when.today == "no" and _is_aftermath(scene, clauses[k], found, k):
                break
            whens[k] = replace(when, is_own=False)


def _is_now(scene: Scene, clause: Clause) -> bool:
    """Whether the clause's own verb is in the present, so that no past time covers it."""
    words = scene.tokens[clause.first : clause.last]
    if scene.lexicon.language == "tr":
        return any(t.plain.endswith(("iyor", "uyor", "iyo", "uyo")) for t in words)
    return bool({t.plain for t in words} & {"is", "are", "hes", "shes", "theyre", "keeps", "still"})


def _is_aftermath(scene: Scene, clause: Clause, found: Sequence[Finding], number: int) -> bool:
    """ "Sonra hiç olmadı": what did not come back since."""
    words = [t.plain for t in scene.tokens[clause.first : clause.last]][:2]
    mine = [f for f in found if f.clause == number]
    return "sonra" in words and bool(mine) and all(f.value is False for f in mine)


def _agrees(scene: Scene, n: int, when: When) -> bool:
    """Whether the clause may share that time: the present ("is drinking tons") is not yesterday's."""
    words = {t.plain for t in scene.tokens[scene.clauses[n].first : scene.clauses[n].last]}
    return not (
        when.today == "no"
        and scene.lexicon.language == "en"
        and words & {"is", "are", "hes", "shes", "theyre", "keeps"}
    )


def _dated(when: When | None) -> bool:
    """Whether the clause already has a time of its own beyond how often."""
    return when is not None and when.is_own and when.role != "frequency"


def _is_heading(scene: Scene, clauses: Sequence[Clause], n: int, mention: TimeMention) -> bool:
    """Whether the clause is nothing but the time, a sentence by itself at the statement's head."""
    clause = clauses[n]
    alone = all(
        _within(scene, i, mention) or scene.tokens[i].plain in scene.lexicon.slot_words("leading_light")
        for i in range(clause.first, clause.last)
    )
    return n == 0 and alone and n + 1 < len(clauses) and clauses[n + 1].link in ("sentence", "colon")


def _within(scene: Scene, i: int, mention: TimeMention) -> bool:
    return mention.start <= scene.tokens[i].start < mention.end


def _leads(scene: Scene, clause: Clause, mention: TimeMention) -> bool:
    light = scene.lexicon.slot_words("leading_light")
    before = [
        t for t in scene.tokens[clause.first : clause.last] if t.start < mention.start and not t.is_mark
    ]
    named = {m.first for m in scene.subjects}
    return all(t.plain in light or scene.tokens.index(t) in named for t in before)


def _share_and(scene: Scene, whens: list[When | None], own: Sequence[Sequence[TimeMention]]) -> None:
    """Two verbs of one subject joined by "and" share their time."""
    for n in range(len(scene.clauses) - 1, 0, -1):
        if scene.clauses[n].link == "and" and scene.clauses[n].is_bare:
            here, before = whens[n], whens[n - 1]
            if (
                here is not None
                and not _dated(before)
                and here.role in ("onset", "duration", "moment", "event", "age")
                and _agrees(scene, n - 1, here)
            ):
                whens[n - 1] = replace(here, is_own=False)
    for n in range(1, len(scene.clauses)):
        before = whens[n - 1]
        joined = scene.clauses[n].link == "and" and scene.clauses[n].is_bare
        if joined and not _dated(whens[n]) and before is not None and before.role != "frequency":
            whens[n] = replace(before, is_own=False)


def _adopt_orphans(
    scene: Scene, own: Sequence[Sequence[TimeMention]], whens: list[When | None], with_findings: set[int]
) -> None:
    """A clause that only says when ("been like that for 2 weeks") dates the finding before it."""
    for n, when in enumerate(whens):
        if when is None or not when.is_own or n in with_findings:
            continue
        if not _is_light(scene, scene.clauses[n], own[n]):
            _tell_on(scene, whens, n, with_findings)
            continue
        before = [k for k in range(n) if k in with_findings]
        after = [k for k in range(n + 1, len(whens)) if k in with_findings]
        if before and scene.clauses[n].sentence - scene.clauses[before[-1]].sentence <= 1:
            _give(scene, whens, before[-1], when, n)
        elif (
            after
            and scene.clauses[after[0]].sentence == scene.clauses[n].sentence
            and whens[after[0]] is None
        ):
            whens[after[0]] = replace(when, is_own=False)


def _tell_on(scene: Scene, whens: list[When | None], n: int, with_findings: set[int]) -> None:
    """ "Stung 2 days ago, swelled right up": what is told next happened then, unless it is the present."""
    when, following = whens[n], n + 1
    if when is None or when.today != "no" or following not in with_findings or whens[following] is not None:
        return
    clause = scene.clauses[following]
    if clause.sentence == scene.clauses[n].sentence and not is_present(scene, clause, None):
        whens[following] = replace(when, is_own=False)


def _give(scene: Scene, whens: list[When | None], to: int, when: When, source: int) -> None:
    current = whens[to]
    started = any(m.name == "started" and m.first in scene.clauses[source] for m in scene.around_talk)
    onset = replace(when, is_own=False)
    if started and when.role in ("moment", "vague", "onset") and (current is None or current.since is None):
        onset = replace(onset, today="yes", role="onset")
    if current is None or (current.since is None and when.since is not None):
        if (
            current is not None
            and current.today == "yes"
            and when.role in ("onset", "duration", "moment", "event", "vague", "age")
            and when.since
        ):
            onset = replace(onset, today="yes")
        whens[to] = onset
        joined = scene.clauses[to]
        if to and joined.link == "and" and joined.is_bare and whens[to - 1] is None:
            whens[to - 1] = onset


def _is_light(scene: Scene, clause: Clause, mentions: Sequence[TimeMention]) -> bool:
    light = scene.lexicon.slot_words("orphan_light")
    keys = scene.lexicon.slot_keys("orphan_light")
    for i in range(clause.first, clause.last):
        token = scene.tokens[i]
        if token.is_mark or any(_within(scene, i, m) for m in mentions):
            continue
        if token.plain not in light and not token.keys & keys and not token.is_number:
            return False
    return True
