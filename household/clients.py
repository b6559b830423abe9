"""The model, behind a small class: any OpenAI-compatible endpoint, asked for JSON that obeys a schema."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
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
        with _failures():
            answer = self._client().chat.completions.create(
                model=self.endpoint.model,
                messages=[{"role": "system", "content": system}, {"role": "user", "content": text}],
                response_format={
                    "type": "json_schema",
                    "json_schema": {"name": "reading", "strict": True, "schema": dict(schema)},
                },
                temperature=0,
                max_tokens=max_tokens,
            )
        return _completion(answer)

    def stream_text(
        self, *, system: str, text: str, max_tokens: int, effort: str = ""
    ) -> Iterator[str | Completion]:
        """The answer piece by piece, then the whole of it with its tokens. Raises ModelFailed at any point.

        `effort` is asked for where the endpoint knows the word; one that refuses it is asked without.
        """
        extra: dict[str, Any] = {"reasoning_effort": effort} if effort else {}
        try:
            yield from self._streamed(system, text, max_tokens, extra)
        except ModelFailed as error:
            if error.code not in ("status_400", "status_422") or not extra:
                raise
            yield from self._streamed(system, text, max_tokens, {})

    def _streamed(
        self, system: str, text: str, max_tokens: int, extra: dict[str, Any]
    ) -> Iterator[str | Completion]:
        pieces: list[str] = []
        reason, tokens = "", 0
        with _failures():
            chunks = self._client().chat.completions.create(
                model=self.endpoint.model,
                messages=[{"role": "system", "content": system}, {"role": "user", "content": text}],
                temperature=0,
                max_tokens=max_tokens,
                stream=True,
                stream_options={"include_usage": True},
                extra_body=extra or None,
            )
            for chunk in chunks:
                tokens = int(getattr(getattr(chunk, "usage", None), "total_tokens", 0) or tokens)
                for choice in chunk.choices[:1]:
                    reason = choice.finish_reason or reason
                    if isinstance(choice.delta.content, str) and choice.delta.content:
                        pieces.append(choice.delta.content)
                        yield choice.delta.content
        if reason != "stop":
            raise ModelFailed("cut_off")
        if not "".join(pieces).strip():
            raise ModelFailed("empty")
        yield Completion("".join(pieces), tokens)

    def _client(self) -> Any:
        import openai

        return openai.OpenAI(
            base_url=self.endpoint.base_url,
            api_key=key_of(self.endpoint) or "none",
            timeout=float(self.endpoint.timeout_s),
            max_retries=0,
        )


@contextmanager
def _failures() -> Iterator[None]:
    """Whatever goes wrong with an endpoint, as one ModelFailed with a stable code."""
    import httpx2
    import openai

    try:
        yield
    except (openai.APITimeoutError, httpx2.TimeoutException):
        raise ModelFailed("timeout") from None
    except openai.RateLimitError:
        raise ModelFailed("rate_limited") from None
    except openai.APIStatusError as error:
        raise ModelFailed(f"status_{error.status_code}") from None
    except (openai.APIConnectionError, httpx2.HTTPError, OSError):
        raise ModelFailed("unreachable") from None
    except (openai.OpenAIError, ValueError, TypeError, AttributeError):
        raise ModelFailed("unreadable") from None


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
