"""The model, behind a small class: any OpenAI-compatible endpoint, asked for JSON that obeys a schema."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from household.models import Endpoint
from household.services.thinking import key_of


class ModelFailed(Exception):
    """The model gave nothing usable; `code` says why, in one stable word."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class Completion:
    """What a model wrote, and the tokens it took."""

    text: str
    tokens: int


class ChatModel:
    """One endpoint. Nothing it is sent or sends back reaches a log."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint

    def complete_json(
        self, *, system: str, text: str, schema: Mapping[str, Any], max_tokens: int
    ) -> Completion:
        """The answer as JSON text. Raises ModelFailed, within the endpoint's time limit."""
        import openai

        client = openai.OpenAI(
            base_url=self.endpoint.base_url,
            api_key=key_of(self.endpoint) or "none",
            timeout=float(self.endpoint.timeout_s),
            max_retries=0,
        )
        try:
            answer = client.chat.completions.create(
                model=self.endpoint.model,
                messages=[{"role": "system", "content": system}, {"role": "user", "content": text}],
                response_format={
                    "type": "json_schema",
                    "json_schema": {"name": "reading", "strict": True, "schema": dict(schema)},
                },
                temperature=0,
                max_tokens=max_tokens,
            )
        except openai.APITimeoutError:
            raise ModelFailed("timeout") from None
        except openai.RateLimitError:
            raise ModelFailed("rate_limited") from None
        except openai.APIStatusError as error:
            raise ModelFailed(f"status_{error.status_code}") from None
        except openai.APIConnectionError:
            raise ModelFailed("unreachable") from None
        except (openai.OpenAIError, ValueError, TypeError):
            raise ModelFailed("unreadable") from None
        return _completion(answer)


def _completion(answer: Any) -> Completion:
    try:
        choice = answer.choices[0]
        text, reason = choice.message.content, choice.finish_reason
    except (AttributeError, IndexError, TypeError):
        raise ModelFailed("empty") from None
    if reason == "length":
        raise ModelFailed("cut_off")
    if not isinstance(text, str) or not text.strip():
        raise ModelFailed("empty")
    usage = getattr(answer, "usage", None)
    return Completion(text, int(getattr(usage, "total_tokens", 0) or 0))
