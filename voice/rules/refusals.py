"""Why a text is shown and not spoken; each reason has a stable code."""

from __future__ import annotations

MOST_CHARACTERS = 10_000


class NotSpoken(ValueError):
    """A text that is shown and not spoken."""

    code = "not_spoken"


class NothingToSay(NotSpoken):
    """Empty, or only what has no sound: emoji, marks."""

    code = "nothing_to_say"


class UnknownScript(NotSpoken):
    """Written in letters that none of the voices read."""

    code = "unknown_script"


class TooLong(NotSpoken):
    """Longer than MOST_CHARACTERS."""

    code = "too_long"


class NoVoice(NotSpoken):
    """No voice file for the text's language."""

    code = "no_voice"

    def __init__(self, language: str) -> None:
        super().__init__(f"no voice speaks {language}")
        self.language = language


class VoiceBroken(NotSpoken):
    """A voice file that cannot be used; `problem` says what is wrong with it."""

    code = "voice_broken"

    def __init__(self, voice: str, problem: str) -> None:
        super().__init__(f"the voice {voice} cannot be used: {problem}")
        self.voice, self.problem = voice, problem


class VoiceGone(VoiceBroken):
    """A voice whose file is not there any more."""

    code = "voice_gone"

    def __init__(self, voice: str) -> None:
        super().__init__(voice, "its file is not there any more")


class ServerSilent(NotSpoken):
    """The Wyoming server that should speak does not answer."""

    code = "server_silent"


class OverAllowance(NotSpoken):
    """The household's characters of today are used up; `free_at_ms` is when its next day begins."""

    code = "over_allowance"

    def __init__(self, free_at_ms: int) -> None:
        super().__init__("the voice allowance of today is used up")
        self.free_at_ms = free_at_ms


class NotReserved(ValueError):
    """Characters were settled or refunded that are no longer reserved."""


def check_sayable(text: str, words: str) -> None:
    """Refuse a text of which nothing can be said; `words` is what its speakable form says.

    Raises NothingToSay, UnknownScript.
    """
    if any(letter.isalnum() for letter in words):
        return
    # Latin letters are always said, except in the book's own marks.
    is_other = any(letter.isalpha() and not letter.isascii() for letter in text)
    raise UnknownScript if is_other else NothingToSay


def check_length(text: str) -> None:
    """Refuse a text that is longer than a voice should go on for. Raises TooLong."""
    if len(text) > MOST_CHARACTERS:
        raise TooLong
