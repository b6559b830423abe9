"""What numbers mean beside what was found: a weight, a temperature, how often, how much, how long."""

from __future__ import annotations

from collections.abc import Sequence

from twin.reading import measures
from twin.reading.clauses import Clause
from twin.reading.findings import Finding, Scene
from twin.reading.measures import Quantity
from twin.rules.entries import SignValue

COUNTED = {"lower_digestive": "stool_count", "urinary": "urine_count", "upper_digestive": "vomit_count"}
BODY_C = (33.0, 43.5)
BODY_F = (92.0, 111.0)
CARRY = 2
COUNT_WORDS = 5


def find(scene: Scene, found: Sequence[Finding], times: Sequence[tuple[int, int]]) -> list[Finding]:
    """A finding for each number that measures something of the body."""
    numbers = measures.find(scene.tokens, scene.lexicon.numbers)
    added: list[Finding] = []
    clause_at = {i: n for n, c in enumerate(scene.clauses) for i in range(c.first, c.last)}
    for quantity in numbers:
        number = clause_at.get(quantity.first, -1)
        if number < 0:
            continue
        start = scene.tokens[quantity.first].start
        timed = any(a <= start < b for a, b in times)
        reading = _meaning(scene, number, quantity, [*found, *added], timed)
        if reading:
            category, sign, value = reading
            finding = Finding(category, sign, value, number, quantity.first, quantity.last)
            added.append(finding)
    return added


def _meaning(
    scene: Scene, number: int, quantity: Quantity, found: Sequence[Finding], timed: bool
) -> tuple[str, str, SignValue] | None:
    clause = scene.clauses[number]
    here = {f.category for f in found if f.clause == number}
    facts = clause.facts | here
    near = _near_facts(scene, number, found)
    unit, value = quantity.unit, quantity.value
    if unit == "score":
        return "metabolic_weight", "bcs", _plain(value)
    if unit in ("c", "f"):
        return _temperature(quantity)
    if unit == "kg":
        return _weight(scene, clause, quantity, facts)
    if unit in ("g", "oz"):
        return _grams(quantity, facts, near, scene, clause)
    if unit == "ml" and ("thirst_hydration" in near or "drink" in facts):
        return "thirst_hydration", "water_ml", _plain(round(value))
    if unit == "hours" and not timed_length(scene, clause, quantity):
        return _sleep_hours(quantity, near, here)
    if timed and unit != "times":
        return None
    if unit == "times":
        return _count(scene, clause, quantity, facts, found)
    if unit == "bare":
        return _bare(scene, number, quantity, facts, found)
    return None


KILOS = frozenset("kg kgs kilo kilos lb lbs pound pounds st stone".split())


def without_degrees(scene: Scene, found: Sequence[Finding]) -> list[Finding]:
    """Findings without the weight that "was 38.6, down to 37.1" seems to tell: those are degrees."""
    return [f for f in found if not _is_fall_of_degrees(scene, f)]


def _is_fall_of_degrees(scene: Scene, finding: Finding) -> bool:
    if finding.sign not in ("weight_loss", "weight_gain"):
        return False
    numbers = [q for q in measures.find(scene.tokens, scene.lexicon.numbers) if _may_be_degrees(scene, q)]
    here = [q for q in numbers if finding.first <= q.first <= finding.last]
    near = scene.clauses[max(0, finding.clause - CARRY) : finding.clause + 1]
    facts = {fact for clause in near for fact in clause.facts}
    before = [q for q in numbers if near[0].first <= q.first < finding.first]
    return bool(here) and "weigh" not in facts and bool(before or "temperature" in facts)


def _may_be_degrees(scene: Scene, quantity: Quantity) -> bool:
    """Whether the number, of no unit but degrees, is one a body's temperature may have."""
    after = {t.plain for t in scene.tokens[quantity.last : quantity.last + 1]}
    is_body = BODY_C[0] <= quantity.value <= BODY_C[1] or BODY_F[0] <= quantity.value <= BODY_F[1]
    return quantity.unit in ("bare", "c", "f") and is_body and not after & KILOS


def _near_facts(scene: Scene, number: int, found: Sequence[Finding]) -> set[str]:
    facts: set[str] = set()
    for n in range(max(0, number - CARRY), min(len(scene.clauses), number + 2)):
        facts |= scene.clauses[n].facts | {f.category for f in found if f.clause == n}
    return facts


def _plain(value: float) -> SignValue:
    rounded = round(value, 1)
    return int(rounded) if rounded == int(rounded) else rounded


def _temperature(quantity: Quantity) -> tuple[str, str, SignValue] | None:
    low, high = BODY_F if quantity.unit == "f" else BODY_C
    return (
        ("whole_body", "temperature_c", measures.celsius(quantity)) if low <= quantity.value <= high else None
    )


# Words by which kilos say a change ("up half a kilo"), not what the scales showed.
CHANGED = frozenset("lost lose losing gained gain gaining on off up down dropped shed".split())


def _weight(
    scene: Scene, clause: Clause, quantity: Quantity, facts: set[str]
) -> tuple[str, str, SignValue] | None:
    before = {t.plain for t in scene.tokens[max(clause.first, quantity.first - 4) : quantity.first]}
    if before & CHANGED and not before & {"to", "at"}:
        return None
    after = [t.plain for t in scene.tokens[quantity.last : min(clause.last, quantity.last + 3)]]
    if set(after) & {"lost", "gained", "off", "down"}:
        return None
    if set(after) & {
        "vermis",
        "verdi",
        "almis",
        "aldi",
        "alip",
        "alinca",
        "heavier",
        "lighter",
        "almisti",
        "vermisti",
        "alarak",
    }:
        return None
    if facts & {"eat", "drink"} and "metabolic_weight" not in facts and "weigh" not in facts:
        return None
    return "metabolic_weight", "weight_kg", _plain(quantity.value)


def _grams(
    quantity: Quantity, facts: set[str], near: set[str], scene: Scene, clause: Clause
) -> tuple[str, str, SignValue] | None:
    before = {t.plain for t in scene.tokens[max(clause.first, quantity.first - 4) : quantity.first]}
    if "drink" in facts or ("thirst_hydration" in facts and "eat" not in facts):
        return (
            ("thirst_hydration", "water_ml", _plain(round(quantity.value * 29.5735295625)))
            if quantity.unit == "oz"
            else None
        )
    if before & {"lost", "lose", "losing", "gained", "gain", "gaining"}:
        return None
    grams = quantity.value * (28.349523125 if quantity.unit == "oz" else 1.0)
    if "weigh" in facts or ("metabolic_weight" in near and "eat" not in facts):
        return "metabolic_weight", "weight_kg", round(grams / 1000, 3)
    if "eat" in facts or "appetite_intake" in near:
        return "appetite_intake", "food_g", _plain(round(grams))
    return None


def timed_length(scene: Scene, clause: Clause, quantity: Quantity) -> bool:
    """Whether hours say how long or how often something else went on ("2 hours to fall asleep")."""
    before = {t.plain for t in scene.tokens[max(clause.first, quantity.first - 2) : quantity.first]}
    after = {t.plain for t in scene.tokens[quantity.last : min(clause.last, quantity.last + 3)]}
    return bool(before & {"every", "each", "her", "took", "takes", "last", "past", "after"}) or bool(
        after
        & {
            "to",
            "ago",
            "before",
            "once",
            "surdu",
            "suruyor",
            "sonra",
            "daldi",
            "dalabildi",
            "until",
            "later",
            "awake",
            "uyanik",
            "late",
            "early",
            "boyunca",
            "suren",
            "surer",
            "surmus",
        }
    )


def _sleep_hours(quantity: Quantity, near: set[str], here: set[str]) -> tuple[str, str, SignValue] | None:
    if "sleep" not in near or "behaviour" in here or not 0 <= quantity.value <= 24:
        return None
    return "sleep", "hours", _plain(quantity.value)


def _count(
    scene: Scene, clause: Clause, quantity: Quantity, facts: set[str], found: Sequence[Finding]
) -> tuple[str, str, SignValue] | None:
    rate = any(
        m.name == "frequency_rate" and m.first <= quantity.last + 1 and m.last > quantity.first
        for m in scene.around_talk
    )
    if rate or quantity.value != int(quantity.value):
        return None
    return _counted(scene, clause, quantity, facts) or _counted_before(scene, clause, quantity, found)


def _counted_before(
    scene: Scene, clause: Clause, quantity: Quantity, found: Sequence[Finding]
) -> tuple[str, str, SignValue] | None:
    """ "Had the runs overnight, 4 times": a bare count counts what was found before it."""
    number = scene.clauses.index(clause)
    here = [f for f in found if f.clause == number]
    if len(here) == 1 and here[0].sign in ("diarrhoea", "vomiting") and here[0].value is True:
        return here[0].category, COUNTED[here[0].category], int(quantity.value)
    if (
        not number
        or clause.sentence != scene.clauses[number - 1].sentence
        or any(f.clause == number for f in found)
    ):
        return None
    words = [t for t in scene.tokens[clause.first : clause.last] if t.is_word]
    before = [
        f for f in found if f.clause == number - 1 and f.category in COUNTED and f.value not in (False, None)
    ]
    if not before or len(words) > COUNT_WORDS:
        return None
    return before[-1].category, COUNTED[before[-1].category], int(quantity.value)


def _counted(
    scene: Scene, clause: Clause, quantity: Quantity, facts: set[str]
) -> tuple[str, str, SignValue] | None:
    hairball = any(m.name == "upper_digestive.hairball" and m.first in clause for m in scene.signs)
    options = []
    for fact, category in (("vomit", "upper_digestive"), ("stool", "lower_digestive"), ("urine", "urinary")):
        spots = scene.fact_spots.get((scene.clauses.index(clause), fact), ())
        if fact != "vomit" or not hairball:
            options += [(abs(spot - quantity.first), category) for spot in spots]
    if not options:
        return None
    category = min(options)[1]
    return category, COUNTED[category], int(quantity.value)


def _bare(
    scene: Scene, number: int, quantity: Quantity, facts: set[str], found: Sequence[Finding]
) -> tuple[str, str, SignValue] | None:
    value = quantity.value
    token = scene.tokens[quantity.first]
    decimal = token.is_number and any(c in token.raw for c in ".,")
    if "temperature" in facts and (BODY_C[0] <= value <= BODY_C[1] or BODY_F[0] <= value <= BODY_F[1]):
        unit = "f" if value > 60 else "c"
        return _temperature(Quantity(value, unit, quantity.first, quantity.last))
    if (
        decimal
        and 35.0 <= value <= 42.9
        and not facts & {"weigh", "eat", "drink"}
        and "metabolic_weight" not in facts
    ):
        return _temperature(Quantity(value, "c", quantity.first, quantity.last))
    if decimal and 98.0 <= value <= 107.0 and not facts & {"weigh", "eat", "drink", "metabolic_weight"}:
        return _temperature(Quantity(value, "f", quantity.first, quantity.last))
    earlier = any(f.sign == "weight_kg" and f.clause <= number for f in found)
    if (
        token.is_number
        and decimal
        and (earlier or "weigh" in facts or "metabolic_weight" in facts)
        and value < 120
    ):
        return "metabolic_weight", "weight_kg", _plain(value)
    if token.is_number and "weigh" in facts and value < 120 and "score" not in facts:
        return "metabolic_weight", "weight_kg", _plain(value)
    if "score" in facts and 1 <= value <= 9:
        return "metabolic_weight", "bcs", _plain(value)
    if value == int(value) and 0 <= value <= 40:
        return _noun_count(scene, number, quantity, facts)
    return None


def _noun_count(
    scene: Scene, number: int, quantity: Quantity, facts: set[str]
) -> tuple[str, str, SignValue] | None:
    """ "2 poos", "iki kaka", and "only about 5 since this morning" right after speaking of poo."""
    clause = scene.clauses[number]
    tokens = scene.tokens
    for at in range(quantity.last, min(clause.last, quantity.last + 3)):
        for fact, category in (("stool_noun", "lower_digestive"), ("urine_noun", "urinary")):
            if at in scene.fact_spots.get((number, fact), ()):
                return category, COUNTED[category], int(quantity.value)
    lead = {t.plain for t in tokens[clause.first : quantity.first]}
    alone = not clause.facts - {"stool", "urine"} and lead <= {
        "only",
        "about",
        "just",
        "maybe",
        "around",
        "sadece",
        "anca",
        "yaklasik",
        "toplam",
        "a",
        "total",
        "of",
        "like",
    }
    if alone and lead and number > 0:
        before = scene.clauses[number - 1]
        if "stool" in before.facts:
            return "lower_digestive", "stool_count", int(quantity.value)
        if "urine" in before.facts:
            return "urinary", "urine_count", int(quantity.value)
    return None
