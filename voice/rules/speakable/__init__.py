"""A text as it should be said: numbers, dates, units, abbreviations and signs in words, per language.

Everything else stays as it is. Pure: values in, values out.
"""

from voice.rules.speakable.languages import LANGUAGES, speakable
from voice.rules.speakable.pieces import Piece, Spoken

__all__ = ["LANGUAGES", "Piece", "Spoken", "speakable"]
