"""What sort of paper a text is, who wrote it and what it is called, in English and Turkish. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from memory.rules.documents.dates import flat

OTHER = "other"
HEAD = 700  # characters in which a paper says what it is
LEAST = 3
HEAD_WEIGHT = 3
LONGEST_TITLE = 120

# Folded words of each kind, with how much each says. A word in the head of the paper counts three times.
CUES: Mapping[str, Mapping[str, int]] = {
    "diagnosis_report": {
        "diagnosis report": 4, "medical report": 3, "clinical report": 2, "diagnostic report": 4,
        "diagnosis": 1,
        "icd-10": 2, "board report": 2, "discharge summary": 3, "consultation note": 2,
        "saglik kurulu raporu": 4, "tani raporu": 4, "epikriz": 4, "hastaligin tanisi": 2, "tani": 1,
        "durum bildirir": 3, "cozger": 4, "hekim raporu": 3, "muayene bulgulari": 1,
    },
    "therapy_evaluation": {
        "occupational therapy": 4, "speech therapy": 4, "speech and language": 3, "therapy evaluation": 4,
        "therapy report": 4, "physical therapy": 3, "physiotherapy": 3, "therapist": 1, "sensory profile": 2,
        "sensory processing": 2, "therapy goals": 2, "sessions": 1, "therapy centre": 2, "therapy center": 2,
        "terapi merkezi": 2,
        "ergoterapi": 4, "terapi degerlendirme": 4, "dil ve konusma": 3, "duyu butunleme": 3, "terapist": 1,
        "seans": 1, "fizyoterapi": 3, "terapi hedef": 2, "terapi raporu": 4, "duyusal": 1,
    },
    "school_assessment": {
        "school": 1, "school report": 4, "school assessment": 4, "classroom": 2, "teacher": 1, "grade": 1,
        "individualized education": 4, "iep": 2, "pupil": 2, "educational assessment": 4, "reading level": 1,
        "okul": 1, "sinif": 1, "ogretmen": 1, "ogrenci": 2, "okul degerlendirme": 4, "gelisim raporu": 3,
        "bep": 2, "bireysellestirilmis egitim": 4, "rehberlik": 2, "egitsel degerlendirme": 4,
    },
    "vet_report": {
        "veterinary": 3, "veterinarian": 2, "vet clinic": 3, "animal hospital": 3, "animal clinic": 3,
        "species": 1, "breed": 1, "feline": 2, "canine": 2, "otoscop": 1, "dvm": 2,
        "veteriner": 3, "hayvan hastanesi": 3, "pati": 1, "irk": 1, "hasta sahibi": 2, "kedi": 1, "kopek": 1,
    },
    "lab_result": {
        "laboratory": 3, "lab report": 4, "laboratory report": 4, "test results": 2, "reference range": 4,
        "reference interval": 4, "specimen": 2, "hemogram": 2, "complete blood count": 3, "result": 1,
        "unit": 1,
        "laboratuvar": 3, "tetkik sonuc": 4, "referans aralig": 4, "referans deger": 4, "numune": 2,
        "sonuc": 1, "birim": 1, "kan sayimi": 2, "biyokimya": 2, "tahlil": 3,
    },
    "prescription": {
        "prescription": 4, "rx": 2, "dispense": 3, "refills": 3, "take one tablet": 2, "sig:": 3,
        "recete": 4, "e-recete": 4, "doz": 1, "kullanim sekli": 3, "eczane": 1, "kutu": 1, "gunde": 1,
    },
}  # fmt: skip

WRITER = re.compile(
    r"(?:prepared by|written by|author|evaluated by|assessed by|examined by|reported by|signed by|signed"
    r"|attending(?: physician| veterinarian)?|veterinarian|therapist|physician|doctor|teacher|class teacher"
    r"|prescriber|prescribed by|approved by|hazirlayan|duzenleyen|degerlendiren|raporlayan|onaylayan"
    r"|muayene eden"
    r"|sorumlu hekim|veteriner hekim|hekim|doktor|terapist|ergoterapist|ogretmen|sinif ogretmeni"
    r"|rehber ogretmen|recete eden|imza)\s*[:|]\s*"
)
TITLED = re.compile(
    r"(?<![a-z])(?:prof\.?|assoc\.? prof\.?|doc\.?|uzm\.?|op\.?|dr\.?|vet\.? hek\.?|dvm|psk\.?|fzt\.?|erg\.?"
    r"|ms\.?|mrs\.?|mr\.?)\s+(?:(?:dr|uzm|psk)\.?\s+)*(?=[a-z])"
)
NAME = re.compile(
    r"(?:(?:Prof|Assoc|Doç|Uzm|Op|Dr|Vet|Hek|Psk|Fzt|Erg|Ms|Mrs|Mr|Öğr|Gör)\.?\s*)*"
    r"[A-ZÇĞİÖŞÜÂ][\w'’.-]*(?:[ \t][A-ZÇĞİÖŞÜÂ][\w'’.-]*){0,3}"
)
# What a paper calls itself.
PAPERS = ("report", "evaluation", "assessment", "prescription", "summary", "rapor", "degerlendirme", "sonuc",
          "recete", "epikriz")  # fmt: skip
# A title names the sort of paper; a line that only labels something does not.
LABEL = re.compile(r"^[^:|]{2,30}[:|]")


@dataclass(frozen=True)
class Named:
    """What a paper says of itself."""

    kind: str
    title: str
    writer: str
    language: str


def named(text: str) -> Named:
    """The kind, title, writer and language of a paper; empty where it does not say."""
    kind = kind_of(text)
    return Named(kind, title_of(text, kind), writer_of(text), language_of(text))


def kind_of(text: str) -> str:
    """The sort of paper its words fit best, `other` where few fit."""
    low = flat(text)
    head = low[:HEAD]
    scores = {
        kind: sum(
            weight * (HEAD_WEIGHT if _stands(head, cue) else 1)
            for cue, weight in cues.items()
            if _stands(low, cue)
        )
        for kind, cues in CUES.items()
    }
    best = max(scores, key=lambda kind: scores[kind])
    return best if scores[best] >= LEAST else OTHER


def _stands(low: str, cue: str) -> bool:
    return re.search(rf"(?<![a-z]){re.escape(cue)}", low) is not None


def title_of(text: str, kind: str) -> str:
    """The line that names the paper: the first of its head with a strong word of its kind, else the first."""
    lines = [line.strip(" \t#*-_|") for line in text[: 2 * HEAD].splitlines()]
    lines = [line for line in lines if 3 <= len(line) <= LONGEST_TITLE and sum(map(str.isalpha, line)) >= 3]
    strong = [cue for cue, weight in CUES.get(kind, {}).items() if weight >= 3]
    unlabelled = [line for line in lines[:12] if not LABEL.match(line)]
    for cues in (PAPERS, strong):
        for line in unlabelled:
            if any(_stands(flat(line), cue) for cue in cues):
                return line
    return next((line for line in lines if not LABEL.match(line)), "")


def writer_of(text: str) -> str:
    """Who wrote it: the name after a label, else the last name that stands under a doctor's title."""
    low = flat(text)
    for match in WRITER.finditer(low):
        found = NAME.match(text, match.end())
        if found and len(found[0]) >= 4:
            return found[0].strip(" .,")[:LONGEST_TITLE]
    titled = [found for match in TITLED.finditer(low) if (found := NAME.match(text, match.start()))]
    return titled[-1][0].strip(" .,")[:LONGEST_TITLE] if titled else ""


_TURKISH = re.compile(r"\b(ve|bir|ile|icin|olarak|tarihi|olan|bu|da|de|gore|adi|degil|var|yok)\b")
_ENGLISH = re.compile(r"\b(the|and|of|with|for|is|was|to|in|has|at|not|on)\b")


def language_of(text: str) -> str:
    """`tr` or `en`, by small words and letters only Turkish has."""
    low = flat(text)
    turkish = len(_TURKISH.findall(low)) + sum(text.count(letter) for letter in "ğışĞİŞ") / 3
    return "tr" if turkish > len(_ENGLISH.findall(low)) else "en"
