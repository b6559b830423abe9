"""After the night: what a model proposes of what stands, kept as proposals with their source.

The round never waits for it and never needs it: horizons count from the next night on, under the floors,
and considerations stand in the frame as what they are.
"""

from __future__ import annotations

import datetime as dt
import logging
from typing import Any

from django.db import transaction

from household.clients import ChatModel, ModelFailed
from household.models import Endpoint
from household.rules.limits import OverLimit
from household.rules.text import sanitise
from household.rules.tokens import tokens_of
from household.services.thinking import endpoint_for, reserved
from twin.models import Frame, Record, Subject
from twin.rules import proposals as rules
from twin.rules.record_ids import parse as parse_id
from twin.services.filing import lock_subject
from twin.services.rounds.night import Night
from twin.services.rounds.outlook import keep_frame

log = logging.getLogger("hearthbook.rounds")
ANSWER_TOKENS = 800


def propose(subject: Subject, *, now: dt.datetime) -> rules.Proposals | None:
    """Ask the household's model about what stands; None where none is there, nothing is open, or it fails."""
    endpoint = endpoint_for("analytical")
    frame = Frame.objects.filter(subject=subject).first() if endpoint else None
    if endpoint is None or frame is None or not frame.body.get("open"):
        return None
    try:
        found = _ask(endpoint, subject, frame.body, now=now)
    except (ModelFailed, OverLimit, rules.NoProposals) as failure:
        log.info("no proposals tonight: %s", type(failure).__name__)
        return None
    _keep(subject, frame.day, found, source=endpoint.model)
    return found


def _ask(endpoint: Endpoint, subject: Subject, body: dict[str, Any], *, now: dt.datetime) -> rules.Proposals:
    text = rules.question(body, species=subject.species, language=subject.language)
    estimate = tokens_of(rules.INSTRUCTIONS, text) + ANSWER_TOKENS
    with reserved(endpoint=endpoint, tokens=estimate, now=now) as reservation:
        answer = ChatModel(endpoint).complete_json(
            system=rules.INSTRUCTIONS, text=text, schema=rules.SCHEMA, max_tokens=ANSWER_TOKENS
        )
        reservation.settle(answer.tokens or estimate)
    return rules.parse(answer.text, records={one["record"] for one in body["open"]})


@transaction.atomic
def _keep(subject: Subject, day: dt.date, found: rules.Proposals, *, source: str) -> None:
    """Store what was proposed, unless another day's frame stands meanwhile."""
    lock_subject(subject.pk)
    frame = Frame.objects.filter(subject=subject, day=day).first()
    if frame is None:
        return
    for record_id, (to_passive, to_close) in found.horizons.items():
        proposed = {"to_passive": to_passive, "to_close": to_close, "source": source}
        number = parse_id(record_id)
        assert number is not None  # it was one of the open records
        Record.objects.open_courses().filter(subject=subject, pk=number).update(horizons=proposed)
    said = [{"text": sanitise(text), "source": source} for text in sorted(found.considerations)]
    keep_frame(Night(subject, day), {**frame.body, "considerations": said})
