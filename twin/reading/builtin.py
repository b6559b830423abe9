"""The built-in reader: one statement in, its entries out. No model, no network, English and Turkish."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from twin.reading import clauses as clausing
from twin.reading import (
    exemplars,
    findings,
    judging,
    lexicon,
    matching,
    pieces,
    quantities,
    scope,
    speech,
    subjects,
    tidying,
    timing,
)
from twin.reading.exemplars import Bank, Exemplar
from twin.reading.findings import Finding, Scene
from twin.reading.grouping import Group, Piece, gather
from twin.reading.tokens import MAX_CHARS, Token, tokenise
from twin.rules.entries import Entry, Kind, Reading, ReadingContext
from twin.rules.when import TimeMention, find_times

TOO_LONG = "text_cut"
BLOCK_TOKENS = 160
DATED = frozenset({"moment", "onset", "duration", "age", "vague"})


def read(
    text: str, *, context: ReadingContext, corrections: Bank | None = None, fallback: Bank | None = None
) -> Reading:
    """The kinds and entries of one statement. Never raises; text past 10,000 characters is cut and said so.

    `corrections` are the household's own: a statement of nearly their words is read as corrected.
    `fallback` lends a reading where no word of the lexicon fits.
    """
    dropped = (TOO_LONG,) if len(text) > MAX_CHARS else ()
    text = text[:MAX_CHARS]
    lex = lexicon.load(context.language)
    tokens = _joined(tokenise(text))
    lex.mark(tokens)
    subjects.unread_names(tokens, context)
    mentions = _meant(text, find_times(text, context=context))
    banks = (corrections, fallback)
    blocks = [
        _read_block(text, tokens, span=span, context=context, all_mentions=mentions, banks=banks)
        for span in _blocks(tokens)
    ]
    groups = gather([piece for block in blocks for piece in block.pieces])
    entries = tuple(_entry(text, tokens, group, context) for group in groups)
    return Reading(_kinds(blocks, bool(entries)), entries, dropped)


@dataclass(frozen=True)
class Block:
    """What a stretch of the statement says, and what kind of talk it is."""

    pieces: tuple[Piece, ...]
    asks: bool
    answers: bool


def _blocks(tokens: Sequence[Token]) -> list[range]:
    """Stretches of whole sentences, short enough that the work on all grows with the text only."""
    blocks: list[range] = []
    first = last_end = 0
    for i, token in enumerate(tokens):
        if token.is_mark and token.raw in clausing.ENDS:
            last_end = i + 1
        if i + 1 - first >= BLOCK_TOKENS:
            cut = last_end if last_end > first else i + 1
            blocks.append(range(first, cut))
            first = cut
    return [*blocks, range(first, len(tokens))]


def _read_block(
    text: str,
    all_tokens: Sequence[Token],
    *,
    span: range,
    context: ReadingContext,
    all_mentions: Sequence[TimeMention],
    banks: tuple[Bank | None, Bank | None],
) -> Block:
    """Read one stretch; its pieces count tokens, clauses and sentences from the statement's beginning."""
    tokens = list(all_tokens[span.start : span.stop])
    if not tokens:
        return Block((), False, False)
    low, high = tokens[0].start, tokens[-1].end
    mentions = [m for m in all_mentions if low <= m.start < high]
    scene = build_scene(text, tokens, context, mentions)
    if not scene.clauses:
        return Block((), False, False)
    speech.mark_questions(scene, text)
    found, judgements = _find(scene, text, mentions, banks)
    whens = timing.assign(scene, mentions, [*found, *judgements])
    built = pieces.build(scene, found, judgements, whens, context=context)
    asks = any(c.is_question for c in scene.clauses)
    answers = not asks and span.start == 0 and speech.is_answer(scene, mentions, is_bare=not built)
    return Block(tuple(_shifted(piece, span.start) for piece in built), asks, answers)


def _shifted(piece: Piece, by: int) -> Piece:
    """The piece counted from the statement's beginning: no stretch has more clauses than words."""
    return replace(
        piece,
        first=piece.first + by,
        last=piece.last + by,
        clause=piece.clause + by,
        sentence=piece.sentence + by,
    )


def _find(
    scene: Scene, text: str, mentions: Sequence[TimeMention], banks: tuple[Bank | None, Bank | None]
) -> tuple[list[Finding], list[Finding]]:
    """Findings with a sign, and the speaker's judgements."""
    found = _asked_away(scene, quantities.without_degrees(scene, findings.find(scene)), text)
    judgements = judging.find(scene, found)
    spans = [(m.start, m.end) for m in mentions]
    found += [f for f in quantities.find(scene, found, spans) if not scene.clauses[f.clause].is_question]
    found = tidying.tidy(scene, found)
    found += judging.not_looked(scene, found)
    judging.resolve(scene, found)
    lent = _lent(scene, *banks, not found and not judgements, mentions)
    if lent is not None:
        return lent, []
    return sorted(found, key=lambda f: (f.clause, f.first)), judgements


_COMPARED = re.compile(r"\b(?:than|never|didn'?t)\b")


# "Better than yesterday", "not as itchy as yesterday": what today is measured by.
_MEASURED = re.compile(r"\b(?:than|as|compared (?:to|with)|unlike)\s+(?:on |it was |he was |she was )?$")


def _is_measure(text: str, mention: TimeMention) -> bool:
    before = text[max(0, mention.start - 16) : mention.start].lower()
    return mention.words.lower().startswith(("as ", "than ")) or bool(_MEASURED.search(before))


def _meant(text: str, mentions: Sequence[TimeMention]) -> tuple[TimeMention, ...]:
    """Time words without those of a comparison ("more than she used to")."""
    return tuple(
        m
        for m in mentions
        if not (
            m.words.lower().startswith("used")
            and _COMPARED.search(text[max(0, m.start - 12) : m.start].lower())
        )
        and not (m.role == "moment" and _is_measure(text, m))
    )


def build_scene(
    text: str, tokens: Sequence[Token], context: ReadingContext, mentions: Sequence[TimeMention]
) -> Scene:
    """The words taken apart: clauses and every phrase of the lexicon in them."""
    lex = lexicon.load(context.language)
    matches = _without_named_medicines(matching.find(tokens, lex))
    group = {
        g: [m for m in matches if m.pattern.group == g]
        for g in ("signs", "properties", "parts", "slots", "topics")
    }
    talk = [m for m in matches if m.pattern.group in ("talk", "judgement")]
    timed = frozenset(
        i
        for i, t in enumerate(tokens)
        if any(m.start <= t.start < m.end and m.role in DATED for m in mentions)
    )
    signs = matching.select(
        [m for m in group["signs"] if m.name.startswith("sleep.") or not timed.issuperset(m.core)]
    )
    properties = _properties([m for m in group["properties"] if not timed.issuperset(m.core)])
    parts = _parts(matching.select(group["parts"]), [*signs, *properties], tokens)
    timed = frozenset(
        i
        for i, t in enumerate(tokens)
        if any(m.start <= t.start < m.end and m.role != "now" for m in mentions)
    )
    held = [*signs, *[m for m in talk if m.name in ("question_phrases", "unknown_day")]]
    clauses = clausing.split(tokens, held, {i for m in (*signs, *properties) for i in m.core} | timed, lex)
    around = scope.surroundings(tokens, talk, signs, timed, lex)
    named = subjects.find(tokens, lex, context.names, text)
    scene = Scene(
        tokens, clauses, signs, properties, parts, around, lex, text, group["slots"], talk, timed, named
    )
    _mark_topics(scene, group["topics"])
    return scene


def _without_named_medicines(matches: Sequence[matching.Match]) -> list[matching.Match]:
    """Matches without the signs that only say what a medicine is for ("flea treatment", "öksürük şurubu")."""
    named = {i for m in matches if m.name == "named_medicine" for i in m.core}
    return [m for m in matches if m.pattern.group not in ("signs", "properties") or named.isdisjoint(m.core)]


def _properties(matches: Sequence[matching.Match]) -> list[matching.Match]:
    """Properties by name; of the amounts only the one that says most ("more than usual", not "usual")."""
    amounts = [m for m in matches if m.name.startswith("amount_")]
    others = [m for m in matches if not m.name.startswith("amount_")]
    kept = [*matching.select_each(others), *matching.select(amounts)]
    whole = [m for m in kept if not any(set(m.core) < set(o.core) for o in kept)]
    return sorted(whole, key=lambda m: (m.first, m.last))


def _parts(
    parts: Sequence[matching.Match], content: Sequence[matching.Match], tokens: Sequence[Token]
) -> list[matching.Match]:
    """Body parts, less those that are only the first letters of a verb found ("kaş" in "kaşınmış")."""
    verbs = {
        i for m in content for i in m.core if any(k[:2] in ("v:", "V:") for k in tokens[i].keys & m.keys)
    }
    return [
        p for p in parts if not (len(p.core) == 1 and (p.core[0] in verbs or _is_doubled(tokens, p.core[0])))
    ]


def _is_doubled(tokens: Sequence[Token], at: int) -> bool:
    """Whether the word is said twice, a manner ("avuç avuç"), or is "yüzünden" (because of)."""
    beside = [tokens[n].plain for n in (at - 1, at + 1) if 0 <= n < len(tokens)]
    return tokens[at].plain == "yuzunden" or tokens[at].plain in beside


def _joined(tokens: list[Token]) -> list[Token]:
    """The words without hyphens inside them ("low-grade") and without the marks that only adorn."""
    kept: list[Token] = []
    for i, token in enumerate(tokens):
        inner = 0 < i < len(tokens) - 1 and tokens[i - 1].is_word and tokens[i + 1].is_word
        glued = inner and tokens[i - 1].end == token.start and token.end == tokens[i + 1].start
        if not (token.raw in "-'’" and glued):
            kept.append(token)
    return kept


MEALS = frozenset({"breakfast", "lunch", "dinner", "tea", "supper", "snack", "lunchtime", "dinnertime"})
WHEN_WORDS = frozenset({"at", "since", "after", "before", "by", "until", "till", "around", "during", "over"})


def _is_meal_time(tokens: Sequence[Token], match: matching.Match) -> bool:
    """Whether the meal only says when ("fine at breakfast")."""
    return (
        match.first > 0 and tokens[match.first].plain in MEALS and tokens[match.first - 1].plain in WHEN_WORDS
    )


def _mark_topics(scene: Scene, topics: Sequence[matching.Match]) -> None:
    clause_at = {i: n for n, c in enumerate(scene.clauses) for i in range(c.first, c.last)}
    for match in topics:
        n = clause_at.get(match.first, -1)
        if n >= 0 and not (match.name == "eat" and _is_meal_time(scene.tokens, match)):
            scene.clauses[n].facts.add(match.name)
            key = (n, match.name)
            scene.fact_spots[key] = (*scene.fact_spots.get(key, ()), *match.core)


def _asked_away(scene: Scene, found: list[Finding], text: str) -> list[Finding]:
    """Findings without those only asked about; a question that takes a sign for granted keeps it."""
    looks = [m.first for m in scene.around_talk if m.name == "not_looked"]
    unseen = {
        n: min(i for i in looks if i in c) for n, c in enumerate(scene.clauses) if any(i in c for i in looks)
    }
    return [
        f
        for f in found
        if (
            not scene.clauses[f.clause].is_question
            or speech.presupposes(scene, scene.clauses[f.clause], text)
        )
        and not (f.clause in unseen and f.last > unseen[f.clause] and scene.lexicon.language == "en")
        and not scene.clauses[f.clause].is_doubt
    ]


def _lent(
    scene: Scene,
    corrections: Bank | None,
    fallback: Bank | None,
    is_empty: bool,
    mentions: Sequence[TimeMention],
) -> list[Finding] | None:
    """What a sentence read before lends this one: a correction always, else where nothing was found."""
    if corrections is not None:
        exemplar = corrections.nearest(exemplars.features(scene.tokens), at_least=exemplars.SAME_WORDS)
        if exemplar is not None:
            return _findings_of(exemplar)
    if (
        fallback is None
        or not is_empty
        or any(c.is_question for c in scene.clauses)
        or speech.is_answer(scene, mentions, is_bare=True)
    ):
        return None
    exemplar = fallback.nearest(exemplars.features(scene.tokens), at_least=exemplars.NEAR_WORDS)
    return None if exemplar is None else _findings_of(exemplar)


def _findings_of(exemplar: Exemplar) -> list[Finding]:
    found = []
    for category, signs in exemplar.entries:
        lent = exemplars.usable_signs(category, signs)
        found += [Finding(category, sign, value, 0, 0, 1) for sign, value in lent.items()]
        if not lent:
            found.append(Finding(category, None, None, 0, 0, 1, "abnormal"))
    return found


def _kinds(blocks: Sequence[Block], has_entries: bool) -> frozenset[Kind]:
    kinds: set[Kind] = set()
    if has_entries:
        kinds.add("observation")
    if any(block.asks for block in blocks):
        kinds.add("question")
    elif any(block.answers for block in blocks):
        kinds.add("answer")
    return frozenset(kinds or {"other"})


def _entry(text: str, tokens: Sequence[Token], group: Group, context: ReadingContext) -> Entry:
    when = group.when
    first, last = tokens[group.first], tokens[max(group.last - 1, group.first)]
    return Entry(
        category=group.category,
        asserted=group.asserted,
        model_read=pieces.model_read(group, context),
        signs=group.signs,
        today=group.today,
        since=when.since if when else None,
        phrase=when.phrase if when else None,
        words=text[first.start : last.end],
        subject=group.subject,
        why=tuple(dict.fromkeys(group.why)),
    )
