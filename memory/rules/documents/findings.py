"""What a paper says that could stand in the book: diagnoses, medicines, vaccinations, values. Pure.

A finding is verbatim: a sentence or a row of the paper, never a conclusion. What a sentence denies or only
suspects is left out, and so is advice. Its time is printed in it, or there is none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from memory.rules.documents.dates import flat, time_said
from memory.rules.documents.sentences import Sentence

MOST = 24
LONGEST = 300

# Folded cues; a Turkish one is the beginning of a word.
DIAGNOSED = re.compile(
    r"\b(?:diagnos(?:is|ed|es)|consistent with|history of|known (?:allergy|case)|allerg(?:y|ic) to"
    r"|suffers from"
    r"|confirmed|chronic|past medical history|meets (?:the )?criteria)\b"
    r"|\b(?:tani(?:si|sini|lari)?\b|tanisi|teshis|oykusu|alerjisi|kronik|uyumlu|saptan(?:di|mistir|mis)"
    r"|tespit edil(?:di|mistir)|hastaligi)"
)
OBSERVED = re.compile(
    r"\b(?:difficult(?:y|ies)|delay(?:ed)?|below (?:the )?(?:age|average|expected)|over-?responsive|seeks"
    r"|avoids"
    r"|sensitiv(?:e|ity)|impair\w*|weakness|reduced|limited|inflam\w*|redness|swollen|discharge|lesion\w*"
    r"|lame\w*"
    r"|overweight|underweight|tartar|gingivitis|otitis|struggles|anxious|distress\w*|meltdown\w*"
    r"|hypersensitiv\w*)\b"
    r"|\b(?:guclug|gucluk|zorlan|gecikme|geride|altinda|asiri duyarli|hassasiyet|duyarlilig|kacin|iltihap"
    r"|kizarik"
    r"|sislik|akinti|topalla|yetersiz|kaygi|dikkat daginik|arayis|dis tasi|kilolu|azalmis|sinirli)"
)
VACCINE = re.compile(
    r"\b(?:vaccin\w*|immuni[sz]\w*|booster|rabies|asisi|asilan\w*|asi (?:yapil|uygulan)\w*|kuduz asi\w*)"
)
PROCEDURE = re.compile(
    r"\b(?:surgery|operated|operation|neuter(?:ed|ing)|spay(?:ed|ing)|castrat\w*|extraction"
    r"|dental cleaning|biopsy"
    r"|tonsillectomy|ear flush|x-?ray (?:was|taken)|ultrasound (?:was|taken)|ameliyat\w*|operasyon\w*"
    r"|kisirlastir\w*"
    r"|dis cekimi|biyopsi|rontgen cekil\w*|kulak yikama\w*)"
)
DOSE = re.compile(
    r"\b\d+(?:[.,]\d+)?\s*(?:mg|mcg|ml|iu|g|tablets?|tab|drops?|damla|tablet|olcek|puff|units?"
    r"|unite)(?:/\w+)?\b"
)
SCHEDULE = re.compile(
    r"\b(?:once|twice|three times|daily|every \d+ hours?|per day|a day|at bedtime|bid|tid|q\d+h|for \d+ days"
    r"|gunde|gun boyunca|sabah|aksam|saatte bir|\d\s*x\s*\d)\b"
)
DENIED = re.compile(
    r"\b(?:no (?:evidence|sign|signs|history|known|other|abnormal|further|need)|not (?:diagnosed"
    r"|consistent|meet|met|observed|seen|present)"
    r"|ruled out|rule out|denies|denied|negative for|absent|unremarkable|within normal limits"
    r"|is normal|are normal"
    r"|free of)\b"
    r"|\b(?:yoktur|yok\b|saptanmadi|saptanmamis|izlenmedi|gorulmedi|degildir|degil\b|normaldir"
    r"|normal sinirlarda|dislandi"
    r"|tespit edilmedi|bulunmamaktadir|gozlenmedi|normal(?=\.))"
)
# Small words deny what follows them alone: "is not distressed", but "difficulty with what was not announced".
DENIES_AFTER = re.compile(r"\b(?:not|never|without|cannot)\b")
GUESSED = re.compile(
    r"\b(?:suspect(?:ed)?|possible|possibly|may have|might|could be|likely|differential"
    r"|cannot be excluded|if (?:he|she|it|the)"
    r"|suphe\w*|olasi\b|olabilir|ihtimal\w*|ayirici tani|eger\b|dusunul(?:ebilir|mektedir))"
)
ADVICE = re.compile(
    r"\b(?:recommend\w*|should|please|advised to|goal|will be|plan to|consider|encourage|provide|offer"
    r"|oneril\w*|onerilir|hedef\w*|planlan\w*|edilmeli|yapilmali\w*|saglanmali|kontrole|verilmelidir"
    r"|kullanilmali)"
)
ADVICE_HEADING = re.compile(
    r"reason|referral|basvuru|recommend|plan|goal|advice|next steps|oneri|hedef|tavsiye|purpose|amac"
)
WHOSE = re.compile(r"(?:patient|name|pupil|owner|subject|hasta|adi|ogrenci|sahibi)[a-z ]{0,16}\s*[:|]")
CHRONIC = re.compile(r"\b(?:chronic|long-?term|lifelong|kronik|surekli|omur boyu)\b|\b(?:allerg|alerji)")
# One row of a laboratory table: name, value, unit, lowest - highest, or a flag.
ROW = re.compile(
    r"^(?P<name>[^\W\d][\w ().%/*+-]{1,40}?)[\s|:]+(?P<value>\d+(?:[.,]\d+)?)\s*(?P<flag>[*HLYD]|high|low"
    r"|yuksek|dusuk)?[\s|]*"
    r"(?P<unit>[^\s|\d][^\s|]{0,15})?[\s|]*(?P<low>\d+(?:[.,]\d+)?)\s*[-–—]\s*(?P<high>\d+(?:[.,]\d+)?)"
    r"(?:[\s|]*(?P<after>high|low|yuksek|dusuk|h|l|y|d)\b)?"
)
WEIGHT = re.compile(
    r"\b(?:weight|body weight|kilo|agirlik|agirligi|vucut agirligi)\s*[:=|]?\s*(\d+(?:[.,]\d+)?)\s*(kg|g)\b"
)


@dataclass(frozen=True)
class Found:
    """One finding: its kind, the paper's own words, where they stand, and the time printed in them."""

    kind: str
    text: str
    start: int
    end: int
    started_on: date | None = None
    precision: str | None = None
    time_phrase: str | None = None
    chronic: bool = False
    weight: int = 1  # how much it says, for choosing


def findings_of(found: Sequence[Sentence], *, until: date, born_on: date | None = None) -> list[Found]:
    """The findings of one page, in order."""
    kept: list[Found] = []
    seen: set[str] = set()
    for one in found:
        kind, weight = _kind(one)
        words = one.text[:LONGEST]
        key = flat(words)
        if not kind or key in seen:
            continue
        seen.add(key)
        when = time_said(one.text, until=until, born_on=born_on)
        kept.append(
            Found(
                kind,
                words,
                one.start,
                one.end,
                started_on=when.on if when else None,
                precision=when.precision if when else None,
                time_phrase=one.text[when.start : when.end] if when else None,
                chronic=kind == "history" and CHRONIC.search(flat(one.text)) is not None,
                weight=weight,
            )
        )
    return kept


def _kind(one: Sentence) -> tuple[str, int]:
    """Which kind of record the sentence could be, and how much it says; empty where it is none."""
    low = flat(one.text)
    row = ROW.match(low)
    if row:
        return ("measurement", 3) if _is_outside(row) else ("", 0)
    if len(low) < 8 or WHOSE.match(low) or DENIED.search(low) or GUESSED.search(low):
        return "", 0
    if WEIGHT.search(low) and len(low) < 80:
        return "measurement", 1
    heading = flat(one.heading)
    if DOSE.search(low) and SCHEDULE.search(low):
        return "medication", 3
    if ADVICE.search(low) or ADVICE_HEADING.search(heading):
        return "", 0
    if _says(VACCINE, low):
        return "vaccination", 2
    if _says(PROCEDURE, low):
        return "procedure", 2
    is_under = re.search(r"diagnos|tani|teshis|medical history|oykusu|ozgecmis", heading) is not None
    is_short = len(low.split()) <= 25 and not DENIES_AFTER.search(low)
    if _says(DIAGNOSED, low) or (is_under and is_short):
        return ("history", 4) if _says_what(low) else ("", 0)
    if _says(OBSERVED, low):
        return "history", 2
    return "", 0


def _says(cue: re.Pattern[str], low: str) -> bool:
    """Whether the cue stands there, and no small word before it denies it."""
    found = cue.search(low)
    return found is not None and not DENIES_AFTER.search(low[: found.start()])


def _says_what(low: str) -> bool:
    """Whether more stands there than the word diagnosis itself."""
    return (
        len([word for word in re.findall(r"[a-z]{3,}", low) if not word.startswith(("diagnos", "tani"))]) >= 1
    )


def _is_outside(row: re.Match[str]) -> bool:
    if row["flag"] or row["after"]:
        return True
    value, low, high = (float(row[name].replace(",", ".")) for name in ("value", "low", "high"))
    return low < high and not low <= value <= high


def key_findings(found: Sequence[Found], *, most: int = 8) -> list[Found]:
    """Those that say most, in the order of the paper."""
    best = sorted(range(len(found)), key=lambda at: (-found[at].weight, at))[:most]
    return [found[at] for at in sorted(best)]
