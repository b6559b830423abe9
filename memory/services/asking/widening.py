"""What a model is given beside the rows the composer chose: all that was retrieved, who the subject is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from memory.rules.asking.sameness import fingerprint
from memory.rules.asking.supplying import about_of, days_of, portrait_of, row_of, text_of, where_of
from memory.rules.composing.book import Book, Fact
from memory.rules.composing.plan import Marking
from memory.rules.evidence import Evidence, Retrieved
from memory.services.asking.prepared import Given

MOST_GIVEN = 40  # rows of one answer


def widened(
    given: dict[str, Given], marking: Marking, book: Book, found: Retrieved, live: Iterable[str]
) -> dict[str, Given]:
    """The rows given so far, and after them the portrait, what the conversation holds, what was retrieved."""
    known = {one.ref for one in given.values()}
    rows = {ref: one for one in found.evidence for _kind, _pk, ref in [row_of(one)]}
    held = [rows[ref] for ref in live if ref in rows]
    more = [*_portrait(book, found), *(_of_evidence(one) for one in [*held, *rows.values()])]
    marking.kinds = {**{one.ref: one.kind for one in more}, **marking.kinds}
    made = dict(given)
    for one in more:
        if one.ref in known or len(made) >= MOST_GIVEN:
            continue
        known.add(one.ref)
        marker = marking.marker(one.ref)
        made[marker] = replace(one, marker=marker)
    return made


def _of_evidence(one: Evidence) -> Given:
    kind, pk, ref = row_of(one)
    text = text_of(one)
    first, last = days_of(one)
    polarity = str(one.facts.get("polarity") or "")
    return Given(
        "",
        ref,
        kind,
        pk,
        text,
        fingerprint(text),
        where_of(one),
        about_of(one),
        first,
        last,
        polarity,
        one.via,
    )


def _portrait(book: Book, found: Retrieved) -> list[Given]:
    person, drifted = portrait_of(found.portrait)
    told: list[tuple[Fact | None, str]] = [(book.person, person), (book.profile, drifted)]
    return [
        Given("", fact.ref, fact.kind, fact.pk, text, fingerprint(text), about="profile")
        for fact, text in told
        if fact is not None and text
    ]
