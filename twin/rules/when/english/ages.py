"""English ages as anchors: "as a kitten", "at two years old", "when he was 3", "since birth"."""

from __future__ import annotations

from twin.rules.entries import Today
from twin.rules.when.english import words as w
from twin.rules.when.english.parts import unit_at, whole_number
from twin.rules.when.shapes import PHRASE, Hit, Scene, aged
from twin.rules.when.tokens import Line

MILESTONES = frozenset({
    "diagnosed", "test", "surgery", "operation", "operated", "started", "stopped", "lost", "learned",
    "learnt",
    "talked", "walked", "spoke", "broke", "neutered", "spayed", "adopted", "vaccinated", "failed", "had",
    "regressed", "began", "words", "talking", "walking",
})  # fmt: skip


def age(line: Line, i: int, scene: Scene) -> Hit | None:
    """An age of the subject from `i`, as months low and high."""
    return (
        _birth(line, i) or _as_young(line, i, scene) or _when_was(line, i, scene) or _at_age(line, i, scene)
    )


def _hit(end: int, low: int, high: int, why: str, scene: Scene) -> Hit:
    if scene.born_on is not None:
        lived = (scene.day.year - scene.born_on.year) * 12 + scene.day.month - scene.born_on.month
        if low > max(lived, 0):
            return Hit(end, "future", None, None, "an age not reached")
    return Hit(end, "age", aged(low, high), "no", why)


BORN: dict[tuple[str, ...], Today] = {
    ("from", "birth"): "yes", ("at", "birth"): "no", ("born", "with"): "yes", ("when", "he", "was",
    "born"): "no",
    ("when", "she", "was", "born"): "no", ("when", "it", "was", "born"): "no", ("all", "his", "life"): "yes",
    ("all", "her", "life"): "yes", ("all", "its", "life"): "yes", ("his", "whole", "life"): "yes",
    ("her", "whole", "life"): "yes", ("his", "entire", "life"): "yes", ("her", "entire", "life"): "yes",
    ("all", "of", "his", "life"): "yes", ("all", "of", "her", "life"): "yes", ("from", "day", "one"): "yes",
}  # fmt: skip
SINCE_BORN = frozenset({
    ("birth",), ("he", "was", "born"), ("she", "was", "born"), ("it", "was", "born"), ("being", "born"),
    ("day", "one"),
    ("her", "birth"), ("his", "birth"),
})  # fmt: skip


def _birth(line: Line, i: int) -> Hit | None:
    length = line.phrase(i, BORN)
    if length:
        today = BORN[tuple(line.at(i + n) for n in range(length))]
        return Hit(i + length, "age", aged(0, 0), today, "birth")
    length = line.phrase(i, SINCE_BORN) if line.at(i - 1) == "since" else 0
    return Hit(i + length, "age", aged(0, 0), "yes", "birth") if length else None


def _young(word: str, scene: Scene) -> tuple[int, int] | None:
    if word == "baby" and scene.species in ("cat", "rabbit", "bird"):
        return 0, 6
    return w.YOUNG.get(word)


def _as_young(line: Line, i: int, scene: Scene) -> Hit | None:
    """ "as a kitten", "in her puppyhood", "since puppyhood"."""
    if line.at(i) == "as" and line.at(i + 1) in ("a", "an"):
        at = i + 2 + (line.at(i + 2) in ("young", "little", "tiny", "small", "wee", "wild"))
        months = _young(line.at(at), scene)
        if months and line.at(at + 1) not in ("would", "does"):
            return _hit(at + 1, *months, "young animal or child", scene)
        if line.at(at) in ("kid", "child", "youngster"):
            return Hit(at + 1, "vague", PHRASE, "no", "childhood")
    at = i + (line.at(i) in ("in", "during", "from"))
    at += line.at(at) in ("her", "his", "its", "their", "early")
    if line.at(at) in w.YOUNG_TIMES and (at > i or line.at(i - 1) in ("since", "from")):
        return _hit(at + 1, *w.YOUNG_TIMES[line.at(at)], "early life", scene)
    if line.at(at) == "childhood":
        return Hit(at + 1, "vague", PHRASE, "no", "childhood")
    return None


def _when_was(line: Line, i: int, scene: Scene) -> Hit | None:
    """ "when she was a kitten", "he was 3" after since, "when luna turned two"."""
    at = i + (line.at(i) in ("when", "while", "until", "til", "from", "since"))
    if at == i and line.at(i - 1) not in ("since", "until", "from"):
        return None
    if line.at(at) == "still" or line.at(at) == "about":
        at += 1
    if line.at(at) in ("my", "our", "the"):
        at += 1
    if not line.at(at).isalpha():
        return None
    at += line.at(at) not in ("as", "a")
    if line.at(at - 1) not in ("hes", "shes", "its"):
        if line.at(at) not in ("was", "were", "turned", "is", "wuz", "became", "got"):
            return None
        verb, at = line.at(at), at + 1
        if verb in ("became", "got") and line.at(at) not in ("a", "an"):
            return None
    for word in (
        "only",
        "just",
        "still",
        "about",
        "around",
        "like",
        "maybe",
        "a",
        "an",
        "very",
        "much",
        "nearly",
    ):
        at += line.at(at) == word
    if line.at(at) in ("tiny", "little", "young", "wee", "small") and line.at(at + 1) in w.YOUNG:
        at += 1
    months = _young(line.at(at).removesuffix("s"), scene)
    if months:
        return _hit(at + 1, *months, "young animal or child", scene)
    if line.at(at) in w.VAGUE_YOUTH:
        end = at + 1 + (line.at(at + 1) in ("kid", "child", "boy", "girl"))
        return Hit(end, "vague", PHRASE, "no", "when young")
    return _age_number(line, at, scene, bare=True)


def _at_age(line: Line, i: int, scene: Scene) -> Hit | None:
    """ "at (the age of) 2", "at 6 months old", "aged 3"."""
    at, explicit = i, False
    if line.at(i) in ("at", "aged", "by", "from", "around", "since", "before"):
        at += 1
        explicit = line.at(i) == "aged"
    elif line.at(i - 1) not in ("since", "until") and line.at(i) not in ("age", "ages"):
        return None
    at += line.at(at) in ("around", "about", "just", "only", "roughly")
    if line.follows(at, "the", "age", "of") or line.follows(at, "an", "age", "of"):
        at, explicit = at + 3, True
    elif line.at(at) == "age":
        at, explicit = at + 1 + (line.at(at + 1) == "of"), True
    at += line.at(at) in ("around", "about")
    number = whole_number(line, at)
    aged_unit = number is not None and unit_at(line, number[1]) in (
        "week",
        "wk",
        "month",
        "mo",
        "mth",
        "year",
        "yr",
    )
    hit = _age_number(line, at, scene, bare=explicit or (line.at(i) == "at" and aged_unit))
    if hit or explicit or line.at(i) != "at":
        return hit
    if number and _is_milestone(line, i, number[1], scene, number[0]):
        return _hit(number[1], 12 * number[0], 12 * number[0] + 11, "age in years", scene)
    return None


def _is_milestone(line: Line, i: int, end: int, scene: Scene, years: int) -> bool:
    """Whether "at 3" is an age: a milestone word beside it and an age the subject has reached."""
    if scene.born_on is None or not 1 <= years <= scene.day.year - scene.born_on.year:
        return False
    if line.at(end) in (":", ".", "am", "pm", "in", "this", "oclock", "%") and line.at(end) != ".":
        return False
    return any(line.at(i - back) in MILESTONES for back in range(1, 7))


def _age_number(line: Line, at: int, scene: Scene, *, bare: bool) -> Hit | None:
    """An age in years, months, weeks or days from `at`; without a unit only where `bare` allows."""
    number = whole_number(line, at)
    if number is None or (line.at(at) in ("a", "an") and not unit_at(line, number[1])):
        return None
    value, end = number
    top = value
    if line.at(end) in ("-", "or", "to", "and") and line.at(end) != "and":
        other = whole_number(line, end + 1)
        if other and other[0] >= value:
            top, end = other
    half = line.follows(end, "and", "a", "half")
    end += 3 * half
    step = end + (line.at(end) == "-")
    unit = unit_at(line, step)
    after = step + 1
    old = line.at(after) == "old" or line.follows(after, "-", "old") or line.follows(after, "of", "age")
    if unit and not (old or bare):
        return None
    if not unit:
        return (
            _hit(end, 12 * value + 6 * half, 12 * top + 11, "age in years", scene)
            if bare and value < 100
            else None
        )
    end = after + (1 if line.at(after) == "old" else 2 if old else 0)
    low, high = _months(value, unit), _months(top, unit)
    if unit in ("year", "yr"):
        low, high = 12 * value + 6 * half, 12 * top + (5 if half and top == value else 11)
        high += 6 * half
    return _hit(end, low, high, "age", scene)


def _months(value: int, unit: str) -> int:
    if unit in ("week", "wk", "fortnight"):
        return int(value * (14 if unit == "fortnight" else 7) / 30.44)
    if unit in ("day", "night"):
        return int(value / 30.44)
    return value if unit in ("month", "mo", "mth", "mnth") else 0
