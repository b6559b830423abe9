"""Red flags: what must not wait for the night, and whom to call. It names concerns, never a diagnosis. Pure.

The flags themselves are `twin/data/red_flags.toml`, read once; everything that decides is here. A flag is
raised by signs of a filed entry or by plain words of free text in either language. Words raise nothing when
they are denied ("no seizure", "nöbet geçirmedi") or only supposed ("if he collapses", "bayılırsa").
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal

from twin.rules.categories import FIELDS, InvalidSigns, validate_signs
from twin.rules.entries import SignValue
from twin.rules.when.tokens import fold
from twin.rules.words import Words

Urgency = Literal["now", "today"]
Call = Literal["vet", "doctor", "emergency"]

SPECIES = frozenset({"person", "cat", "dog", "rabbit", "bird", "other"})
_URGENCIES: tuple[Urgency, ...] = ("now", "today")
_CALLS: tuple[Call, ...] = ("vet", "doctor", "emergency")

# Where a denial ends, and how far it is looked for.
_STOPS = frozenset(".;!?:") | {"but", "and", "then", "so", "because", "ama", "fakat", "ancak"}
_LOOK_BACK = 5
_LOOK_AHEAD = 3
_DENY = frozenset(
    {"not", "never", "didnt", "doesnt", "dont", "isnt", "wasnt", "arent", "werent", "hasnt", "havent"}
    | {"hadnt", "wont", "ruled", "denies", "denied", "nobody", "nothing"}
)
# These reach over the commas of a list that "or" closes.
_DENY_LIST = frozenset({"no", "without", "neither", "nor"})
_CLOSES_LIST = frozenset({"or", "nor"})
# After these a denying word denies something else: "don't forget", "not sure", "no idea".
_NOT_DENIED = frozenset({"forget", "sure", "only", "know", "idea", "doubt", "clue", "just", "wake", "stop"})
_SUPPOSE = frozenset({"if", "case", "whether"})
_WONDER = frozenset({"sure", "know", "wonder", "wondering", "tell"})
_DENIED_AFTER = frozenset(
    {"yok", "yoktu", "degil", "degildi", "olmadi", "olmuyor", "olmamis", "gormedik", "gormedim"}
)
# Turkish verbs, folded: a finite form ends its clause; a negative or conditional ending denies its stem.
_FINITE = re.compile(r"(?:[dt][iu]|m[iu]s|yor)\w{0,4}\Z")
_NEGATIVE = re.compile(r"y?[ae]?m[ae](?:d|mi|z|yacak|yecek|yinca|yince)|m[iu]yor|\w{0,2}rs[ae]|s[ae]\Z")
_NEGATIVE_VERB = re.compile(r"(?!dur|gec|kes|bit|din)\w+(?:m[ae](?:d|mi|z)|m[iu]yor)\w{0,5}\Z")
# "Mamaya bayıldı" is love, not a faint: the verb after a dative.
_LOVES = "bayil"
_DATIVE = re.compile(r"\w+(?<![dt])[ae]\Z")


class BadFlags(ValueError):
    """The flags file says something that no entry can hold; the message names flag and fault."""


@dataclass(frozen=True)
class RedFlag:
    """One flag as it is shown: how urgent, whom to call, and what to do in each language."""

    key: str
    urgency: Urgency
    call: Call
    titles: Mapping[str, str] = field(hash=False)
    texts: Mapping[str, str] = field(hash=False)

    def title(self, language: str) -> str:
        """What it is about."""
        return self.titles.get(language, self.titles["en"])

    def text(self, language: str) -> str:
        """Whom to call and what to do until then."""
        return self.texts.get(language, self.texts["en"])


@dataclass(frozen=True)
class Condition:
    """Signs of a category that raise a flag when all of them are so."""

    category: str
    signs: Mapping[str, Any]
    below_months: int | None = None

    def holds(self, category: str | None, signs: Mapping[str, SignValue], age_months: int | None) -> bool:
        """Whether these signs of this category meet it."""
        if category != self.category:
            return False
        if self.below_months is not None and (age_months is None or age_months >= self.below_months):
            return False
        return all(name in signs and _meets(signs[name], wanted) for name, wanted in self.signs.items())


@dataclass(frozen=True)
class FlagRule:
    """One flag with what raises it. A phrase is folded words, each with whether it is only a stem."""

    flag: RedFlag
    species: frozenset[str]
    sex: str | None
    conditions: tuple[Condition, ...]
    phrases: tuple[tuple[tuple[str, bool], ...], ...]

    def concerns(self, species: str, sex: str | None) -> bool:
        """Whether it stands for this subject: an unknown sex may be either."""
        return species in self.species and (self.sex is None or sex in (self.sex, None, "", "unknown"))


def red_flags(
    species: str,
    sex: str | None,
    category: str | None,
    signs: Mapping[str, SignValue],
    words: str,
    *,
    age_months: int | None = None,
    rules: Sequence[FlagRule] | None = None,
) -> tuple[RedFlag, ...]:
    """The flags an entry or free text (no category) raises, most urgent first, each once."""
    said = Words(words)
    return gravest_first(
        rule.flag
        for rule in (bundled_flags() if rules is None else rules)
        if rule.concerns(species, sex)
        and (any(c.holds(category, signs, age_months) for c in rule.conditions) or _speaks(rule, said))
    )


def gravest_first(flags: Iterable[RedFlag]) -> tuple[RedFlag, ...]:
    """The flags of several entries together: each once, the most urgent first."""
    once = {flag.key: flag for flag in flags}
    return tuple(sorted(once.values(), key=lambda flag: _URGENCIES.index(flag.urgency)))


@lru_cache(maxsize=1)
def bundled_flags() -> tuple[FlagRule, ...]:
    """The flags that come with the house."""
    return parse_flags(tomllib.loads((files("twin") / "data" / "red_flags.toml").read_text("utf-8")))


def parse_flags(raw: Mapping[str, Any]) -> tuple[FlagRule, ...]:
    """The rules of a flags file. Raises BadFlags."""
    return tuple(_parse_flag(entry) for entry in raw.get("flag", ()))


def _parse_flag(raw: Mapping[str, Any]) -> FlagRule:
    key = raw.get("key", "?")
    try:
        flag = RedFlag(
            key,
            _URGENCIES[_URGENCIES.index(raw["urgency"])],
            _CALLS[_CALLS.index(raw["call"])],
            titles={"en": raw["en_title"], "tr": raw["tr_title"]},
            texts={"en": raw["en"], "tr": raw["tr"]},
        )
        conditions = tuple(_parse_condition(one) for one in raw["signs"])
        phrases = tuple(_parse_phrase(one) for one in raw["words"])
    except (KeyError, ValueError) as fault:
        raise BadFlags(f"red flag {key}: {fault}") from fault
    species = frozenset(raw.get("species", ()))
    if not species or not species <= SPECIES or not (conditions or phrases) or () in phrases:
        raise BadFlags(f"red flag {key}: unknown species, nothing that raises it or an empty phrase")
    return FlagRule(flag, species, raw.get("sex"), conditions, phrases)


def _parse_condition(raw: Mapping[str, Any]) -> Condition:
    category, signs = raw["category"], raw["signs"]
    for name, wanted in signs.items():
        bounds = wanted.values() if isinstance(wanted, dict) else [wanted]
        if isinstance(wanted, dict) and (not wanted or not set(wanted) <= {"at_least", "at_most"}):
            raise InvalidSigns(name, "not_a_bound")
        for value in bounds:
            validate_signs(category, {name: value})
    if not signs or category not in FIELDS:
        raise InvalidSigns("", "no_signs")
    return Condition(category, signs, raw.get("below_months"))


def _parse_phrase(words: str) -> tuple[tuple[str, bool], ...]:
    return tuple((fold(word.rstrip("*")), word.endswith("*")) for word in words.split())


def _meets(value: SignValue, wanted: object) -> bool:
    if not isinstance(wanted, dict):
        return value == wanted and isinstance(value, bool) == isinstance(wanted, bool)
    if isinstance(value, bool | str):
        return False
    return bool(wanted.get("at_least", value) <= value <= wanted.get("at_most", value))


def _speaks(rule: FlagRule, said: Words) -> bool:
    return any(
        _stands_at(said, start, phrase) and not _is_denied(said, start, phrase)
        for phrase in rule.phrases
        for start in said.places(phrase[0][0], is_stem=phrase[0][1])
    )


def _stands_at(said: Words, start: int, phrase: Sequence[tuple[str, bool]]) -> bool:
    return all(
        said.at(start + n).startswith(word) if is_stem else said.at(start + n) == word
        for n, (word, is_stem) in enumerate(phrase)
    )


def _is_denied(said: Words, start: int, phrase: Sequence[tuple[str, bool]]) -> bool:
    end = start + len(phrase)
    last, (word, is_stem) = said.at(end - 1), phrase[-1]
    if is_stem and _NEGATIVE.match(last[len(word) :]):
        return True
    if phrase[0][0].startswith(_LOVES) and _DATIVE.match(said.at(start - 1)):
        return True
    reach = 1 if _FINITE.search(last) else _LOOK_AHEAD
    return _is_denied_before(said, start, end) or _is_denied_after(said, end, reach)


def _is_denied_before(said: Words, start: int, end: int) -> bool:
    is_past_comma = False
    is_in_list = bool(_CLOSES_LIST & {said.at(start - 1), said.at(end)})
    for i in range(start - 1, start - 1 - _LOOK_BACK, -1):
        word = said.at(i)
        if word in _STOPS:
            return False
        is_past_comma = is_past_comma or word == ","
        if word in _SUPPOSE and not is_past_comma:
            return said.at(i - 1) not in _WONDER
        denies = word in _DENY or word in _DENY_LIST
        if denies and (not is_past_comma or (is_in_list and word in _DENY_LIST)):
            return said.at(i + 1) not in _NOT_DENIED
    return False


def _is_denied_after(said: Words, end: int, reach: int) -> bool:
    """Whether Turkish words behind deny it: after a finite verb only the next word can, and no verb does."""
    for i in range(end, end + reach):
        word = said.at(i)
        if word in _STOPS or word in (",", "var"):
            return False
        if word in _DENIED_AFTER or (reach > 1 and _NEGATIVE_VERB.match(word)):
            return True
    return False
