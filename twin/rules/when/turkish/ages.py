"""Turkish ages as anchors: yavruyken, 2 yaşındayken, 6 aylıkken, doğuştan, 3 yaşından beri."""

from __future__ import annotations

from datetime import date

from twin.rules.when.shapes import PHRASE, Hit, Scene, aged
from twin.rules.when.tokens import Line
from twin.rules.when.turkish import words as w
from twin.rules.when.turkish.parts import quantity, stem, whole_number

BIRTH: tuple[tuple[str, ...], ...] = (
    ("dogustan",), ("dogustan", "beri"), ("dogdugundan", "beri"), ("dogdugundan", "bu", "yana"),
    ("dogumdan", "beri"),
    ("dogumundan", "beri"), ("dogali", "beri"), ("dogdu", "dogali"), ("dogdugu", "gunden", "beri"),
    ("dogali",),
)  # fmt: skip
AT_BIRTH: tuple[tuple[str, ...], ...] = (("dogdugunda",), ("dogarken",), ("dogumda",), ("dogar", "dogmaz"))
SMALL = ("kucuk", "cocuk", "genc", "minik", "ufak", "ufacik", "kucucuk", "minicik", "ergen")


def age(line: Line, i: int, scene: Scene) -> Hit | None:
    """An age of the subject from `i`, as months low and high."""
    return _birth(line, i) or _young(line, i, scene) or _years(line, i, scene) or _months_old(line, i, scene)


def _hit(end: int, low: int, high: int, why: str, scene: Scene, *, since: bool = False) -> Hit:
    if scene.born_on is not None and low > max(_lived(scene, scene.born_on), 0):
        return Hit(end, "future", None, None, "an age not reached")
    return Hit(end, "age", aged(low, high), "yes" if since else "no", why)


def _lived(scene: Scene, born_on: date) -> int:
    return (scene.day.year - born_on.year) * 12 + scene.day.month - born_on.month


def _birth(line: Line, i: int) -> Hit | None:
    for words in sorted(BIRTH, key=len, reverse=True):
        if line.follows(i, *words):
            return Hit(i + len(words), "age", aged(0, 0), "yes", "birth")
    for words in AT_BIRTH:
        if line.follows(i, *words):
            return Hit(i + len(words), "age", aged(0, 0), "no", "birth")
    return None


def _since(line: Line, end: int) -> tuple[bool, int]:
    return (True, end + 1) if line.at(end) in ("beri", "beridir", "itibaren") else (False, end)


def _young(line: Line, i: int, scene: Scene) -> Hit | None:
    """Yavruyken, bebekliğinde, yenidoğanken; küçükken is a phrase."""
    word, end = line.at(i), i + 1
    base = next((b for b in ("yavru", "bebek", "bebeg", "enik", "yenidogan") if word.startswith(b)), "")
    tail = word[len(base) :] if base else ""
    apart = tail in ("", "luk", "lik") and line.at(end) == "iken"
    if base and (
        tail in ("yken", "ken", "lugunda", "liginde", "lugundan", "liginden", "lukta", "likte", "yen")
        or apart
    ):
        since, end = _since(line, end + apart)
        end += line.at(end) == "kadar"
        low, high = (0, 1) if base == "yenidogan" else _young_months(base, scene)
        return _hit(end, low, high, "young animal or child", scene, since=since)
    small = next((s for s in SMALL if word.startswith(s)), "")
    rest = word[len(small) :] if small else ""
    apart = rest == "" and line.at(end) == "iken"
    if small and (rest in ("ken", "yken", "lugunde", "lugunden", "ligunde", "liginde") or apart):
        since, end = _since(line, end + apart)
        return Hit(end, "vague", PHRASE, "yes" if since else "no", "when young")
    return None


def _young_months(base: str, scene: Scene) -> tuple[int, int]:
    if base in ("bebek", "bebeg"):
        return (0, 6) if scene.species in ("cat", "rabbit", "bird") else (0, 12)
    return (0, 12) if base == "enik" or scene.species == "dog" else (0, 6)


YEAR_FORMS: dict[str, str] = {
    "indayken": "at", "indaydi": "at", "indaykene": "at", "inda": "in", "indan": "since", "ina": "until",
    "ini": "in", "ken": "at", "larinda": "at", "larindayken": "at", "lardayken": "at",
}  # fmt: skip


def _years(line: Line, i: int, scene: Scene) -> Hit | None:
    """2 yaşındayken, bir buçuk yaşında, 3 yaşından beri."""
    number = whole_number(line, i)
    if number is None:
        return None
    value, end = number
    half = line.at(end) == "bucuk"
    if line.at(end) in (",", ".") and line.at(end + 1) == "5":
        half, end = True, end + 1
    end += half
    top = value
    if line.at(end) == "-" or line.at(end) in w.NUMBERS:
        other = whole_number(line, end + (line.at(end) == "-"))
        if other and other[0] > value:
            top, end = other
    word = line.at(end)
    form = YEAR_FORMS.get(word[3:], "") if word.startswith("yas") else ""
    apart = form == "in" and line.at(end + 1) == "iken"
    if not form or (form == "in" and not apart and not _is_past_age(line, end, scene, value)):
        return None
    since, after = _since(line, end + 1 + apart)
    if form == "since" and not since:
        return None
    after += line.at(after) == "kadar"
    return _hit(after, 12 * value + 6 * half, 12 * top + 11, "age in years", scene, since=since)


def _is_past_age(line: Line, end: int, scene: Scene, value: int) -> bool:
    """Whether "2 yaşında" speaks of the past and not of how old the subject is."""
    if line.at(end + 1) in ("", "bir", ".", ",", "ve", "erkek", "disi", "kedi", "kopek", "kiz", "bi"):
        return False
    return scene.born_on is not None and 12 * value + 11 < _lived(scene, scene.born_on)


def _months_old(line: Line, i: int, scene: Scene) -> Hit | None:
    """6 aylıkken, 8 haftalıkken, 3 günlükten beri."""
    read = quantity(line, i)
    if read is None or read.quantity.vague:
        return None
    apart = read.case == "lik" and line.at(read.end) == "iken"
    if read.case != "likken" and not apart:
        return None
    since, end = _since(line, read.end + apart)
    months = read.quantity.months + int(read.quantity.days / 30.44)
    high = months + 11 if read.unit in ("yil", "sene") else months
    found = stem(line.at(read.end - 1), w.UNITS)
    if found is None:
        return None
    return _hit(end, months, high, "age", scene, since=since)
