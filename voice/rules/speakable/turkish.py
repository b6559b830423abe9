"""Turkish rules in order: the first that matches at a place says it.

Numbers and endings follow the spelling guide of Türk Dil Kurumu (https://tdk.gov.tr): a dot after a number
makes it an ordinal, an apostrophe parts an ending from it, a comma begins the decimals.
"""

from voice.rules.speakable import turkish_measures, turkish_tokens
from voice.rules.speakable.pieces import Rule

RULES: tuple[Rule, ...] = (
    *turkish_tokens.ADDRESSES,
    *turkish_tokens.DATES,
    *turkish_measures.RULES,
    *turkish_tokens.RULES,
)
