"""Puts findings, judgements, times and the speaker's words together, by clause and category."""

from __future__ import annotations

from collections.abc import Sequence

from twin.reading import slots, tense
from twin.reading.findings import Finding, Scene
from twin.reading.grouping import Group, Piece
from twin.reading.subjects import by_clause
from twin.reading.timing import When
from twin.rules.entries import Polarity, ReadingContext, SignValue, Today
from twin.rules.polarity import PolarityContext, derived_polarity

HEALTHY_BCS = (4.0, 6.0)
FEW_HOURS = 6.0
SHORT = 4
HABITS = {"respiratory": {"snoring"}, "behaviour": {"vocalising", "repetitive"}}


def build(
    scene: Scene,
    found: Sequence[Finding],
    judgements: Sequence[Finding],
    whens: Sequence[When | None],
    *,
    context: ReadingContext,
) -> list[Piece]:
    """One piece for each category of each clause."""
    who = by_clause(scene.clauses, scene.subjects, context.names, context.species)
    behaviour = slots.attach(scene, [*found, *judgements])
    grouped: dict[tuple[int, str], list[Finding]] = {}
    for finding in sorted([*found, *judgements], key=lambda f: (f.clause, f.first)):
        grouped.setdefault((finding.clause, finding.category), []).append(finding)
    pieces = []
    for (number, category), members in grouped.items():
        signs = _signs(scene, number, category, members, behaviour)
        pieces.append(
            _piece(scene, number, category, members, signs=signs, when=whens[number], subject=who[number])
        )
    _side_only(scene, pieces)
    _site_only(scene, pieces)
    return pieces


def _site_only(scene: Scene, pieces: list[Piece]) -> None:
    """ "The rash is spreading, now on his chest": a bare place belongs to the skin before it."""
    spoken = {p.clause for p in pieces}
    for number, clause in enumerate(scene.clauses):
        if number in spoken or not number:
            continue
        before = [p for p in pieces if p.clause == number - 1 and p.category == "skin_coat"]
        value = slots.site(scene, clause, clause.first) if before else None
        if value and before[-1].sentence == clause.sentence and True in before[-1].signs.values():
            before[-1].signs.setdefault("site", value)


def _side_only(scene: Scene, pieces: list[Piece]) -> None:
    """ "..., both of them": a clause that only names the side gives it to the ears or eyes before it."""
    spoken = {p.clause for p in pieces}
    for number, clause in enumerate(scene.clauses):
        side = slots.side(scene, clause)
        if number in spoken or not side or any(p.first in clause for p in scene.parts):
            continue
        before = [p for p in pieces if p.clause < number and p.category in ("ears", "eyes")]
        if before and before[-1].sentence == clause.sentence:
            before[-1].signs.setdefault("side", side)


def _piece(
    scene: Scene,
    number: int,
    category: str,
    members: Sequence[Finding],
    *,
    signs: dict[str, SignValue],
    when: When | None,
    subject: str | None,
) -> Piece:
    clause = scene.clauses[number]
    asserted = _asserted(members)
    return Piece(
        category,
        subject,
        number,
        clause.sentence,
        signs,
        when,
        _today(scene, number, members[0], when),
        tense.is_fragment(scene, clause),
        clause.last - clause.first <= SHORT,
        asserted,
        (*(f.reads for f in members if f.reads), *_as_ever(scene, number)),
        any(f.is_uncertain for f in members),
        clause.first,
        clause.last,
        _why(scene, members, when),
    )


def _as_ever(scene: Scene, number: int) -> tuple[Polarity, ...]:
    """ "Snores, always has": what has ever been so is read as normal, here or in the short clause after."""
    for n in (number, number + 1):
        if n < len(scene.clauses) and any(
            m.name == "lifelong" and m.first in scene.clauses[n] for m in scene.around_talk
        ):
            return ("normal",)
    return ()


def _asserted(members: Sequence[Finding]) -> Polarity | None:
    said = [f.asserted for f in members if f.asserted]
    return None if not said else "abnormal" if "abnormal" in said else "normal"


def _why(scene: Scene, members: Sequence[Finding], when: When | None) -> tuple[str, ...]:
    words = []
    for finding in members:
        spoken = scene.text[scene.tokens[finding.first].start : scene.tokens[finding.last - 1].end]
        what = f"{finding.category}.{finding.sign}" if finding.sign else finding.category
        denied = " (denied)" if finding.is_denied else " (possible)" if finding.is_uncertain else ""
        words.append(f"{spoken} → {what}{denied}")
    if when and when.phrase:
        words.append(f"{when.phrase} → {when.why}")
    return tuple(words)


def _today(scene: Scene, number: int, finding: Finding, when: When | None) -> Today:
    """Today by time words and tense; what nobody looked at was not looked at today."""
    today = _told_today(scene, number, finding, when)
    return "yes" if finding.value == "not_observed" and today == "unknown" else today


def _told_today(scene: Scene, number: int, finding: Finding, when: When | None) -> Today:
    if finding.value == "not_observed":
        return when.today if when and when.today else "yes"
    if when is None or (when.today is None and when.since is None):
        return tense.today_of(scene, number, finding)
    if tense.unknown_day(scene, number) and when.today != "no" and when.role not in ("onset",):
        return "unknown"
    if when.role == "now" and when.since is None:
        return "unknown" if tense.today_of(scene, number, finding) == "unknown" else "yes"
    if when.today is None:
        return tense.today_of(scene, number, finding)
    return when.today


def _signs(
    scene: Scene, number: int, category: str, members: Sequence[Finding], behaviour: dict[int, dict[str, str]]
) -> dict[str, SignValue]:
    signs: dict[str, SignValue] = {}
    for finding in members:
        if finding.sign is not None and finding.value is not None:
            if finding.sign in signs and signs[finding.sign] is True and finding.value is False:
                continue
            signs[finding.sign] = finding.value
    clause = scene.clauses[number]
    shown = [f for f in members if f.sign and f.value is not False]
    near = members[0].first
    if category in ("ears", "eyes") and "side" not in signs:
        value = slots.side(scene, clause) or _carried_side(scene, number, category)
        if value:
            signs["side"] = value
    if category == "skin_coat" and any(f.value is True for f in members):
        value = slots.site(scene, clause, near) or _carried_site(scene, members)
        if value:
            signs["site"] = value
    if category == "musculoskeletal" and shown:
        value = slots.limb(scene, clause, near, _risen(scene, shown))
        if value:
            signs["limb"] = value
    if category == "behaviour" and any(f.sign for f in members):
        signs.update(behaviour.get(number, {}))
        minutes = slots.minutes(scene, number)
        if minutes is not None and any(f.value is True for f in members):
            signs["minutes"] = minutes
    return signs


def _risen(scene: Scene, shown: Sequence[Finding]) -> frozenset[int]:
    """The feet of "cannot get to her feet" are no limb spoken of."""
    return frozenset(i for f in shown if f.sign == "cannot_rise" for i in range(f.first, f.last))


def _carried_site(scene: Scene, members: Sequence[Finding]) -> str | None:
    for finding in members:
        for at in finding.parts_at:
            part = next((p for p in scene.parts if p.first == at), None)
            if part and part.name in slots.SITE_PARTS:
                return slots.spoken(scene, part.first, part)
    return None


def _carried_side(scene: Scene, number: int, category: str) -> str | None:
    """ "Looked in both ears, they don't smell": the side named just before."""
    if any(p.first in scene.clauses[number] and p.name in ("ear", "eye") for p in scene.parts):
        return None
    part = {"ears": "ear", "eyes": "eye"}[category]
    for back in (1, -1):
        other = number - back
        if (
            not 0 <= other < len(scene.clauses)
            or scene.clauses[other].sentence != scene.clauses[number].sentence
        ):
            continue
        neighbour = scene.clauses[other]
        if back == -1 and _has_part(scene, neighbour):
            continue
        value = slots.side(scene, neighbour)
        if value and (back == -1 or any(p.first in neighbour and p.name == part for p in scene.parts)):
            return value if not _has_finding(scene, neighbour, back) else None
    return None


def _has_part(scene: Scene, clause: object) -> bool:
    return any(p.first in clause for p in scene.parts)  # type: ignore[operator]


def _has_finding(scene: Scene, clause: object, back: int) -> bool:
    if back == -1:
        return False
    return any(m.first in clause for m in (*scene.signs, *scene.properties))  # type: ignore[operator]


def model_read(group: Group, context: ReadingContext) -> Polarity | None:
    """The reader's own reading: the signs by the product's table, and the few it judges by the words."""
    category, signs = group.category, group.signs
    months = None
    if context.born_on:
        months = max(
            0,
            (context.spoken_on.year - context.born_on.year) * 12
            + context.spoken_on.month
            - context.born_on.month,
        )
    derived = derived_polarity(category, signs, PolarityContext(species=context.species, age_months=months))
    votes: list[Polarity] = [*group.reads]
    if derived:
        votes.append(derived)
    votes += _own_votes(category, signs, group)
    if "abnormal" in votes:
        return "abnormal"
    if not votes and group.is_uncertain:
        return None
    return "normal" if votes else group.asserted


def _own_votes(category: str, signs: dict[str, SignValue], group: Group) -> list[Polarity]:
    votes: list[Polarity] = []
    if signs.get("stool_count") == 0 or signs.get("urine_count") == 0:
        votes.append("abnormal")
    bcs = signs.get("bcs")
    if isinstance(bcs, int | float):
        votes.append("normal" if HEALTHY_BCS[0] <= bcs <= HEALTHY_BCS[1] else "abnormal")
    hours = signs.get("hours")
    if isinstance(hours, int | float) and hours < FEW_HOURS:
        votes.append("abnormal")
    lifelong = group.since is not None and group.since.kind == "age" and group.since.high_months == 0
    if (
        any(signs.get(s) is True for s in HABITS.get(category, ()))
        and not lifelong
        and "normal" not in group.reads
        and group.asserted != "normal"
    ):
        votes.append("abnormal")
    return votes
