"""Why a file could not be read: a code for a page to put into words."""

from __future__ import annotations


class Refused(Exception):
    """The file cannot or must not be read; `code` says why, in one stable word."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code
