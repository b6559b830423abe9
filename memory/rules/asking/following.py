"""A question that leans on those before it in its conversation, made whole from them. Pure.

"And since when?" names no matter: it means the one asked about before. What a question names itself always
stands; only what it leaves out is taken over, and never for what asks about the subject as a whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memory.rules.asking.concepts import folded
from memory.rules.asking.intents import Intent
from memory.rules.asking.query import Query
from memory.rules.asking.windows import Window

WHOLE_SUBJECT = frozenset({Intent.TELL, Intent.ABOUT})
# "And how many times?" means the days asked about before; "since when?" and "what helps?" look further.
KEEPS_DAYS = frozenset({Intent.HOW, Intent.COUNT, Intent.HAPPENED, Intent.SAID})
# "How has he been?" asks about him, "how has it been?" about the matter.
THE_SUBJECT = frozenset("he hes she shes they theyre".split())
THE_MATTER = frozenset("it its that this there then".split())


def leans(query: Query) -> bool:
    """Whether a question cannot be answered without what was asked before it."""
    if query.other_subject:
        return False
    if query.has_target:
        return not query.intents
    if query.intent in WHOLE_SUBJECT:
        return False
    words = frozenset(folded(query.text))
    is_general = query.intent in {Intent.HOW, Intent.HAPPENED}
    return not (is_general and words & THE_SUBJECT and not words & THE_MATTER)


def leaned_on(query: Query, before: Sequence[Query]) -> int:
    """How many of the questions before, newest first, a question needs: down to one that stands alone."""
    if not leans(query):
        return 0
    for number, one in enumerate(before, start=1):
        if not leans(one):
            return number
    return len(before)


def whole(query: Query, before: Sequence[Query]) -> Query:
    """The question with what it leaves out taken from those before it, newest first."""
    made: Query | None = None
    for one in [*reversed(before[: leaned_on(query, before)]), query]:
        made = one if made is None else _after(one, made)
    return made or query


def _after(query: Query, before: Query) -> Query:
    if not leans(query):
        return query
    intents = query.intents or before.intents
    if query.has_target:
        return replace(query, intents=intents, windows=query.windows or _days(intents, before))
    return replace(
        query,
        intents=intents,
        matters=before.matters,
        places=before.places,
        categories=before.categories,
        signs=before.signs,
        words=before.words,
        side=query.side or before.side,
        windows=query.windows or _days(intents, before),
    )


def _days(intents: Sequence[Intent], before: Query) -> tuple[Window, ...]:
    return before.windows if intents and intents[0] in KEEPS_DAYS else ()
