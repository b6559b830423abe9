"""Answers that may be given again: to the same question, or to a similar one that rests on the same rows.

Only the model's call is saved: what an answer rests on is gathered anew each time, and an entry counts only
where its rows and what they say are equal. An entry goes with any of its rows (the database cascades).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db.models import QuerySet
from pgvector.django import CosineDistance

from memory.models import Answer, CachedAnswer
from memory.rules.asking.query import Query
from memory.rules.asking.sameness import SIMILAR, evidence_hash, guard_hash, question_hash
from memory.services.asking.prepared import Prepared

KEPT = 200  # of one subject and scope; the oldest go


def keys_of(query: Query, prepared: Prepared, *, names: Sequence[str], version: str) -> Mapping[str, str]:
    """The hashes by which this question is found again."""
    prints = {one.ref: one.fingerprint for one in prepared.given.values()}
    return {
        "question_hash": question_hash(query),
        "guard_hash": guard_hash(query, names=names),
        "evidence_hash": evidence_hash(prints),
        "data_version": version[:64],
    }


def look_up(prepared: Prepared) -> None:
    """Put into `prepared` the answer that may be given again, where there is one."""
    if not prepared.keys:
        return
    rows = _alike(prepared)
    exact = rows.filter(question_hash=prepared.keys["question_hash"]).first()
    found = exact or _similar(prepared, rows)
    if found is not None:
        prepared.cached = found.answer.text
        prepared.cached_variant_id = found.answer.variant_id
        prepared.cached_model = found.answer.model


def _alike(prepared: Prepared) -> QuerySet[CachedAnswer]:
    """Entries of the same subject and scope that rest on the same rows, in the same guards."""
    rows = CachedAnswer.objects.filter(
        subject_id=prepared.subject_id,
        scope=prepared.scope,
        evidence_hash=prepared.keys["evidence_hash"],
        guard_hash=prepared.keys["guard_hash"],
        answer__is_good=True,
    ).exclude(answer__thumb=-1)
    return rows.select_related("answer").order_by("-created_at")


def _similar(prepared: Prepared, rows: QuerySet[CachedAnswer]) -> CachedAnswer | None:
    if prepared.vector is None:
        return None
    near = rows.filter(embedder=prepared.embedder, vector__isnull=False).annotate(
        distance=CosineDistance("vector", prepared.vector)
    )
    found = near.order_by("distance").first()
    return found if found is not None and 1 - float(found.distance) >= SIMILAR else None


def keep(prepared: Prepared, answer: Answer) -> None:
    """Keep an answer that passed the gate; the oldest of its subject and scope beyond `KEPT` go."""
    if not prepared.keys or answer.source != "model" or not answer.is_good:
        return
    CachedAnswer.objects.create(
        answer=answer,
        subject_id=prepared.subject_id,
        author_id=prepared.person_id,
        is_private=prepared.is_private,
        scope=prepared.scope,
        vector=prepared.vector,
        embedder=prepared.embedder,
        **prepared.keys,
    )
    rows = CachedAnswer.objects.filter(subject_id=prepared.subject_id, scope=prepared.scope)
    old = list(rows.order_by("-created_at", "-pk").values_list("pk", flat=True)[KEPT : KEPT + 50])
    if old:
        CachedAnswer.objects.filter(pk__in=old).delete()
