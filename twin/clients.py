"""The outside of the twin: the household's reader, a model where one is configured, else our own."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

from household.clients import ChatModel, ModelFailed
from household.models import Endpoint
from household.rules.limits import OverLimit
from household.rules.tokens import tokens_of
from household.services.thinking import endpoint_for, reserved
from twin.reading.exemplars import Bank
from twin.rules import model_reading
from twin.rules.entries import Reading, ReadingContext

ANSWER_TOKENS = 1_500


def read(
    text: str,
    *,
    context: ReadingContext,
    now: dt.datetime | None = None,
    corrections: Bank | None = None,
) -> Reading:
    """Read one statement: by the model a parent chose, falling back to the built-in reader for this one.

    Without `now` no model is asked, since what it costs could not be counted. `corrections` are the
    household's own examples.
    """
    endpoint = endpoint_for("routine") if now is not None else None
    if endpoint is None or now is None:
        return read_builtin(text, context=context, corrections=corrections)
    try:
        return read_by_model(text, endpoint=endpoint, context=context, now=now)
    except ModelFailed as failure:
        code = f"model_{failure.code}"
    except model_reading.NotAReading as failure:
        code = f"model_{failure.code}"
    except OverLimit:
        code = "model_over_limit"
    reading = read_builtin(text, context=context, corrections=corrections)
    return replace(reading, dropped=(code, *reading.dropped))


def read_builtin(text: str, *, context: ReadingContext, corrections: Bank | None = None) -> Reading:
    """Read with what is in the box: no model, no network."""
    from twin.reading.builtin import read as read_text

    return read_text(text, context=context, corrections=corrections)


def read_by_model(text: str, *, endpoint: Endpoint, context: ReadingContext, now: dt.datetime) -> Reading:
    """Ask a model, and keep of its answer what the words support.

    Raises ModelFailed, NotAReading, OverLimit; tokens are settled whenever the model answered.
    """
    told = model_reading.instructions(context)
    estimate = tokens_of(told, text) + ANSWER_TOKENS
    with reserved(endpoint=endpoint, tokens=estimate, now=now) as reservation:
        answer = ChatModel(endpoint).complete_json(
            system=told, text=text, schema=model_reading.schema(), max_tokens=ANSWER_TOKENS
        )
        reservation.settle(answer.tokens or estimate)
    return model_reading.parse(answer.text, text, context=context)
