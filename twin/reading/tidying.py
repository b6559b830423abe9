"""Findings that other words of the same clause make superfluous are taken out again."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from twin.reading import measures
from twin.reading.clauses import Clause
from twin.reading.findings import Finding, Scene

# Words that only name the degrees measured beside them.
DEGREES_ONLY = frozenset({"ateş", "ateşi yüksek", "ateş normal", "ateşi normal", "hararet"})
VAGUE_CATEGORIES = frozenset({"behaviour", "whole_body"})
BLOCKED = ("bunged", "blocked", "clogged", "stuffed", "plugged")
QUIET_PLACES = (
    "oda",
    "kose",
    "ortam",
    "alan",
    "yer",
    "sinif",
    "corner",
    "room",
    "space",
    "place",
    "spot",
    "area",
    "time",
)
# Signs of nausea whose denial is none: "cannot swallow".
MOUTHINGS = frozenset({"yutkunmak", "yalanmak", "şapırdatmak", "yalanıp durmak"})
SUBJECT_WORDS = frozenset(
    {"he", "she", "it", "they", "hes", "shes", "theyre", "left", "alone", "told", "asked"}
)
# Words of effort that say straining only where stool or urine is spoken of.
EFFORTS = frozenset({"struggling to", "effort", "zorlanmak", "zorlanarak"})
AGAIN = frozenset({"daha", "tekrar", "yeniden", "geri", "yine"})
NIGHT_ENDS = 3.5
MORNING_ENDS = 7.0
OTHERS = frozenset(
    {
        "husband",
        "wife",
        "partner",
        "mum",
        "mom",
        "mother",
        "dad",
        "father",
        "sister",
        "brother",
        "grandma",
        "gran",
        "nan",
    }
    | {
        "grandad",
        "grandpa",
        "friend",
        "neighbour",
        "neighbor",
        "boss",
        "cousin",
        "aunt",
        "uncle",
        "colleague",
        "teacher",
    }
)
HAVING = frozenset(
    {"has", "had", "have", "is", "was", "got", "are", "were", "caught", "been", "keeps", "gets"}
)
# Illnesses named after a sign: to deny the illness is not to deny the sign.
NAMED_AFTER = frozenset(
    {("kennel", "cough"), ("whooping", "cough"), ("kennel", "öksür"), ("köpek", "öksür"), ("hay", "fever")}
    | {("scarlet", "fever"), ("rheumatic", "fever")}
)
EXPERTS = frozenset(
    {"vet", "vets", "doctor", "doctors", "doc", "gp", "nurse", "veteriner", "doktor", "hekim"}
)
OTHERS_TR = frozenset(
    {
        "eşim",
        "kocam",
        "karım",
        "annem",
        "babam",
        "ablam",
        "abim",
        "kardeşim",
        "komşu",
        "komşumuz",
        "arkadaşım",
    }
)


def tidy(scene: Scene, found: Sequence[Finding]) -> list[Finding]:
    """The findings that stand."""
    for finding in found:
        _calm(finding, found)
        _shiver(scene, finding, found)
        _pace(scene, finding, found)
        _block(scene, finding)
    kept = [f for f in found if not _is_superfluous(scene, f, found)]
    for finding in kept:
        _clock(scene, finding)
    return [f for f in kept if f.sign != ""]


def _is_superfluous(scene: Scene, finding: Finding, found: Sequence[Finding]) -> bool:
    beside = [f for f in found if f.clause == finding.clause and f is not finding]
    if finding.sign == "fever" and any(f.sign == "temperature_c" for f in beside):
        return finding.phrase in DEGREES_ONLY or "temp" in finding.phrase
    if (
        finding.sign == "amount"
        and finding.value == "usual"
        and any(f.sign in ("food_g", "water_ml") for f in beside)
    ):
        return (
            finding.asserted is None
            and not scene.clauses[finding.clause].facts & {"usual"}
            and _is_plain_meal(finding)
        )
    if (
        finding.sign is None
        and finding.category in VAGUE_CATEGORIES
        and not finding.is_denied
        and finding.asserted is None
    ):
        return bool(beside)
    return (
        _is_illness_denied(scene, finding, found)
        or _is_of_another(scene, finding, found)
        or _is_somebody_elses(scene, finding)
    )


def _is_illness_denied(scene: Scene, finding: Finding, found: Sequence[Finding]) -> bool:
    """ "Coughing, the vet said it isn't kennel cough": what it is not, the sign itself is there."""
    if finding.value is not False or not finding.is_denied:
        return False
    clause = scene.clauses[finding.clause]
    at = range(max(clause.first, finding.first - 1), min(clause.last, finding.last))
    words = [scene.tokens[i] for i in at]
    if any((a.proper, b.proper[: len(name[1])]) == name for a, b in pairwise(words) for name in NAMED_AFTER):
        return True
    told = any(t.plain in EXPERTS for t in scene.tokens[clause.first : clause.last])
    same = [f for f in found if (f.category, f.sign) == (finding.category, finding.sign) and f.value is True]
    return told and any(
        f.clause < finding.clause and scene.clauses[f.clause].sentence == clause.sentence for f in same
    )


def _is_of_another(scene: Scene, finding: Finding, found: Sequence[Finding]) -> bool:
    """Whether the words belong to another finding: the fall of "limping since he fell"."""
    clause = scene.clauses[finding.clause]
    beside = [f for f in found if f is not finding and scene.clauses[f.clause].sentence == clause.sentence]
    if finding.sign == "injury" and scene.timed.issuperset(range(finding.first, finding.last)):
        return any(f.category == finding.category and f.value is True for f in beside)
    if finding.sign == "drooling" and "dribbl" in finding.phrase:
        return any(f.category == "urinary" for f in beside)
    if finding.sign == "poor_sleep" and finding.phrase in ("uyumamak", "uyuyamamak"):
        before = {t.plain for t in scene.tokens[max(0, finding.first - 2) : finding.first]}
        return bool(before & AGAIN) and any(f.category == "sleep" for f in beside)
    if finding.phrase in ("sakin", "calm", "quiet") and finding.last < len(scene.tokens):
        return scene.tokens[finding.last].plain.startswith(QUIET_PLACES)
    if finding.sign == "vocalising" and scene.lexicon.language == "en" and beside:
        return _is_anothers_doing(scene, clause, finding)
    if finding.sign == "anxiety" and finding.last < len(scene.tokens) and finding.phrase.startswith("scare"):
        return scene.tokens[finding.last].plain in ("me", "us")
    if finding.sign == "stimming" and finding.first and scene.tokens[finding.first].plain == "flap":
        return scene.tokens[finding.first - 1].plain in ("ear", "skin", "cat", "dog")
    if finding.sign == "straining" and finding.phrase in EFFORTS:
        about = {t for c in scene.clauses if c.sentence == clause.sentence for t in c.facts}
        return not about & {"stool", "urine", "lower_digestive", "urinary"} and bool(beside)
    if finding.is_denied and finding.phrase == "stitches":
        return any(f.is_denied and f.clause == finding.clause for f in beside)
    if finding.is_denied and finding.phrase in MOUTHINGS:
        return True
    if finding.sign == "wound" and finding.phrase in ("kesilmek", "kesmek"):
        return any(f.is_denied and f.clause == finding.clause for f in beside)
    if finding.phrase == "bitirmek":
        return "drink" in clause.facts and "eat" not in clause.facts
    return False


def _is_anothers_doing(scene: Scene, clause: Clause, finding: Finding) -> bool:
    """ "Peed himself when the man shouted": somebody else's noise."""
    before = [t.plain for t in scene.tokens[clause.first : finding.first]]
    if "when" not in before:
        return False
    subject = before[len(before) - before[::-1].index("when") :]
    return bool(subject) and subject[0] not in SUBJECT_WORDS


def _shiver(scene: Scene, finding: Finding, found: Sequence[Finding]) -> None:
    """Shaking with a temperature is shivering."""
    sentence = scene.clauses[finding.clause].sentence
    hot = any(
        f.sign in ("fever", "temperature_c")
        and f.value is not False
        and scene.clauses[f.clause].sentence == sentence
        for f in found
    )
    if hot and finding.sign == "tremor" and finding.value is True:
        finding.category, finding.sign = "whole_body", "shivering"


def _block(scene: Scene, finding: Finding) -> None:
    """ "Bunged up" in a sentence about going to the toilet is no nose."""
    clause = scene.clauses[finding.clause]
    about = {t for c in scene.clauses if c.sentence == clause.sentence for t in c.facts}
    noses = any(p.first in clause and p.name in ("nose", "breathing") for p in scene.parts)
    if finding.sign == "congestion" and finding.phrase.startswith(BLOCKED) and "stool" in about and not noses:
        finding.category, finding.sign = "lower_digestive", "constipation"


def _calm(finding: Finding, found: Sequence[Finding]) -> None:
    """Calm is the absence of fear only where fear was spoken of; else it is a normal word about conduct."""
    if finding.sign != "anxiety" or finding.value is not False or finding.is_denied:
        return
    if not any(f.sign == "anxiety" and f.value is True for f in found):
        finding.sign = finding.value = None
        finding.reads = "normal"


def _pace(scene: Scene, finding: Finding, found: Sequence[Finding]) -> None:
    """Pacing in a sentence about sleep is restlessness."""
    words = scene.tokens[finding.first : finding.last]
    if (finding.sign == "repetitive" and any(t.keys & {"pac", "n:volta"} for t in words)) or (
        finding.sign == "circling" and finding.phrase.startswith("dön")
    ):
        sentence = scene.clauses[finding.clause].sentence
        if any(f.category == "sleep" and scene.clauses[f.clause].sentence == sentence for f in found):
            finding.category, finding.sign = "sleep", "restless"


def _is_plain_meal(finding: Finding) -> bool:
    """ "Ate 60 g of kibble": a meal named, nothing said of how much of it."""
    return "breakfast|dinner" in finding.phrase or finding.phrase.endswith("yemek")


def _clock(scene: Scene, finding: Finding) -> None:
    """ "Woke at 2", "up at 5": the hour says whether that was the night or an early morning."""
    if finding.sign != "early_waking" or "#" not in finding.phrase:
        return
    for token in scene.tokens[finding.first : finding.last]:
        hour = _hour(token.raw, scene.lexicon.numbers.get(token.plain))
        if hour is not None:
            finding.sign = (
                "night_waking"
                if hour <= NIGHT_ENDS or hour >= 22
                else "early_waking"
                if hour < MORNING_ENDS
                else ""
            )
            return


def _hour(raw: str, word: float | None) -> float | None:
    if word is not None:
        return word
    head, _, tail = raw.replace(".", ":").partition(":")
    if not head.isdigit() or not (tail == "" or tail.isdigit()):
        return None
    value = int(head)
    if tail == "" and value >= 100:
        return value // 100 + value % 100 / 60
    return value + (int(tail) / 60 if tail else 0)


def _is_somebody_elses(scene: Scene, finding: Finding) -> bool:
    """ "My husband has a cold": not of the subject."""
    clause: Clause = scene.clauses[finding.clause]
    words = scene.tokens[clause.first : finding.first]
    if scene.lexicon.language == "tr":
        return any(t.proper in OTHERS_TR for t in words[:2]) and not _is_told(scene, clause)
    for at, token in enumerate(words[:3]):
        after = scene.tokens[clause.first + at + 1].plain
        if token.plain in OTHERS and after in HAVING:
            return not _is_told(scene, clause)
    return False


def _is_told(scene: Scene, clause: Clause) -> bool:
    return any(m.name == "others_account" and m.first in clause for m in scene.around_talk)


__all__ = ["measures", "tidy"]
