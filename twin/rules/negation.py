"""Whether a concept is denied in a clinical or plain English sentence: triggers and their scope. Pure.

After the published NegEx and ConText method: a trigger reaches forwards (a few: backwards) over the words
up to a terminator; phrases that only look like a denial reach nowhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

# Phrases that hold a negation word and deny nothing.
PSEUDO = (
    "no increase", "no change in", "no significant change", "no interval change", "no suspicious change",
    "not only",
    "not certain if", "not certain whether", "not necessarily", "without difficulty",
    "without any difficulty",
    "not extend", "not cause", "not drain", "gram negative", "not been able", "unable to", "no new",
    "no longer any doubt", "not know", "does not know", "did not know", "not sure", "no doubt",
    "not able to be",
    "could not", "cannot be", "can not be", "not appear to be worse", "not want", "not wish", "not take",
    "not feel well",
    "without improvement", "no improvement", "not well", "don't forget", "dont forget", "do not forget",
    "no wonder",
)  # fmt: skip
# What denies the words after it.
FORWARD = (
    "no", "not", "denies", "denied", "deny", "denying", "without", "never", "none", "neither", "nor",
    "negative for",
    "- ve for", "free of", "absence of", "absent", "no evidence of", "no sign of", "no signs of",
    "ruled out for",
    "rules out", "rule out", "rules him out", "fails to reveal", "failed to reveal", "lack of", "lacked",
    "isn't",
    "isnt", "wasn't", "wasnt", "aren't", "arent", "doesn't", "doesnt", "didn't", "didnt", "hasn't", "hasnt",
    "haven't",
    "havent", "won't", "wont", "can't", "cant", "cannot", "hadn't", "hadnt", "weren't", "werent", "ain't",
    "zero",
    "unremarkable for", "resolved", "instead of", "rather than",
)  # fmt: skip
# What denies the words before it, up to the sentence's or clause's beginning.
BACKWARD = (
    "was ruled out", "were ruled out", "is ruled out", "are ruled out", "has been ruled out",
    "have been ruled out",
    "unlikely", "was negative", "were negative", "is negative", "are negative", "not seen", "not present",
    "not found",
    "none", "is absent", "are absent", "was absent", "free", "has resolved", "have resolved",
    "not identified",
    "not noted", "not detected", "was not seen", "not appreciated", "not demonstrated", "denied", "is gone",
    "are gone",
    "has gone", "have gone", "negative",
)  # fmt: skip
# "Rule out" as an order is a question, not a finding; it denies nothing.
QUESTIONED = (
    "to rule out",
    "r/o",
    "rule out for",
    "to r/o",
    "be ruled out for",
    "evaluate for",
    "assess for",
)
# Where a forward reach ends.
TERMINATORS = (
    "but", "however", "nevertheless", "yet", "though", "although", "still", "aside from", "except",
    "apart from",
    "secondary to", "because", "cause of", "cause for", "reason for", "due to", "since", "as", "which",
    "who", "presents",
    "presented", "complains of", "complained of", "then", "while", "has", "had", "positive for",
    "therefore", "other than",
    "was found", "is being", "was being", "because of", "now has", "so", "until", "when", "after",
    "with a history of",
    "if", "he is", "she is", "he was", "she was", "patient is", "patient was", "there is", "there was",
    "there are",
    "there were", "shows", "showed", "reveals", "revealed", "appears", "appeared", "he has", "she has",
    "underwent",
    "remained", "remains", "along with", "plus",
)  # fmt: skip
REACH_WORDS = 24
BACK_REACH_WORDS = 8
FREE_WORDS = 2
_WORD = re.compile(r"[^\W_]+(?:['’/][^\W_]+)*|[.;!?:,\-()+]")


def is_negated(text: str, concept: str) -> bool:
    """Whether `concept` is denied in `text`. Of several places the first decides; absent is false."""
    words = _words(text)
    wanted = [w for w in _words(concept) if w[0].isalnum()]
    for start, end in _places(words, wanted):
        return _denied(words, start, end)
    return False


def _words(text: str) -> list[str]:
    return [w.replace("’", "'") for w in _WORD.findall(text.lower())]


def _places(words: list[str], wanted: list[str]) -> Iterator[tuple[int, int]]:
    """Where the concept's words stand in a row, marks between them allowed."""
    if not wanted:
        return
    for start, word in enumerate(words):
        if word != wanted[0]:
            continue
        at, matched = start, 0
        while at < len(words) and matched < len(wanted):
            if words[at] == wanted[matched]:
                matched += 1
            elif words[at][0].isalnum():
                break
            at += 1
        if matched == len(wanted):
            yield start, at


def _starts(words: list[str], phrases: tuple[str, ...], first: int, last: int) -> list[tuple[int, int]]:
    """(begin, end) of each of the phrases found between two words."""
    found = []
    for phrase in phrases:
        parts = _words(phrase)
        for i in range(first, last - len(parts) + 1):
            if words[i : i + len(parts)] == parts:
                found.append((i, i + len(parts)))
    return found


def _denied(words: list[str], start: int, end: int) -> bool:
    first, last = _sentence(words, start, end)
    pseudo = _starts(words, PSEUDO, first, start) + _starts(words, QUESTIONED, first, last)
    hollow = {i for a, b in pseudo for i in range(a, b)} | _ordered(words, first)
    forward = [t for t in _starts(words, FORWARD, first, start) if not hollow & set(range(*t))]
    for begin, after in sorted(forward, key=lambda t: -t[1]):
        if start - after <= REACH_WORDS and ":" not in words[after:start] and not _ended(words, after, start):
            return words[begin:after] != ["not"] or not _doubled(words, begin)
    inside = [t for t in _starts(words, ("no", "not", "without"), start, end) if not hollow & set(range(*t))]
    if inside and inside[0][0] == start:
        return True
    return _denied_after(words, end, last, hollow)


def _ordered(words: list[str], first: int) -> set[int]:
    """ "Rule out X" as the first words of a sentence, or after a colon, is an order to look."""
    begins = [i for i in range(first, len(words) - 1) if i == first or words[i - 1] == ":"]
    return {j for i in begins if words[i : i + 2] == ["rule", "out"] for j in (i, i + 1)}


def _doubled(words: list[str], begin: int) -> bool:
    """ "Cannot not", "not only": one denial undone by another just before."""
    return begin > 0 and words[begin - 1] in ("not", "cannot", "can't")


def _denied_after(words: list[str], end: int, last: int, hollow: set[int]) -> bool:
    for begin, after in _starts(words, BACKWARD, end, min(last, end + BACK_REACH_WORDS)):
        if hollow & set(range(begin, after)) or _ended(words, end, begin) or "," in words[end:begin]:
            continue
        if words[begin:after] in (["free"], ["none"], ["negative"], ["denied"]) and begin - end > FREE_WORDS:
            continue
        if words[begin:after] == ["denied"] and after < last and words[after] not in (".", ",", ";"):
            continue
        return True
    return False


def _sentence(words: list[str], start: int, end: int) -> tuple[int, int]:
    """The bounds of the sentence the concept stands in."""
    first, last = start, end
    while first > 0 and words[first - 1] not in (".", ";", "!", "?"):
        first -= 1
    while last < len(words) and words[last] not in (".", ";", "!", "?"):
        last += 1
    return first, last


def _ended(words: list[str], after: int, start: int) -> bool:
    """Whether a terminator stands between a trigger and the concept."""
    return bool(_starts(words, TERMINATORS, after, start))
