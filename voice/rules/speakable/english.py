"""English rules in order: the first that matches at a place says it.

The style of number words follows NeMo text processing (https://github.com/NVIDIA/NeMo-text-processing).
"""

from voice.rules.speakable import english_dates, english_measures, english_tokens
from voice.rules.speakable.pieces import Rule

RULES: tuple[Rule, ...] = (
    *english_tokens.ADDRESSES,
    *english_dates.RULES,
    *english_measures.RULES,
    *english_tokens.RULES,
)
