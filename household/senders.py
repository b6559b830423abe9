"""The ways out of the house: an ntfy topic, and a mail server. Neither follows a redirect with a secret."""

from __future__ import annotations

import base64
import http.client
import smtplib
import ssl
from urllib.parse import urlsplit

from django.core.mail import EmailMessage
from django.core.mail.backends.smtp import EmailBackend

from household.models import MailServer
from household.services.secrets import unlock

TIMEOUT_S = 15
OK = range(200, 300)


class NotSent(Exception):
    """It did not go out; `code` says why, without a word of what it was."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def send_ntfy(*, topic_url: str, token: str, title: str, text: str, url: str = "") -> None:
    """Publish to a topic (docs.ntfy.sh/publish): a POST whose body is the message. Raises NotSent."""
    parts = urlsplit(topic_url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise NotSent("bad_address")
    headers = {"Title": _header(title), "Content-Type": "text/plain; charset=utf-8"}
    if url:
        headers["Click"] = url
    if token:
        headers["Authorization"] = f"Bearer {token}"
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    try:
        line = kind(parts.hostname, parts.port, timeout=TIMEOUT_S)
        try:
            line.request("POST", parts.path or "/", body=text.encode(), headers=headers)
            status = line.getresponse().status
        finally:
            line.close()
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise NotSent(type(error).__name__) from None
    if status not in OK:
        raise NotSent(f"http_{status}")


def send_mail(*, server: MailServer, to: str, title: str, text: str) -> None:
    """One e-mail through the household's server. Raises NotSent."""
    backend = EmailBackend(
        host=server.host,
        port=server.port,
        username=server.username,
        password=unlock(bytes(server.password_encrypted)),
        use_tls=server.security == "starttls",
        use_ssl=server.security == "tls",
        timeout=TIMEOUT_S,
    )
    message = EmailMessage(title, text, server.sender, [to], connection=backend)
    try:
        message.send()
    except (OSError, smtplib.SMTPException, ssl.SSLError, ValueError) as error:
        raise NotSent(type(error).__name__) from None


def _header(text: str) -> str:
    """A header's value: other letters than ASCII as RFC 2047 words, which ntfy reads."""
    if text.isascii():
        return text
    return f"=?UTF-8?B?{base64.b64encode(text.encode()).decode()}?="
