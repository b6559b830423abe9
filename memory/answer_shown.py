"""What the pages show of answers: blocks with their links, the evidence table, one's own questions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import NoReverseMatch, reverse
from django.utils.formats import date_format
from django.utils.text import Truncator
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from household.access import Denied, Sight, visible
from household.models import Person
from household.rules.permissions import Resource
from memory.models import Answer, AnswerEvidence, Question
from memory.pattern_named import pattern_text
from memory.rules.asking.markers import Mark, blocks_of
from memory.rules.asking.scope import covers, scope_of
from memory.rules.evidence import Source, ref_of
from memory.services.asking.prepared import Prepared
from twin.labels import checked_signs, describe_signs, title_of
from twin.rules.record_ids import show

KINDS: Mapping[str, Any] = {
    "statement": _("Somebody's words"),
    "record": _("Record"),
    "event": _("Event"),
    "episode": _("Event"),
    "fill": _("Tap form"),
    "pattern": _("Pattern"),
    "strategy": _("Strategy"),
    "medicine": _("Medicine"),
    "passage": _("Document"),
    "profile": _("The usual"),
    "person": _("Profile"),
    "fact": _("Settled"),
}
COMPOSED: Mapping[str, Any] = {
    "over_limit": _("The thinking allowance is used up for now, so the book answered by itself."),
    "rate_limited": _("The model is busy, so the book answered by itself."),
    "timeout": _("The model was too slow, so the book answered by itself."),
    "cut_off": _("The model stopped half-way, so the book answered by itself."),
}
JOINED = (
    "statement",
    "record",
    "event",
    "strategy",
    "pattern",
    "medicine",
    "passage__document",
    "profile",
    "person",
    "fact",
)
EXCERPT = 160


def link_of(kind: str, pk: int, where: str, subject_id: int) -> str:
    """The page of a row; empty where it has none."""
    try:
        match kind:
            case "record":
                return reverse("twin:record-show", args=[show(pk)])
            case "event":
                return reverse("twin:event-show", args=[pk])
            case "medicine":
                return reverse("twin:medicine-show", args=[pk])
            case "statement":
                return reverse("memory:turn-show", args=[where])
            case "strategy":
                return reverse("memory:strategy-show", args=[ref_of(Source.STRATEGY, pk)])
            case "pattern":
                return reverse("memory:pattern-show", args=[ref_of(Source.PATTERN, pk)])
            case "passage":
                name, _sign, anchor = where.partition("#")
                return f"{reverse('memory:document-show', args=[name])}#{anchor}"
            case "fact":
                return reverse("memory:fact-list", args=[subject_id])
            case "profile" | "person":
                return reverse("twin:profile-show", args=[subject_id])
    except NoReverseMatch:
        return ""
    return ""


def why_id(question_id: int, marker: str) -> str:
    """Where on a page a marker's row stands; several answers may stand on one page."""
    return f"why-{question_id}-{marker}"


@dataclass(frozen=True)
class Link:
    """Where a marker leads, and what it is in a word."""

    url: str
    title: str


@dataclass(frozen=True)
class Links:
    """The links of an answer's markers."""

    by_marker: Mapping[str, Link]

    @classmethod
    def of_given(cls, prepared: Prepared) -> Links:
        """The links of what was given to an answer that is being written."""
        return cls(
            {
                one.marker: Link(
                    link_of(one.kind, one.pk, one.where, prepared.subject_id)
                    or f"#{why_id(prepared.question_id, one.marker)}",
                    f"{KINDS[one.kind]}: {Truncator(one.text).chars(EXCERPT)}",
                )
                for one in prepared.given.values()
            }
        )


@dataclass(frozen=True)
class ShownPart:
    """Some words, or a marker with its link."""

    text: str
    link: Link | None = None


@dataclass(frozen=True)
class ShownBlock:
    """A heading, an item or a paragraph."""

    kind: str
    parts: tuple[ShownPart, ...]
    is_unsupported: bool
    opens: bool = False  # the first item of a list
    closes: bool = False


def shown_blocks(text: str, links: Links, *, is_judged: bool) -> list[ShownBlock]:
    """An answer's text as the page's blocks; a marker without a link stands as plain text."""
    blocks = blocks_of(text, is_judged=is_judged)
    kinds = ["", *[one.kind for one in blocks], ""]
    return [
        ShownBlock(
            one.kind,
            tuple(
                ShownPart(part.name, links.by_marker.get(part.name))
                if isinstance(part, Mark)
                else ShownPart(part)
                for part in one.parts
            ),
            one.is_unsupported,
            opens=one.kind == "item" and kinds[number] != "item",
            closes=one.kind == "item" and kinds[number + 2] != "item",
        )
        for number, one in enumerate(blocks)
    ]


@dataclass(frozen=True)
class ShownEvidence:
    """One row of the evidence table."""

    marker: str
    kind: str
    title: str
    url: str
    is_cited: bool
    why_id: str


@dataclass(frozen=True)
class ShownAnswer:
    """An answer as its page shows it."""

    question: Question
    answer: Answer
    subject: Any
    blocks: list[ShownBlock]
    evidence: list[ShownEvidence]
    note: str
    is_own: bool


def shown_answer(person: Person, sight: Sight, pk: int) -> ShownAnswer:
    """One answer, where the asker may still view all it drew on. Raises Denied."""
    rows = visible(person, Resource.CONVERSATION, Answer.objects.filter(pk=pk))
    answer = rows.select_related("question", "subject").first()
    one = sight.subjects.get(answer.subject_id) if answer else None
    if answer is None or one is None:
        raise Denied
    windows = {resource.value: day for resource, day in one.windows.items()}
    if not covers(scope_of((resource.value for resource in one.views), windows), answer.scope):
        raise Denied
    rests_on = [
        _evidence(row, answer)
        for row in AnswerEvidence.objects.filter(answer=answer).select_related(*JOINED).order_by("id")
    ]
    links = Links(
        {row.marker: Link(row.url or f"#{row.why_id}", f"{row.kind}: {row.title}") for row in rests_on}
    )
    return ShownAnswer(
        answer.question,
        answer,
        one.subject,
        shown_blocks(answer.text, links, is_judged=answer.source != "composer"),
        rests_on,
        _note(answer),
        answer.author_id == person.pk,
    )


def _note(answer: Answer) -> str:
    """Why the composer answered in a model's place."""
    if not answer.why_composed:
        return ""
    return str(
        COMPOSED.get(answer.why_composed, _("The model gave no answer, so the book answered by itself."))
    )


def _evidence(row: AnswerEvidence, answer: Answer) -> ShownEvidence:
    kind = next((one for one in KINDS if getattr(row, f"{one}_id", None) is not None), "record")
    held: Any = getattr(row, kind, None)
    where = ""
    if kind == "statement" and held is not None:
        where = held.turn
    if kind == "passage" and held is not None:
        where = f"{held.document.doc_id}#{held.anchor}"
    return ShownEvidence(
        row.marker,
        str(KINDS[kind]),
        Truncator(_title(kind, held)).chars(EXCERPT) if held is not None else "",
        link_of(kind, getattr(row, f"{kind}_id"), where, answer.subject_id) if held is not None else "",
        row.is_cited,
        why_id(answer.question_id, row.marker),
    )


def _title(kind: str, row: Any) -> str:
    """What a row is, in a line."""
    match kind:
        case "statement":
            return f"{date_format(row.local_day, 'j F')}: “{row.text}”"
        case "record":
            labels = [*describe_signs(row.category, row.signs), *checked_signs(row.category, row.signs)]
            day = row.day or row.started_on
            when = f", {date_format(day, 'j F')}" if day else ""
            signs = ", ".join(label.text for label in labels)
            return f"{title_of(row.kind, row.category, row.signs)}{when}: {signs or row.text}"
        case "event":
            return f"{date_format(row.local_day, 'j F')}, {row.place}: {row.antecedent or row.behaviour}"
        case "strategy":
            return _now("%(name)s: %(good)s of %(uses)s times") % {
                "name": row.name,
                "good": row.successes,
                "uses": row.uses,
            }
        case "pattern":
            return f"{pattern_text(row)}: {row.both}/{row.antecedent_days}"
        case "medicine":
            return str(row.name)
        case "fact":
            return str(row.text)
        case "passage":
            return f"{row.document.title or row.document.doc_id}: {row.text}"
        case "profile":
            return _now("Measured on %(day)s") % {"day": date_format(row.measured_on, "j F")}
        case _:
            return _now("What travels in every thought about a child")


def history_of(person: Person, *, most: int) -> list[Question]:
    """One's own latest questions with their answers."""
    rows = visible(person, Resource.CONVERSATION, Question.objects.filter(author=person))
    return list(rows.select_related("subject", "answer").order_by("-asked_at", "-pk")[:most])
