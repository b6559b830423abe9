"""Turkish pieces."""

def spell(word: str) -> str:
    """The word."""
    return word
