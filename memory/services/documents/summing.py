"""Summing a document up: by rules always, by the household's model where a parent chose one."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, cast

from household.clients import ChatModel, ModelFailed
from household.rules.limits import OverLimit
from household.rules.tokens import tokens_of
from household.services.thinking import endpoint_for, reserved
from memory.models import Document, DocumentSummary, DocumentText, ProposedFinding
from memory.rules.documents import model_summary
from memory.rules.documents.dates import own_date
from memory.rules.documents.findings import MOST, Found, findings_of, key_findings
from memory.rules.documents.kinds import OTHER, Named, named
from memory.rules.documents.sentences import sentences
from memory.services.documents.admitting import admitted
from twin.clients import read_builtin
from twin.models import Subject
from twin.rules.entries import ReadingContext

log = logging.getLogger("hearthbook.documents")

ANSWER_TOKENS = 1_200
OPENING = 3  # sentences that stand for a paper without findings


@dataclass(frozen=True)
class _Summary:
    """What will be stored."""

    named: Named
    dated_on: dt.date | None
    lines: tuple[str, ...]
    by: str
    found: tuple[tuple[int, Found], ...]  # with their page


def sum_up(document: Document, pages: Sequence[DocumentText], *, now: dt.datetime) -> None:
    """Store kind, title, writer, date, summary and proposed findings; a person's own words are kept."""
    subject = Subject.objects.get(pk=document.subject_id)
    summary = _by_rules(document, pages, subject)
    summary = _by_model(summary, "\n\n".join(page.text for page in pages), now=now) or summary
    categories = _categories(summary, document, subject)
    with admitted(document.pk) as held:
        _name(held, summary, now=now)
        DocumentSummary.objects.update_or_create(
            document=held,
            defaults={
                "subject_id": held.subject_id,
                "author_id": held.author_id,
                "day": held.day,
                "text": "\n".join(summary.lines),
                "findings": [one.text for _page, one in summary.found],
                "by": summary.by,
                "made_at": now,
            },
        )
        _propose(held, summary, categories)


def _by_rules(document: Document, pages: Sequence[DocumentText], subject: Subject) -> _Summary:
    whole = "\n\n".join(page.text for page in pages)
    dated_on = own_date(whole, received_on=document.received_on, born_on=subject.born_on)
    until = document.received_on
    every: list[tuple[int, Found]] = []
    for page in pages:
        every += [
            (page.page, f) for f in findings_of(sentences(page.text), until=until, born_on=subject.born_on)
        ]
    chosen = {id(one) for one in key_findings([one for _page, one in every], most=MOST)}
    found = tuple(pair for pair in every if id(pair[1]) in chosen)
    best = key_findings([one for _page, one in found])
    lines = tuple(one.text for one in best) or tuple(
        one.text for one in [s for page in pages for s in sentences(page.text)][:OPENING]
    )
    return _Summary(named(whole), dated_on, lines, "rules", found)


def _by_model(summary: _Summary, text: str, *, now: dt.datetime) -> _Summary | None:
    """The same with what a model chose of the text, None where no model gave anything of use."""
    endpoint = endpoint_for("analytical") or endpoint_for("routine")
    if endpoint is None:
        return None
    told, shown = model_summary.instructions(), text[: model_summary.MOST_TEXT]
    estimate = tokens_of(told, shown) + ANSWER_TOKENS
    try:
        with reserved(endpoint=endpoint, tokens=estimate, now=now) as reservation:
            answer = ChatModel(endpoint).complete_json(
                system=told, text=shown, schema=model_summary.schema(), max_tokens=ANSWER_TOKENS
            )
            reservation.settle(answer.tokens or estimate)
        said = model_summary.parse(answer.text, text)
    except (ModelFailed, OverLimit, model_summary.NotASummary) as failure:
        log.warning("a summary was made by rules alone: %s", type(failure).__name__)
        return None
    if not said.sentences:
        return None
    known = summary.named
    better = Named(
        known.kind if said.kind == OTHER else said.kind,
        said.title or known.title,
        said.writer or known.writer,
        known.language,
    )
    return replace(summary, named=better, lines=said.sentences, by="model")


def _name(document: Document, summary: _Summary, *, now: dt.datetime) -> None:
    read: dict[str, Any] = {
        "kind": summary.named.kind,
        "title": summary.named.title[:200],
        "writer": summary.named.writer[:120],
        "dated_on": summary.dated_on,
    }
    for name, value in read.items():
        if name not in document.corrected:
            setattr(document, name, value)
    document.language, document.changed_at = summary.named.language, now
    document.save(update_fields=[*read, "language", "changed_at"])
    document.refresh_from_db(fields=["day"])


def _categories(summary: _Summary, document: Document, subject: Subject) -> dict[str, str | None]:
    """The category of each history finding, as the built-in reader files its words, if it does."""
    context = ReadingContext(
        language=cast(Literal["en", "tr"], summary.named.language),
        species=subject.species,
        spoken_on=summary.dated_on or document.received_on,
        born_on=subject.born_on,
    )
    found: dict[str, str | None] = {}
    for _page, one in summary.found:
        if one.kind == "history":
            entries = read_builtin(one.text, context=context).entries
            found[one.text] = entries[0].category if entries else None
    return found


def _propose(document: Document, summary: _Summary, categories: dict[str, str | None]) -> None:
    """Store the findings that nobody decided on yet; what was decided stays as it is."""
    document.proposals.filter(state="proposed").delete()
    decided = dict(document.proposals.values_list("text", "ordinal"))
    free = max(decided.values(), default=0)
    rows = []
    for page, one in summary.found:
        if one.text in decided:
            continue
        started_on, precision = one.started_on, one.precision
        if one.kind == "measurement" and started_on is None and document.dated_on:
            started_on, precision = document.dated_on, "day"  # a value is of its paper's day
        free += 1
        rows.append(
            ProposedFinding(
                document=document,
                subject_id=document.subject_id,
                author_id=document.author_id,
                day=document.day,
                ordinal=free,
                page=page,
                kind=one.kind,
                category=categories.get(one.text),
                text=one.text,
                started_on=started_on,
                precision=precision,
                time_phrase=one.time_phrase,
                chronic=one.chronic,
            )
        )
    ProposedFinding.objects.bulk_create(rows)
