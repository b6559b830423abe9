"""Assessments: their inputs as of now, their text by rules or by a model, kept under the inputs' own key.

Nothing here refreshes one: that it is out of date is seen by comparing keys, and only a person makes another.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import override

from household.clients import ChatModel, ModelFailed
from household.models import Endpoint
from household.rules.text import sanitise
from household.rules.tokens import tokens_of
from household.services.thinking import reserved
from twin.labels import CATEGORY_LABELS, category_label
from twin.models import Assessment, Medicine, ProfileVersion, Record, Subject
from twin.rules.assessment import (
    LongMedicine,
    Sentence,
    canonical_json,
    compose,
    inputs_key,
    inputs_of,
    is_long_term,
)
from twin.rules.drift import FIELDS, drift
from twin.services.filing import lock_subject
from twin.services.folding import age_in_months

TEXT_LIMIT = 4_000
ANSWER_TOKENS = 700
SCHEMA = {
    "type": "object",
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
    "additionalProperties": False,
}
LANGUAGES = {"en": "English", "tr": "Turkish"}
INSTRUCTIONS = (
    "You write a short, warm and plain health summary of one child or animal for the family's own book, "
    "in {language}, in at most 120 words. Use only the facts in the JSON you are given. Do not diagnose, do "
    "not name diseases that are not in it, give no advice and no dates, and invent no number. Say what is "
    "steady, what changed since the last profile, what is long-term, and what is not known."
)


def gather_inputs(
    subject: Subject,
    today: dt.date,
    *,
    records: QuerySet[Record],
    medicines: QuerySet[Medicine],
    versions: QuerySet[ProfileVersion],
) -> dict[str, Any]:
    """The inputs of an assessment as of `today`, from rows the asker may see."""
    last = list(versions.filter(subject=subject).order_by("-version")[:2])
    now, before = (*last, None, None)[:2]
    values = now.values if now else {}
    return inputs_of(
        species=subject.species,
        breed=subject.breed,
        sex=subject.sex,
        neutered=subject.neutered,
        age_months=age_in_months(subject.born_on, today),
        chronic=_chronic(records.filter(subject=subject)),
        medicines=long_medicines(medicines.filter(subject=subject), today),
        profile_version=now.version if now else None,
        profile=values,
        drift=drift(subject.species, before.values, values) if before else (),
    )


def long_medicines(medicines: Iterable[Medicine], today: dt.date) -> list[LongMedicine]:
    """What is given for thirty days or more; a changed dose goes on from the medicine it replaced."""
    rows = list(medicines)
    return [
        LongMedicine(row.name, float(row.dose) if row.dose is not None else None, row.unit)
        for row in rows
        if row.ended_at is None and is_long_term(_given_since(row, rows), row.until_on, today)
    ]


def _given_since(row: Medicine, rows: Sequence[Medicine]) -> dt.date:
    """The first day of an unbroken line of medicines of this name."""
    since = row.started_on
    alike = [one for one in rows if one.pk != row.pk and one.name.casefold() == row.name.casefold()]
    for one in sorted(alike, key=lambda one: one.started_on, reverse=True):
        ended = one.ended_at.date() if one.ended_at else one.until_on
        if ended is not None and one.started_on <= since <= ended + dt.timedelta(days=1):
            since = one.started_on
    return since


def _chronic(records: QuerySet[Record]) -> list[str]:
    """The chronic background: what is written down as such, and findings marked long-term, by category."""
    lasting = Q(kind="background") | Q(chronic=True) & ~Q(lifecycle="closed")
    rows = records.filter(lasting, superseded_by=None)
    texts = (row.text.strip() or _category_key(row) for row in rows)
    return [text for text in texts if text]


def _category_key(row: Record) -> str:
    return f"{row.category}:{row.site}" if row.category and row.site else row.category or ""


def sentences_of(inputs: Mapping[str, Any], *, sees_observations: bool = True) -> list[str]:
    """What rules say of the inputs, in the reader's language.

    Without sight of observations the chronic background and the medicines are left out.
    """
    named = {**inputs, "chronic": [chronic_label(text) for text in inputs["chronic"]]}
    if not sees_observations:
        named |= {"chronic": [], "medicines": []}
    sentences = [one for one in compose(named) if sees_observations or one.message != _NO_CHRONIC]
    return [_spoken(sentence) for sentence in sentences]


_NO_CHRONIC = "No chronic background is recorded."


def chronic_label(text: str) -> str:
    """A chronic finding in words: its category with its place, or what somebody wrote."""
    category, _colon, site = text.partition(":")
    if category not in CATEGORY_LABELS:
        return text
    return f"{category_label(category)} ({site})" if site else category_label(category)


def input_label(name: str) -> str:
    """What an input is called: that of a profile or a drift by its field."""
    kind, _dot, part = name.partition(".")
    if kind in ("profile", "drift") and part in FIELDS:
        label = _(FIELDS[part].label)
        return label if kind == "profile" else _("Drift of: %(field)s") % {"field": label}
    labels = {
        "species": _("Kind"),
        "breed": _("Breed"),
        "sex": _("Sex"),
        "neutered": _("Neutered"),
        "age_band": _("Life stage"),
        "chronic": _("Long-term background"),
        "medicines": _("Long-term medicines"),
        "profile.version": _("A new measurement of the usual"),
    }
    return labels.get(name, name)


def _spoken(sentence: Sentence) -> str:
    params = {
        name: _label(value) if name in sentence.labels else value for name, value in sentence.params.items()
    }
    return _(sentence.message) % params


def _label(value: str) -> str:
    return _(FIELDS[value].label) if value in FIELDS else _(value)


def find_assessment(
    subject_id: int, inputs: Mapping[str, Any], *, language: str, source: str
) -> Assessment | None:
    """The assessment that was made of the same inputs, in this language and by this source."""
    key = inputs_key(inputs)
    rows = Assessment.objects.filter(subject_id=subject_id, inputs_hash=key, language=language, source=source)
    return rows.order_by("-created_at").first()


@transaction.atomic
def keep_assessment(
    *,
    subject_id: int,
    inputs: Mapping[str, Any],
    language: str,
    now: dt.datetime,
    by_model: str | None = None,
) -> Assessment:
    """Keep the text of these inputs, a model's where it wrote one; what is there already stays one row.

    Made again after another one stood in between, it stands newest again.
    """
    lock_subject(subject_id)
    source = "model" if by_model else "rules"
    found = find_assessment(subject_id, inputs, language=language, source=source)
    if found is not None:
        found.created_at = now
        found.save(update_fields=["created_at"])
        return found
    with override(language):
        text = by_model or " ".join(sentences_of(inputs))
    return Assessment.objects.create(
        subject_id=subject_id,
        inputs_hash=inputs_key(inputs),
        inputs=json.loads(canonical_json(inputs)),
        text=text,
        language=language,
        source=source,
        created_at=now,
    )


def write_by_model(endpoint: Endpoint, inputs: Mapping[str, Any], *, language: str, now: dt.datetime) -> str:
    """A text that a model wrote of the inputs. Never inside a transaction: it may take its time.

    Raises ModelFailed, also for a text that holds a number the inputs do not; OverLimit.
    """
    with override("en"):
        named = {**inputs, "chronic": [chronic_label(text) for text in inputs["chronic"]]}
    facts = canonical_json(named)
    told = INSTRUCTIONS.format(language=LANGUAGES.get(language, "English"))
    estimate = tokens_of(told, facts) + ANSWER_TOKENS
    with reserved(endpoint=endpoint, tokens=estimate, now=now) as reservation:
        answer = ChatModel(endpoint).complete_json(
            system=told, text=facts, schema=SCHEMA, max_tokens=ANSWER_TOKENS
        )
        reservation.settle(answer.tokens or estimate)
    return _text_of(answer.text, facts)


def _text_of(answer: str, facts: str) -> str:
    try:
        text = sanitise(str(json.loads(answer)["text"])).strip()
    except (ValueError, KeyError, TypeError):
        raise ModelFailed("unreadable") from None
    if not text or len(text) > TEXT_LIMIT:
        raise ModelFailed("empty" if not text else "too_long")
    if _numbers(text) - _numbers(facts):
        raise ModelFailed("invented")
    return text


def _numbers(text: str) -> set[str]:
    """The numbers of a text, decimals by point or comma alike."""
    return {found.replace(",", ".").rstrip(".") for found in re.findall(r"\d+(?:[.,]\d+)?", text)}
