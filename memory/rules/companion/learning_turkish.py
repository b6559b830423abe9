"""Facts in what a child says in Turkish: a table of patterns, tried in order on one clause. Pure.

Turkish ends a clause with its verb, so the patterns look at the end: "-dım" is what was done, "-acağım" what
is planned, "var" what there is. Letters are compared as typed, with or without their marks.
"""

# ruff: noqa: E501 - one pattern a line, as a table

from __future__ import annotations

import re
from collections.abc import Sequence

from memory.rules.companion.facts import Fact
from memory.rules.companion.sameness import content
from twin.reading.tokens import lower

SPLIT = re.compile(
    r",\s+|\s+(?:sonra da|ondan sonra|ama|fakat)\s+|\s+ve\s+(?=\S+(?:\s+\S+)*\s*(?:d[ıiuü]m|d[ıiuü]k|t[ıiuü]m|t[ıiuü]k)\b)",
    re.I,
)
LEAD = re.compile(r"^(?:(?:merhaba|selam|biliyor musun|hey|aa|şey|ve|ama)[,!]?\s+)*", re.I)
DAY = r"pazartesi|salı|çarşamba|perşembe|cuma|cumartesi|pazar"
WHEN = re.compile(
    rf"\b(bugün|dün|yarın|bu (?:sabah|akşam|hafta sonu|yaz|kış)|geçen (?:gün|gece|hafta(?: sonu)?|yaz|kış|yıl|sene|{DAY})|"
    rf"gelecek (?:hafta|yaz|yıl|sene)|haftaya|(?:{DAY})(?: günü)?|sabahleyin|akşamleyin|küçükken|tatilde)\b",
    re.I,
)
KIN = r"(?:anne|baba|abi|abla|kardeş|dede|nine|anneanne|babaanne|amca|dayı|teyze|hala|kuzen|arkadaş|öğretmen|aile)"
WHO = re.compile(
    rf"((?:en iyi )?{KIN}(?:ler|lar)?(?:m|ım|im|um|üm|mız|miz|ımız|imiz)?(?: [A-ZÇĞİÖŞÜ]\w+)?|[A-ZÇĞİÖŞÜ]\w+)"
    r"(?:['’]?(?:yla|yle|la|le)|\s+ile)\b(?!\s*ilgili)"
)
PLACES = (
    r"park|okul|deniz|plaj|hayvanat bahçesi|müze|bahçe|orman|çiftlik|havuz|sinema|kütüphane|market|göl|dağ|nehir|sirk|kreş|anaokulu|"
    r"ev|köy|sahil|lunapark|akvaryum|kale|oda|mutfak|sınıf|piknik"
)
PLACE = re.compile(
    rf"\b((?:{PLACES})(?:[ıiuü]m(?:[ıiuü]z)?)?)['’]?(?:y|n)?(?:da|de|ta|te|a|e|ya|ye|na|ne|nda|nde)\b", re.I
)
OBJECT = r"(?:[ıiuü]|y[ıiuü]|n[ıiuü]|l[ae]r[ıi])"
PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("favourite", re.compile(r"^(?:benim )?en sevdiğim (?P<slot>\w+(?: \w+)?)\s+(?:artık |şimdi )?(?P<value>\S+.*)$")),
    ("favourite", re.compile(r"^(?:benim )?(?:favori|en sevdiğim) (?P<slot>\w+?)(?:[ıiuü]?m)\s+(?:artık |şimdi )?(?P<value>\S+.*)$")),
    ("name", re.compile(r"^(?:benim )?(?P<slot>\w+(?:m|mız|miz|muz|müz)[ıiuü]n) (?:adı|ismi) (?:artık )?(?P<value>\S+(?: \S+)?)$")),
    ("about", re.compile(r"^(?:ben )?(?:artık )?(?P<value>\d{1,2}|üç|dört|beş|altı|yedi|sekiz|dokuz|on|on bir|on iki) (?:buçuk )?yaş[ıi]nday[ıi]m$")),
    ("about", re.compile(r"^(?:benim )?doğum günüm (?P<value>.+)$")),
    ("fear", re.compile(r"^(?:ben )?(?P<value>.+?)(?:dan|den|tan|ten) (?:çok |biraz )?kork(?:uyorum|arım)$")),
    ("dislike", re.compile(r"^(?:ben )?(?:artık )?(?P<value>.+?) (?:hiç |artık )?(?:sevmiyorum|sevmem|nefret ediyorum)$")),
    ("like", re.compile(r"^(?:ben )?(?P<value>.+?) (?:çok |en çok |artık )?(?:seviyorum|severim|bayılıyorum|bayılırım)$")),
    ("wish", re.compile(r"^(?:ben )?(?:büyüyünce )?(?P<value>.+?) olmak istiyorum$")),
    ("wish", re.compile(r"^(?:ben )?(?:büyüyünce )(?P<value>.+?) (?:olacağım|olucam)$")),
    ("wish", re.compile(r"^(?:ben )?(?P<value>.+?) istiyorum$")),
    ("plan", re.compile(r"^(?P<value>.+(?:[ae]cağ[ıi]m|[ae]ceğ[ıi]m|[ae]cağ[ıi]z|[ae]ceğ[ıi]z|[ae]caz|[ıiuü]cam|[ıiuü]cem|[ae]cam|[ae]cem))$")),
    ("thing", re.compile(r"^(?:benim |bizim )?(?P<value>.+(?:m|mız|miz|muz|müz)) var$")),
    ("thing", re.compile(r"^(?:bende |bizde |evde )(?P<value>.+) var$")),
    ("event", re.compile(r"^(?P<value>.+?(?:d[ıiuü]|t[ıiuü])(?:m|k))$")),
)  # fmt: skip
ONE_VALUE = frozenset({"favourite", "name"})
NOT_A_WISH = re.compile(r"\b(?:git|uyu|yat|kal|dön|çık)\w*me[kğ]?$|mak$|mek$")
NO_EVENT = re.compile(
    r"(?:üzüldüm|ağladım|korktum|sıkıldım|bıktım|anladım|unuttum|bilmiyordum|dedim|söyledim|sevdim|oldum)$"
)


def clauses(sentence: str) -> Sequence[str]:
    """The clauses of a sentence that each may be a fact."""
    bare = LEAD.sub("", sentence.strip(' .!"”“'))
    return [one.strip(" ,") for one in SPLIT.split(bare) if one and one.strip(" ,")]


def fact_of(clause: str) -> Fact | None:
    """The fact a clause tells, None where it tells none."""
    plain = re.sub(r"\s{2,}", " ", WHEN.sub("", lower(clause, "tr"))).strip(" ,")
    for kind, pattern in PATTERNS:
        found = pattern.match(plain)
        if found is None:
            continue
        value = found.group("value").strip()
        if not content(value) and kind != "about":
            return None
        if (kind == "wish" and NOT_A_WISH.search(value)) or (kind == "event" and NO_EVENT.search(value)):
            return None
        return Fact(
            kind=kind,
            text=clause,
            who=_group(WHO, clause),
            place=_group(PLACE, lower(clause, "tr")),
            said_when=_group(WHEN, lower(clause, "tr")),
            slot=_slot(kind, found, value, plain),
        )
    return None


def _slot(kind: str, found: re.Match[str], value: str, plain: str) -> str:
    if kind in ONE_VALUE:
        return f"{kind}:{' '.join(sorted(content(found.group('slot'))))}"
    if kind in ("like", "dislike"):
        bare = re.sub(rf"{OBJECT}$|(?:dan|den|tan|ten|y?[ae])$", "", value)
        return f"like:{' '.join(sorted(content(bare)))}"
    if kind == "about":
        return "birthday" if "doğum" in plain else "age"
    return ""


def _group(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return found.group(1).strip()[:200] if found else ""


__all__ = ["clauses", "fact_of"]
