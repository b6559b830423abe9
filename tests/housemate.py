"""Somebody at a browser without scripts: signs in to a running box and posts its forms over HTTP."""

from __future__ import annotations

import re
import uuid

import requests

from tests.household.box.running import Box

PASSPHRASE = "warm bread and honey"


class Housemate:
    """One session with one box."""

    def __init__(self, box: Box) -> None:
        self.base = f"http://127.0.0.1:{box.port}"
        self.session = requests.Session()

    def post(self, path: str, *, timeout: float = 20, **fields: str) -> requests.Response:
        """Post one form with its CSRF token."""
        token = self.session.cookies.get("csrftoken", "")
        headers = {"X-CSRFToken": token, "Referer": self.base}
        return self.session.post(
            self.base + path, data=fields, headers=headers, timeout=timeout, allow_redirects=False
        )

    @staticmethod
    def has_taken(answer: requests.Response) -> bool:
        """Whether what was posted was taken: it led on, and not to the page for signing in."""
        return answer.status_code == 302 and not answer.headers["Location"].startswith("/accounts/")

    def get(self, path: str) -> requests.Response:
        """Open one page."""
        return self.session.get(self.base + path, timeout=20)

    def set_up(self, box: Box, *, zone: str = "UTC") -> None:
        """Go through the first run with the code the box printed."""
        code = re.search(r"enter the code\s+(\S+)", box.printed())
        assert code, box.printed()
        self.get("/welcome")
        done = self.post(
            "/welcome",
            code=code[1],
            household_name="House",
            time_zone=zone,
            language="en",
            parent_name="Ana",
            passphrase=PASSPHRASE,
            again=PASSPHRASE,
        )
        assert done.status_code == 302, done.text

    def sign_in(self) -> None:
        """Sign in as the parent of the first run."""
        self.get("/accounts/login/")
        done = self.post("/accounts/login/", login="Ana", password=PASSPHRASE)
        assert done.status_code == 302, done.text

    def add_cat(self, name: str = "Mavi") -> None:
        """Add a cat to the book."""
        done = self.post(
            "/book/add?kind=cat",
            client_id=str(uuid.uuid4()),
            name=name,
            sex="unknown",
            time_zone="UTC",
            day_starts_at="03:00",
        )
        assert done.status_code == 302, done.text

    def tell(self, words: str, client_id: str, *, subject: str = "1", timeout: float = 20) -> bool:
        """Tell one statement; whether the house acknowledged it."""
        return self.has_taken(
            self.post("/tell", words=words, client_id=client_id, subject=subject, timeout=timeout)
        )
