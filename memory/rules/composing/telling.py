"""What to tell somebody, what somebody said, medicines, and who the subject is. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from memory.rules.asking.concepts import folded
from memory.rules.asking.query import Query
from memory.rules.asking.windows import lately
from memory.rules.composing import choosing
from memory.rules.composing.bodies import medicines_of
from memory.rules.composing.book import Book, CourseFact, MedicineFact
from memory.rules.composing.lines import Lines
from memory.rules.composing.plan import Count, Line, Section, section

LATELY = 30
RECENT_COURSE = 60
BODY_FIRST = frozenset({"behaviour", "sleep", "appetite_intake"})
MOST = 4


def to_tell(query: Query, book: Book, write: Lines) -> list[Section]:
    """What somebody who helps must know: what goes on, since when, what was tried, what else was noted."""
    window = query.window or lately(book.today, LATELY)
    far = query.window or lately(book.today, RECENT_COURSE)
    is_about_body = query.audience in ("vet", "doctor") or book.is_animal
    courses = _worth_telling(query, book)
    open_ = [one for one in courses if one.is_open]
    over = [one for one in courses if not one.is_open and far.holds(one.ended_on)]
    told = {one.category for one in (*open_, *over)}
    rest = [
        one
        for one in book.days
        if window.holds(one.day) and one.polarity == "abnormal" and one.category not in told and one.words
    ]
    events = [one for one in book.events if window.holds(one.day)]
    medicines = [one for one in book.medicines if one.is_current(book.today)]
    for course in over:
        medicines += [one for one in medicines_of(book, course) if one not in medicines]
    return [
        section(write.say("open"), [line for one in open_[:3] for line in _course_lines(one, write)]),
        section(
            write.say("over"),
            [line for one in over[:2] for line in (write.course(one), write.course_signs(one))],
        ),
        section(write.say("seen"), [write.a_day(one) for one in rest[:MOST]]),
        section(write.say("known"), [write.event(one) for one in events[: 2 if is_about_body else MOST]]),
        section(
            write.say("medicines"),
            [line for one in medicines[:3] for line in (write.medicine(one), _counts(one, write))],
        ),
        section(write.say("usual"), _drift(book, write)),
        section(write.say("helps"), _helps(query, book, write, is_about_body=is_about_body)),
    ]


def _worth_telling(query: Query, book: Book) -> list[CourseFact]:
    if query.categories:
        return choosing.courses_about(query, book)
    soft = [one for one in book.courses if one.category in BODY_FIRST]
    return [*[one for one in book.courses if one not in soft], *soft]


def _course_lines(course: CourseFact, write: Lines) -> list[Line | None]:
    return [write.course(course), write.course_signs(course), write.latest(course)]


def _drift(book: Book, write: Lines) -> list[Line]:
    profile = book.profile
    if profile is None:
        return []
    return [
        write.line("drifted", [profile], label=one.label, was=one.was, now=one.now)
        for one in profile.measures
        if one.is_drift
    ]


def _helps(query: Query, book: Book, write: Lines, *, is_about_body: bool) -> list[Line]:
    lines = [write.pattern(one) for one in book.patterns if one.lifecycle == "supported"][:2]
    every = [
        one for one in choosing.helpers(query, book, []) if one.uses and one.strategy.lifecycle != "retired"
    ]
    lines += [write.helper(one) for one in every[: 2 if is_about_body else 3]]
    person = book.person
    if person is not None and not is_about_body:
        lines += (
            [write.line("communication", [person], text=person.communication)] if person.communication else []
        )
        lines += (
            [write.line("never_do", [person], list=". ".join(person.never_do))] if person.never_do else []
        )
    return lines


def _counts(medicine: MedicineFact, write: Lines) -> Line | None:
    if not (medicine.given or medicine.skipped or medicine.refused):
        return None
    counts = [
        Count("given", medicine.given, (medicine.ref,)),
        Count("skipped", medicine.skipped, (medicine.ref,)),
        Count("refused", medicine.refused, (medicine.ref,)),
    ]
    return write.line(
        "dose_counts",
        [medicine],
        counts,
        given=medicine.given,
        skipped=medicine.skipped,
        refused=medicine.refused,
    )


def doses(query: Query, book: Book, write: Lines) -> list[Section]:
    """A medicine's dose, the last one given, the next one due, and what was missed."""
    found = choosing.medicines_about(query, book)
    window = query.window
    if window is not None:
        found = [
            one
            for one in found
            if one.started_on <= window.last and (one.until_on or book.today) >= window.first
        ]
    current = [one for one in found if one.is_current(book.today)]
    rows = (current or found)[:3]
    lines = [line for one in rows for line in _doses(one, book, write)]
    return [section(write.say("medicines"), lines)]


def _doses(medicine: MedicineFact, book: Book, write: Lines) -> list[Line | None]:
    lines: list[Line | None] = [write.medicine(medicine)]
    given = next((one for one in medicine.recent if one.outcome == "given"), None)
    if given is not None:
        by = write.say("by", who=given.by) if given.by else ""
        lines.append(write.line("dose_last", [medicine], day=write.day(given.day), clock=given.clock, by=by))
    if medicine.is_current(book.today):
        today = [one for one in medicine.recent if one.day == book.today]
        what = ", ".join(f"{one.clock} {write.say(one.outcome)}" for one in reversed(today))
        lines.append(
            write.line("dose_today", [medicine], what=what)
            if today
            else write.line("dose_today_none", [medicine])
        )
        if medicine.next_day is not None:
            key = "dose_overdue" if medicine.is_overdue else "dose_next"
            lines.append(
                write.line(key, [medicine], day=write.day(medicine.next_day), clock=medicine.next_clock)
            )
    lines.append(_counts(medicine, write))
    return lines


# By whom it was said: the kinds of event where they speak, and the roles of members.
SPEAKERS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "vet": (("vet_visit",), ("vet",)),
    "doctor": (("appointment",), ()),
    "therapist": ((), ("therapist",)),
    "school": ((), ("teacher",)),
    "grandparents": ((), ("family",)),
}


def what_was_said(query: Query, book: Book, write: Lines) -> list[Section]:
    """The report's own words, the visit's outcome, and what that person told."""
    passages = choosing.passages_about(query, book)
    kinds, roles = SPEAKERS.get(query.audience, ((), ()))
    window = query.window
    visits = [one for one in book.events if one.what in kinds and (window is None or window.holds(one.day))]
    if query.has_target and visits:
        visits = [one for one in visits if choosing.score(query, one) >= choosing.DIRECT] or (
            [] if query.words else visits
        )
    said = [one for one in book.said if one.role in roles or one.by in query.people]
    if window is not None:
        said = [one for one in said if window.holds(one.day)]
    if query.has_target:
        said = [one for one in said if choosing.score(query, one) >= choosing.DIRECT]
    if query.audience:
        said += [
            one
            for one in book.said
            if query.audience in one.matters
            and one not in said
            and (not query.has_target or choosing.score(query, one) >= choosing.DIRECT)
            and (window is None or window.holds(one.day))
        ]
    return [
        section(write.say("report"), [write.passage(one) for one in passages[:MOST]]),
        section(
            write.say("known"),
            [*[write.event(one) for one in visits[:2]], *[write.said(one) for one in said[:MOST]]],
        ),
    ]


# Which part of the profile a question is about, by its folded words.
TOPICS: tuple[tuple[str, str], ...] = (
    (
        "interests",
        r"\b(likes?|loves?|enjoys?|interest\w*|favou?rites?|hobb\w*|sev\w*|ilgi\w*|hoslan\w*|merakli\w*)\b",
    ),
    ("diagnoses", r"\b(diagnos\w*|condition|tani\w*|teshis\w*)\b"),
    ("never", r"\b(never|must not|mustnt|should not|avoid|asla|yapma\w*|yapilma\w*|kacin\w*|dikkat)\b"),
    ("communication", r"\b(communicat\w*|talk\w*|speak\w*|iletisim\w*|konus\w*)\b"),
    ("sensory", r"\b(sensory|sensitive|senses|duyusal|hassas\w*)\b"),
    (
        "age",
        r"\b(how old|age|born|birthday|breed|kac yas\w*|yasi|yasinda|dogum|dog(?:du|mus)|irk\w*|cins\w*)\b",
    ),
)


def who(query: Query, book: Book, write: Lines) -> list[Section]:
    """What the profile holds: likes, needs, what never to do, age."""
    words = " ".join(folded(query.text))
    topics = [name for name, pattern in TOPICS if re.search(pattern, words)]
    lines = _profile_lines(topics or [name for name, _pattern in TOPICS], book, write)
    asked = [word for word in query.words if not _is_topic(word, words)]
    if asked and not any(_holds(asked, line.text) for line in lines):
        return []
    if query.matters and not topics:
        return []
    return [section(write.say("known"), lines)]


def _is_topic(word: str, words: str) -> bool:
    """Whether a word only names the part of the profile that is asked for."""
    found = [match.group() for _name, pattern in TOPICS for match in re.finditer(pattern, words)]
    return any(one.startswith(word) for one in found)


def _holds(asked: Sequence[str], text: str) -> bool:
    return any(said.startswith(word) for word in asked for said in folded(text))


def _profile_lines(topics: Sequence[str], book: Book, write: Lines) -> list[Line]:
    person, lines = book.person, []
    if "age" in topics and book.age:
        breed = f", {book.breed}" if book.breed else ""
        lines.append(write.line("age", [], name=book.name, age=book.age, breed=breed))
    if person is None:
        return lines
    rows = {
        "diagnoses": ("diagnoses", "; ".join(person.diagnoses)),
        "interests": ("interests", "; ".join(person.interests)),
        "never": ("never_do", ". ".join(person.never_do)),
        "communication": ("communication", person.communication),
        "sensory": ("sensory", person.sensory),
    }
    for topic, (key, text) in rows.items():
        if topic in topics and text:
            lines.append(write.line(key, [person], list=text, text=text))
    return lines
