"""Helpers that read the environment and stop with one clear sentence on a bad value."""

from __future__ import annotations

import json
import os
from typing import Any

from django.core.exceptions import ImproperlyConfigured

_YES = {"1", "true", "yes", "on"}
_NO = {"0", "false", "no", "off", ""}


def text(name: str, default: str = "") -> str:
    """The variable's value with spaces trimmed, or `default` where it is unset or empty."""
    return os.environ.get(name, "").strip() or default


def flag(name: str, *, default: bool = False) -> bool:
    """The variable read as yes or no. Raises ImproperlyConfigured on any other word."""
    value = os.environ.get(name)
    if value is None:
        return default
    word = value.strip().lower()
    if word in _YES:
        return True
    if word in _NO:
        return False
    raise ImproperlyConfigured(f"{name} must be yes or no, not {value!r}.")


def number(name: str, default: int, *, low: int, high: int) -> int:
    """The variable read as a whole number in [low, high]. Raises ImproperlyConfigured otherwise."""
    value = text(name)
    if not value:
        return default
    if not value.lstrip("-").isdigit() or not low <= int(value) <= high:
        raise ImproperlyConfigured(f"{name} must be a whole number from {low} to {high}, not {value!r}.")
    return int(value)


def options(name: str) -> dict[str, Any]:
    """The variable read as a JSON object, empty where unset. Raises ImproperlyConfigured otherwise."""
    try:
        found = json.loads(text(name, "{}"))
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise ImproperlyConfigured(f"{name} must be a JSON object.")
    return found


def web_threads() -> int:
    """How many requests the web answers at a time; `up` chooses it by the machine's size."""
    return number("HEARTHBOOK_WEB_THREADS", 8, low=2, high=64)
