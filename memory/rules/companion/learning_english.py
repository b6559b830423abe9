"""Facts in what a child says in English: a table of patterns, tried in order on one clause. Pure."""

# ruff: noqa: E501 - one pattern a line, as a table

from __future__ import annotations

import re
from collections.abc import Sequence

from memory.rules.companion.facts import Fact
from memory.rules.companion.sameness import content

SPLIT = re.compile(
    r",?\s+(?:and then|then|and also|but)\s+(?=(?:i|we|my|our)\b)|,?\s+and\s+(?=(?:i|we|my)\s)|,\s+(?=(?:i|we|my)\s)",
    re.I,
)
LEAD = re.compile(
    r"^(?:(?:hi|hello|hey|guess what|you know what|well|so|oh|wow|and|but|today|yesterday)[,!]?\s+)*", re.I
)
DAY = r"monday|tuesday|wednesday|thursday|friday|saturday|sunday"
WHEN = re.compile(
    rf"\b(today|yesterday|tomorrow|tonight|this (?:morning|afternoon|evening|weekend|summer|winter)|last (?:night|week|weekend|"
    rf"summer|winter|year|{DAY})|next (?:week|weekend|year|summer|{DAY})|on (?:{DAY})|at the weekend|when i was little)\b",
    re.I,
)
PERSON = (
    r"(?:my |our )?(?:(?:best |big |little |baby )?(?:mum|mom|mummy|mommy|dad|daddy|brother|sister|grandma|grandpa|granny|nana|"
    r"uncle|aunt|auntie|cousin|friend|teacher|family|friends|cousins)(?: [A-Z][\w’'-]+)?)|[A-Z][\w’'-]+"
)
WHO = re.compile(rf"\bwith ((?:{PERSON})(?: and (?:{PERSON}))?)")
PLACE = re.compile(
    r"\b(?:at|in|to|into|on) ((?:the|my|our|a|grandma's|grandpa's|[A-Z]\w+'s)(?: [a-z]+){0,2}? (?:zoo|park|beach|sea|school|museum|"
    r"garden|forest|woods|farm|pool|playground|house|home|kitchen|cinema|library|shop|lake|mountains|mountain|river|circus|market|"
    r"aquarium|castle|train|bus|plane|boat|tent|hospital|room)|school|home|nursery|kindergarten)\b"
)
DID = (
    r"saw|went|visited|made|built|drew|painted|played|found|got|lost|won|learned|learnt|read|rode|swam|watched|baked|ate|met|"
    r"climbed|caught|planted|danced|sang|wrote|jumped|ran|helped|bought|fed|picked|slept|cooked|had|gave|invented|did|can|scored"
)
PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("favourite", re.compile(r"^my (?:new )?(?:favou?rite|best) (?P<slot>[a-z]+(?: [a-z]+)?) (?:(?:is|are)(?: now)?|now (?:is|are)) (?P<value>.+)$", re.I)),
    ("favourite", re.compile(r"^(?P<value>.+?) (?:is|are) (?:now )?my (?:new )?(?:favou?rite|best) (?P<slot>[a-z]+(?: [a-z]+)?)(?: now)?$", re.I)),
    ("name", re.compile(r"^my (?P<slot>(?:[a-z]+ )?[a-z]+?)(?:'s|’s|s)? name is (?:now )?(?P<value>[\w’' -]+)$", re.I)),
    ("name", re.compile(r"^my (?P<slot>(?:[a-z]+ )?[a-z]+) is (?:called|named) (?P<value>[\w’' -]+)$", re.I)),
    ("about", re.compile(r"^i(?: am|'m|’m|m) (?:now )?(?P<value>(?:\d{1,2}|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?: and a half)?)(?: years old)?(?: now)?$", re.I)),
    ("about", re.compile(r"^my birthday is (?P<value>.+)$", re.I)),
    ("fear", re.compile(r"^i(?: am|'m|’m|m)? (?:a bit |really |very |so |not )?(?:scared|afraid|frightened) of (?P<value>.+)$", re.I)),
    ("dislike", re.compile(r"^i (?:really |totally )?(?:hate|don'?t like|do not like|don’t like|dislike|can'?t stand)(?: any ?more)? (?P<value>.+)$", re.I)),
    ("like", re.compile(r"^i (?:really |really really |also |still |now )?(?:like|love|adore)(?: now)? (?P<value>.+)$", re.I)),
    ("wish", re.compile(r"^i (?:really )?(?:want to be|wanna be|would like to be) (?P<value>.+)$", re.I)),
    ("wish", re.compile(r"^i (?:really )?(?:wish for|want|would like) (?P<value>(?:a|an|my own|two|to have|to see|to go|to visit|to learn) .+)$", re.I)),
    ("plan", re.compile(r"^(?:i(?: am|'m|’m|m)|we(?: are|'re|’re|re)) (?:going to|gonna|going) (?P<value>.+)$", re.I)),
    ("plan", re.compile(r"^(?:i|we)(?: will|'ll|’ll) (?P<value>.+)$", re.I)),
    ("thing", re.compile(r"^(?:i|we)(?: have|'ve|’ve| ve)(?: got)? (?P<value>(?:a|an|one|two|three|four|five|my own|some|new|\d+) .+)$", re.I)),
    ("thing", re.compile(r"^my (?P<value>(?:[a-z]+ )?[a-z]+ (?:is|has|can|lives|likes|loves|plays|works) .+)$", re.I)),
    ("event", re.compile(rf"^(?:i|we|(?:my )?(?:mum|mom|dad|brother|sister|friend|grandma|grandpa|teacher|cousin)(?: and i)?|[A-Z]\w+ and i) (?:also |just |really )?(?:{DID})\b(?P<value>.*)$", re.I)),
)  # fmt: skip
ONE_VALUE = frozenset({"favourite", "name"})
STOPS = re.compile(
    r"\s+(?:any ?more|now|too|as well|very much|so much|a lot|the most|best|because .*)$", re.I
)
NOT_A_WISH = frozenset(("go home", "sleep", "more"))


def clauses(sentence: str) -> Sequence[str]:
    """The clauses of a sentence that each may be a fact."""
    bare = sentence.strip(' .!"”“')
    whole = LEAD.sub("", bare) if len(LEAD.sub("", bare)) >= 3 else bare
    when = WHEN.search(bare[: len(bare) - len(whole)])
    parts = [one.strip(" ,") for one in SPLIT.split(whole) if one and one.strip(" ,")]
    return [
        f"{part} {when.group(0).lower()}" if when and not number else part
        for number, part in enumerate(parts)
    ]


def fact_of(clause: str) -> Fact | None:
    """The fact a clause tells, None where it tells none."""
    bare = WHEN.sub("", clause).strip(" ,")
    bare = re.sub(r"\s{2,}", " ", bare)
    for kind, pattern in PATTERNS:
        found = pattern.match(bare)
        if found is None:
            continue
        value = STOPS.sub("", found.group("value")).strip(" ,.")
        if kind != "about" and not content(value) and kind != "event":
            return None
        return Fact(
            kind=kind,
            text=_mended(clause),
            who=_group(WHO, clause),
            place=_group(PLACE, clause),
            said_when=_group(WHEN, clause).lower(),
            slot=_slot(kind, found, value, clause),
        )
    return None


def _slot(kind: str, found: re.Match[str], value: str, clause: str) -> str:
    if kind in ONE_VALUE:
        return f"{kind}:{' '.join(sorted(content(found.group('slot'))))}"
    if kind in ("like", "dislike"):
        return f"like:{' '.join(sorted(content(value)))}"
    if kind == "about":
        return "birthday" if "birthday" in clause.lower() else "age"
    return ""


def _group(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return found.group(1).strip()[:200] if found else ""


def _mended(clause: str) -> str:
    """The clause with its small "i" made an "I", as a reader expects it."""
    return re.sub(r"\bi(?='|’|\s|$)", "I", clause)


__all__ = ["clauses", "fact_of"]
