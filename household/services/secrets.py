"""Secrets of the household, encrypted with the box's own key, as they lie in the database."""

from __future__ import annotations

import base64
import hashlib

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings


def lock_up(secret: str) -> bytes:
    """A secret as it is stored; nothing for none."""
    return _locker().encrypt(secret.encode()) if secret else b""


def unlock(stored: bytes) -> str:
    """The secret in the clear, empty where there is none or the box's own key changed."""
    if not stored:
        return ""
    try:
        return _locker().decrypt(bytes(stored)).decode()
    except InvalidToken:
        return ""


def _locker() -> Fernet:
    return Fernet(base64.urlsafe_b64encode(hashlib.sha256(settings.SECRET_KEY.encode()).digest()))
