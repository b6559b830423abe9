"""What kind of talk a statement is: questions clause by clause, and bare answers."""

from __future__ import annotations

from collections.abc import Sequence

from twin.reading.clauses import Clause
from twin.reading.findings import Scene
from twin.reading.lexicon import Lexicon
from twin.reading.tokens import Token
from twin.rules.when import TimeMention

YES_NO_STARTS = frozenset(
    "is are does do did can could should would will has have was were am shall may isnt arent doesnt"
    " wont".split()
)
ASKED_OF = frozenset(
    "he she it they i we you the this that there his her its their my a an any anyone these"
    " those dogs cats rabbits kids children someone everyone your".split()
)
# "Did his cruciate" is no question unless it ends like one.
OWNED = frozenset({"his", "her", "their", "my", "a", "an", "the", "your"})
PRESUPPOSING = (
    "why", "how come", "whats making", "what is making", "how long will", "how long should",
    "how do i stop", "how do we stop", "how can i stop", "how to stop", "what can i do", "what do i do",
    "what should i do", "what can i give", "how do i treat", "how do i get rid",
    "what could be causing", "what is causing", "whats causing", "what causes his", "what causes her",
    "how do i help", "how can i help", "what should i give", "what can we do", "what can i put",
    "what do i put", "what do i give", "how do i get", "how can i get", "whats wrong with his",
    "whats wrong with her", "is it normal that", "is it ok that", "is it bad that",
    "should i worry that", "should i be worried that", "should i be concerned that", "what helps",
    "how should i",
)  # fmt: skip
TURKISH_ASKING = frozenset(
    "mi mu miyim muyum misin musun miyiz muyuz misiniz musunuz midir mudur miydi muydu miymis acaba".split()
)
TURKISH_WORDS = frozenset(
    "ne neden niye nasil kac nerede nereye hangi kim nicin neyin nedir nereden neyden napmali napayim"
    " neler".split()
)
# "No he hasn't", "no not yet": words a bare answer may end with.
REPLYING = frozenset(
    "he she it they i we you has hasnt have havent had hadnt is isnt are arent was wasnt were"
    " werent does doesnt do dont did didnt can cant could couldnt will wont would wouldnt not"
    " yet really thankfully luckily sorry she's he's nothing like that never once at all".split()
)
TURKISH_PRESUPPOSING = frozenset("neden niye nicin".split())
NOT_ASKING_TR = frozenset(
    "bilmiyorum bilmiyor bilmiyoruz hatirlamiyor hatirlamiyorum emin bakmadim gormedim sormadim anlamadim"
    " bilmem belli diye bilmiyordu hatirlamiyoruz cozemedim bilemedim".split()
)


def mark_questions(scene: Scene, text: str) -> None:
    """Set `is_question` on every clause that asks."""
    tokens, clauses = scene.tokens, scene.clauses
    for clause in clauses:
        clause.is_question = (
            _asks_turkish(scene, clause) if scene.lexicon.language == "tr" else _asks_english(scene, clause)
        )
        clause.is_doubt = _doubts(scene, clause)
    last_of: dict[int, int] = {c.sentence: n for n, c in enumerate(clauses)}
    for sentence, n in last_of.items():
        if not _ends_with_mark(tokens, clauses[n]):
            continue
        if not any(c.is_question for c in clauses if c.sentence == sentence):
            clauses[n].is_question = True
    for n, clause in enumerate(clauses):
        if (
            n
            and clauses[n - 1].is_question
            and clause.sentence == clauses[n - 1].sentence
            and clause.link in ("and", "run_on")
            and clause.is_bare
        ):
            clause.is_question = True


def _doubts(scene: Scene, clause: Clause) -> bool:
    """Whether the clause only says that something is not known ("bugün öksürdü mü bilmiyorum")."""
    words = [t.plain for t in scene.tokens[clause.first : clause.last] if not t.is_mark]
    if scene.lexicon.language == "tr":
        following = [t.plain for t in scene.tokens[clause.last : clause.last + 2]]
        return any(w in TURKISH_ASKING for w in words) and any(
            w in NOT_ASKING_TR for w in (*words, *following)
        )
    return False


def _ends_with_mark(tokens: Sequence[Token], clause: Clause) -> bool:
    at = clause.last
    while at < len(tokens) and tokens[at].is_mark and tokens[at].raw in "?!)\"'":
        if tokens[at].raw == "?":
            return True
        at += 1
    return False


def _asks_english(scene: Scene, clause: Clause) -> bool:
    tokens = [t for t in scene.tokens[clause.first : clause.last] if not t.is_mark]
    while tokens and tokens[0].plain in (
        "and",
        "so",
        "but",
        "ok",
        "also",
        "hi",
        "hey",
        "hello",
        "btw",
        "just",
        "oh",
        "or",
        "um",
        "please",
        "quick",
        "question",
        "then",
        "well",
    ):
        tokens = tokens[1:]
    if not tokens:
        return False
    words = [t.plain for t in tokens]
    phrase = any(m.name == "question_phrases" and m.first in clause for m in scene.around_talk)
    if phrase and words[0] not in ("im", "i"):
        return True
    if phrase and words[0] in ("i", "im") and words[1:2] in (["wonder"], ["wondering"], ["need"]):
        return True
    if words[0] in YES_NO_STARTS and len(words) > 1:
        if words[1] in OWNED and not _ends_with_mark(scene.tokens, clause):
            return False
        return words[1] in ASKED_OF or any(t.plain in _names(scene) for t in tokens[1:2])
    if words[0] in ("how", "why", "where", "who", "which", "whats", "hows", "whens", "wheres", "whos"):
        return words[:2] not in (["how", "ever"],) and not (
            words[0] == "which" and len(words) > 1 and words[1] in ("is", "was", "seems", "helped")
        )
    if words[0] == "what":
        return (
            len(words) > 1
            and words[1] not in ("a", "an")
            and not (len(words) > 1 and words[1] in ("helped", "worked"))
        )
    if words[0] == "when":
        return len(words) > 1 and words[1] in YES_NO_STARTS
    return words[:2] in (
        ["any", "idea"],
        ["any", "ideas"],
        ["any", "tips"],
        ["any", "advice"],
        ["anyone", "know"],
        ["any", "chance"],
    )


def _names(scene: Scene) -> frozenset[str]:
    return frozenset(scene.tokens[m.first].plain for m in scene.subjects)


def _asks_turkish(scene: Scene, clause: Clause) -> bool:
    tokens = scene.tokens
    words = [t.plain for t in tokens[clause.first : clause.last] if not t.is_mark]
    following = [t.plain for t in tokens[clause.last : clause.last + 3]]
    if any(w in NOT_ASKING_TR for w in words) or any(w in NOT_ASKING_TR for w in following[:2]):
        return False
    if any(w in TURKISH_ASKING for w in words):
        return True
    if any(
        w.startswith(("oldugu", "oldugunu")) or w.endswith(("digini", "dugunu", "tigini", "tugunu"))
        for w in words
    ):
        return False
    if any(i in clause for i in scene.around.neither):
        return False
    if "ne" in words:
        at = words.index("ne")
        after = words[at + 1 : at + 2]
        if words.count("ne") >= 2 or after in (
            ["kadar"],
            ["zaman"],
            ["guzel"],
            ["yazik"],
            ["iyi"],
            ["de"],
            ["da"],
        ):
            return after in (["kadar"], ["zaman"]) and _asks_by_end(words)
        return True
    return any(w in TURKISH_WORDS - {"ne"} for w in words) and (
        words[0] in TURKISH_WORDS or _asks_by_end(words)
    )


def _asks_by_end(words: Sequence[str]) -> bool:
    return words[-1].endswith(
        ("meli", "mali", "lim", "yim", "sin", "iz", "yor", "di", "ti", "ir", "ar", "er", "mis", "dir", "ur")
    )


def presupposes(scene: Scene, clause: Clause, text: str) -> bool:
    """Whether a question takes a sign for granted ("why is he sneezing?")."""
    words = " ".join(t.plain for t in scene.tokens[clause.first : clause.last] if t.is_word)
    if scene.lexicon.language == "tr":
        return any(w in TURKISH_PRESUPPOSING for w in words.split()) or any(
            p in words
            for p in (
                "icin ne ",
                "icin nasil",
                "nasil gecir",
                "nasil durdur",
                "ne iyi gelir",
                "ne yapmali",
                "ne yapabil",
                "ne yapay",
                "nasil engel",
                "normal mi",
                "ne verebil",
                "ne verey",
            )
        )
    return any(words.startswith(p) or f" {p} " in f" {words} " for p in PRESUPPOSING)


def is_answer(scene: Scene, mentions: Sequence[TimeMention], *, is_bare: bool) -> bool:
    """Whether the statement opens with or, where nothing was found in it, is nothing but a bare answer."""
    clause = scene.clauses[0] if scene.clauses else None
    if clause is None:
        return False
    words = [t.plain for t in scene.tokens[clause.first : clause.last] if not t.is_mark]
    opens = _opens_answer(scene, clause, words, mentions)
    return opens or (is_bare and all(_is_bare_answer(scene, c, mentions) for c in scene.clauses))


def _opens_answer(
    scene: Scene, clause: Clause, words: Sequence[str], mentions: Sequence[TimeMention]
) -> bool:
    yes_no = (
        ("yes", "yep", "yeah", "yup", "ya", "yea", "no", "nope", "nah", "aye", "yess")
        if scene.lexicon.language == "en"
        else ("evet", "hayir", "yoo", "aynen", "hee", "he", "eevet", "yok")
    )
    if not words or words[0] not in yes_no:
        return False
    if len(words) == 1:
        return words[0] != "yok" or len(scene.clauses) == 1 or scene.clauses[1].link == "comma"
    start = scene.tokens[clause.first].end
    if any(start <= m.start <= start + 2 for m in mentions):
        return True
    if words[0] in ("no", "yok", "he"):
        return all(w in REPLYING for w in words[1:]) and scene.lexicon.language == "en"
    return True


def _is_bare_answer(scene: Scene, clause: Clause, mentions: Sequence[TimeMention]) -> bool:
    """Only time words, numbers, sides and the words that join them."""
    said = False
    light = scene.lexicon.slot_words("answer_light")
    said_so = [
        m
        for m in scene.around_talk
        if m.name == "answer_yes_no" and m.last - m.first <= len(m.pattern.elements)
    ]
    answers = {i for m in said_so for i in range(m.first, m.last)}
    sides = {i for m in scene.slots if m.name in ("left", "right", "both") for i in range(m.first, m.last)}
    for i in range(clause.first, clause.last):
        token = scene.tokens[i]
        if token.is_mark:
            continue
        timed = any(m.start <= token.start < m.end for m in mentions)
        if not timed and token.plain in light:
            continue
        if timed or i in answers or i in sides or token.is_number or token.plain in scene.lexicon.numbers:
            said = True
            continue
        return False
    return said


def helper(lexicon: Lexicon) -> frozenset[str]:
    """Words that join a bare answer."""
    return lexicon.slot_words("answer_light")
