"""Finds time words in English and Turkish statements and says since when, or when, they speak of."""

from twin.rules.when.scan import find_times, onset_of
from twin.rules.when.shapes import Role, TimeMention

__all__ = ["Role", "TimeMention", "find_times", "onset_of"]
